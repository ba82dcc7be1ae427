"""What an endgame tablebase covers, and how its states are numbered.

A state says where the buffaloes are: at most so many of them, each in a column of its own, on ranks 7 to 3. (On rank 2
a buffalo crosses, unless the chief captures it at once.) The states of one set of columns stand together, as a buffalo
never leaves its column: smaller sets first, sets of one size in colexicographic order, and within a set the first
column's rank counts least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Final

from stampede.core.errors import ParseError
from stampede.tablebase.endgames.placements import MOST_DOGS, ROWS
from stampede.tablebase.spec import FILES

__all__ = ["LOWEST_RANK", "MOST_BUFFALOES", "RANKS", "EndgameSpec", "squares_taken"]

MOST_BUFFALOES: Final = 3
RANKS: Final = 5
"""How many ranks a buffalo may be on."""
LOWEST_RANK: Final = 3
_PREFIX: Final = "endgame"


@dataclass(frozen=True)
class EndgameSpec:
    """What an endgame tablebase covers, as text ``endgame/columns/buffaloes/dogs``: ``endgame/11/3/4``.

    Attributes:
        columns: The width of the board.
        buffaloes: The maximum number of buffaloes.
        dogs: The number of dogs, which may stand anywhere on the prairie.
    """

    columns: int
    buffaloes: int
    dogs: int

    def __post_init__(self) -> None:
        """Checks that such a tablebase can exist."""
        if not 1 <= self.columns <= len(FILES):
            raise ParseError(f"columns: expected 1 to {len(FILES)}, got {self.columns}")
        most = min(self.columns, MOST_BUFFALOES)
        if not 1 <= self.buffaloes <= most:
            raise ParseError(f"buffaloes: expected 1 to {most}, got {self.buffaloes}")
        if not 0 <= self.dogs <= min(MOST_DOGS, ROWS * self.columns - 1):
            raise ParseError(f"dogs: expected 0 to {MOST_DOGS}, got {self.dogs}")

    @classmethod
    def parse(cls, text: str) -> EndgameSpec:
        """Reads a spec; ParseError when it is malformed."""
        prefix, *numbers = text.split("/")
        if prefix != _PREFIX or len(numbers) != 3 or not "".join(numbers).isdecimal():
            raise ParseError(f"expected {_PREFIX}/columns/buffaloes/dogs, got {text!r}")
        return cls(*map(int, numbers))

    @staticmethod
    def is_named(text: str) -> bool:
        """Whether a text means an endgame tablebase, well-formed or not, rather than one of columns."""
        return text.startswith(_PREFIX)

    def __str__(self) -> str:
        return f"{_PREFIX}/{self.columns}/{self.buffaloes}/{self.dogs}"

    # --- states ---

    @property
    def states(self) -> int:
        """The number of states, mirror images included."""
        return self.base(self.buffaloes + 1)

    @property
    def placements(self) -> int:
        """The number of placements of the dogs."""
        return comb(ROWS * self.columns, self.dogs)

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The sets of columns that are stored, smaller ones first: one of each pair of mirrored sets."""
        return tuple(
            some
            for count in range(1, self.buffaloes + 1)
            for some in combinations(range(self.columns), count)
            if self.stored_set(some) == some
        )

    def numbered_sets(self, count: int) -> list[tuple[int, ...]]:
        """The sets of so many columns by their numbers, mirror images included."""
        return sorted(combinations(range(self.columns), count), key=self.set_number)

    def stored_set(self, columns: tuple[int, ...]) -> tuple[int, ...]:
        """The set itself or its mirror image: the one that is stored."""
        return min(columns, self.mirrored(columns), key=self.set_number)

    def base(self, count: int) -> int:
        """The number of the first state with so many buffaloes."""
        return sum(comb(self.columns, size) * RANKS**size for size in range(1, count))

    def mirrored(self, columns: Sequence[int]) -> tuple[int, ...]:
        """The mirror image of a set of columns."""
        return tuple(self.columns - 1 - at for at in reversed(columns))

    @staticmethod
    def set_number(columns: Sequence[int]) -> int:
        """The number of a set among those of its size."""
        return sum(comb(at, index + 1) for index, at in enumerate(columns))

    def first_state(self, columns: Sequence[int]) -> int:
        """The number of a set's first state."""
        size = len(columns)
        return self.base(size) + self.set_number(columns) * int(RANKS**size)

    def state(self, columns: Sequence[int], ranks: Sequence[int]) -> int:
        """The number of a state."""
        digits = sum((rank - LOWEST_RANK) * RANKS**index for index, rank in enumerate(ranks))
        return self.first_state(columns) + int(digits)


def squares_taken(width: int, columns: Sequence[int], ranks: Sequence[int]) -> int:
    """The set of the buffaloes' squares on a prairie of this width."""
    return sum(
        1 << ((rank - 2) * width + at)
        for at, rank in zip(columns, ranks, strict=True)
        if rank < LOWEST_RANK + RANKS - 1
    )
