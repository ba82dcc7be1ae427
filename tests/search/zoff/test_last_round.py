"""Two players' last round: solved with few pairs of choices searched, and as if all were."""

from __future__ import annotations

import numpy as np
import pytest

from stampede.search.zoff.last_round import VICTORY_FIRST, solve_last_round
from stampede.search.zoff.matrix_game import (
    estimate_payoffs,
    exploitability,
    last_round_payoffs,
    solve_matrix,
)
from stampede.zoff import ZoffRules
from tests.search.zoff.test_search import played_to

WIN = 4.0
PLENTY = 1 << 40


@pytest.mark.parametrize("seed", range(1, 7))
def test_it_loses_as_little_as_if_every_pair_of_choices_were_searched(seed: int) -> None:
    _, setup, record = played_to(ZoffRules(players=2), 6, seed)
    cows, needed = last_round_payoffs(setup, record)
    both, more = last_round_payoffs(setup, record, WIN)
    row, column = (solve_last_round(setup, record, seat, WIN, PLENTY) for seat in range(2))
    plain, fair = solve_matrix(cows).value, solve_matrix(both).value
    losses = np.hstack([cows - plain, VICTORY_FIRST * (both - fair)])
    least = [
        -solve_matrix(losses).value,
        solve_matrix(np.vstack([cows - plain, VICTORY_FIRST * (both - fair)])).value,
    ]
    in_cows = exploitability(cows, row.weights, column.weights)
    in_both = exploitability(both, row.weights, column.weights)
    for seat in range(2):
        lost = max(in_cows[seat], VICTORY_FIRST * in_both[seat])
        assert lost == pytest.approx(least[seat], abs=1e-6)
    assert max(row.nodes, column.nodes) <= needed + more


def test_gains_are_what_choices_get_from_an_equilibrium() -> None:
    _, setup, record = played_to(ZoffRules(players=2), 6, 3)
    both, _ = last_round_payoffs(setup, record, WIN)
    value = solve_matrix(both).value
    row, column = (solve_last_round(setup, record, seat, WIN, PLENTY) for seat in range(2))
    assert row.gains.max() == pytest.approx(value, abs=1e-6)
    assert column.gains.max() == pytest.approx(-value, abs=1e-6)


def test_without_a_budget_the_quick_player_ends_the_round() -> None:
    """What is mixed is then almost a solution of its estimates; it can be repeated."""
    _, setup, record = played_to(ZoffRules(players=2), 6, 2)
    first, again = (solve_last_round(setup, record, 0, WIN, 0) for _ in range(2))
    exact = solve_last_round(setup, record, 0, WIN, PLENTY)
    assert (first.weights == again.weights).all()
    assert first.nodes < exact.nodes
    cows, both = estimate_payoffs(setup, record, (0.0, WIN))
    assert cows.shape == both.shape == (len(first.weights), both.shape[1])
    assert (np.abs(both - cows) <= WIN).all()
