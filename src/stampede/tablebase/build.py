"""Building a tablebase: layer by layer, on all cores, into a file that a later call resumes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.kernels.buffalo.lookups import Words
from stampede.tablebase.files import RowFile, file_name, finish_file
from stampede.tablebase.geometry import Geometry, count_states, geometry_of, list_states
from stampede.tablebase.layers import buffalo_rows, hunter_rows
from stampede.tablebase.parts import PartFile, state_path
from stampede.tablebase.rows import row_bound
from stampede.tablebase.spec import TablebaseSpec

__all__ = [
    "BuildEstimate",
    "BuildProgress",
    "BuildStopped",
    "append_rows",
    "build_columns",
    "estimate",
]

_BLOCK_WORDS: Final = 1 << 21
"""The most words that the rows of one task take."""
_NANOSECONDS: Final = 2.5
"""What a dog's move or the lookup of a successor costs on one core; measured, for the estimate."""
_PARTIAL_NANOSECONDS: Final = 0.7
"""The same for a partial tablebase, whose builder packs few rows: 0.54 to 0.60 were measured, then it compresses."""


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """What a build takes.

    Attributes:
        states: How many states are computed.
        placements: How many placements of the dogs each has.
        seconds: Roughly the time on the given number of cores.
        most_bytes: An upper bound on the file's size. Most tablebases need a fifth to a half of it.
    """

    states: int
    placements: int
    seconds: float
    most_bytes: int


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is: the current layer, the states done out of all, the bytes of rows."""

    layer: int
    done: int
    states: int
    bytes: int


class BuildStopped(Exception):
    """Raised by a progress callback to stop a build; finished layers are kept for the next call."""


ReportProgress = Callable[[BuildProgress], object]
_Block = tuple[Words, Words, Words]


def estimate(spec: TablebaseSpec, cores: int = 2, max_layer: int | None = None) -> BuildEstimate:
    """Estimates a build; with `max_layer` that of a partial tablebase (`stampede.proofs.search.partial_tablebase`)."""
    geometry = geometry_of(spec)
    share = 2 if spec.symmetric else 1
    states, kept = spec.states // share, count_states(spec, max_layer) // share
    placements = len(geometry.dogs)
    looks = len(geometry.target) + placements * 2 * len(geometry.live)
    row = row_bound(geometry.planes, placements, spec.size)
    cost = _NANOSECONDS if max_layer is None else _PARTIAL_NANOSECONDS
    return BuildEstimate(
        states,
        placements,
        states * looks * cost * 1e-9 / cores,
        8 * (spec.states + kept * row),
    )


def build_columns(
    spec: TablebaseSpec,
    folder: Path,
    *,
    cores: int = 2,
    report: ReportProgress = lambda _progress: None,
) -> Path:
    """Builds a tablebase's file in a folder, unless it exists, and returns its path.

    The report is called after each block of states. It may raise (`BuildStopped`, KeyboardInterrupt): finished layers
    are kept, and the next call resumes from there.
    """
    path = folder / file_name(spec)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _ColumnsBuild(spec, path, cores, report).run()
    return path


class _HunterRows:
    """H of one layer, in memory."""

    def __init__(self, states: int) -> None:
        self.where: Words = np.zeros(states, dtype=np.int64)
        self.words: Words = np.empty(1 << 16, dtype=np.int64)
        self.used = 0

    def append(self, rows: Words) -> int:
        begin, self.used = self.used, self.used + len(rows)
        if self.used > len(self.words):
            self.words.resize(self.used + self.used // 4, refcheck=False)
        self.words[begin : self.used] = rows
        return begin

    def point(self, states: Words, places: Words) -> None:
        self.where[states] = places


class _ColumnsBuild:
    """One build."""

    def __init__(self, spec: TablebaseSpec, path: Path, cores: int, report: ReportProgress) -> None:
        self._spec, self._path, self._cores, self._report = spec, path, cores, report
        self._geometry: Geometry = geometry_of(spec)
        self._part = path.with_suffix(".part")
        self._states, self._begins = list_states(spec)
        self._done = 0

    def run(self) -> None:
        """Builds the missing layers, from the highest down."""
        part = PartFile.open(self._part, self._spec)
        rows, layer = part.rows, self._spec.layers - part.done
        self._done = int(len(self._states) - self._begins[layer + 1])
        hunter = _HunterRows(self._spec.states)
        with ThreadPoolExecutor(self._cores) as pool:
            if layer < self._spec.layers:
                self._build_hunter_layer(pool, rows, hunter, layer + 1)
            while layer >= 0:
                self._build_layer(pool, rows, hunter, layer)
                part.save(self._spec.layers - layer + 1)
                if layer:
                    self._build_hunter_layer(pool, rows, hunter, layer)
                layer -= 1
        used = rows.used
        rows.close()
        finish_file(self._part, self._path, self._spec, used)
        state_path(self._part).unlink(missing_ok=True)

    def _layer(self, layer: int) -> Words:
        return self._states[self._begins[layer] : self._begins[layer + 1]]

    def _build_layer(
        self, pool: ThreadPoolExecutor, rows: RowFile, hunter: _HunterRows, layer: int
    ) -> None:
        def make(states: Words, out: Words, ends: Words, work: Words) -> None:
            buffalo_rows(
                self._geometry,
                states,
                rows.words,
                rows.where,
                hunter.words,
                hunter.where,
                out,
                ends,
                work,
            )

        for states, out, ends in self._run_blocks(pool, self._layer(layer), make):
            append_rows(rows, states, out, ends)
            self._done += len(states)
            self._report(BuildProgress(layer, self._done, len(self._states), 8 * rows.used))

    def _build_hunter_layer(
        self, pool: ThreadPoolExecutor, rows: RowFile, hunter: _HunterRows, layer: int
    ) -> None:
        def make(states: Words, out: Words, ends: Words, work: Words) -> None:
            hunter_rows(self._geometry, states, rows.words, rows.where, out, ends, work)

        hunter.used = 0
        for states, out, ends in self._run_blocks(pool, self._layer(layer), make):
            append_rows(hunter, states, out, ends)
            self._report(BuildProgress(layer, self._done, len(self._states), 8 * rows.used))

    def _run_blocks(
        self,
        pool: ThreadPoolExecutor,
        states: Words,
        make: Callable[[Words, Words, Words, Words], None],
    ) -> Iterator[_Block]:
        """Runs a kernel over blocks of states on all cores; yields the results in order."""
        placements = len(self._geometry.dogs)
        bound = row_bound(self._geometry.planes, placements, self._spec.size)
        step = max(1, min(_BLOCK_WORDS // bound, len(states) // (2 * self._cores) + 1))

        def task(begin: int) -> _Block:
            some = states[begin : begin + step]
            out = np.zeros(len(some) * bound, dtype=np.int64)
            ends = np.empty(len(some), dtype=np.int64)
            make(some, out, ends, np.empty((4, max(placements, 16)), dtype=np.int64))
            return some, out, ends

        waiting: deque[Future[_Block]] = deque()
        try:
            for begin in range(0, len(states), step):
                waiting.append(pool.submit(task, begin))
                if len(waiting) > 2 * self._cores:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def append_rows(rows: RowFile | _HunterRows, states: Words, out: Words, ends: Words) -> None:
    """Appends packed rows of some states; each state's row ends in `out` at its index in `ends`."""
    base = rows.append(out[: ends[-1]])
    begins = np.concatenate([[0], ends[:-1]])
    rows.point(states, np.where(ends > begins, base + begins + 1, 0))
