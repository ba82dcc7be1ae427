"""A finished table: looking entries up, and counting them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import kernel
from stampede.tablebase.files import BODY, check_blocks, read_header
from stampede.tablebase.layers import mirror_state
from stampede.tablebase.plan import Plan, place_numbers, plan_of
from stampede.tablebase.rows import read_row, row_set
from stampede.tablebase.spec import CAPTURED, DIGITS, TablebaseSpec

__all__ = ["Tablebase", "open_tablebase", "tablebase_folder"]

_FOLDER: Final = "STAMPEDE_TABLES"


def tablebase_folder() -> Path:
    """Where tables are kept: what the variable STAMPEDE_TABLES says, or the user's cache."""
    asked = os.environ.get(_FOLDER)
    if asked:
        return Path(asked)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "stampede" / "tables"


@dataclass(frozen=True, slots=True, eq=False)
class Tablebase:
    """The table of a spec, mapped into memory.

    Attributes:
        spec: What it holds.
        plan: The spec's arrays.
        where: By state: 1 + the word where its row begins, or 0. int64[states].
        words: The rows. int64[words].
        places: By dogs' squares: the placement's number, or -1 (see `place_numbers`).
        levels: States with a higher sum of digits aren't in it, which says nothing about them; None when all are.
    """

    spec: TablebaseSpec
    plan: Plan
    where: Words
    words: Words
    places: Words
    levels: int | None = None

    def wins(self, rows: Sequence[int], dogs: Sequence[int], chief: int) -> bool:
        """Whether the restricted hunter wins with the buffalo side to move.

        Args:
            rows: The digit of each live column: its buffalo's row from 0 to 4, or 5 when it was captured.
            dogs: The dogs' squares, as numbers (see `TablebaseSpec.number`).
            chief: The chief's square.

        Raises:
            InputError: The state isn't in the table.
        """
        self._expect(sum(rows))
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
                state, at = _number(mirrored), int(self.plan.mirror[place])
                chief = spec.mirrored(chief)
        base = int(self.where[state])
        if base == 0:
            return False
        won = row_set(self.words, base - 1, self.plan.planes, spec.size, at, self.plan.empty)
        return bool(won >> chief & 1)

    def winning(self, rows: Sequence[int]) -> int:
        """How many placements of dogs and chief win in a state."""
        self._expect(sum(rows))
        return int(_count(self.plan, self.where, self.words, np.array([_number(rows)])))

    def total(self) -> int:
        """How many entries of all states win, mirror images counted, too."""
        self._expect(self.spec.levels)
        return int(_count(self.plan, self.where, self.words, np.arange(self.spec.states)))

    def _expect(self, level: int) -> None:
        if self.levels is not None and level > self.levels:
            raise InputError(f"expected a state of level {self.levels} at most, got {level}")


def open_tablebase(path: Path, *, check: bool = False) -> Tablebase:
    """Maps a table's file; with `check` its checksums are compared first.

    Raises:
        InputError: The file is no table, or is damaged.
    """
    header = read_header(path)
    if check:
        check_blocks(path)
    states = header.spec.states
    where = np.memmap(path, np.int64, "r", BODY, (states,))
    words: Words = np.zeros(0, dtype=np.int64)
    if header.words:
        words = np.memmap(path, np.int64, "r", BODY + 8 * states, (header.words,))
    return Tablebase(
        header.spec,
        plan_of(header.spec),
        np.asarray(where),
        np.asarray(words),
        place_numbers(header.spec),
        header.levels,
    )


def _number(rows: Sequence[int]) -> int:
    return sum(row * DIGITS**index for index, row in enumerate(rows))


@kernel
def _count(plan: Plan, where: Words, words: Words, states: Words) -> int:
    """The winning entries of these states. Plan, int64[states], int64[words], int64[n] → int64."""
    digits = plan.live.copy()
    row = plan.dogs.copy()
    total = 0
    for number in range(len(states)):
        state = states[number]
        taken = 0
        rest = state
        for index in range(len(digits)):
            digits[index] = rest % 6
            rest //= 6
        if plan.symmetric:
            state = min(state, mirror_state(plan, digits))
            rest = state
            for index in range(len(digits)):
                digits[index] = rest % 6
                rest //= 6
        for index in range(len(digits)):
            if 1 <= digits[index] <= 4:
                taken |= 1 << ((digits[index] - 1) * plan.columns + plan.live[index])
        if where[state] != 0:
            read_row(plan, words, where[state] - 1, taken, row)
            for place in range(len(row)):
                total += popcount(row[place])
    return total
