"""Puzzles of Zoff: a placement or a bonus of the last round with one best choice, proven by playing everything out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from stampede.core.errors import InputError, StampedeError
from stampede.core.game import Seat
from stampede.core.json import Json, canonical
from stampede.core.record import GameRecord
from stampede.core.replay import replay_steps
from stampede.proofs.puzzles.zoff_solver import Choice, solve
from stampede.zoff import State, ZoffGame
from stampede.zoff.actions import Place, PlaceBonus, ZoffAction
from stampede.zoff.state import ZoffPhase

__all__ = [
    "ZoffPuzzle",
    "best_choice",
    "count_cows",
    "describe_choice",
    "explain",
    "is_asked",
    "read_zoff_puzzles",
    "shipped_zoff_puzzles",
    "why_no_zoff_puzzle",
    "zoff_puzzle_numbered",
]

_FILE: Final = "zoff_puzzles.jsonl"
_GAME: Final = ZoffGame()
_LEAST_CHOICES: Final = 3
_CLEAR: Final = 2
"""So many cows better, or the only choice that wins: clearly best."""


@dataclass(frozen=True, slots=True)
class ZoffPuzzle:
    """A state of the last round in which one choice is clearly best.

    Attributes:
        number: Its number in the collection, from 1.
        record: The record of the game up to there.
        solution: The best choice, as JSON.
    """

    number: int
    record: GameRecord
    solution: Json

    def state(self) -> State:
        """Plays the record by the rules; RecordError when a step isn't legal."""
        return replay_steps(_GAME, self.record).state

    def to_line(self) -> str:
        """The puzzle as a line of the collection's file."""
        return canonical({"record": self.record.to_json(), "solution": self.solution})


def is_asked(state: State) -> bool:
    """Whether a state is of the kind that puzzles ask about: one seat places in the last round."""
    return state.round == state.setup.rules.rounds and state.phase in (
        ZoffPhase.PLACE,
        ZoffPhase.BONUS,
    )


def best_choice(state: State, choices: Sequence[Choice]) -> Choice | None:
    """The choice that is clearly best, whatever the others do; None when there is none, or it is the obvious one."""
    if len(choices) < _LEAST_CHOICES:
        return None
    (seat,) = _GAME.to_act(state)
    best, second = choices[0], choices[1]
    mine, other = best.end.values[seat], second.end.values[seat]
    clear = mine[0] > other[0] or (mine[0] == other[0] and mine[1] >= other[1] + _CLEAR)
    safe = all(best.worst > choice.worst for choice in choices[1:])
    most = max(count_cows(choice.action) for choice in choices)
    obvious = count_cows(best.action) == most and mine[0] == other[0]
    return best if clear and safe and not obvious else None


def count_cows(action: ZoffAction) -> int:
    """How many cows a placement or a bonus puts on pastures."""
    match action:
        case Place(cows=cows):
            return cows
        case PlaceBonus(on=on):
            return len(on)
        case _:
            raise InputError(f"expected a placement or a bonus, got {action}")


def explain(state: State, choices: Sequence[Choice]) -> str:
    """The reason in words: what the best choice leads to, and what the choice of most cows would."""
    (seat,) = _GAME.to_act(state)
    best = choices[0]
    tempting = max(choices[1:], key=lambda choice: count_cows(choice.action))
    return (
        f"{describe_choice(best.action)}: {_result(best, seat)}."
        f" {describe_choice(tempting.action)}: {_result(tempting, seat)}."
    )


def describe_choice(action: ZoffAction) -> str:
    """A choice in words."""
    match action:
        case Place(cows=cows):
            return f"Place {cows}"
        case PlaceBonus(on=on) if on:
            return "Bonus on " + ", ".join(on)
        case _:
            return "Bonus on no pasture"


def _result(choice: Choice, seat: Seat) -> str:
    end = choice.end
    others = " and ".join(str(cows) for at, cows in enumerate(end.cows) if at != seat)
    verb = "you win" if end.winners == (seat,) else "you share the win"
    if seat not in end.winners:
        verb = "you lose"
    return f"{verb} with {end.cows[seat]} cows against {others}"


def why_no_zoff_puzzle(puzzle: ZoffPuzzle) -> str | None:
    """What is wrong with a puzzle, by playing everything out anew; None when nothing is."""
    state = puzzle.state()
    if not is_asked(state):
        return f"expected a placement of the last round, got {state.phase} in round {state.round}"
    best = best_choice(state, solve(state))
    if best is None or best.action.to_json() != puzzle.solution:
        return f"expected {puzzle.solution} to be the one best choice, got {best and best.action}"
    return None


def read_zoff_puzzles(text: str, name: str = "puzzles") -> tuple[ZoffPuzzle, ...]:
    """Reads puzzles, a line of JSON each; InputError names the first malformed line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            fields = json.loads(line)
            record = GameRecord.from_json(fields["record"])
            puzzle = ZoffPuzzle(number, record, fields["solution"])
        except (ValueError, TypeError, KeyError, StampedeError) as error:
            raise InputError(f"{name}:{number}: expected a puzzle, got {error}") from error
        found.append(puzzle)
    return tuple(found)


@cache
def shipped_zoff_puzzles() -> tuple[ZoffPuzzle, ...]:
    """The puzzles of Zoff that ship with the package."""
    text = resources.files(__package__).joinpath(_FILE).read_text("utf-8")
    return read_zoff_puzzles(text, _FILE)


def zoff_puzzle_numbered(number: int) -> ZoffPuzzle:
    """The shipped puzzle of Zoff with this number; InputError when there is none."""
    puzzles = shipped_zoff_puzzles()
    if not 1 <= number <= len(puzzles):
        raise InputError(f"puzzle: expected 1 to {len(puzzles)}, got {number}")
    return puzzles[number - 1]
