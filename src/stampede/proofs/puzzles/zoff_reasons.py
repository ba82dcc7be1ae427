"""Why a choice of Zoff is best, in words and figures: what it leads to, and what the most tempting other one would."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from stampede.core.game import Seat
from stampede.proofs.puzzles.zoff_puzzle import count_cows
from stampede.proofs.puzzles.zoff_solver import Choice, Line, Solved
from stampede.zoff import State, ZoffGame
from stampede.zoff.actions import Choose, Place, PlaceBonus, ZoffAction
from stampede.zoff.events import BonusPlaced, FinalBonus, Placed

__all__ = [
    "GainDifference",
    "GainKind",
    "describe_choice",
    "difference",
    "explain",
    "tempting_choice",
]

GainKind: TypeAlias = Literal["card", "bonus", "final"]

_GAME: Final = ZoffGame()


@dataclass(frozen=True, slots=True)
class GainDifference:
    """Where a seat gets another number of cows after the best choice than after the tempting one.

    Attributes:
        kind: From a card, from the bonus of a pasture that fills, or from the final bonus of an open one.
        pasture: Which pasture.
        seat: Who gets them.
        cows: How many after the best choice.
        instead: How many after the tempting one.
    """

    kind: GainKind
    pasture: str
    seat: Seat
    cows: int
    instead: int


def tempting_choice(solved: Solved) -> Choice:
    """The wrong choice that most would fall for: the one of most cows at once; else the second best."""
    return max(solved.choices[1:], key=lambda choice: count_cows(choice.action))


def difference(state: State, solved: Solved) -> GainDifference | None:
    """What makes the most of the difference between the best choice and the tempting one, to the solver's advantage."""
    best = _gains(state, solved.choices[0].line)
    other = _gains(state, tempting_choice(solved).line)
    found = [
        GainDifference(kind, pasture, seat, best[key], other[key])
        for key in sorted(best.keys() | other.keys())
        for kind, pasture, seat in (key,)
    ]

    def advantage(one: GainDifference) -> int:
        more = one.cows - one.instead
        return more if one.seat == solved.seat else -more

    most = max(found, key=advantage, default=None)
    return most if most is not None and advantage(most) > 0 else None


def _gains(state: State, line: Line) -> Counter[tuple[GainKind, str, Seat]]:
    """The cows of each seat to the end, by where they come from."""
    gains: Counter[tuple[GainKind, str, Seat]] = Counter()
    for actor, action in line:
        state, events = _GAME.apply(state, actor, action)
        for event in events:
            match event:
                case Placed(seat=seat, pasture=pasture, cows=cows):
                    gains["card", pasture, seat] += cows
                case BonusPlaced(seat=seat, source=pasture, on=on):
                    gains["bonus", pasture, seat] += len(on)
                case FinalBonus(seat=seat, pasture=pasture, cows=cows):
                    gains["final", pasture, seat] += cows
                case _:
                    pass
    return gains


def explain(state: State, solved: Solved) -> str:
    """The reason in words: what the best choice and the tempting one lead to, and what makes the difference."""
    best, tempting = solved.choices[0], tempting_choice(solved)
    found = difference(state, solved)
    return (
        f"{describe_choice(best.action)}: {_result(best, solved.seat)}."
        f" {describe_choice(tempting.action)}: {_result(tempting, solved.seat)}."
    ) + ("" if found is None else f" {_describe_difference(found, solved.seat)}")


def _describe_difference(found: GainDifference, seat: Seat) -> str:
    sources = {"card": "cards on", "bonus": "the bonus of", "final": "the final bonus of"}
    person = "you get" if found.seat == seat else f"seat {found.seat} gets"
    return (
        f"The difference: from {sources[found.kind]} {found.pasture} {person} {found.cows} cows,"
        f" not {found.instead}."
    )


def describe_choice(action: ZoffAction) -> str:
    """A choice in words."""
    match action:
        case Place(cows=cows):
            return f"Place {cows}"
        case PlaceBonus(on=on) if on:
            return "Bonus on " + ", ".join(on)
        case Choose(pairs=pairs):
            return " and ".join(f"{pair.card} on {pair.pasture} ({pair.colour})" for pair in pairs)
        case _:
            return "Bonus on no pasture"


def _result(choice: Choice, seat: Seat) -> str:
    end = choice.end
    others = " and ".join(str(cows) for at, cows in enumerate(end.cows) if at != seat)
    verb = "you win" if end.winners == (seat,) else "you share the win"
    if seat not in end.winners:
        verb = "you lose"
    return f"{verb} with {end.cows[seat]} cows against {others}"
