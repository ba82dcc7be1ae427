"""Building an endgame tablebase: one set of columns after another, into a file that a later call resumes.

A buffalo stays in its column, so the states of one set of columns need only each other and those of the sets with one
column fewer. H is stored: with it the buffalo side's turn is a look at the states after each step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.lookups import Words
from stampede.tablebase.build import BuildProgress
from stampede.tablebase.endgames.placements import Prairie, make_prairie
from stampede.tablebase.endgames.rows import row_room, write_endgame_row
from stampede.tablebase.endgames.spec import (
    LOWEST_RANK,
    MOST_BUFFALOES,
    RANKS,
    EndgameSpec,
    squares_taken,
)
from stampede.tablebase.endgames.turns import buffalo_turn, hunter_turn, last_rank_turn
from stampede.tablebase.files import file_name, finish_file
from stampede.tablebase.parts import PartFile, state_path

__all__ = ["EndgameEstimate", "build_endgame", "estimate_endgame", "solve_set"]

_NANOSECONDS: Final = 55.0
"""What a placement of the dogs in a state costs on one core; measured, for the estimate."""
_ROW_SHARE: Final = 0.1
"""The usual length of a row as a share of its sets uncompressed; measured, for the estimate."""

ReportProgress = Callable[[BuildProgress], object]
Tables = dict[tuple[int, ...], npt.NDArray[np.int64]]
"""By set of columns: B of its states. int64[states, placements]."""


@dataclass(frozen=True, slots=True)
class EndgameEstimate:
    """What a build takes.

    Attributes:
        states: How many states are stored.
        placements: How many placements of the dogs each has.
        seconds: Roughly the time on the given number of cores.
        bytes: Roughly the file's size.
        memory: The memory that the build needs, in bytes.
    """

    states: int
    placements: int
    seconds: float
    bytes: int
    memory: int


def estimate_endgame(spec: EndgameSpec, cores: int = 2) -> EndgameEstimate:
    """Estimates a build."""
    states = sum(RANKS ** len(some) for some in spec.sets)
    inner = sum(RANKS ** len(some) for some in _inner_sets(spec))
    placements = spec.placements
    work = (states + inner) * placements * _NANOSECONDS * 1e-9
    row = 8 * placements
    working = cores * (RANKS**spec.buffaloes + 8) * row
    return EndgameEstimate(
        states, placements, work / cores, int(states * row * _ROW_SHARE), inner * row + working
    )


def build_endgame(
    spec: EndgameSpec,
    folder: Path,
    *,
    cores: int = 2,
    report: ReportProgress = lambda _progress: None,
) -> Path:
    """Builds an endgame tablebase's file in a folder, unless it exists, and returns its path.

    The report is called after each set of columns. It may raise (`BuildStopped`, KeyboardInterrupt): finished sets are
    kept, and the next call resumes from there.
    """
    path = folder / file_name(spec)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _EndgameBuild(spec, path, cores, report).run()
    return path


def solve_set(
    prairie: Prairie, columns: tuple[int, ...], fewer: Tables
) -> Iterator[tuple[tuple[int, ...], Words, Words]]:
    """Solves the states of a set of columns, in the order of their numbers: yields the ranks, B and H.

    Args:
        prairie: The prairie.
        columns: The columns with a buffalo.
        fewer: B of the states of all sets with one column fewer.
    """
    count, placements = len(columns), len(prairie.placements)
    tables = np.empty((RANKS**count, placements), dtype=np.int64)
    spare = np.empty((MOST_BUFFALOES, placements), dtype=np.int64)
    nothing = np.zeros(placements, dtype=np.int64)
    wins = np.empty(placements, dtype=np.int64)
    powers = [RANKS**index for index in range(count)]
    for state, digits in enumerate(product(range(RANKS), repeat=count)):
        ranks = tuple(LOWEST_RANK + digit for digit in reversed(digits))
        taken = squares_taken(prairie.width, columns, ranks)
        without = []
        hunters = [nothing] * MOST_BUFFALOES
        aheads = np.zeros(count, dtype=np.int64)
        for index in range(count):
            others = columns[:index] + columns[index + 1 :]
            other = sum(
                (rank - LOWEST_RANK) * RANKS**at
                for at, rank in enumerate(ranks[:index] + ranks[index + 1 :])
            )
            without.append(fewer[others][other])
            aheads[index] = 1 << ((ranks[index] - 3) * prairie.width + columns[index])
            if ranks[index] > LOWEST_RANK:
                hunters[index] = tables[state - powers[index]]
            else:
                last_rank_turn(prairie, columns[index], without[-1], spare[index])
                hunters[index] = spare[index]
        buffalo_turn(prairie, taken, aheads, (hunters[0], hunters[1], hunters[2]), wins)
        prey = [index for index in range(count) if ranks[index] < 7]
        captured = [without[index] for index in prey] + [nothing] * (MOST_BUFFALOES - len(prey))
        squares = [(ranks[index] - 2) * prairie.width + columns[index] for index in prey]
        hunter_turn(
            prairie,
            taken,
            wins,
            np.array(squares, dtype=np.int64),
            (captured[0], captured[1], captured[2]),
            tables[state],
        )
        yield ranks, wins, tables[state]


def _inner_sets(spec: EndgameSpec) -> list[tuple[int, ...]]:
    """The sets, mirror images included, that larger ones need."""
    return [
        some for count in range(spec.buffaloes) for some in combinations(range(spec.columns), count)
    ]


class _EndgameBuild:
    """One build."""

    def __init__(self, spec: EndgameSpec, path: Path, cores: int, report: ReportProgress) -> None:
        self._spec, self._path, self._cores, self._report = spec, path, cores, report
        self._prairie = make_prairie(spec.columns, spec.dogs)
        self._part = path.with_suffix(".part")
        self._total = sum(RANKS ** len(some) for some in spec.sets)

    def run(self) -> None:
        """Builds the missing sets."""
        part = PartFile.open(self._part, self._spec)
        rows, done = part.rows, part.done
        with ThreadPoolExecutor(self._cores) as pool:
            fewer = self._solve_inner(pool)
            states = sum(RANKS ** len(some) for some in self._spec.sets[:done])
            for columns, packed in self._pack_sets(pool, self._spec.sets[done:], fewer):
                first = self._spec.first_state(columns)
                places = [rows.append(row) + 1 if len(row) else 0 for row in packed]
                rows.point(first + np.arange(len(packed)), np.array(places, dtype=np.int64))
                done, states = done + 1, states + len(packed)
                part.save(done)
                self._report(BuildProgress(len(columns), states, self._total, 8 * rows.used))
        used = rows.used
        rows.close()
        finish_file(self._part, self._path, self._spec, used)
        state_path(self._part).unlink(missing_ok=True)

    def _solve_inner(self, pool: ThreadPoolExecutor) -> Tables:
        """B of all sets that larger ones need."""
        fewer: Tables = {(): np.zeros((1, len(self._prairie.placements)), dtype=np.int64)}

        def solve(columns: tuple[int, ...]) -> npt.NDArray[np.int64]:
            tables = np.empty(
                (RANKS ** len(columns), len(self._prairie.placements)), dtype=np.int64
            )
            for state, (_, wins, _) in enumerate(solve_set(self._prairie, columns, fewer)):
                tables[state] = wins
            return tables

        for count in range(1, self._spec.buffaloes):
            sets = [some for some in _inner_sets(self._spec) if len(some) == count]
            fewer |= dict(zip(sets, pool.map(solve, sets), strict=True))
        return fewer

    def _pack_sets(
        self, pool: ThreadPoolExecutor, sets: tuple[tuple[int, ...], ...], fewer: Tables
    ) -> Iterator[tuple[tuple[int, ...], list[Words]]]:
        """Solves sets on all cores; yields their compressed rows in order."""

        def solve(columns: tuple[int, ...]) -> tuple[tuple[int, ...], list[Words]]:
            room = np.empty(row_room(len(self._prairie.placements)), dtype=np.uint8)
            packed: list[Words] = []
            for ranks, _, hunter in solve_set(self._prairie, columns, fewer):
                taken = squares_taken(self._prairie.width, columns, ranks)
                length = write_endgame_row(self._prairie, taken, hunter, room)
                packed.append(room[:length].copy().view(np.int64))
            return columns, packed

        waiting: deque[Future[tuple[tuple[int, ...], list[Words]]]] = deque()
        try:
            for columns in sets:
                waiting.append(pool.submit(solve, columns))
                if len(waiting) > self._cores:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
