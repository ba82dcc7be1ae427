"""What others are expected to choose, how a last round is expected to end, and own choices weighed against both."""

from __future__ import annotations

import numpy as np
import pytest

from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.kernels.zoff.resolve import count_cows, reveal
from stampede.search.zoff.candidates import choice_code, draw_pools
from stampede.search.zoff.matrix_game import last_round_payoffs
from stampede.search.zoff.strategy import BALANCED, Effort, find_strategy, preferences_by_seat
from stampede.search.zoff.successive_halving import ENTRANTS, FINALISTS, predict_choices
from stampede.search.zoff.uct import MAX_NODES, NODE, uct_utilities
from stampede.search.zoff.value import load_net, plain_net
from stampede.zoff import ZoffRules
from tests.search.zoff.test_search import LEAD, played_to


@pytest.mark.parametrize("players", [2, 4, 6])
def test_everybody_is_foreseen_to_choose_anything_that_looks_good(players: int) -> None:
    """All choices of a pool are possible, the better ones likelier; and the same seed foresees the same."""
    _, setup, record = played_to(ZoffRules(players=players), 3, 3)
    found = []
    for _ in range(2):
        pool, sizes = np.zeros((6, 40, 4), dtype=np.int16), np.zeros(6, dtype=np.int64)
        weights = np.zeros((6, 40))
        preferences = preferences_by_seat(BALANCED, 0)
        predict_choices(
            setup, record, load_net(players), preferences, new_rng(4), pool, 6, 2, sizes, weights
        )
        found.append(weights)
        for seat in range(players):
            own = weights[seat, : sizes[seat]]
            assert own.sum() == pytest.approx(1.0)
            assert own.min() > 0
            assert own.max() > 2 / sizes[seat]
        assert weights[players:].sum() == 0
    assert (found[0] == found[1]).all()


def test_a_pool_by_value_has_no_two_choices_that_differ_by_letters_alone() -> None:
    _, setup, record = played_to(ZoffRules(players=4), 1, 3)
    counts = []
    for by_value in (0, 1):
        pool, sizes = np.zeros((6, 60, 4), dtype=np.int16), np.zeros(6, dtype=np.int64)
        draw_pools(setup, record, 1.0, by_value, new_rng(1), pool, sizes)
        values = setup.card_values[0]
        seen = {
            (one[0], values[one[1]], one[2], values[one[3]]) for one in pool[0, : sizes[0]].tolist()
        }
        counts.append((len(seen), int(sizes[0])))
    assert counts[0][0] < counts[0][1]
    assert counts[1][0] == counts[1][1] > counts[0][0]


def test_a_tree_comes_nearer_the_exact_end_of_a_last_round_than_the_quick_player() -> None:
    """Z4.3, Z7.1: two players, all pairs of choices, by cows alone; and the more tries the nearer."""
    choices, nodes = np.zeros((6, 4), dtype=np.int16), np.zeros(MAX_NODES, dtype=NODE)
    errors, values = np.zeros(3), np.zeros(6)
    for seed in range(1, 7):
        _, setup, record = played_to(ZoffRules(players=2), 6, seed)
        before = record.copy()
        matrix, _ = last_round_payoffs(setup, record)
        for row, column in np.ndindex(matrix.shape):
            nth_choice(setup, record, 0, row, choices[0])
            nth_choice(setup, record, 1, column, choices[1])
            after = record.copy()
            reveal(setup, after, choices)
            finish_round(setup, after)
            lead = count_cows(setup, after, 0) - count_cows(setup, after, 1)
            errors[0] += abs(lead - matrix[row, column]) / matrix.size
            for which, tries in ((1, 30), (2, 600)):
                uct_utilities(
                    setup, record, choices, plain_net(), np.array(LEAD), tries, nodes, values
                )
                errors[which] += abs(values[0] - matrix[row, column]) / matrix.size
        assert record.tobytes() == before.tobytes()
    assert errors[2] < errors[1] < errors[0]


def test_successive_halving_mix_the_best_of_different_legal_choices_and_are_repeatable() -> None:
    """Z3.1: many own choices are weighed against what is predicted, few of them are left to be drawn."""
    _, setup, record = played_to(ZoffRules(players=4), 2, 3)
    effort = Effort(pool=48, samples=3, halving_samples=20)
    one, two = (find_strategy(setup, record, 1, load_net(4), effort, new_rng(5)) for _ in range(2))
    assert (one.choices == two.choices).all()
    assert (one.weights == two.weights).all()
    legal, choice = set(), np.zeros(4, dtype=np.int16)
    for index in range(choice_count(setup, record, 1)):
        nth_choice(setup, record, 1, index, choice)
        legal.add(choice_code(choice))
    codes = {choice_code(choice) for choice in one.choices}
    assert len(codes) == len(one.choices) == ENTRANTS
    assert codes <= legal
    assert one.weights.sum() == pytest.approx(1.0)
    assert one.weights.argmax() == one.gains[:FINALISTS].argmax() == 0
    assert (one.weights[FINALISTS:] == 0).all()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_successive_halving_knows_the_last_round_too(players: int) -> None:
    """The last round is ended by trees: the best choice wins more against what is predicted than an average one."""
    rules = ZoffRules(players=players)
    _, setup, record = played_to(rules, rules.rounds, 2)
    mixture = find_strategy(
        setup, record, 0, load_net(players), Effort(64, 6, halving_samples=40), new_rng(5)
    )
    assert mixture.gains[0] == mixture.gains[:FINALISTS].max()
    assert mixture.gains[0] > mixture.gains.mean()
