import pytest

from stampede.buffalo import Move, Position
from stampede.buffalo.perft import divide, perft
from tests.buffalo.arranged import PerftCase, perft_cases

# The readable rules count some million lines a second; larger counts are for the kernels.
MOST = 5_000_000


@pytest.mark.parametrize("case", perft_cases(), ids=lambda case: case.name)
def test_counts_of_lines_agree_with_the_table(case: PerftCase) -> None:
    """B2.1, B2.2, B2.3, B2.4, B2.5: wrong moves anywhere near these positions change a count."""
    position = Position.from_fen(case.fen)
    for depth, expected in enumerate(case.nodes, start=1):
        if expected <= MOST:
            found = perft(position, depth)
            assert found == expected, split(position, depth)


def split(position: Position, depth: int) -> str:
    """The counts by first move, to compare with another program's."""
    lines = [f"{move}: {count}" for move, count in divide(position, depth).items()]
    return "\n".join([f"{position.fen()}, depth {depth}:", *lines])


def test_the_split_by_first_moves_adds_up() -> None:
    by_move = divide(Position.start(), 3)
    assert list(by_move) == list(Position.start().legal_moves)
    assert by_move[Move.parse("f7f6")] == perft(Position.start().play("f7f6"), 2)
    assert sum(by_move.values()) == perft(Position.start(), 3) == 6433


def test_a_line_of_no_moves_is_one_line() -> None:
    assert perft(Position.start(), 0) == 1


def test_negative_depths_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a depth from 0, got -1"):
        perft(Position.start(), -1)
    with pytest.raises(ValueError, match="expected a depth from 1, got 0"):
        divide(Position.start(), 0)
