"""Reviews settling, bids and picks of a finished game by playouts from each start."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.core.remark import Remark
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.layout import MAX_COLOURS
from stampede.search.zoff.auction import highest_bid, promise_of
from stampede.search.zoff.matrix_game import solve_matrix
from stampede.search.zoff.review.remarks import PHRASES
from stampede.search.zoff.utilities import play_outs
from stampede.zoff import ZoffGame
from stampede.zoff.actions import BID_UNIT, Bid, Pick, Settle, ZoffAction
from stampede.zoff.state import State, ZoffPhase

__all__ = ["ReviewedOpening", "review_bid", "review_pick", "review_settling", "worths_of_colours"]

OUTS = 600
"""Games played out to tell what a start is worth."""
SETTLING_OUTS = 120
"""The same for each of the 36 pairs of settlings."""
EVEN = 0.15
"""Differences below this many cows are called even."""


@dataclass(frozen=True, slots=True)
class ReviewedOpening:
    """A decision before the first round.

    Attributes:
        best: What promises most.
        value: What was done promises so many cows of lead.
        best_value: What the best promises.
        options: How many there were to choose from; for a bid, those that differ are countless: 0.
        reasons: Why.
    """

    best: ZoffAction
    value: float
    best_value: float
    options: int
    reasons: tuple[Remark, ...]


def _cows(state: State, games: int, rng: RngState) -> npt.NDArray[np.float64]:
    """By seat: the mean of cows in games played out from the first round, bids deducted."""
    cows, wins = np.zeros(MAX_COLOURS), np.zeros(MAX_COLOURS)
    play_outs(encode_setup(state), encode(state), games, rng, cows, wins)
    return cows[: state.setup.rules.players]


def worths_of_colours(first_round: State, rng: RngState) -> dict[str, float]:
    """The cows that each colour (of two players: each group) can expect, bids left out."""
    cows = _cows(first_round, OUTS, rng)
    found = {}
    for group, owner in zip(first_round.setup.groups, first_round.owners, strict=True):
        assert owner is not None, "colours have owners in the first round"
        bid = first_round.bids[owner]
        found[group.name] = float(cows[owner]) + (0.0 if bid is None else bid.units / BID_UNIT)
    return found


def review_settling(
    game: ZoffGame, before: State, settled: dict[Seat, Settle], rng: RngState
) -> dict[Seat, ReviewedOpening]:
    """Reviews both players' settlings together, against the other's equilibrium strategy (Z10.2)."""
    if before.setup.rules.auction:
        reasons = (PHRASES.remark("settle_auction"),)
        return {
            seat: ReviewedOpening(way, 0.0, 0.0, len(game.legal(before, seat)), reasons)
            for seat, way in settled.items()
        }
    ways = [list(game.legal(before, seat)) for seat in range(2)]
    leads = np.zeros((len(ways[0]), len(ways[1])))
    luck = int(rng[0])
    for (row, one), (column, two) in product(enumerate(ways[0]), enumerate(ways[1])):
        rng[0] = luck  # the same for all, so that settlings differ by themselves
        start = game.apply(game.apply(before, 0, one).state, 1, two).state
        cows = _cows(start, SETTLING_OUTS, rng)
        leads[row, column] = cows[0] - cows[1]
    solution = solve_matrix(leads)
    promises = (leads @ solution.column, -(solution.row @ leads))
    found = {}
    for seat, way in settled.items():
        worth = promises[seat]
        best = int(np.argmax(worth))
        chosen = [dict(_settle(one).colours) for one in ways[seat]].index(dict(way.colours))
        gap = float(worth[best] - worth[chosen])
        reason = PHRASES.remark("settle_even")
        if gap >= EVEN:
            reason = PHRASES.remark("settle_better", cows=f"{gap:.1f}")
        found[seat] = ReviewedOpening(
            ways[seat][best] if gap > 0 else way,
            float(worth[chosen]),
            float(worth[best]),
            len(ways[seat]),
            (reason,),
        )
    return found


def _settle(action: ZoffAction) -> Settle:
    assert isinstance(action, Settle), "one of the settlings"
    return action


def review_bid(bid: Bid, worths: dict[str, float]) -> ReviewedOpening:
    """Reviews a bid against equilibrium bids, not against what the others happened to bid."""
    most = highest_bid(list(worths.values()))
    cows = bid.units / BID_UNIT
    value = promise_of(list(worths.values()), cows)
    best = bid if value == 0.0 else Bid.of_units(int(most * BID_UNIT))
    ranked = sorted(worths, key=lambda name: -worths[name])
    gap = worths[ranked[0]] - worths[ranked[-1]]
    code = "bid_even" if value > -EVEN else "bid_high"
    reason = PHRASES.remark(
        code, first=ranked[0], last=ranked[-1], cows=f"{gap:.1f}", most=f"{most:.1f}"
    )
    return ReviewedOpening(best, value, 0.0, 0, (reason,))


def review_pick(
    state: State, pick: Pick, free: list[Pick], worths: dict[str, float]
) -> ReviewedOpening:
    """Reviews a pick: the colour that one player takes the others can't have."""
    assert state.phase is ZoffPhase.PICK, "a seat picks"
    share = len(worths) / (len(worths) - 1)
    mean = sum(worths.values()) / len(worths)
    best = max(free, key=lambda way: worths[way.colour])
    value, best_value = ((worths[way.colour] - mean) * share for way in (pick, best))
    reason = PHRASES.remark("pick_best")
    if best_value - value >= EVEN:
        cows = f"{worths[best.colour] - worths[pick.colour]:.1f}"
        reason = PHRASES.remark("pick_better", best=best.colour, chosen=pick.colour, cows=cows)
    elif best.colour != pick.colour:
        reason = PHRASES.remark("pick_even")
    return ReviewedOpening(
        best if best_value > value else pick, value, best_value, len(free), (reason,)
    )
