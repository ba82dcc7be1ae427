"""Tables that end near the bank: all states are worked out, but only those up to a level are kept.

A table of many columns and placements may need more room than there is, while a proof asks it about few states, all of
them near the bank. The builder of the certificates works herd by herd and forgets almost everything, so it gets by with
a tenth of the room; here it is watched, and the first levels are written down. Its work can't be gone on with.

In a name the last level follows an @: ``11/abcdeghijk/4/2abcdefghijk+3bcdhij/1@12``. A level is a sum of digits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import numpy as np

from stampede.core.errors import ParseError
from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import kernel
from stampede.proofs.certificates.material import DIGITS
from stampede.proofs.certificates.window_game import WindowGame, WindowSpec
from stampede.proofs.certificates.window_solver import answer
from stampede.tablebase.build import Progress, append_rows, build
from stampede.tablebase.files import RowFile, file_name, finish
from stampede.tablebase.layers import mirror_squares, mirror_state
from stampede.tablebase.plan import Plan, plan_of
from stampede.tablebase.rows import row_bound, write_row
from stampede.tablebase.spec import CAPTURED, TablebaseSpec

__all__ = ["build_named", "build_near", "parse_name"]

Report = Callable[[Progress], object]


def parse_name(text: str) -> tuple[TablebaseSpec, int | None]:
    """A spec, and the level where the table ends if the name has one; ParseError when it is none."""
    spec_text, at, last = text.partition("@")
    spec = TablebaseSpec.parse(spec_text)
    if not at:
        return spec, None
    if not last.isdecimal() or not 0 <= int(last) <= spec.levels:
        raise ParseError(f"expected a level from 0 to {spec.levels} after the @, got {last!r}")
    return spec, int(last)


def build_named(
    text: str, folder: Path, *, cores: int = 2, report: Report = lambda _progress: None
) -> Path:
    """Makes the file of a table by its name, unless it is there, and returns its path."""
    spec, levels = parse_name(text)
    if levels is None:
        return build(spec, folder, cores=cores, report=report)
    return build_near(spec, levels, folder, cores=cores, report=report)


def build_near(
    spec: TablebaseSpec,
    levels: int,
    folder: Path,
    *,
    cores: int = 2,
    report: Report = lambda _progress: None,
) -> Path:
    """Makes the file of a table that ends at a level, unless it is there, and returns its path."""
    path = folder / file_name(spec, levels)
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    writer = _Writer(spec, levels, RowFile(part, spec.states))

    def progress(done: int, states: int) -> None:
        report(Progress(levels, done, states, 8 * writer.rows.used))

    nothing = np.zeros((0, 3), dtype=np.int64)
    answer(WindowSpec.parse(str(spec)), nothing, cores, progress, show=writer)
    used = writer.rows.used
    writer.rows.close()
    finish(part, path, spec, used, levels)
    return path


class _Writer:
    """Takes rows of the certificates' builder and writes those near the bank as a table has them."""

    def __init__(self, spec: TablebaseSpec, levels: int, rows: RowFile) -> None:
        self.rows = rows
        self._levels = levels
        self._plan = plan_of(spec)
        self._bound = row_bound(self._plan.planes, len(self._plan.dogs), spec.size)
        self._lock = Lock()
        # By placement: its number in the builder, which sorts them by the set of their squares.
        plain = WindowGame.of(WindowSpec.parse(str(spec)))
        self._place = np.searchsorted(plain.dogs, self._plan.dogs).astype(np.int64)

    def __call__(self, herd: Words, states: Words, b_rows: Words) -> None:
        gone = len(self._plan.live) - len(herd)
        if _sum(int(states[0])) + CAPTURED * gone > self._levels:  # all of them have one sum
            return
        numbers = np.empty(len(states), dtype=np.int64)
        out = np.zeros(len(states) * self._bound, dtype=np.int64)
        ends = np.empty(len(states), dtype=np.int64)
        _pack(self._plan, self._place, herd, states, b_rows, numbers, out, ends)
        with self._lock:
            append_rows(self.rows, numbers, out, ends)


def _sum(state: int) -> int:
    total = 0
    while state:
        state, digit = divmod(state, DIGITS)
        total += digit
    return total


@kernel
def _pack(
    plan: Plan,
    place: Words,
    herd: Words,
    states: Words,
    b_rows: Words,
    numbers: Words,
    out: Words,
    ends: Words,
) -> None:
    """Packs a herd's rows, each as its state or its mirror image has it, whichever has the lower number.

    Plan, int64[placements], int64[herd], int64[n], int64[n, ≥ placements], then to be filled: int64[n], int64[≥ n *
    row_bound] of zeros, int64[n].
    """
    digits = np.empty(len(plan.live), np.int64)
    row = np.empty(len(place), np.int64)
    at = 0
    for index in range(len(states)):
        rest, member, number = states[index], 0, 0
        for column in range(len(digits)):
            digits[column] = CAPTURED
            if member < len(herd) and herd[member] == plan.live[column]:
                digits[column] = rest % DIGITS
                rest //= DIGITS
                member += 1
            number += digits[column] * plan.power[column]
        image = mirror_state(plan, digits) if plan.symmetric else number
        if image < number:
            for placement in range(len(row)):
                squares = b_rows[index, place[plan.mirror[placement]]]
                row[placement] = mirror_squares(plan, squares)
        else:
            for placement in range(len(row)):
                row[placement] = b_rows[index, place[placement]]
        taken = 0
        for column in range(len(digits)):
            mine = digits[plan.partner[column]] if image < number else digits[column]
            if 1 <= mine < CAPTURED:
                taken |= 1 << ((mine - 1) * plan.columns + plan.live[column])
        at = write_row(plan, row, taken, out, at)
        numbers[index], ends[index] = min(image, number), at
