"""What a tablebase covers: its width, where its buffaloes may be, and which squares its dogs keep to.

Rows count from the buffaloes' bank: row 0 is the bank (rank 7), rows 1 to 5 are the prairie (ranks 6 to 2). Squares
of a tablebase are numbered row by row, (row - 1) * columns + column, so that a set of them fits into one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

from stampede.core.errors import ParseError

__all__ = ["CAPTURED", "DIGITS", "FILES", "ROWS", "TablebaseSpec"]

FILES: Final = "abcdefghijk"
ROWS: Final = 5
"""The prairie's rows."""
CAPTURED: Final = 5
"""The digit of a column without a buffalo; 0 to 4 are the buffalo's row."""
DIGITS: Final = 6
MOST_DOGS: Final = 4
MOST_PLACEMENTS: Final = 32_000

_GROUP: Final = re.compile("([2-6])([a-k]+)")


@dataclass(frozen=True)
class TablebaseSpec:
    """What a tablebase covers, as text ``columns/live/dogs/squares/off``: ``8/abcdefgh/3/2abcdefgh/3``.

    Attributes:
        columns: How many adjacent columns the chief and the moving dogs play on.
        live: The columns that may hold a buffalo.
        dogs: How many dogs move.
        squares: Where they may stand, as (row, column) in ascending order.
        off: How many of them may be off row 5 (rank 2) at a time.
    """

    columns: int
    live: tuple[int, ...]
    dogs: int
    squares: tuple[tuple[int, int], ...]
    off: int

    def __post_init__(self) -> None:
        """Checks that such a tablebase can exist."""
        if not 1 <= self.columns <= len(FILES):
            raise ParseError(f"columns: expected 1 to {len(FILES)}, got {self.columns}")
        if not self.live or self.live != tuple(sorted(set(self.live) & set(range(self.columns)))):
            raise ParseError(
                f"live: expected columns of the tablebase in order, got {self._live_text}"
            )
        if not 0 <= self.dogs <= MOST_DOGS:
            raise ParseError(f"dogs: expected 0 to {MOST_DOGS}, got {self.dogs}")
        inside = all(1 <= row <= ROWS and 0 <= at < self.columns for row, at in self.squares)
        if not inside or list(self.squares) != sorted(set(self.squares)):
            raise ParseError(
                "squares: expected different prairie squares of the tablebase in order"
            )
        if not 0 <= self.off <= self.dogs:
            raise ParseError(f"off: expected 0 to {self.dogs}, got {self.off}")
        if not self.placements or len(self.placements) > MOST_PLACEMENTS:
            raise ParseError(
                f"expected 1 to {MOST_PLACEMENTS} placements of dogs, got {len(self.placements)}"
            )

    # --- text ---

    @classmethod
    def parse(cls, text: str) -> TablebaseSpec:
        """Reads a spec; ParseError when it is malformed."""
        parts = text.split("/")
        if len(parts) != 5 or not (parts[0] + parts[2] + parts[4]).isdecimal():
            raise ParseError(f"expected columns/live/dogs/squares/off, got {text!r}")
        columns, live, dogs, squares, off = parts
        if not set(live) <= set(FILES):
            raise ParseError(f"live: expected files from a to k, got {live!r}")
        return cls(
            int(columns),
            tuple(FILES.index(file) for file in live),
            int(dogs),
            tuple(sorted(_squares(squares))),
            int(off),
        )

    @classmethod
    def of(
        cls,
        columns: int,
        dogs: int,
        ranks: Iterable[int] = (2,),
        live: Iterable[int] | None = None,
    ) -> TablebaseSpec:
        """The tablebase whose dogs may use all squares of these ranks."""
        rows = sorted(7 - rank for rank in ranks) if dogs else []
        squares = tuple((row, at) for row in rows for at in range(columns))
        alive = tuple(range(columns)) if live is None else tuple(live)
        return cls(columns, alive, dogs, squares, dogs)

    def __str__(self) -> str:
        by_rank = dict.fromkeys(range(2, 7), "")
        for row, at in self.squares:
            by_rank[7 - row] += FILES[at]
        squares = "+".join(f"{rank}{files}" for rank, files in by_rank.items() if files) or "-"
        return f"{self.columns}/{self._live_text}/{self.dogs}/{squares}/{self.off}"

    @property
    def _live_text(self) -> str:
        return "".join(FILES[at] for at in self.live if 0 <= at < len(FILES))

    # --- derived ---

    @property
    def size(self) -> int:
        """The number of prairie squares."""
        return ROWS * self.columns

    @property
    def states(self) -> int:
        """The number of states."""
        return int(DIGITS ** len(self.live))

    @property
    def layers(self) -> int:
        """The highest layer, the one in which all buffaloes are captured; a state's layer is the sum of its digits."""
        return CAPTURED * len(self.live)

    @cached_property
    def placements(self) -> tuple[tuple[int, ...], ...]:
        """All placements of the dogs: squares in ascending order."""
        numbers = [self.number(row, at) for row, at in self.squares]
        last_row = self.number(ROWS, 0)
        return tuple(
            chosen
            for chosen in combinations(numbers, self.dogs)
            if sum(square < last_row for square in chosen) <= self.off
        )

    def number(self, row: int, at: int) -> int:
        """The number of a prairie square."""
        return (row - 1) * self.columns + at

    def mirrored(self, square: int) -> int:
        """The mirror image of a square."""
        return square + self.columns - 1 - 2 * (square % self.columns)

    @cached_property
    def symmetric(self) -> bool:
        """Whether the tablebase is its own mirror image, so that one of two mirrored states suffices."""
        last = self.columns - 1
        squares = {(row, last - at) for row, at in self.squares}
        return squares == set(self.squares) and {last - at for at in self.live} == set(self.live)


def _squares(text: str) -> Iterable[tuple[int, int]]:
    for group in text.split("+") if text != "-" else ():
        match = _GROUP.fullmatch(group)
        if match is None:
            raise ParseError(f"squares: expected groups such as 2abc joined by +, got {text!r}")
        yield from ((7 - int(match[1]), FILES.index(file)) for file in match[2])
