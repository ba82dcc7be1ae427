"""The equilibrium of the auction for colours (Z11.1): all players pay their bids, so it is an all-pay auction.

If all know what the colours are worth, the symmetric equilibrium is mixed. A bid at quantile q beats each other bid
with probability q, which gives the chances of every place in the order of picks, and so the expected worth of the
colour. All bids in the support promise the same as the lowest, 0 for the worst colour. That gives the bid of each
quantile in closed form; drawing the quantile evenly gives the equilibrium strategy. What counts is the lead over the
mean of the others: a colour that one player has the others don't have, so worths count n / (n - 1) times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

__all__ = ["bid_at", "highest_bid", "promise_of"]


def _places(players: int, quantile: float) -> list[float]:
    """The chance of each place, the first pick first, if each other is beaten with this probability."""
    others = players - 1
    return [
        comb(others, place) * quantile ** (others - place) * (1 - quantile) ** place
        for place in range(players)
    ]


def bid_at(worths: Sequence[float], quantile: float) -> float:
    """The equilibrium bid, in cows, that beats each other bidder with this probability, for colours of these worths."""
    best_first = sorted(worths, reverse=True)
    players = len(best_first)
    gain = sum(
        chance * worth for chance, worth in zip(_places(players, quantile), best_first, strict=True)
    )
    return max(0.0, (gain - best_first[-1]) * players / (players - 1))


def highest_bid(worths: Sequence[float]) -> float:
    """The top of the support: the best colour's advantage over the worst."""
    return bid_at(worths, 1.0)


def promise_of(worths: Sequence[float], bid: float) -> float:
    """The lead that a bid promises in equilibrium, compared with bidding nothing: 0, or less beyond the highest."""
    return -max(0.0, bid - highest_bid(worths))
