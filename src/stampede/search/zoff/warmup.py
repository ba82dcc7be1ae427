"""What to compile of Zoff ahead of time: kernels, value and search, by thinking once about each kind of decision."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from stampede.kernels.rng import new_rng
from stampede.kernels.warmup import Task
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.playouts import playouts, random_step
from stampede.search.zoff.last_round import solve_last_round
from stampede.search.zoff.matrix_game import fill_payoffs
from stampede.search.zoff.max_n import search_answers
from stampede.search.zoff.rivals.evidence import loss_of_choice
from stampede.search.zoff.rivals.random_tree import sample_choices
from stampede.search.zoff.strategy import BALANCED, Effort, evaluate_answers, find_strategy
from stampede.search.zoff.successive_halving import run_successive_halving
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["zoff_tasks"]

LITTLE = Effort(pool=2, samples=1, keep=2, rounds=1, leaves=2, answer_playouts=1)


def zoff_tasks() -> tuple[Task, ...]:
    """Compiles the kernels of Zoff and its search."""
    return (
        Task("Zoff: random games", _playouts, playouts, weight=12),
        Task("Zoff: choices", _choices, run_successive_halving, weight=34),
        Task("Zoff: rivals", _rivals, sample_choices, weight=12),
        Task("Zoff: placements and bonuses", _answers, search_answers, weight=5),
        Task("Zoff: last round of two", _last_round, fill_payoffs, weight=4),
    )


def _start(players: int) -> tuple[SetupRecord, StateRecord]:
    game, rules = ZoffGame(), ZoffRules(players=players)
    rng = random.Random(1)
    state = game.initial(rules, game.draw(rules, rng))
    while state.round == 0:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return encode_setup(state), encode(state)


def _playouts() -> None:
    setup, state = _start(3)
    playouts(setup, state, 1, new_rng(1), np.zeros(at.MAX_COLOURS + 1, dtype=np.int32))


def _choices() -> None:
    setup, state = _start(3)
    for effort in (LITTLE, replace(LITTLE, halving_samples=1)):
        find_strategy(setup, state, 0, load_net(3), effort, new_rng(1))


def _rivals() -> None:
    setup, state = _start(2)
    net, preferences, rng = load_net(2), np.array(BALANCED), new_rng(1)
    choice = np.zeros((1, 4), dtype=np.int16)
    loss_of_choice(setup, state, 1, choice[0], net, preferences, rng)
    sample_choices(setup, state, 1, 2, 0.3, rng, choice)


def _answers() -> None:
    setup, state = _start(3)
    random_step(setup, state, new_rng(1), np.zeros((at.MAX_COLOURS, 4), dtype=np.int16))
    evaluate_answers(setup, state, load_net(3), LITTLE, new_rng(1))


def _last_round() -> None:
    setup, state = _start(2)
    state.round_number = setup.rounds
    state.hands[:2] = 0b11  # two cards each
    solve_last_round(setup, state, 0, win=1.0, budget=100)
