"""What the search takes for decided on the spot, against plain search on the readable rules."""

import random

import pytest

from stampede.buffalo import Side
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import CHIEF, DOGS, PRAIRIE
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.threats import is_lost_next
from tests.search.buffalo.plain import scattered, wins_within


@pytest.mark.parametrize("seed", range(2))
def test_a_crossing_or_an_unanswerable_step_to_rank_two_wins(seed: int) -> None:
    """B2.4, B3.1: `is_lost_next` holds exactly where the buffalo side wins within three moves."""
    rng = random.Random(seed)
    held = 0
    for _ in range(150):
        position = scattered(rng, 2, (2, 3, 4, 4, 5)).with_turn(Side.BUFFALO)
        board = new_board(position)
        fact = bool(is_lost_next(board[PRAIRIE], board[DOGS], board[CHIEF]))
        assert fact == wins_within(position, Side.BUFFALO, 3), position.fen()
        held += fact
    assert 20 < held < 130


@pytest.mark.parametrize("seed", range(2))
def test_the_hunter_s_moves_that_the_search_leaves_out_all_lose_within_three(seed: int) -> None:
    """A hunter who has no other moves is lost in four; otherwise one of the others holds for four moves."""
    rng = random.Random(seed)
    lost = 0
    for _ in range(60):
        position = scattered(rng, 3, (2, 3, 4, 4, 5)).with_turn(Side.HUNTER)
        line = Engine(entries=1).search(position, Limits(depth=4), full_width=True).best
        plies = line.plies
        expected = next((n for n in (2, 4) if wins_within(position, Side.BUFFALO, n)), None)
        shown = -plies if plies is not None and -4 <= plies < 0 else None
        assert shown == expected, position.fen()
        lost += expected is not None
    assert 5 < lost < 55
