"""Zugzwang: why no puzzle has this theme. On three columns or more no hunter was found who minds moving."""

from pathlib import Path

import numpy as np
import pytest

from stampede.tablebase.build import build
from stampede.tablebase.geometry import list_states
from stampede.tablebase.layers import hunter_rows
from stampede.tablebase.rows import read_row, row_bound
from stampede.tablebase.spec import DIGITS, TablebaseSpec
from stampede.tablebase.tablebase import open_tablebase

ALL_RANKS = (2, 3, 4, 5, 6)


def zugzwangs(columns: int, dogs: int, folder: Path) -> tuple[int, int]:
    """How many positions the hunter wins by passing but by no move, and how many the hunter wins by passing.

    Of a board of so many columns with all states of its buffaloes, the dogs anywhere: every position there is.
    """
    tablebase = open_tablebase(build(TablebaseSpec.of(columns, dogs, ALL_RANKS), folder, cores=1))
    plan, spec = tablebase.geometry, tablebase.spec
    states, _ = list_states(spec)
    placements = len(plan.dogs)
    bound = row_bound(plan.planes, placements, spec.size)
    room = np.empty((4, max(placements, 16)), dtype=np.int64)
    passing, moving = np.zeros((2, placements), dtype=np.int64)
    stuck = wins = 0
    for state in states:
        out, ends = np.zeros(bound, dtype=np.int64), np.zeros(1, dtype=np.int64)
        hunter_rows(plan, np.array([state]), tablebase.words, tablebase.where, out, ends, room)
        base = int(tablebase.where[state])
        if base == 0:
            continue
        rows = [int(state) // DIGITS**at % DIGITS for at in range(columns)]
        taken = sum(1 << spec.number(row, at) for at, row in enumerate(rows) if 1 <= row < 5)
        read_row(plan, tablebase.words, base - 1, taken, passing)
        moving[:] = 0
        if ends[0]:
            read_row(plan, out, 0, taken, moving)
        stuck += int(np.bitwise_count(passing & ~moving).sum())
        wins += int(np.bitwise_count(passing).sum())
    return stuck, wins


def test_on_two_columns_a_hunter_can_be_walled_in_by_their_own_dogs(tmp_path: Path) -> None:
    """So the count would notice a zugzwang: three dogs, the chief and two buffaloes leave no move there."""
    stuck, wins = zugzwangs(2, 3, tmp_path)
    assert stuck == 2
    assert wins > 8_000


@pytest.mark.parametrize(("columns", "dogs"), [(3, 0), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2)])
def test_on_three_columns_and_more_a_side_that_wins_by_passing_wins_by_moving(
    columns: int, dogs: int, tmp_path: Path
) -> None:
    stuck, wins = zugzwangs(columns, dogs, tmp_path)
    assert stuck == 0
    assert wins > 500
