"""The board of B1.1: eleven files, seven ranks, two rivers, and which squares lie in line.

Everything here follows from the board's shape alone, so that the compiled twins can derive their masks from it.
Squares are numbered rank by rank from a1 = 0 to k7 = 76: the prairie is the unbroken run 11 … 65.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from stampede.core.errors import ParseError

__all__ = [
    "AHEAD",
    "BEHIND",
    "BETWEEN",
    "BIT",
    "DIRECTIONS",
    "FAR_BANK",
    "FAR_BANK_BITS",
    "FILES",
    "NAMES",
    "NEAR_BANK",
    "PRAIRIE",
    "PRAIRIE_BITS",
    "RANKS",
    "RAYS",
    "SQUARES",
    "STEPS",
    "Square",
]

FILES: Final = "abcdefghijk"
RANKS: Final = (1, 2, 3, 4, 5, 6, 7)
NEAR_BANK: Final = 7
"""The rank where the buffaloes start."""
FAR_BANK: Final = 1
"""The rank where a buffalo wins (B3.1)."""

_WIDTH: Final = len(FILES)
_COUNT: Final = _WIDTH * len(RANKS)
_NAME: Final = re.compile("[a-k][1-7]")


class Square(int):
    """A square: a number from 0 (a1) to 76 (k7) whose text form is its name."""

    __slots__ = ()

    def __new__(cls, number: int) -> Square:
        """Makes the square with this number."""
        if not 0 <= number < _COUNT:
            raise ValueError(f"expected a square's number from 0 to {_COUNT - 1}, got {number}")
        return super().__new__(cls, number)

    @classmethod
    def at(cls, file: int, rank: int) -> Square:
        """The square on a file, counted from 0, and a rank, counted from 1 as on the board."""
        if not (0 <= file < _WIDTH and rank in RANKS):
            raise ValueError(f"expected file 0–10 and rank 1–7, got {file} and {rank}")
        return cls((rank - 1) * _WIDTH + file)

    @classmethod
    def parse(cls, text: str) -> Square:
        """Reads a name such as ``a7``; ParseError when there is no such square."""
        if not isinstance(text, str) or not _NAME.fullmatch(text):
            raise ParseError(f"expected a square from a1 to k7, got {text!r}")
        return SQUARES[(int(text[1]) - 1) * _WIDTH + FILES.index(text[0])]

    @property
    def file(self) -> int:
        """The file, counted from 0 for a."""
        return self % _WIDTH

    @property
    def file_name(self) -> str:
        """The file's letter."""
        return FILES[self % _WIDTH]

    @property
    def rank(self) -> int:
        """The rank as printed on the board, 1 to 7."""
        return self // _WIDTH + 1

    @property
    def in_prairie(self) -> bool:
        """Whether chief and dogs may stand here (B1.1)."""
        return FAR_BANK < self.rank < NEAR_BANK

    def mirror(self) -> Square:
        """The square as seen in a mirror: a for k, b for j, and so on."""
        return SQUARES[self + _WIDTH - 1 - 2 * self.file]

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"Square.parse({str(self)!r})"


NAMES: Final = tuple(f"{file}{rank}" for rank in RANKS for file in FILES)
"""By square: its name."""
SQUARES: Final = tuple(Square(number) for number in range(_COUNT))
PRAIRIE: Final = tuple(square for square in SQUARES if square.in_prairie)

DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions as (files, ranks): towards rank 7 first, then clockwise."""


def _ray(start: Square, files: int, ranks: int) -> tuple[Square, ...]:
    """The prairie squares in one direction, nearest first."""
    squares = []
    file, rank = start.file + files, start.rank + ranks
    while 0 <= file < _WIDTH and FAR_BANK < rank < NEAR_BANK:
        squares.append(SQUARES[(rank - 1) * _WIDTH + file])
        file, rank = file + files, rank + ranks
    return tuple(squares)


def _rays(start: Square) -> tuple[tuple[Square, ...], ...]:
    if not start.in_prairie:
        return ()
    return tuple(ray for direction in DIRECTIONS if (ray := _ray(start, *direction)))


def _between(start: Square) -> tuple[tuple[Square, int], ...]:
    """Every prairie square in line with the start, with the bits of the squares on the way."""
    lines = []
    for ray in RAYS[start]:
        way = 0
        for square in ray:
            lines.append((square, way))
            way |= BIT[square]
    return tuple(lines)


BIT: Final = tuple(1 << square for square in SQUARES)
"""By square: the integer in which only this square's bit is set."""

RAYS: Final = tuple(_rays(square) for square in SQUARES)
"""By square: the lines of prairie squares that lead away from it, nearest square first; none from a bank."""

STEPS: Final = tuple(tuple(ray[0] for ray in rays) for rays in RAYS)
"""By square: the prairie squares next to it."""

AHEAD: Final = tuple(SQUARES[square - _WIDTH] if square >= _WIDTH else None for square in SQUARES)
"""By square: the square that a buffalo steps to (B2.2); None on the far bank."""

BEHIND: Final = tuple(
    SQUARES[square + _WIDTH] if square + _WIDTH < _COUNT else None for square in SQUARES
)
"""By square: the square from which a buffalo steps here; None on the near bank."""

BETWEEN: Final = tuple(MappingProxyType(dict(_between(square))) for square in SQUARES)
"""By square and square in line with it: the bits of the squares between them."""

PRAIRIE_BITS: Final = sum(BIT[square] for square in PRAIRIE)
FAR_BANK_BITS: Final = sum(BIT[square] for square in SQUARES if square.rank == FAR_BANK)
