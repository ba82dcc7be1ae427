"""Puzzles of Zoff: a decision of the last round with one best choice, proven by playing everything out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

from stampede.core.errors import InputError, StampedeError
from stampede.core.json import canonical
from stampede.core.record import GameRecord, SeatInfo
from stampede.proofs.puzzles.puzzle import of_day
from stampede.proofs.puzzles.zoff_notation import ZoffPlaythrough, read_game, read_word
from stampede.proofs.puzzles.zoff_solver import Choice, Solved, solve
from stampede.zoff import State, ZoffGame
from stampede.zoff.actions import Choose, Place, PlaceBonus, ZoffAction
from stampede.zoff.state import ZoffPhase

__all__ = [
    "GRADES",
    "KINDS",
    "NAMES",
    "ZoffPuzzle",
    "ZoffPuzzleKind",
    "best_choice",
    "count_cows",
    "daily_zoff",
    "kind_asked",
    "read_zoff_puzzles",
    "same_choice",
    "shipped_zoff_puzzles",
    "why_no_zoff_puzzle",
    "zoff_puzzle_numbered",
]

ZoffPuzzleKind: TypeAlias = Literal["choose", "place", "bonus"]
KINDS: Final[tuple[ZoffPuzzleKind, ...]] = get_args(ZoffPuzzleKind)
GRADES: Final = range(1, 8)
"""The lowest level from which on all bots find the solution; the last one: the highest level misses it."""
NAMES: Final = ("Etta", "Clem", "Otis", "June", "Hank", "Pearl")
"""Who plays, by seat."""

_FILE: Final = "zoff_puzzles.jsonl"
_GAME: Final = ZoffGame()
_LEAST_CHOICES: Final = 3
_CLEAR: Final = 2
"""So many cows better, or the only choice that wins: clearly best."""


@dataclass(frozen=True, slots=True)
class ZoffPuzzle:
    """A moment of the last round in which one choice is clearly best.

    Attributes:
        number: Its number in the collection, from 1.
        players: How many play.
        kind: What is asked: two players' secret choice, a placement, or a bonus.
        grade: The difficulty; see `GRADES`.
        game: The game up to there, in the notation of `zoff_notation`.
        solution: The best choice, in the same notation.
    """

    number: int
    players: int
    kind: ZoffPuzzleKind
    grade: int
    game: str
    solution: str

    def play(self) -> ZoffPlaythrough:
        """Plays the game by the rules; StampedeError when a step isn't legal."""
        return read_game(self.game)

    def state(self) -> State:
        """The state that the puzzle asks about."""
        return self.play().state

    def record(self) -> GameRecord:
        """The record of the game up to there."""
        return self.play().record(tuple(SeatInfo(name) for name in NAMES[: self.players]))

    def to_line(self) -> str:
        """The puzzle as a line of the collection's file."""
        return canonical(
            {
                "players": self.players,
                "kind": self.kind,
                "grade": self.grade,
                "game": self.game,
                "solution": self.solution,
            }
        )


def kind_asked(state: State) -> ZoffPuzzleKind | None:
    """What a puzzle in this state would ask; None outside the last round, and where a choice can't be played out."""
    if state.round != state.setup.rules.rounds:
        return None
    match state.phase:
        case ZoffPhase.PLACE:
            return "place"
        case ZoffPhase.BONUS:
            return "bonus"
        case ZoffPhase.CHOOSE if state.setup.rules.players == 2 and state.sealed == (None, None):
            return "choose"
        case _:
            return None


def best_choice(solved: Solved) -> Choice | None:
    """The choice that is clearly best, whatever the others do, and wins; None if there is none, or it is obvious."""
    seat, choices, pure = solved
    if len(choices) < _LEAST_CHOICES or not pure:
        return None
    best, second = choices[0], choices[1]
    mine, other = best.end.values[seat], second.end.values[seat]
    clear = mine[0] > other[0] or (mine[0] == other[0] and mine[1] >= other[1] + _CLEAR)
    safe = all(best.worst > choice.worst for choice in choices[1:])
    wins = mine[0] > 0
    return best if wins and clear and safe and not _is_obvious(best, choices) else None


def _is_obvious(best: Choice, choices: tuple[Choice, ...]) -> bool:
    """Whether a choice is the only one that puts so many cows on pastures at once: nobody overlooks it."""
    if isinstance(best.action, Choose):
        return False
    counts = [count_cows(choice.action) for choice in choices]
    most = max(counts)
    return count_cows(best.action) == most and counts.count(most) == 1


def count_cows(action: ZoffAction) -> int:
    """How many cows a placement or a bonus puts on pastures; 0 for a choice, which puts none there itself."""
    match action:
        case Place(cows=cows):
            return cows
        case PlaceBonus(on=on):
            return len(on)
        case Choose():
            return 0
        case _:
            raise InputError(f"expected a choice, a placement or a bonus, got {action}")


def same_choice(one: ZoffAction, other: ZoffAction) -> bool:
    """Whether two actions are the same; the pairs of a choice come in any order."""
    if isinstance(one, Choose) and isinstance(other, Choose):
        return set(one.pairs) == set(other.pairs)
    return one == other


def why_no_zoff_puzzle(puzzle: ZoffPuzzle) -> str | None:
    """What is wrong with a puzzle, by playing everything out anew; None when nothing is."""
    state = puzzle.state()
    asked = kind_asked(state)
    if asked != puzzle.kind or state.setup.rules.players != puzzle.players:
        return f"expected a decision of the last round, {puzzle.kind}, got {state.phase.value}"
    best = best_choice(solve(state))
    solution = read_word(state, _GAME.to_act(state)[0], puzzle.solution)
    if best is None or best.action != solution:
        return f"expected {puzzle.solution} to be the one best choice, got {best and best.action}"
    return None


def read_zoff_puzzles(text: str, name: str = "puzzles") -> tuple[ZoffPuzzle, ...]:
    """Reads puzzles, a line of JSON each; InputError names the first malformed line. The games aren't played."""
    return tuple(_read(line, number, name) for number, line in enumerate(text.splitlines(), 1))


def _read(line: str, number: int, name: str) -> ZoffPuzzle:
    try:
        fields = json.loads(line)
        players, grade = int(fields["players"]), int(fields["grade"])
        game, solution = str(fields["game"]), str(fields["solution"])
        if fields["kind"] not in KINDS or grade not in GRADES or not 2 <= players <= len(NAMES):
            raise InputError("another kind, grade or number of players")
    except (ValueError, TypeError, KeyError, StampedeError) as error:
        raise InputError(f"{name}:{number}: expected a puzzle, got {error}") from error
    return ZoffPuzzle(number, players, fields["kind"], grade, game, solution)


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


def daily_zoff(day: date) -> ZoffPuzzle:
    """The puzzle of Zoff of a day."""
    return of_day(shipped_zoff_puzzles(), day)
