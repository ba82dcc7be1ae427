"""Zugzwang: why no puzzle has this theme. On three columns or more no hunter was found who minds moving."""

from pathlib import Path

import pytest

from scripts.zugzwang import count_board, sample


def test_on_two_columns_a_hunter_can_be_walled_in_by_their_own_dogs(tmp_path: Path) -> None:
    """So the count would notice a zugzwang: three dogs, the chief and two buffaloes leave no move there."""
    stuck, wins = count_board(2, 3, tmp_path)
    assert stuck == 2
    assert wins > 8_000


@pytest.mark.parametrize(("columns", "dogs"), [(3, 0), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2)])
def test_on_three_columns_and_more_a_side_that_wins_by_passing_wins_by_moving(
    columns: int, dogs: int, tmp_path: Path
) -> None:
    stuck, wins = count_board(columns, dogs, tmp_path)
    assert stuck == 0
    assert wins > 500


def test_a_sample_of_positions_with_tied_dogs_repeats_itself() -> None:
    found = [(position.fen(), verdict) for position, verdict in sample(12, 2_000, 7)]
    assert found == [(position.fen(), verdict) for position, verdict in sample(12, 2_000, 7)]
    assert {verdict for _, verdict in found} <= {"open", "won", "unknown"}
    assert len({fen for fen, _ in found}) == len(found)
