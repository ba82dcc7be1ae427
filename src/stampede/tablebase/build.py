"""Building a table: level by level, on all cores, into a file that a later call goes on with."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.kernels.buffalo.tables import Words
from stampede.tablebase.files import RowFile, file_name, finish
from stampede.tablebase.layers import hunter_rows, table_rows
from stampede.tablebase.plan import Plan, canonical_states, plan_of, states_up_to
from stampede.tablebase.rows import row_bound
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["Estimate", "Progress", "Stopped", "append_rows", "build", "estimate"]

_BLOCK_WORDS: Final = 1 << 21
"""How many words the rows of one task may take."""
_NANOSECONDS: Final = 2.5
"""What a dog's move or a look at a successor costs on one core, for the estimate; measured."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a table will take.

    Attributes:
        states: How many states are worked out.
        placements: How many placements of the dogs each has.
        seconds: The time on the given number of cores, about.
        most_bytes: More than this the file can't take. Most tables need a fifth to a half of it.
    """

    states: int
    placements: int
    seconds: float
    most_bytes: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build has come: the level that is being made, states done of all, bytes of rows."""

    level: int
    done: int
    states: int
    bytes: int


class Stopped(Exception):
    """A build was asked to stop; what is finished is kept for the next call."""


Report = Callable[[Progress], object]
_Made = tuple[Words, Words, Words]


def estimate(spec: TablebaseSpec, cores: int = 2, levels: int | None = None) -> Estimate:
    """What building a table will take, without doing it; of one that ends at a level (`near`), too."""
    plan = plan_of(spec)
    share = 2 if spec.symmetric else 1
    states, kept = spec.states // share, states_up_to(spec, levels) // share
    placements = len(plan.dogs)
    looks = len(plan.target) + placements * 2 * len(plan.live)
    row = row_bound(plan.planes, placements, spec.size)
    return Estimate(
        states,
        placements,
        states * looks * _NANOSECONDS * 1e-9 / cores,
        8 * (spec.states + kept * row),
    )


def build(
    spec: TablebaseSpec, folder: Path, *, cores: int = 2, report: Report = lambda _progress: None
) -> Path:
    """Makes the table's file in a folder, unless it is there, and returns its path.

    The report is called after each block of states. It may raise (`Stopped`, KeyboardInterrupt): finished levels stay,
    and the next call goes on from there.
    """
    path = folder / file_name(spec)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _Builder(spec, path, cores, report).run()
    return path


class _Rows:
    """The hunter's rows of one level, in memory."""

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


class _Builder:
    """One build."""

    def __init__(self, spec: TablebaseSpec, path: Path, cores: int, report: Report) -> None:
        self._spec, self._path, self._cores, self._report = spec, path, cores, report
        self._plan: Plan = plan_of(spec)
        self._part = path.with_suffix(".part")
        self._state = path.with_suffix(".state")
        self._states, self._begins = canonical_states(spec)
        self._done = 0

    def run(self) -> None:
        """Makes the levels that are missing, from the highest down."""
        level, used = self._resumed()
        rows = RowFile(self._part, self._spec.states, used)
        hunter = _Rows(self._spec.states)
        with ThreadPoolExecutor(self._cores) as pool:
            if level < self._spec.levels:
                self._hunter(pool, rows, hunter, level + 1)
            while level >= 0:
                self._table(pool, rows, hunter, level)
                rows.flush()
                self._write_state(level, rows.used)
                if level:
                    self._hunter(pool, rows, hunter, level)
                level -= 1
        used = rows.used
        rows.close()
        finish(self._part, self._path, self._spec, used)
        self._state.unlink(missing_ok=True)

    def _resumed(self) -> tuple[int, int]:
        """The next level to make and the words that are there."""
        if self._part.exists() and self._state.exists():
            told = json.loads(self._state.read_text())
            if told["spec"] == str(self._spec):
                self._done = int(len(self._states) - self._begins[told["level"]])
                return told["level"] - 1, told["words"]
        self._part.unlink(missing_ok=True)
        return self._spec.levels, 0

    def _write_state(self, level: int, words: int) -> None:
        told = {"spec": str(self._spec), "level": level, "words": words}
        fresh = self._state.with_suffix(".state-new")
        fresh.write_text(json.dumps(told))
        fresh.replace(self._state)

    def _level(self, level: int) -> Words:
        return self._states[self._begins[level] : self._begins[level + 1]]

    def _table(self, pool: ThreadPoolExecutor, rows: RowFile, hunter: _Rows, level: int) -> None:
        def make(states: Words, out: Words, ends: Words, work: Words) -> None:
            table_rows(
                self._plan,
                states,
                rows.words,
                rows.where,
                hunter.words,
                hunter.where,
                out,
                ends,
                work,
            )

        for states, out, ends in self._blocks(pool, self._level(level), make):
            append_rows(rows, states, out, ends)
            self._done += len(states)
            self._report(Progress(level, self._done, len(self._states), 8 * rows.used))

    def _hunter(self, pool: ThreadPoolExecutor, rows: RowFile, hunter: _Rows, level: int) -> None:
        def make(states: Words, out: Words, ends: Words, work: Words) -> None:
            hunter_rows(self._plan, states, rows.words, rows.where, out, ends, work)

        hunter.used = 0
        for states, out, ends in self._blocks(pool, self._level(level), make):
            append_rows(hunter, states, out, ends)
            self._report(Progress(level, self._done, len(self._states), 8 * rows.used))

    def _blocks(
        self,
        pool: ThreadPoolExecutor,
        states: Words,
        make: Callable[[Words, Words, Words, Words], None],
    ) -> Iterator[_Made]:
        """Runs a kernel over blocks of states on all cores; the results come in order."""
        placements = len(self._plan.dogs)
        bound = row_bound(self._plan.planes, placements, self._spec.size)
        step = max(1, min(_BLOCK_WORDS // bound, len(states) // (2 * self._cores) + 1))

        def task(begin: int) -> _Made:
            some = states[begin : begin + step]
            out = np.zeros(len(some) * bound, dtype=np.int64)
            ends = np.empty(len(some), dtype=np.int64)
            make(some, out, ends, np.empty((4, max(placements, 16)), dtype=np.int64))
            return some, out, ends

        waiting: deque[Future[_Made]] = deque()
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


def append_rows(rows: RowFile | _Rows, states: Words, out: Words, ends: Words) -> None:
    """Adds packed rows of these states; the row of each ends in `out` at its place in `ends`."""
    base = rows.append(out[: ends[-1]])
    begins = np.concatenate([[0], ends[:-1]])
    rows.where[states] = np.where(ends > begins, base + begins + 1, 0)
