from statistics import fmean

import numpy as np
import pytest

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, new_board, signed
from stampede.kernels.buffalo.playouts import playout, playouts, playouts_of
from stampede.kernels.rng import new_rng

# The buffalo side has three moves at most, so that every game can be followed to its end.
SHORT = {
    "the chief beside a runner": "11/11/11/11/3Cb6/6DDDD1/11 w - - 0 1",
    "two dogs in the way": "11/11/11/3D3C3/b9b/D3D5D/11 w - - 0 1",
    "a dog in the way": "11/11/11/3D4C2/b10/D1D1D6/11 w - - 0 1",
    "a runner to move": "11/11/11/11/4bC5/6DDDD1/11 b - - 0 1",
}
MOST_MOVES = 6


def fate(position: Position) -> tuple[float, float]:
    """The hunter's chance and the expected number of moves when every legal move is equally likely."""
    if position.is_over:
        return float(position.winner is Side.HUNTER), 0.0
    fates = [fate(position.after(move)) for move in position.legal_moves]
    chances, lengths = zip(*fates, strict=True)
    return fmean(chances), 1 + fmean(lengths)


@pytest.mark.parametrize("name", SHORT)
def test_random_games_end_as_often_as_counting_says(name: str) -> None:
    """B3.1, B3.2: a side that draws its moves unevenly, or one move that is never drawn, shows here."""
    position = Position.from_fen(SHORT[name])
    chance, length = fate(position)
    games = 400_000
    won, moves = playouts(new_board(position), games, new_rng(11))
    # Five standard deviations, of which that of the length is half the range at most.
    assert 0.01 < chance < 0.99
    assert abs(won / games - chance) < 5 * (chance * (1 - chance) / games) ** 0.5
    assert abs(moves / games - length) < 5 * (MOST_MOVES / 2) / games**0.5


def test_from_the_start_the_buffalo_side_wins_almost_always() -> None:
    """B3.3: random games take about 60 moves, and never more than 66 turns of each side."""
    board = new_board(Position.start())
    won, moves = playouts(board, 20_000, new_rng(3))
    assert won < 20
    assert 58 < moves / 20_000 < 61
    rng = new_rng(4)
    assert all(playout(board, rng)[1] <= 131 for _ in range(1000))


def test_equal_seeds_give_equal_games_and_the_board_stays() -> None:
    board = new_board(Position.start("abcdefg"))
    before = board.copy()
    results = [playouts(board, 1000, new_rng(seed)) for seed in (5, 5, 6)]
    assert results[0] == results[1] != results[2]
    assert np.array_equal(board, before)


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("11/11/11/4C6/3DD6/5DD4/b10 w - - 0 25", (0, 0)),
        ("b1b2b5/D1D2D5/4C6/11/11/10D/11 b - - 0 25", (1, 0)),
        ("11/11/11/4C6/3DD6/5DD4/11 b - - 0 25", (1, 0)),
        ("11/11/11/4C6/3DD6/5DD4/11 w - - 0 25", (1, 1)),
    ],
)
def test_finished_games_are_not_played_on(fen: str, result: tuple[int, int]) -> None:
    """B3.1, B3.2: the winner and the number of moves."""
    assert playout(new_board(Position.from_fen(fen)), new_rng(1)) == result


def test_a_batch_is_one_position_after_the_other() -> None:
    places = [Position.start(removed) for removed in ("", "abc", "abcdefgh")]
    keys = np.array([signed(encode(place)) for place in places], dtype=np.int64)
    results = np.zeros((3, 2), dtype=np.int64)
    playouts_of(keys, 500, new_rng(8), results)
    rng = new_rng(8)
    assert results.tolist() == [list(playouts(new_board(place), 500, rng)) for place in places]
