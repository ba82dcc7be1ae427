"""What a tablebase covers: its width, where its buffaloes may be, which squares its dogs keep to, and its guards.

A guard is a dog that stands right in front of a buffalo and never moves. It seals its column: neither of the two can
move, and the rest is a game on a board on which their squares are blocked.

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

    A sixth part names guards: ``8/abcdfgh/2/2abcdefgh/2/5e`` has one on e5, in front of a buffalo on e6.

    Attributes:
        columns: How many adjacent columns the chief and the moving dogs play on.
        live: The columns that may hold a buffalo.
        dogs: How many dogs move.
        squares: Where they may stand, as (row, column) in ascending order.
        off: How many of them may be off row 5 (rank 2) at a time.
        guards: The squares of the guards, as (row, column) in ascending order. Right behind each is a buffalo.
    """

    columns: int
    live: tuple[int, ...]
    dogs: int
    squares: tuple[tuple[int, int], ...]
    off: int
    guards: tuple[tuple[int, int], ...] = ()

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
        self._check_guards()
        if not 0 <= self.off <= self.dogs:
            raise ParseError(f"off: expected 0 to {self.dogs}, got {self.off}")
        if not self.placements or len(self.placements) > MOST_PLACEMENTS:
            raise ParseError(
                f"expected 1 to {MOST_PLACEMENTS} placements of dogs, got {len(self.placements)}"
            )

    def _check_guards(self) -> None:
        if not all(1 <= row <= ROWS and 0 <= at < self.columns for row, at in self.guards):
            raise ParseError(
                f"guards: expected prairie squares of the tablebase, got {_text(self.guards)}"
            )
        if list(self.guards) != sorted(self.guards) or len(set(self.sealed)) != len(self.guards):
            raise ParseError(
                f"guards: expected one in a column, in order, got {_text(self.guards)}"
            )
        if set(self.sealed) & set(self.live):
            raise ParseError(
                f"guards: expected columns that aren't live, got {_text(self.guards)} with {self._live_text}"
            )
        if self.dogs + len(self.guards) > MOST_DOGS:
            raise ParseError(
                f"guards: expected {MOST_DOGS} dogs in all at most, got {self.dogs} and {len(self.guards)} guards"
            )
        if taken := [square for square in self.squares if self.blocked >> self.number(*square) & 1]:
            raise ParseError(
                f"squares: expected none of a guard or its buffalo, got {_text(tuple(taken))}"
            )

    # --- text ---

    @classmethod
    def parse(cls, text: str) -> TablebaseSpec:
        """Reads a spec; ParseError when it is malformed."""
        parts = text.split("/")
        if len(parts) not in {5, 6} or not all(parts[at].isdecimal() for at in (0, 2, 4)):
            raise ParseError(
                f"expected columns/live/dogs/squares/off, perhaps with /guards, got {text!r}"
            )
        columns, live, dogs, squares, off = parts[:5]
        if not set(live) <= set(FILES):
            raise ParseError(f"live: expected files from a to k, got {live!r}")
        return cls(
            int(columns),
            tuple(FILES.index(file) for file in live),
            int(dogs),
            tuple(sorted(_squares("squares", squares))) if squares != "-" else (),
            int(off),
            tuple(sorted(_squares("guards", parts[5]))) if len(parts) == 6 else (),
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
        guards = f"/{_text(self.guards)}" if self.guards else ""
        squares = _text(self.squares) or "-"
        return f"{self.columns}/{self._live_text}/{self.dogs}/{squares}/{self.off}{guards}"

    @property
    def _live_text(self) -> str:
        return "".join(FILES[at] for at in self.live if 0 <= at < len(FILES))

    # --- derived ---

    @property
    def size(self) -> int:
        """The number of prairie squares."""
        return ROWS * self.columns

    @property
    def sealed(self) -> tuple[int, ...]:
        """The columns of the guards, in their order."""
        return tuple(at for _, at in self.guards)

    @property
    def blocked(self) -> int:
        """The set of squares that guards and their buffaloes occupy; a buffalo on the bank occupies none."""
        guards = sum(1 << self.number(row, at) for row, at in self.guards)
        return guards | guards >> self.columns

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
        same = all(
            {(row, last - at) for row, at in squares} == set(squares)
            for squares in (self.squares, self.guards)
        )
        return same and {last - at for at in self.live} == set(self.live)


def _squares(part: str, text: str) -> Iterable[tuple[int, int]]:
    for group in text.split("+"):
        match = _GROUP.fullmatch(group)
        if match is None:
            raise ParseError(f"{part}: expected groups such as 2abc joined by +, got {text!r}")
        yield from ((7 - int(match[1]), FILES.index(file)) for file in match[2])


def _text(squares: tuple[tuple[int, int], ...]) -> str:
    by_rank: dict[int, str] = {}
    for row, at in squares:
        by_rank[7 - row] = by_rank.get(7 - row, "") + FILES[at]
    return "+".join(f"{rank}{files}" for rank, files in sorted(by_rank.items()))
