"""What a table is about: its text form, such as ``8/abcdefgh/2/2abcdefgh+3abcdefgh/2``.

The five parts: how many columns the window has; in which of them buffaloes may stand (the others have none); how many
dogs move; the squares where they may stand, by rank; and how many of them may stand off rank 2 at a time.
Columns are named from the window's left edge.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stampede.buffalo.geometry import FILES
from stampede.core.errors import ParseError

__all__ = ["TableSpec"]

_SPEC: Final = re.compile(r"([0-9]{1,2})/([a-k]*)/([0-4])/([2-6a-k+]+|-)/([0-4])")
_GROUP: Final = re.compile("([2-6])([a-k]+)")
MOST_DOGS: Final = 4


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table's game: a board of some columns, and a hunter who restricts himself.

    Attributes:
        columns: The window's width.
        live: The columns, counted from 0, in which a buffalo may stand.
        dogs: How many dogs move.
        cells: The squares where dogs may stand, as (row - 1) * columns + column; row = 7 - rank.
        off: How many dogs may stand off rank 2 (row 5) at a time.
    """

    columns: int
    live: tuple[int, ...]
    dogs: int
    cells: tuple[int, ...]
    off: int

    @classmethod
    def parse(cls, text: str) -> TableSpec:
        """Reads a spec; ParseError when it is none, or not in its one form."""
        match = _SPEC.fullmatch(text)
        if match is None:
            raise ParseError(f"expected a table such as 8/abcdefgh/1/2abcdefgh/1, got {text!r}")
        columns = int(match[1])
        groups = [] if match[4] == "-" else match[4].split("+")
        cells = []
        for group in groups:
            part = _GROUP.fullmatch(group)
            if part is None:
                raise ParseError(f"table {text!r}: expected rank and files, got {group!r}")
            cells += [(6 - int(part[1])) * columns + FILES.index(name) for name in part[2]]
        live = tuple(FILES.index(name) for name in match[2])
        spec = cls(columns, live, int(match[3]), tuple(sorted(cells)), int(match[5]))
        once = sorted(set(live)) == list(live) and len(set(cells)) == len(cells)
        if str(spec) != text or not once or not 1 <= columns <= len(FILES):
            raise ParseError(f"table {text!r}: expected it in its one form, such as {str(spec)!r}")
        if any(column >= columns for column in live) or not spec.off <= spec.dogs:
            raise ParseError(f"table {text!r}: a column or a dog too many")
        return spec

    def __str__(self) -> str:
        by_rank: dict[int, str] = {}
        for cell in self.cells:
            rank = 6 - cell // self.columns
            by_rank[rank] = by_rank.get(rank, "") + FILES[cell % self.columns]
        squares = "+".join(f"{rank}{by_rank[rank]}" for rank in sorted(by_rank)) or "-"
        live = "".join(FILES[column] for column in self.live)
        return f"{self.columns}/{live}/{self.dogs}/{squares}/{self.off}"

    @property
    def is_symmetric(self) -> bool:
        """Whether the mirror image is the same table."""
        wide = self.columns
        live = {wide - 1 - column for column in self.live}
        cells = {cell + wide - 1 - 2 * (cell % wide) for cell in self.cells}
        return live == set(self.live) and cells == set(self.cells)
