"""Zoff in the laboratory: training can be repeated and learns, measuring adds up, turns are the rules turn by turn."""

from __future__ import annotations

import random

import numpy as np
import pytest

from stampede.bots.zoff import zoff_bot
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_table
from stampede.kernels.zoff.options import choice_count
from stampede.lab.train_zoff import Settings, train
from stampede.lab.zoff_strength import duel
from stampede.lab.zoff_turns import KernelRollouts, Turns
from stampede.search.zoff.value import NET_SIZE
from stampede.zoff import ZoffRules
from tests.kernels.zoff.side_by_side import opened

LITTLE = Settings(games=60, later=0.05, generations=1, pool=4, samples=2, epochs=4)


def test_training_learns_and_can_be_repeated() -> None:
    """The error on games held back falls, and the same seed gives the same weights."""
    net, report = train(3, LITTLE, tell=False)
    again, _ = train(3, LITTLE, tell=False)
    assert net.shape == (NET_SIZE,)
    assert (net == again).all()
    curve = report.generations[0]["curve"]
    assert isinstance(curve, list)
    assert curve[-1][1] < curve[0][1]


def test_a_duel_gives_every_seat_its_turn_and_a_bot_against_itself_is_even() -> None:
    rules = ZoffRules(players=3)
    found = duel(rules, zoff_bot(2), zoff_bot(2), 6)
    assert found.games == 6
    assert 0 <= found.wins <= 1
    # The one has every seat of the same two games, which are the same games: his leads cancel out.
    assert found.lead == pytest.approx(0.0)


@pytest.mark.parametrize("players", [2, 3])
def test_turns_offer_every_choice_pair_by_pair(players: int) -> None:
    """Z3.1, Z10.4: first pairs × second pairs are twice the choices, or exactly them with two players."""
    state = opened(ZoffRules(players=players), random.Random(2))
    table, words = encode_table(state), encode(state)
    turns = Turns(table, words, 1)
    assert turns.current_player() == 1
    ways = 0
    for action in turns.legal_actions():
        after = turns.clone()
        after.apply_action(action)
        assert after.current_player() == 1
        ways += len(after.legal_actions())
    assert ways == choice_count(table, words, 1) * (1 if players == 2 else 2)
    assert turns.pairs == 0


def test_turns_play_whole_games() -> None:
    state = opened(ZoffRules(players=4), random.Random(5))
    turns = Turns(encode_table(state), encode(state), 2)
    rng = random.Random(1)
    seats = set()
    while not turns.is_terminal():
        seats.add(turns.current_player())
        turns.apply_action(rng.choice(turns.legal_actions()))
    assert seats == {0, 1, 2, 3}
    assert turns.returns().sum() == pytest.approx(0.0, abs=1e-9)
    assert np.argmax(turns.returns()) in [
        seat for seat in range(4) if turns.words[at.WINNERS] >> seat & 1
    ]


def test_rollouts_leave_the_state_alone() -> None:
    state = opened(ZoffRules(players=3), random.Random(5))
    turns = Turns(encode_table(state), encode(state), 0)
    turns.apply_action(turns.legal_actions()[0])
    before = turns.words.copy()
    returns = KernelRollouts(random.Random(1)).evaluate(turns)
    assert (turns.words == before).all()
    assert turns.pairs == 1
    assert abs(returns).max() < 1
