"""A finished tablebase: looking up states, and counting wins."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import kernel
from stampede.tablebase.files import BODY, check_file, read_header
from stampede.tablebase.geometry import Geometry, geometry_of, number_placements
from stampede.tablebase.layers import mirror_state
from stampede.tablebase.rows import read_row, row_set
from stampede.tablebase.spec import CAPTURED, DIGITS, TablebaseSpec

__all__ = ["Tablebase", "open_tablebase", "tablebase_folder"]

_FOLDER: Final = "STAMPEDE_TABLEBASES"
_OLD_FOLDER: Final = "STAMPEDE_TABLES"


def tablebase_folder() -> Path:
    """The folder of tablebases: the environment variable STAMPEDE_TABLEBASES, or the user's cache."""
    chosen = os.environ.get(_FOLDER)
    if not chosen and (chosen := os.environ.get(_OLD_FOLDER)):
        warnings.warn(f"{_OLD_FOLDER} is now called {_FOLDER}", FutureWarning, stacklevel=2)
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "stampede" / "tables"


@dataclass(frozen=True, slots=True, eq=False)
class Tablebase:
    """A tablebase, mapped into memory.

    Attributes:
        spec: What it covers.
        geometry: The spec's arrays.
        where: By state: 1 + the word where its row begins, or 0. int64[states].
        words: The rows. int64[words].
        places: By dogs' squares: the placement's number, or -1 (see `number_placements`).
        max_layer: The highest layer of a partial tablebase, which says nothing about higher ones; None when it has all.
    """

    spec: TablebaseSpec
    geometry: Geometry
    where: Words
    words: Words
    places: Words
    max_layer: int | None = None

    @property
    def name(self) -> str:
        """The text that names it: its spec, for a partial one with @ and the highest layer."""
        return f"{self.spec}" if self.max_layer is None else f"{self.spec}@{self.max_layer}"

    def wins(self, rows: Sequence[int], dogs: Sequence[int], chief: int) -> bool:
        """Whether the restricted hunter wins with the buffalo side to move.

        Args:
            rows: The digit of each live column: its buffalo's row from 0 to 4, or 5 when it was captured.
            dogs: The dogs' squares, as numbers (see `TablebaseSpec.number`).
            chief: The chief's square.

        Raises:
            InputError: The state's layer isn't in the tablebase.
        """
        self._require_layer(sum(rows))
        spec = self.spec
        taken = {
            spec.number(row, at)
            for row, at in zip(rows, spec.live, strict=True)
            if 1 <= row < CAPTURED
        }
        place = spec.placements.index(tuple(sorted(dogs)))
        if chief in taken or chief in dogs:
            return False
        digits, at = list(rows), place
        state = _number(digits)
        if spec.symmetric:
            last = spec.columns - 1
            mirrored = [digits[spec.live.index(last - at)] for at in spec.live]
            if _number(mirrored) < state:
                state, at = _number(mirrored), int(self.geometry.mirror[place])
                chief = spec.mirrored(chief)
        base = int(self.where[state])
        if base == 0:
            return False
        won = row_set(
            self.words, base - 1, self.geometry.planes, spec.size, at, self.geometry.empty
        )
        return bool(won >> chief & 1)

    def winning(self, rows: Sequence[int]) -> int:
        """The number of winning placements of dogs and chief in a state."""
        self._require_layer(sum(rows))
        return int(_count_wins(self.geometry, self.where, self.words, np.array([_number(rows)])))

    def total(self) -> int:
        """The number of winning placements in all states, mirror images included."""
        self._require_layer(self.spec.layers)
        return int(_count_wins(self.geometry, self.where, self.words, np.arange(self.spec.states)))

    def _require_layer(self, layer: int) -> None:
        if self.max_layer is not None and layer > self.max_layer:
            raise InputError(f"expected a state of layer {self.max_layer} at most, got {layer}")


def open_tablebase(path: Path, *, check: bool = False) -> Tablebase:
    """Maps a tablebase's file into memory; with `check` its checksums are compared first.

    Raises:
        InputError: The file isn't a tablebase, or is damaged.
    """
    header = read_header(path, TablebaseSpec.parse)
    if check:
        check_file(path)
    states = header.spec.states
    where = np.memmap(path, np.int64, "r", BODY, (states,))
    words: Words = np.zeros(0, dtype=np.int64)
    if header.words:
        words = np.memmap(path, np.int64, "r", BODY + 8 * states, (header.words,))
    return Tablebase(
        header.spec,
        geometry_of(header.spec),
        np.asarray(where),
        np.asarray(words),
        number_placements(header.spec),
        header.max_layer,
    )


def _number(rows: Sequence[int]) -> int:
    return sum(row * DIGITS**index for index, row in enumerate(rows))


@kernel
def _count_wins(geometry: Geometry, where: Words, words: Words, states: Words) -> int:
    """Counts the winning placements of some states. Geometry, int64[states], int64[words], int64[n] → int64."""
    digits = geometry.live.copy()
    row = geometry.dogs.copy()
    total = 0
    for number in range(len(states)):
        state = states[number]
        taken = 0
        rest = state
        for index in range(len(digits)):
            digits[index] = rest % 6
            rest //= 6
        if geometry.symmetric:
            state = min(state, mirror_state(geometry, digits))
            rest = state
            for index in range(len(digits)):
                digits[index] = rest % 6
                rest //= 6
        for index in range(len(digits)):
            if 1 <= digits[index] <= 4:
                taken |= 1 << ((digits[index] - 1) * geometry.columns + geometry.live[index])
        if where[state] != 0:
            read_row(geometry, words, where[state] - 1, taken, row)
            for place in range(len(row)):
                total += popcount(row[place])
    return total
