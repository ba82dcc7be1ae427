"""Remarks on decisions, in plain English: why another option is better, by what differs when the round is over."""

from __future__ import annotations

from typing import assert_never

from stampede.core.game import Seat
from stampede.kernels.zoff.layout import MAX_RANKS, SetupRecord, StateRecord
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.resolve import count_cows
from stampede.search.zoff.max_n import apply_option
from stampede.zoff.actions import Bid, Choose, Pick, Place, PlaceBonus, Settle, TakeBack, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.state import State

__all__ = ["describe_action", "describe_choice", "explain_answer", "explain_choice"]

SMALL = 0.15
"""Differences below this many cows are called even."""
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def describe_choice(choose: Choose) -> str:
    """A choice in one line."""
    return " and ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in choose.pairs
    )


def describe_action(action: ZoffAction) -> str:
    """An action in one line."""
    match action:
        case Choose():
            return describe_choice(action)
        case Place(cows=cows):
            return f"{cows} cow{'s' * (cows != 1)}"
        case PlaceBonus(on=on):
            return f"bonus on {', '.join(on)}" if on else "no bonus cow"
        case Settle(colours=colours):
            return "settles " + ", ".join(f"{colour} on {name}" for name, colour in colours)
        case Bid(text=text):
            return f"bids {text}"
        case Pick(colour=colour):
            return f"takes {colour}"
        case TakeBack():
            return "takes the answer back"
        case _:
            assert_never(action)


def explain_choice(chosen: Choose, best: Choose, gap: float, share: float | None) -> str:
    """What to say about a choice: how much better the best one is, and whether this one should be played at all."""
    if gap < SMALL:
        return "As good as any other, as far as one can know before the reveal."
    cards = {pair.pasture: pair.card for pair in chosen.pairs}
    remarks = []
    for pair in best.pairs:
        if pair.pasture not in cards:
            remarks.append(f"{pair.pasture} instead of another pasture")
        elif cards[pair.pasture] != pair.card:
            remarks.append(f"{_compared(pair.card, cards[pair.pasture])} on {pair.pasture}")
    reason = f" ({', '.join(remarks)})" if remarks else ""
    rare = " It should hardly ever be played." if share is not None and share < 0.02 else ""
    return f"{describe_choice(best)} promises {gap:.1f} cows more{reason}.{rare}"


def _compared(better: CowCard, card: CowCard) -> str:
    """A card as compared with another one. Letters count, too: of equal values the earlier one goes first (Z4.2)."""
    if better.value != card.value:
        return "a higher card" if better.value > card.value else "a lower card"
    return "an earlier letter" if better.letter < card.letter else "a later letter"


def explain_answer(
    state: State,
    setup: SetupRecord,
    record: StateRecord,
    seat: Seat,
    answers: tuple[int, int],
    gap: float,
) -> str:
    """What to say about a placement or a bonus: what the best one changes until the end of the round.

    Answers are the numbers of the one chosen and of the best one.
    """
    chosen, best = answers
    if gap < SMALL:
        return "Nothing better to be seen."
    here, there = record.copy(), record.copy()
    apply_option(setup, here, chosen)
    finish_round(setup, here)
    apply_option(setup, there, best)
    finish_round(setup, there)
    remarks = []
    cows = count_cows(setup, there, seat) - count_cows(setup, here, seat)
    if cows:
        remarks.append(
            f"{abs(cows)} own cow{'s' * (abs(cows) > 1)} {'more' if cows > 0 else 'fewer'}"
        )
    others = sum(
        count_cows(setup, there, other) - count_cows(setup, here, other)
        for other in range(int(setup.players))
        if other != seat
    )
    if others:
        remarks.append(f"{abs(others)} {'more' if others > 0 else 'fewer'} for the others together")
    for pasture in range(int(setup.pastures)):
        remarks.extend(_ranks(state, setup, here, there, seat, pasture))
    if not remarks:
        return f"worth {gap:.1f} cows more, by its prospects for the rounds to come."
    return f"worth {gap:.1f} cows more: by the end of the round {', '.join(remarks[:4])}."


def _ranks(
    state: State,
    setup: SetupRecord,
    here: StateRecord,
    there: StateRecord,
    seat: Seat,
    pasture: int,
) -> list[str]:
    """How the best answer changes a seat's places on one pasture, and whether it fills."""
    name = state.setup.pastures[pasture].name
    remarks = []
    for half in range(2 if setup.players == 2 else 1):
        colour = int(setup.colours_of[seat, half])
        before, after = _rank(here, pasture, colour), _rank(there, pasture, colour)
        if before == after or after is None:
            continue
        bonus = int(setup.bonus[pasture, after]) if after < MAX_RANKS else 0
        remarks.append(f"{ORDINALS[after]} on {name} (bonus {bonus})")
    if (here.free[pasture] == 0) != (there.free[pasture] == 0):
        remarks.append(f"{name} {'is' if there.free[pasture] == 0 else 'is not'} full")
    return remarks


def _rank(record: StateRecord, pasture: int, colour: int) -> int | None:
    herds = record.herds[pasture]
    return int((herds > herds[colour]).sum()) if herds[colour] else None
