"""Moves: the only actions of Buffalo, and the collection of those that are legal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NoReturn

from stampede.buffalo.geometry import NAMES, Square
from stampede.core.errors import ParseError
from stampede.core.game import LegalActions
from stampede.core.json import JsonObject

__all__ = ["LegalMoves", "Move"]

_TEXT: Final = re.compile("([a-k][1-7])([a-k][1-7])")


@dataclass(frozen=True, slots=True)
class Move:
    """A move from a square to a square; its text form is that of B1.5, ``a7a6``."""

    from_square: Square
    to_square: Square

    @classmethod
    def parse(cls, text: str) -> Move:
        """Reads a move such as ``a7a6``; ParseError when the text names no two squares."""
        return _parsed(text) if isinstance(text, str) else _unreadable(text)

    def mirrored(self) -> Move:
        """The move as seen in a mirror: a for k, b for j, and so on."""
        return Move(self.from_square.mirrored(), self.to_square.mirrored())

    def to_json(self) -> str:
        """The move's text."""
        return str(self)

    def __str__(self) -> str:
        return NAMES[self.from_square] + NAMES[self.to_square]


@lru_cache(4096)
def _parsed(text: str) -> Move:
    """Reads a move. Kept: a server reads the same few thousand all day."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return _unreadable(text)
    return Move(Square.parse(found[1]), Square.parse(found[2]))


def _unreadable(text: object) -> NoReturn:
    raise ParseError(f"expected a move such as a7a6 (two squares, a1 to k7), got {text!r}")


class LegalMoves(LegalActions[Move]):
    """The legal moves of one side: iterate, count, test, take one by index, or draw one."""

    __slots__ = ("_moves",)

    def __init__(self, moves: list[Move]) -> None:
        self._moves = moves

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __contains__(self, move: object) -> bool:
        return move in self._moves

    def __getitem__(self, index: int) -> Move:
        return self._moves[index]

    def sample(self, rng: random.Random) -> Move:
        """One legal move, every one equally likely."""
        moves = self._moves
        return moves[int(rng.random() * len(moves))]

    def destinations(self) -> dict[Square, tuple[Square, ...]]:
        """For each square with a piece that can move: where it can go."""
        found: dict[Square, list[Square]] = {}
        for move in self._moves:
            found.setdefault(move.from_square, []).append(move.to_square)
        return {start: tuple(ends) for start, ends in found.items()}

    def to_json(self) -> JsonObject:
        """The destinations by name: ``{"moves": {"a7": ["a6"], …}}``."""
        found: dict[str, list[str]] = {}
        start, ends = None, list[str]()
        for move in self._moves:
            if move.from_square is not start:  # a piece's moves mostly come one after the other
                start = move.from_square
                ends = found.setdefault(NAMES[start], [])
            ends.append(NAMES[move.to_square])
        return {"moves": found}

    def __repr__(self) -> str:
        return f"<LegalMoves ({len(self)}): {', '.join(str(move) for move in self)}>"
