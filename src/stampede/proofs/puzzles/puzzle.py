"""A puzzle, its text form, and the shipped collection."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import Final, TypeVar

from stampede.buffalo import Move, Position
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import JsonObject

__all__ = [
    "THEMES",
    "Puzzle",
    "daily",
    "of_day",
    "puzzle_numbered",
    "read_puzzles",
    "shipped_puzzles",
]

THEMES: Final = {
    "block": "a dog steps in front of a buffalo",
    "guard": "a dog waits farther down a buffalo's column",
    "capture": "the chief captures",
    "chase": "the chief moves to where it is needed",
    "retreat": "a dog leaves for where it is needed more",
    "sacrifice": "a buffalo offers itself to the chief",
    "race": "a buffalo runs that no dog waits for",
    "diversion": "a buffalo steps so that another one gets through",
    "push": "a buffalo steps towards a dog that waits for it",
    "zugzwang": "the hunter would win by passing, but has to move",
}
"""The themes of solutions, by code."""

_FILE: Final = "puzzles.jsonl"
_FIRST_DAY: Final = date(2026, 1, 1)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move wins; all others lose, proven by search to the end.

    Attributes:
        number: Its number in the collection, from 1.
        position: The position; the side to move wins.
        line: The solution, to the end of the game, against the longest defence that was found.
        plies: The most plies that the solution takes to win.
        missed: The bots, 1 to 7 from weak to strong, that played another move in a single try.
        theme: One of `THEMES`.
    """

    number: int
    position: Position
    line: tuple[Move, ...]
    plies: int
    missed: tuple[int, ...]
    theme: str

    @property
    def solution(self) -> Move:
        """The only move that wins."""
        return self.line[0]

    @property
    def grade(self) -> int:
        """The difficulty, 1 to 8: the level from which on all bots find the solution."""
        return max(self.missed, default=0) + 1

    def to_json(self, *, solved: bool = True) -> JsonObject:
        """The puzzle as JSON; without the solution unless `solved`."""
        public: JsonObject = {
            "number": self.number,
            "fen": self.position.fen(),
            "turn": self.position.turn.word,
            "grade": self.grade,
        }
        if not solved:
            return public
        return {
            **public,
            "theme": self.theme,
            "solution": str(self.solution),
            "line": [str(move) for move in self.line],
            "plies": self.plies,
            "missed_by_levels": list(self.missed),
        }

    def to_line(self) -> str:
        """The puzzle as a line of the collection's file."""
        fields = {
            "fen": self.position.fen(),
            "line": " ".join(map(str, self.line)),
            "plies": self.plies,
            "missed": list(self.missed),
            "theme": self.theme,
        }
        return json.dumps(fields, separators=(",", ":"))


def read_puzzles(text: str, name: str = "puzzles") -> tuple[Puzzle, ...]:
    """Reads puzzles, a line of JSON each; InputError names the first malformed line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            fields = json.loads(line)
            position = Position.from_fen(fields["fen"])
            moves = tuple(Move.parse(word) for word in fields["line"].split())
            missed = tuple(int(level) for level in fields["missed"])
            puzzle = Puzzle(number, position, moves, int(fields["plies"]), missed, fields["theme"])
        except (ValueError, TypeError, KeyError, AttributeError, StampedeError) as error:
            raise InputError(f"{name}:{number}: expected a puzzle, got {error}") from error
        if puzzle.theme not in THEMES or not moves or not position.is_legal(moves[0]):
            raise InputError(f"{name}:{number}: expected a known theme and a legal solution")
        found.append(puzzle)
    return tuple(found)


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that ship with the package."""
    text = resources.files(__package__).joinpath(_FILE).read_text("utf-8")
    return read_puzzles(text, _FILE)


def puzzle_numbered(number: int) -> Puzzle:
    """The shipped puzzle with this number; InputError when there is none."""
    puzzles = shipped_puzzles()
    if not 1 <= number <= len(puzzles):
        raise InputError(f"puzzle: expected 1 to {len(puzzles)}, got {number}")
    return puzzles[number - 1]


def daily(day: date) -> Puzzle:
    """The puzzle of a day. The collection is in random order, so days count through it, again and again."""
    return of_day(shipped_puzzles(), day)


def of_day(puzzles: Sequence[T], day: date) -> T:
    """Which puzzle of a collection is a day's."""
    return puzzles[(day - _FIRST_DAY).days % len(puzzles)]
