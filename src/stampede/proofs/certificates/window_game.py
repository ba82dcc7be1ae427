"""The restricted game that a tablebase solves, for the verifier: a window of columns and a hunter bound by a spec.

A spec's text is, for instance, ``8/abcdefgh/2/2abcdefgh+3abcdefgh/2``. Its five parts: the number of columns; the
columns in which buffaloes may be (the others have none); the number of dogs; the squares where the dogs may be, by
rank; and how many of them may be off rank 2 at a time. Columns are named from the window's left edge.

A sixth part, as in ``8/abcdfgh/2/2abcdefgh/2/5e``, names *guards*: here a further dog on e5 and a buffalo right behind
it, on e6. The dog never moves, so the buffalo can't. To everything else both are in the way, and the chief doesn't
capture that buffalo: the hunter gives up some options more.

Cells of a window of w columns are numbered (row - 1) * w + column, rows 1 (rank 6) to 5 (rank 2). Plain Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo.geometry import FILES
from stampede.core.errors import ParseError

__all__ = ["WindowGame", "WindowSpec", "Words", "words_of"]

_SPEC: Final = re.compile(r"([0-9]{1,2})/([a-k]*)/([0-4])/([2-6a-k+]+|-)/([0-4])(?:/([2-6a-k+]+))?")
_GROUP: Final = re.compile("([2-6])([a-k]+)")


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """A restricted game: a board of some columns, and a hunter whose dogs keep to some squares.

    Attributes:
        columns: The window's width.
        live: The columns, counted from 0, in which a buffalo may be.
        dogs: How many dogs move.
        cells: The cells where dogs may be.
        off: How many dogs may be off rank 2 (row 5) at a time.
        guards: The cells of the guards.
    """

    columns: int
    live: tuple[int, ...]
    dogs: int
    cells: tuple[int, ...]
    off: int
    guards: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> WindowSpec:
        """Reads a spec; ParseError when it is malformed, or not in canonical form."""
        match = _SPEC.fullmatch(text)
        if match is None:
            raise ParseError(f"expected a tablebase such as 8/abcdefgh/1/2abcdefgh/1, got {text!r}")
        columns = int(match[1])
        if not 1 <= columns <= len(FILES):
            raise ParseError(
                f"tablebase {text!r}: expected 1 to {len(FILES)} columns, got {columns}"
            )
        cells = [] if match[4] == "-" else _cells(text, match[4], columns)
        guards = [] if match[6] is None else _cells(text, match[6], columns)
        live = tuple(FILES.index(name) for name in match[2])
        spec = cls(
            columns, live, int(match[3]), tuple(sorted(cells)), int(match[5]), tuple(sorted(guards))
        )
        once = sorted(set(live)) == list(live) and len(set(cells)) == len(cells)
        if str(spec) != text or not once:
            raise ParseError(
                f"tablebase {text!r}: expected its canonical form, such as {str(spec)!r}"
            )
        if any(column >= columns for column in live) or not spec.off <= spec.dogs:
            raise ParseError(f"tablebase {text!r}: a column or a dog too many")
        sealed = [cell % columns for cell in guards]
        if len({*sealed, *live}) != len(sealed) + len(live) or spec.dogs + len(guards) > 4:
            raise ParseError(
                f"tablebase {text!r}: expected guards in different columns that aren't live, and four dogs at most"
            )
        if spec.blocked & set(cells):
            raise ParseError(
                f"tablebase {text!r}: expected no square of a guard or its buffalo for other dogs"
            )
        return spec

    def __str__(self) -> str:
        live = "".join(FILES[column] for column in self.live)
        squares = self._text(self.cells) or "-"
        guards = f"/{self._text(self.guards)}" if self.guards else ""
        return f"{self.columns}/{live}/{self.dogs}/{squares}/{self.off}{guards}"

    def _text(self, cells: tuple[int, ...]) -> str:
        by_rank: dict[int, str] = {}
        for cell in cells:
            rank = 6 - cell // self.columns
            by_rank[rank] = by_rank.get(rank, "") + FILES[cell % self.columns]
        return "+".join(f"{rank}{by_rank[rank]}" for rank in sorted(by_rank))

    @property
    def blocked(self) -> set[int]:
        """The cells of the guards and of the buffaloes right behind them; a buffalo on the near bank has no cell."""
        behind = {guard - self.columns for guard in self.guards}
        return {*self.guards, *(cell for cell in behind if cell >= 0)}

    @property
    def is_symmetric(self) -> bool:
        """Whether the spec is its own mirror image."""
        wide = self.columns
        live = {wide - 1 - column for column in self.live}
        return live == set(self.live) and all(
            {cell + wide - 1 - 2 * (cell % wide) for cell in cells} == set(cells)
            for cells in (self.cells, self.guards)
        )


def _cells(text: str, squares: str, columns: int) -> list[int]:
    """The cells of some squares such as 2abc+3b."""
    cells = []
    for group in squares.split("+"):
        part = _GROUP.fullmatch(group)
        if part is None:
            raise ParseError(f"tablebase {text!r}: expected rank and files, got {group!r}")
        cells += [(6 - int(part[1])) * columns + FILES.index(name) for name in part[2]]
    return cells


Words = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WindowGame:
    """What follows from a spec: placements, moves of dogs, neighbours, mirror images. All arrays are int64.

    Attributes:
        columns: The window's width.
        live: The columns where a buffalo may be.
        dogs: By placement, ascending: the set of the dogs' cells.
        first_move: By placement: the index of the first move to it in the next two arrays; one entry more.
        come_from: By move of a dog: the placement before it.
        path: By move of a dog: the cells that must be empty, its target included.
        near: By cell: the cells next to it.
        mirror_dogs: By placement: its mirror image; empty when the spec isn't its own mirror image.
        mirror_row: By a row's cells as a set: their mirror image.
        usable: The set of cells that no guard and no buffalo behind one occupies.
    """

    columns: int
    live: Words
    dogs: Words
    first_move: Words
    come_from: Words
    path: Words
    near: Words
    mirror_dogs: Words
    mirror_row: Words
    usable: int

    @classmethod
    def of(cls, spec: WindowSpec) -> WindowGame:
        """The game of a spec."""
        wide = spec.columns
        blocked = sum(1 << cell for cell in spec.blocked)
        placed = [
            sum(1 << cell for cell in cells)
            for cells in combinations(spec.cells, spec.dogs)
            if sum(cell < 4 * wide for cell in cells) <= spec.off
        ]
        index = {dogs: number for number, dogs in enumerate(sorted(placed))}
        moves: list[list[tuple[int, int]]] = [[] for _ in index]
        for dogs, number in index.items():
            for after, way in _dog_moves(dogs, blocked, wide):
                if after in index:
                    moves[index[after]].append((number, way))
        flat = [move for of_one in moves for move in of_one]
        mirror = [_mirrored(dogs, wide) for dogs in index] if spec.is_symmetric else []
        return cls(
            wide,
            words_of(spec.live),
            words_of(index),
            words_of(accumulate((len(of_one) for of_one in moves), initial=0)),
            words_of([before for before, _ in flat]),
            words_of([way for _, way in flat]),
            words_of([_near(cell, wide) for cell in range(5 * wide)]),
            words_of([index[dogs] for dogs in mirror]),
            words_of([int(f"{row:0{wide}b}"[::-1], 2) for row in range(1 << wide)]),
            (1 << 5 * wide) - 1 & ~blocked,
        )


def words_of(values: Iterable[int]) -> Words:
    """The values as an int64 array."""
    return np.array(list(values), dtype=np.int64)


def _line(cell: int, step: tuple[int, int], wide: int) -> list[int]:
    """The cells in one direction, nearest first."""
    row, column = cell // wide + step[0], cell % wide + step[1]
    cells = []
    while 0 <= row < 5 and 0 <= column < wide:
        cells.append(row * wide + column)
        row, column = row + step[0], column + step[1]
    return cells


_STEPS: Final = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))


def _dog_moves(dogs: int, blocked: int, wide: int) -> list[tuple[int, int]]:
    """The moves of dogs without live buffaloes and chief: the set of dogs after it, and the cells on its way."""
    found = []
    for cell in (cell for cell in range(5 * wide) if dogs >> cell & 1):
        for step in _STEPS:
            way = 0
            for target in _line(cell, step, wide):
                if (dogs | blocked) >> target & 1:
                    break
                way |= 1 << target
                found.append((dogs ^ 1 << cell ^ 1 << target, way))
    return found


def _near(cell: int, wide: int) -> int:
    return sum(1 << line[0] for step in _STEPS if (line := _line(cell, step, wide)))


def _mirrored(cells: int, wide: int) -> int:
    return sum(
        1 << cell + wide - 1 - 2 * (cell % wide) for cell in range(5 * wide) if cells >> cell & 1
    )
