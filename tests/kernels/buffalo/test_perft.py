import numpy as np
import pytest
from hypothesis import given

from stampede.buffalo import Position
from stampede.buffalo import perft as readable
from stampede.core.errors import ParseError
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import MAX_MOVES
from stampede.kernels.buffalo.perft import divide, lines, lines_by_moves, perft
from tests.buffalo.arranged import PerftCase, perft_cases, positions

MOST_BY_MOVES = 250_000_000
CASES = perft_cases()


def by_moves(position: Position, depth: int) -> int:
    board = new_board(position)
    before = board.copy()
    total = lines_by_moves(board, depth, np.zeros(depth * MAX_MOVES, dtype=np.int64), 0)
    assert np.array_equal(board, before), "every move was taken back"
    return total


def split(position: Position, depth: int) -> str:
    """The counts by first move, to compare with another program's."""
    rows = [f"{move}: {count}" for move, count in divide(position, depth).items()]
    return "\n".join([f"{position.fen()}, depth {depth}:", *rows])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts_of_lines_agree_with_the_table(case: PerftCase) -> None:
    """B2.1, B2.2, B2.3, B2.4, B2.5: all of the table, depth 7 from the start included."""
    position = Position.from_fen(case.fen)
    for depth, expected in enumerate(case.nodes, start=1):
        assert perft(case.fen, depth) == expected, split(position, depth)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_making_and_taking_back_every_move_gives_the_same_counts(case: PerftCase) -> None:
    position = Position.from_fen(case.fen)
    for depth, expected in enumerate(case.nodes, start=1):
        if expected <= MOST_BY_MOVES:
            assert by_moves(position, depth) == expected, split(position, depth)


@given(positions())
def test_both_ways_of_counting_agree_everywhere(position: Position) -> None:
    """B3.1, B3.2: finished games have no lines."""
    board = new_board(position)
    for depth in range(5):
        assert lines(board, depth) == by_moves(position, depth)
    assert lines(board, 2) == readable.perft(position, 2)


@given(positions())
def test_the_split_is_that_of_the_readable_rules(position: Position) -> None:
    counts = divide(position, 2)
    assert counts == readable.divide(position, 2)
    assert list(counts) == list(position.legal_moves)


def test_a_line_of_no_moves_is_one_line() -> None:
    assert perft(Position.start(), 0) == 1


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a depth from 0, got -1"):
        perft(Position.start(), -1)
    with pytest.raises(ValueError, match="expected a depth from 1, got 0"):
        divide(Position.start(), 0)
    with pytest.raises(ParseError, match="FEN: expected 4 or 6 fields"):
        perft("bbb", 3)
