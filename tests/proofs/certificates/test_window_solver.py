"""The straightforward table builder against the table game played out move by move, and its questions."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stampede.core.errors import ParseError
from stampede.proofs.certificates.kept import KeptRows
from stampede.proofs.certificates.scratch import Scratch
from stampede.proofs.certificates.space import solver_space
from stampede.proofs.certificates.window_game import WindowSpec, Words
from stampede.proofs.certificates.window_solver import solve_window
from stampede.tablebase.build import build_columns
from stampede.tablebase.spec import TablebaseSpec
from stampede.tablebase.tablebase import open_tablebase

Cell = tuple[int, int]
"""Row 0 (the near bank) to 6 (the far bank), and column."""


@dataclass
class Plain:
    """The table game by its words: sets of cells, one move at a time."""

    spec: WindowSpec
    known: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def placements(self) -> Iterator[frozenset[Cell]]:
        cells = [
            (cell // self.spec.columns + 1, cell % self.spec.columns) for cell in self.spec.cells
        ]
        for dogs in combinations(cells, self.spec.dogs):
            if self.is_allowed(frozenset(dogs)):
                yield frozenset(dogs)

    def is_allowed(self, dogs: frozenset[Cell]) -> bool:
        numbers = {(row - 1) * self.spec.columns + column for row, column in dogs}
        return numbers <= set(self.spec.cells) and sum(row != 5 for row, _ in dogs) <= self.spec.off

    def is_on_prairie(self, cell: Cell) -> bool:
        return 1 <= cell[0] <= 5 and 0 <= cell[1] < self.spec.columns

    def guards(self) -> frozenset[Cell]:
        wide = self.spec.columns
        return frozenset((cell // wide + 1, cell % wide) for cell in self.spec.guards)

    def in_the_way(self) -> frozenset[Cell]:
        """Guards and the buffaloes right behind them."""
        return self.guards() | {(row - 1, column) for row, column in self.guards()}

    def buffalo_to_move(
        self, buffaloes: frozenset[Cell], dogs: frozenset[Cell], chief: Cell
    ) -> bool:
        """Whether the hunter wins."""
        key = (buffaloes, dogs, chief)
        if key not in self.known:
            self.known[key] = all(
                row + 1 < 6
                and self.hunter_to_move(
                    buffaloes - {(row, column)} | {(row + 1, column)}, dogs, chief
                )
                for row, column in buffaloes
                if (row + 1, column) not in dogs and (row + 1, column) != chief
            )
        return self.known[key]

    def hunter_to_move(
        self, buffaloes: frozenset[Cell], dogs: frozenset[Cell], chief: Cell
    ) -> bool:
        steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
        for r, c in steps:
            to = (chief[0] + r, chief[1] + c)
            if (
                self.is_on_prairie(to)
                and to not in dogs | self.in_the_way()
                and self.buffalo_to_move(buffaloes - {to}, dogs, to)
            ):
                return True
        for dog in dogs:
            for r, c in steps:
                to = (dog[0] + r, dog[1] + c)
                taken = buffaloes | dogs | {chief} | self.in_the_way()
                while self.is_on_prairie(to) and to not in taken:
                    after = dogs - {dog} | {to}
                    if self.is_allowed(after) and self.buffalo_to_move(buffaloes, after, chief):
                        return True
                    to = (to[0] + r, to[1] + c)
        return False

    def entries(self) -> Iterator[tuple[tuple[int, int, int], bool]]:
        """Every entry as a question, with the answer."""
        spec = self.spec
        for state in range(6 ** len(spec.live)):
            digits = [state // 6**place % 6 for place in range(len(spec.live))]
            buffaloes = frozenset((d, c) for d, c in zip(digits, spec.live, strict=True) if d < 5)
            for dogs in self.placements():
                for cell in range(5 * spec.columns):
                    chief = (cell // spec.columns + 1, cell % spec.columns)
                    apart = not dogs & buffaloes
                    apart = apart and chief not in dogs | buffaloes | self.in_the_way()
                    cells = sum(1 << (r - 1) * spec.columns + c for r, c in dogs)
                    yield (
                        (state, cells, cell),
                        apart and self.buffalo_to_move(buffaloes, dogs, chief),
                    )


@st.composite
def specs(draw: st.DrawFn) -> WindowSpec:
    columns = draw(st.integers(1, 3))
    every = range(5 * columns)
    live = draw(st.sets(st.sampled_from(range(columns))))
    sealed = [column for column in range(columns) if column not in live]
    guards = {draw(st.integers(0, 4)) * columns + c for c in sealed if draw(st.booleans())}
    free = [cell for cell in every if not {cell, cell + columns} & guards]
    cells = draw(st.sets(st.sampled_from(free), max_size=5)) if free else set()
    dogs = draw(st.integers(0, min(2, len(cells), 4 - len(guards))))
    off = draw(st.integers(0, dogs))
    spec = WindowSpec(
        columns,
        tuple(sorted(live)),
        dogs,
        tuple(sorted(cells)) if dogs else (),
        off,
        tuple(sorted(guards)),
    )
    assert WindowSpec.parse(str(spec)) == spec
    return spec


def check(spec: WindowSpec, scratch: Scratch | None = None) -> int:
    """Compares every entry; returns how many win."""
    entries = list(Plain(spec).entries())
    questions = np.array([question for question, _ in entries], dtype=np.int64).reshape(-1, 3)
    expected = [right for _, right in entries]
    found = solve_window(spec, questions, workers=2, scratch=scratch)
    assert found.right.tolist() == expected
    assert found.wins == sum(expected)
    return found.wins


@settings(max_examples=25, deadline=None)
@given(specs())
def test_every_entry_of_small_tables_is_what_playing_on_gives(spec: WindowSpec) -> None:
    check(spec)


@pytest.mark.parametrize(
    "text",
    [
        "3/abc/1/2abc+3b/1",
        "3/ac/2/2abc+3abc/1",
        "3/abc/1/2ab/1",
        "4/abd/1/2abcd/1/4c",
        "3/ac/1/2abc+5abc/1/3b",
    ],
)
def test_tables_that_the_hunter_wins_here_and_there_agree_with_playing_on(text: str) -> None:
    """With and without a spec that is its own mirror image; neither empty nor full."""
    assert check(WindowSpec.parse(text)) > 0


@pytest.mark.parametrize(
    "text",
    [
        "6/abcdef/2/2abcdef+3be/2",
        "7/abdfg/2/2abcdefg+4c/1",
        "7/abcefg/2/2abcdefg+3bf/2/5d",
        "6/abdf/2/2abcdef+4a/1/3c+5e",
    ],
)
def test_larger_tables_agree_with_the_builder_that_searches_use(tmp_path: Path, text: str) -> None:
    """Written separately, in another order, with other ways to keep results."""
    fast = open_tablebase(build_columns(TablebaseSpec.parse(text), tmp_path))
    spec, rng = WindowSpec.parse(text), np.random.default_rng(1)
    count, live = 3000, len(spec.live)
    digits = np.sort(rng.integers(0, 6, (count, live, 2)), axis=2)[:, :, 1]  # few on the near bank
    cells = [sorted(rng.choice(spec.cells, spec.dogs, replace=False)) for _ in range(count)]
    allowed = [sum(cell < 4 * spec.columns for cell in dogs) <= spec.off for dogs in cells]
    chiefs = rng.integers(0, 5 * spec.columns, count)
    sets = [sum(1 << int(cell) for cell in dogs) for dogs in cells]
    questions = np.stack([digits @ 6 ** np.arange(live), sets, chiefs], axis=1)
    found = solve_window(spec, questions, workers=2)
    assert found.wins == fast.total()
    assert 0 < found.right.sum() < count
    for at in range(count):
        expected = allowed[at] and fast.wins(
            [int(digit) for digit in digits[at]], [int(cell) for cell in cells[at]], int(chiefs[at])
        )
        assert found.right[at] == expected


@pytest.mark.parametrize("memory", [0, 2_000])
def test_what_does_not_fit_into_memory_goes_to_files_that_leave_nothing(
    tmp_path: Path, memory: int
) -> None:
    scratch = Scratch(memory, tmp_path)
    assert check(WindowSpec.parse("3/abc/1/2abc+3b/1"), scratch) > 0
    assert scratch.most[0] <= memory
    assert scratch.most[1] > 0
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_too_small_is_an_error_that_says_how_much_was_expected(
    tmp_path: Path,
) -> None:
    scratch = Scratch(0, tmp_path)
    with pytest.raises(OSError, match=r"expected .* GB more"):
        scratch.words(1 << 30, 1 << 20)
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(OSError, match=r"expected .* GB more"),
    ):
        scratch.write(full, bytes(1 << 20))
    assert scratch.filed == 0


def test_kept_rows_are_read_back_from_blocks_as_they_were_stored(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    starts = np.cumsum([0, 1, 2_500, 40, 0, 3])
    scratch = Scratch(0, tmp_path)
    with ThreadPoolExecutor(2) as pool:
        kept = KeptRows(scratch, pool, starts, (2, 5, 90))
        stored: list[Words] = []
        for total in reversed(range(5)):
            rows = kept.create(total)
            rows[:] = rng.integers(0, 4, rows.shape)  # compresses to a part
            stored.insert(0, rows.copy())
            kept.store(total, rows)
        assert scratch.filed < 8 * sum(rows.size for rows in stored) / 4
        for total in (1, 0, 4, 3, 2, 1):
            found = kept.load(total)
            assert kept.first(total) == starts[total]
            assert np.array_equal(found, stored[total])
            kept.release(found)
        assert len(kept.load(5)) == len(kept.load(-1)) == 0
        kept.drop()
    assert scratch.filed == 0


def test_the_space_of_intermediate_results_is_known_beforehand() -> None:
    spec = WindowSpec.parse("4/abcd/1/2abcd/1")
    scratch = Scratch(1 << 30)
    check(spec, scratch)
    space = solver_space(spec)
    assert 0 < scratch.most[0] <= space.levels + space.kept
    assert scratch.most[0] > (space.levels + space.kept) * 0.7


def test_known_counts_at_the_bank() -> None:
    """Chief and one dog on two squares win on six columns wherever they stand; found independently before."""
    spec = WindowSpec.parse("6/abcdef/1/2af/1")
    corners = [1 << cell for cell in spec.cells]
    questions = [(0, dog, cell) for dog in corners for cell in range(30) if not dog >> cell & 1]
    found = solve_window(spec, np.array(questions, dtype=np.int64), workers=2)
    assert len(questions) == 58
    assert found.right.all()


def test_questions_that_a_table_does_not_know_are_answered_no() -> None:
    """Dogs on squares that the spec doesn't allow, and states that don't exist."""
    spec = WindowSpec.parse("3//1/2abc/1")
    questions = [(0, 1 << 12, 0), (0, 1 << 11, 0), (0, 1 << 62, 0), (1, 1 << 12, 0)]
    found = solve_window(spec, np.array(questions, dtype=np.int64), workers=1)
    assert found.right.tolist() == [True, False, False, False]


@pytest.mark.parametrize(
    "text",
    ["", "3/abc/1", "3/abc/1/2abcd/1", "3/cba/1/2abc/1", "0//0/-/0", "12/a/1/2a/1", "3/abcd/1/2a/1",
     "3/abc/1/3a+2a/1", "3/abc/1/2a/2", "3/abc/1/2aa/1", "3/abc/1/7a/1", "3/abc/1/-/1 ",
     "3/ab/1/2abc/1/", "3/ab/1/2abc/1/c4", "3/ab/1/2abc/1/4d", "3/ab/1/2abc/1/4b", "3/ab/1/2abc/1/4c+5c",
     "3/ab/1/2abc/1/5c+4c", "3/ab/1/2abc+4c/1/4c", "3/ab/1/2abc+5c/1/4c", "4/ab/3/2abc/3/4cd",
     "0//1/2a/1", "0//0/-/0/4c", "00/a/1/2a/1"],
)  # fmt: skip
def test_texts_that_are_no_table_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="table"):
        WindowSpec.parse(text)
