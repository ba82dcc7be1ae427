"""Partial tablebases: all states are computed, but only the layers near the bank are stored.

A tablebase of many columns and placements may need more disk than there is, while a proof asks it about few states,
all of them near the bank. The verifier's solver (`stampede.proofs.certificates.window_solver`) goes through the
material configuration by configuration and forgets almost everything, so it needs a tenth of the space; here its rows
are observed, and the first layers are stored. An interrupted build resumes after the last configuration that it solved.

In a name the highest layer follows an @: ``11/abcdeghijk/4/2abcdefghijk+3bcdhij/1@12``. A layer is a sum of digits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import numpy as np

from stampede.core.errors import InputError, ParseError
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import kernel
from stampede.proofs.certificates.material import DIGITS
from stampede.proofs.certificates.saved import SavedMaterials
from stampede.proofs.certificates.scratch import Scratch, usual_memory
from stampede.proofs.certificates.window_game import WindowGame, WindowSpec
from stampede.proofs.certificates.window_solver import solve_window
from stampede.tablebase.build import BuildProgress, append_rows
from stampede.tablebase.files import file_name, finish_file
from stampede.tablebase.geometry import Geometry, geometry_of
from stampede.tablebase.layers import mirror_squares, mirror_state
from stampede.tablebase.parts import PartFile, state_path
from stampede.tablebase.rows import row_bound, write_row
from stampede.tablebase.spec import CAPTURED, TablebaseSpec

__all__ = ["build_partial", "parse_name"]

ReportProgress = Callable[[BuildProgress], object]


def parse_name(text: str) -> tuple[TablebaseSpec, int | None]:
    """Reads a name: the spec, and the highest layer if the name has one; ParseError when it is malformed."""
    spec_text, at, last = text.partition("@")
    spec = TablebaseSpec.parse(spec_text)
    if not at:
        return spec, None
    if not last.isdecimal() or not 0 <= int(last) <= spec.layers:
        raise ParseError(f"expected a layer from 0 to {spec.layers} after the @, got {last!r}")
    return spec, int(last)


def build_partial(
    spec: TablebaseSpec,
    max_layer: int,
    folder: Path,
    *,
    cores: int = 2,
    report: ReportProgress = lambda _progress: None,
    memory: int | None = None,
) -> Path:
    """Builds a partial tablebase up to a layer, unless its file exists, and returns the path.

    What its intermediate results need beyond `memory` bytes (by default half of the machine's, at most 6 GB) goes to
    the folder.
    """
    path = folder / file_name(spec, max_layer)
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    saved = SavedMaterials.open(path.with_suffix(".solver"))
    if not saved.solved:
        part.unlink(missing_ok=True)
    elif not part.exists():
        raise InputError(
            f"expected {part} beside {saved.folder}, got no such file; remove the folder to start anew"
        )
    file = _resume(part, spec, saved.last_mark)
    writer = _Writer(spec, max_layer, file)
    saved.mark = writer.flush

    def progress(done: int, states: int) -> None:
        report(BuildProgress(max_layer, done, states, 8 * writer.rows.used))

    nothing = np.zeros((0, 3), dtype=np.int64)
    scratch = Scratch(usual_memory() if memory is None else memory, folder)
    window = WindowSpec.parse(str(spec))
    solve_window(window, nothing, cores, progress, scratch, observe=writer, saved=saved)
    used = writer.rows.used
    writer.rows.close()
    finish_file(part, path, spec, used, max_layer)
    saved.remove()
    state_path(part).unlink(missing_ok=True)
    return path


def _resume(part: Path, spec: TablebaseSpec, words: int) -> PartFile:
    """The rows of the materials that the journal of an interrupted build names; the file may have later ones."""
    file = PartFile.open(part, spec)
    if file.rows.used < words:
        raise InputError(
            f"{state_path(part)}: expected {words:,} words of rows, got {file.rows.used:,};"
            f" remove it, {part.name} and {part.stem}.solver to start anew"
        )
    if file.rows.used > words:
        file.rewind(words)
    return file


class _Writer:
    """Receives the rows of the verifier's solver and writes those near the bank in the format of a tablebase."""

    def __init__(self, spec: TablebaseSpec, max_layer: int, file: PartFile) -> None:
        self.rows = file.rows
        self._file = file
        self._max_layer = max_layer
        self._geometry = geometry_of(spec)
        self._bound = row_bound(self._geometry.planes, len(self._geometry.dogs), spec.size)
        self._lock = Lock()
        self._flushed = file.rows.used
        # By placement: its number in the solver, which sorts placements by the set of their squares.
        plain = WindowGame.of(WindowSpec.parse(str(spec)))
        self._place = np.searchsorted(plain.dogs, self._geometry.dogs).astype(np.int64)

    def flush(self) -> int:
        """Writes the rows to disk; returns how many words they take."""
        with self._lock:
            if self.rows.used != self._flushed:
                self._flushed = self.rows.used
                self._file.save(self._flushed)
            return self.rows.used

    def __call__(self, columns: Words, states: Words, b_rows: Words) -> None:
        gone = len(self._geometry.live) - len(columns)
        if (
            _digit_sum(int(states[0])) + CAPTURED * gone > self._max_layer
        ):  # they are all of one layer
            return
        numbers = np.empty(len(states), dtype=np.int64)
        out = np.zeros(len(states) * self._bound, dtype=np.int64)
        ends = np.empty(len(states), dtype=np.int64)
        _pack(self._geometry, self._place, columns, states, b_rows, numbers, out, ends)
        with self._lock:
            append_rows(self.rows, numbers, out, ends)


def _digit_sum(state: int) -> int:
    total = 0
    while state:
        state, digit = divmod(state, DIGITS)
        total += digit
    return total


@kernel
def _pack(
    geometry: Geometry,
    place: Words,
    columns: Words,
    states: Words,
    b_rows: Words,
    numbers: Words,
    out: Words,
    ends: Words,
) -> None:
    """Packs the rows of some states; a state or its mirror image is stored, whichever has the lower number.

    Geometry, int64[placements], int64[columns], int64[n], int64[n, ≥ placements], then to be filled: int64[n],
    int64[≥ n * row_bound] of zeros, int64[n].
    """
    digits = np.empty(len(geometry.live), np.int64)
    row = np.empty(len(place), np.int64)
    at = 0
    for index in range(len(states)):
        rest, member, number = states[index], 0, 0
        for column in range(len(digits)):
            digits[column] = CAPTURED
            if member < len(columns) and columns[member] == geometry.live[column]:
                digits[column] = rest % DIGITS
                rest //= DIGITS
                member += 1
            number += digits[column] * geometry.power[column]
        image = mirror_state(geometry, digits) if geometry.symmetric else number
        if image < number:
            for placement in range(len(row)):
                squares = b_rows[index, place[geometry.mirror[placement]]]
                row[placement] = mirror_squares(geometry, squares)
        else:
            for placement in range(len(row)):
                row[placement] = b_rows[index, place[placement]]
        taken = 0
        for column in range(len(digits)):
            mine = digits[geometry.partner[column]] if image < number else digits[column]
            if 1 <= mine < CAPTURED:
                taken |= 1 << ((mine - 1) * geometry.columns + geometry.live[column])
        at = write_row(geometry, row, taken, out, at)
        numbers[index], ends[index] = min(image, number), at
