"""What the vector environments are measured beside: the readable rules, and others' environments where installed.

Each function returns tasks by name, which take the number of a round and return how much they did, and raises
ImportError when its package isn't installed.
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import numpy as np

from stampede.zoff import ZoffGame, ZoffRules

__all__ = [
    "GOOFSPIEL",
    "connect_four_tasks",
    "goofspiel_tasks",
    "make_vec_tasks",
    "pgx_tasks",
    "random_sim_seconds",
    "readable_decisions",
]

Tasks = dict[str, Callable[[int], float]]

GOOFSPIEL: Final = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=False,points_order=descending))"
)
GOOFSPIEL_GAMES: Final = 400
READABLE_GAMES: Final = 15
CONNECT_FOUR_GAMES: Final = 20
PGX_STEPS: Final = 64
SIMULATED_GAMES: Final = 20


def readable_decisions(seed: int) -> float:
    """Plays random games of five players by the readable rules; returns the decisions."""
    game, rules, rng = ZoffGame(), ZoffRules(players=5), random.Random(seed)
    decisions = 0
    for _ in range(READABLE_GAMES):
        state = game.initial(rules, game.draw(rules, rng))
        while awaited := game.to_act(state):
            action = game.legal(state, awaited[0]).sample(rng)
            state = game.apply(state, awaited[0], action).state
            decisions += 1
    return decisions


def goofspiel_tasks() -> Tasks:
    """Random play of OpenSpiel's goofspiel through its Python interface, in plies."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(GOOFSPIEL)

    def play(seed: int) -> float:
        rng, plies = random.Random(seed), 0
        for _ in range(GOOFSPIEL_GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
        return plies

    return {"goofspiel in Python": play}


def random_sim_seconds() -> dict[str, float]:
    """Processor seconds of OpenSpiel's random_sim_test, with serialisation, for each of our games and player counts."""
    pyspiel = import_module("pyspiel")
    import_module("stampede.lab.openspiel")
    names = [f"stampede_zoff(players={players})" for players in range(2, 7)]
    found = {}
    for name in [*names, "stampede_buffalo"]:
        game = pyspiel.load_game(name)
        begin = time.process_time()
        pyspiel.random_sim_test(game, num_sims=SIMULATED_GAMES, serialize=True, verbose=False)
        found[name] = time.process_time() - begin
    return found


def connect_four_tasks() -> Tasks:
    """Random play of PettingZoo's connect_four, in games."""
    with warnings.catch_warnings():  # PettingZoo 1.27 prefers a registry
        warnings.simplefilter("ignore", DeprecationWarning)
        env: Any = import_module("pettingzoo.classic.connect_four_v3").raw_env()

    def play(seed: int) -> float:
        rng = np.random.default_rng(seed)
        for _ in range(CONNECT_FOUR_GAMES):
            env.reset()
            for _ in env.agent_iter():
                seen, _, ended, truncated, _ = env.last()
                over = ended or truncated
                legal = np.flatnonzero(seen["action_mask"])
                env.step(None if over else int(rng.choice(legal)))
        return CONNECT_FOUR_GAMES

    return {"connect four": play}


def pgx_tasks(batch: int) -> Tasks:
    """Random play of Pgx's connect_four, compiled as one loop that draws, steps and resets: games, and steps."""
    jax, pgx = import_module("jax"), import_module("pgx")
    wrappers = import_module("pgx.experimental.wrappers")
    env = pgx.make("connect_four")
    step = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def advance(carried: Any, key: Any) -> Any:
        state, ended = carried
        draws = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(key, draws, axis=-1)
        state = step(state, actions, jax.random.split(key, batch))
        return (state, ended + state.terminated.sum()), None

    def run(state: Any, key: Any) -> Any:
        keys = jax.random.split(key, PGX_STEPS)
        return jax.lax.scan(advance, (state, jax.numpy.int32(0)), keys)[0]

    play_on, init = jax.jit(run), jax.jit(jax.vmap(env.init))
    held = [init(jax.random.split(jax.random.PRNGKey(0), batch))]

    def play(seed: int) -> float:
        held[0], ended = play_on(held[0], jax.random.PRNGKey(seed))
        return float(ended)

    def step_on(seed: int) -> float:
        play(seed)
        return PGX_STEPS * batch

    return {"Pgx": play, "Pgx steps": step_on}


def make_vec_tasks(batch: int, steps: int) -> Tasks:
    """Steps of our own games through Gymnasium's make_vec, with ``random`` in the other seats."""
    gymnasium = import_module("gymnasium")
    import_module("stampede.lab.gymnasium").register_all()

    def replay(env: Any) -> Callable[[int], float]:
        seen, _ = env.reset(seed=1)
        actions, rng = [], np.random.default_rng(1)
        for _ in range(steps):
            mask = seen["action_mask"]
            actions.append((mask * rng.random(mask.shape)).argmax(axis=1))
            seen, *_ = env.step(actions[-1])

        def play(seed: int) -> float:
            del seed
            env.reset(seed=1)
            for chosen in actions:
                env.step(chosen)
            return steps * batch

        return play

    return {
        "make_vec": replay(gymnasium.make_vec("Stampede/Zoff-v0", num_envs=batch, players=5)),
        "make_vec, Buffalo": replay(gymnasium.make_vec("Stampede/Buffalo-v0", num_envs=batch)),
    }
