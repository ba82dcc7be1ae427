"""What to compile of Zoff ahead of time: kernels, value and search, by thinking once about each kind of decision."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from stampede.kernels.rng import new_rng
from stampede.kernels.warmup import Task
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.bridge import encode, encode_table
from stampede.kernels.zoff.layout import State, Table
from stampede.kernels.zoff.playouts import playouts, random_step
from stampede.search.zoff.heats import run_heats
from stampede.search.zoff.lookahead import look_ahead
from stampede.search.zoff.matrix import fill_matrix, last_round_matrix
from stampede.search.zoff.think import Effort, mix_choices, weigh_answers
from stampede.search.zoff.value import load_net
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["zoff_tasks"]

LITTLE = Effort(pool=2, samples=1, keep=2, rounds=1, leaves=2, answer_outs=1)


def zoff_tasks() -> tuple[Task, ...]:
    """Compiles the kernels of Zoff and its search."""
    return (
        Task("Zoff: random games", _playouts, playouts, weight=12),
        Task("Zoff: choices", _choices, run_heats, weight=34),
        Task("Zoff: placements and bonuses", _answers, look_ahead, weight=5),
        Task("Zoff: last round of two", _last_round, fill_matrix, weight=4),
    )


def _start(players: int) -> tuple[Table, State]:
    game, rules = ZoffGame(), ZoffRules(players=players)
    rng = random.Random(1)
    state = game.initial(rules, game.draw(rules, rng))
    while state.round == 0:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return encode_table(state), encode(state)


def _playouts() -> None:
    table, state = _start(3)
    playouts(table, state, 1, new_rng(1), np.zeros(at.MAX_COLOURS + 1, dtype=np.int32))


def _choices() -> None:
    table, state = _start(3)
    for effort in (LITTLE, replace(LITTLE, heats=1)):
        mix_choices(table, state, 0, load_net(3), effort, new_rng(1))


def _answers() -> None:
    table, state = _start(3)
    random_step(table, state, new_rng(1), np.zeros((at.MAX_COLOURS, 4), dtype=np.int16))
    weigh_answers(table, state, load_net(3), LITTLE, new_rng(1))


def _last_round() -> None:
    table, state = _start(2)
    state[at.ROUND] = table[at.ROUNDS]
    state[at.HANDS : at.HANDS + 2] = 3
    last_round_matrix(table, state)
