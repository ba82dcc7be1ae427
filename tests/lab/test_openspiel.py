"""The games of OpenSpiel keep its promises, and hide what the rules hide. Runs where OpenSpiel is installed."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

SIMULATIONS = 2

pyspiel = pytest.importorskip("pyspiel")
mcts = importlib.import_module("open_spiel.python.algorithms.mcts")
importlib.import_module("stampede.lab.openspiel").register_all()


@pytest.mark.parametrize(
    "name",
    [
        "stampede_zoff(players=2,variant=auction fair)",
        "stampede_zoff(players=3,variant=must_place)",
        "stampede_zoff(players=5)",
        "stampede_zoff(players=4,simultaneous=True)",
        "stampede_buffalo",
        "stampede_buffalo(removed=cf,opening_moves=2)",
    ],
)
def test_random_games_pass_the_official_simulation(name: str) -> None:
    """Legal actions, serialisation, clones, returns that add up to nothing."""
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=SIMULATIONS, serialize=True, verbose=False)


def _dealt(name: str) -> Any:
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def test_a_seat_does_not_know_the_answers_of_the_others() -> None:
    """Z3.4: after other first pairs, and other second ones until all are in, its information state is the same."""
    texts = set()
    for other in (0, 5):
        state = _dealt("stampede_zoff(players=3)")
        state.apply_action(state.legal_actions()[other])
        state.apply_action(3)
        state.apply_action(4)
        assert state.current_player() == 0
        state.apply_action(state.legal_actions()[0])
        assert state.current_player() == 1
        texts.add((state.information_state_string(1), state.observation_string(1)))
    assert len(texts) == 1


def test_two_players_know_their_own_pastures_until_both_have_settled() -> None:
    """Z10.2."""
    state = _dealt("stampede_zoff(players=2)")
    assert "(0, 1, 2)" in state.information_state_string(0)
    assert "(3, 4, 5)" in state.information_state_string(1)
    state.apply_action(169)
    state.apply_action(169)
    assert "(0, 1, 2, 3, 4, 5)" in state.information_state_string(1)


def test_its_search_plays_buffalo() -> None:
    """MCTS of OpenSpiel plays a whole game."""
    game = pyspiel.load_game("stampede_buffalo(removed=abcdefghij,opening_moves=1)")
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 20, evaluator, random_state=np.random.RandomState(2))
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sorted(state.returns()) == [-1, 1]
