"""Matrix games: the two strategies prove each other, so no other solver is needed to check them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.search.zoff.linear_program import Vector, solve_zero_sum


def check(matrix: Vector, close: float = 1e-9) -> float:
    """Checks that neither player can do better: a proof that the strategies are optimal."""
    value, row, column = solve_zero_sum(matrix)
    assert row.min() >= 0
    assert column.min() >= 0
    assert row.sum() == pytest.approx(1)
    assert column.sum() == pytest.approx(1)
    scale = max(1.0, float(np.abs(matrix).max()))
    assert float((row @ matrix).min()) >= value - close * scale
    assert float((matrix @ column).max()) <= value + close * scale
    return value


@pytest.mark.parametrize(
    ("rows", "value"),
    [
        ([[3.0]], 3),
        ([[0, 0], [0, 0]], 0),
        ([[1, -1], [-1, 1]], 0),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),
        ([[2, -1], [-1, 1]], 0.2),
        ([[5, 3, 4]], 3),
        ([[5], [3], [4]], 5),
        ([[4, 1], [2, 3]], 2.5),
        ([[-1e6, 1e6], [1e6, -1e6]], 0),
    ],
)
def test_games_with_a_known_value(rows: list[list[float]], value: float) -> None:
    assert check(np.array(rows, dtype=np.float64)) == pytest.approx(value)


@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.lists(st.integers(-3, 3), min_size=81, max_size=81),
)
def test_small_games_full_of_ties(rows: int, columns: int, payoffs: list[int]) -> None:
    """Payoffs of a few whole numbers make degenerate programs, on which a careless simplex method cycles."""
    check(np.array(payoffs[: rows * columns], dtype=np.float64).reshape(rows, columns))


@pytest.mark.parametrize("seed", range(12))
def test_large_games(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(20, 90, 2))
    leads = rng.integers(-8, 9, shape).astype(np.float64)
    check(leads if seed % 2 else leads + 20.0 * np.sign(leads))


def test_a_game_and_its_mirror_have_opposite_values() -> None:
    matrix = np.random.default_rng(5).normal(size=(30, 40))
    assert check(matrix) == pytest.approx(-check(-matrix.T))
