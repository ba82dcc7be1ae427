"""A finished endgame tablebase: looking up positions with few buffaloes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words
from stampede.tablebase.endgames.placements import Prairie, make_prairie, number_placement
from stampede.tablebase.endgames.rows import BLOCK, Bytes, read_endgame_row, row_set
from stampede.tablebase.endgames.spec import LOWEST_RANK, RANKS, EndgameSpec, squares_taken
from stampede.tablebase.files import BODY, check_file, read_header

__all__ = ["Endgame", "open_endgame"]


@dataclass(frozen=True, slots=True, eq=False)
class Endgame:
    """An endgame tablebase, mapped into memory.

    Attributes:
        spec: What it covers.
        prairie: Its prairie, as kernels need it.
        where: By state: 1 + the word where its row begins, or 0. int64[states].
        rows: The rows of H, the hunter to move. uint8[bytes].
    """

    spec: EndgameSpec
    prairie: Prairie
    where: Words
    rows: Bytes

    def wins(self, buffaloes: Sequence[tuple[int, int]], dogs: Sequence[int], chief: int) -> bool:
        """Whether the buffalo side wins with the hunter to move.

        Args:
            buffaloes: Column, from 0, and rank, from 7 to 3, of each buffalo.
            dogs: The dogs' squares, (rank - 2) * columns + column.
            chief: The chief's square.

        Raises:
            InputError: The tablebase doesn't cover these buffaloes.
        """
        ordered = sorted(buffaloes)
        columns = tuple(column for column, _ in ordered)
        ranks = tuple(rank for _, rank in ordered)
        if not 1 <= len(set(columns)) == len(columns) <= self.spec.buffaloes:
            raise InputError(f"expected 1 to {self.spec.buffaloes} columns, got {columns}")
        if not all(LOWEST_RANK <= rank < LOWEST_RANK + RANKS for rank in ranks):
            raise InputError(f"expected ranks from 7 to {LOWEST_RANK}, got {ranks}")
        squares = list(dogs)
        if self.spec.stored_set(columns) != columns:
            columns, ranks = self.spec.mirrored(columns), ranks[::-1]
            squares, chief = [self._mirror(at) for at in squares], self._mirror(chief)
        base = int(self.where[self.spec.state(columns, ranks)])
        if base == 0:
            return False
        place = number_placement(self.prairie.binomials, sum(1 << at for at in squares))
        won = row_set(self.rows, 8 * (base - 1), -(-self.spec.placements // BLOCK), place)
        return bool(won >> chief & 1)

    def hunter_sets(self, columns: tuple[int, ...], ranks: tuple[int, ...]) -> Words:
        """H of a state of a stored set: the chief's losing squares by placement. int64[placements]."""
        sets: Words = np.zeros(self.spec.placements, dtype=np.int64)
        base = int(self.where[self.spec.state(columns, ranks)])
        if base:
            taken = squares_taken(self.spec.columns, columns, ranks)
            read_endgame_row(self.prairie, taken, self.rows, 8 * (base - 1), sets)
        return sets

    def _mirror(self, square: int) -> int:
        width = self.spec.columns
        return square + width - 1 - 2 * (square % width)


def open_endgame(path: Path, *, check: bool = False) -> Endgame:
    """Maps an endgame tablebase's file into memory; with `check` its checksums are compared first.

    Raises:
        InputError: The file isn't an endgame tablebase, or is damaged.
    """
    header = read_header(path, EndgameSpec.parse)
    if check:
        check_file(path, EndgameSpec.parse)
    spec = header.spec
    where = np.memmap(path, np.int64, "r", BODY, (spec.states,))
    rows: Bytes = np.zeros(0, dtype=np.uint8)
    if header.words:
        rows = np.memmap(path, np.uint8, "r", BODY + 8 * spec.states, (8 * header.words,))
    return Endgame(spec, make_prairie(spec.columns, spec.dogs), np.asarray(where), np.asarray(rows))
