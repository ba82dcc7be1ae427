"""How fast Zoff's kernels and search are: figures by name, and ratios to others that were measured in the same run.

The others are the readable rules and, where OpenSpiel is installed (the extra ``lab``), random play of its goofspiel:
in C++, by the rollouts that its MCTS bot uses, and through its Python interface. Without it these rows are left out
with the reason.

Times are those of the processor, on one core. Rounds take turns, and the best of each counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from stampede.bots.zoff.levels import level_of
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.bridge import encode, encode_setup
from stampede.kernels.zoff.greedy import greedy_playout
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.playouts import playouts, random_step
from stampede.kernels.zoff.records import state_array
from stampede.lab.bench.measurements import Measurement, Measurements, best_rates
from stampede.lab.bench.others import (
    GOOFSPIEL,
    GOOFSPIEL_GAMES,
    READABLE_GAMES,
    Tasks,
    goofspiel_tasks,
    readable_decisions,
)
from stampede.search.zoff.strategy import Effort, evaluate_answers, find_strategy
from stampede.search.zoff.value import load_net
from stampede.zoff import State as Readable
from stampede.zoff import ZoffGame, ZoffRules

__all__ = ["measure", "rounds"]

ROUND_SECONDS = 3.0
GAMES = 20_000
GREEDY_GAMES = 500
SEARCH_ROUNDS = 20_000
TOP = 6
"""The top level."""
GOOFSPIEL_ROLLOUTS = 2_500
GOOFSPIEL_LEAVES = 8


def rounds(seconds: float) -> int:
    """How many rounds a run of about so many seconds has."""
    return max(1, round(seconds / ROUND_SECONDS))


def measure(count: int, track: Callable[[range], Iterable[int]] = iter) -> Measurements:
    """Measures in so many rounds, each with a bit of everything; ``track`` wraps them, to show progress."""
    report = Measurements()
    tasks: Tasks = {
        "games": _random_games,
        "decisions": _random_decisions,
        "greedy": _greedy_games,
        "readable": _readable_games,
        "readable decisions": readable_decisions,
        "rounds": _search_rounds,
    }
    try:
        tasks |= _goofspiel_tasks()
    except ImportError as error:
        report.skipped["goofspiel"] = f"OpenSpiel isn't installed ({error})"
    best = best_rates(tasks, track(range(count)), time.process_time)
    report.figures = [*_figures(best), *_thinking()]
    return report


def _figures(best: dict[str, float]) -> list[Measurement]:
    found = [
        Measurement("random games, 5 players", best["games"], "games a second", 100_000),
        Measurement("random decisions, 5 players", best["decisions"], "decisions a second"),
        Measurement("greedy games, 5 players", best["greedy"], "games a second"),
        Measurement("rounds in regret matching, 5 players", best["rounds"], "rounds a second"),
        Measurement("readable random games, 5 players", best["readable"], "games a second"),
        Measurement(
            "random games / readable random games", best["games"] / best["readable"], "times", 200
        ),
        Measurement(
            "random decisions / readable random decisions",
            best["decisions"] / best["readable decisions"],
            "times",
        ),
    ]
    if "goofspiel rollouts" in best:
        rollouts, steps = best["goofspiel rollouts"], best["goofspiel in Python"]
        decisions = best["decisions"]
        found += [
            Measurement("goofspiel rollouts in C++", rollouts, "plies a second"),
            Measurement("goofspiel in Python", steps, "plies a second"),
            Measurement(
                "random decisions / goofspiel plies in C++", decisions / rollouts, "times", 2
            ),
            Measurement(
                "random decisions / goofspiel plies in Python", decisions / steps, "times", 10
            ),
        ]
    return found


# --- Zoff ---


def _start(players: int = 5) -> Readable:
    """The first round; two players settle at random before it."""
    game, rules, rng = ZoffGame(), ZoffRules(players=players), random.Random(1)
    state = game.initial(rules, game.draw(rules, rng))
    while state.round == 0:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return state


def _words(players: int = 5) -> tuple[SetupRecord, StateRecord]:
    start = _start(players)
    return encode_setup(start), encode(start)


def _played(seed: int) -> tuple[int, int]:
    setup, start = _words()
    results = np.zeros(MAX_COLOURS + 1, dtype=np.int32)
    return GAMES, int(playouts(setup, start, GAMES, new_rng(seed), results))


def _random_games(seed: int) -> int:
    return _played(seed)[0]


def _random_decisions(seed: int) -> int:
    return _played(seed)[1]


def _greedy_games(seed: int) -> int:
    setup, start = _words()
    rng, states = new_rng(seed), state_array(start)
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    for _ in range(GREEDY_GAMES):
        states[0] = start
        greedy_playout(setup, states[0], 0.7, rng, scores, choices)
    return GREEDY_GAMES


def _readable_games(seed: int) -> float:
    readable_decisions(seed)
    return READABLE_GAMES


def _search_rounds(seed: int) -> int:
    setup, start = _words()
    effort = Effort(48, 6, 12, SEARCH_ROUNDS)
    return find_strategy(setup, start, 0, load_net(5), effort, new_rng(seed)).spent


def _thinking() -> list[Measurement]:
    """What the top level takes for its first choice, and for a placement."""
    return [
        *(
            Measurement(
                f"a top-level choice, {players} players, round 1",
                _choice(players),
                "seconds",
                expected=2,
                at_most=True,
            )
            for players in range(2, 7)
        ),
        Measurement(
            "the slowest of a game's placements, top level",
            _slowest_answer(),
            "seconds",
            expected=0.3,
            at_most=True,
        ),
    ]


def _top_effort(players: int) -> Effort:
    effort = level_of(TOP).effort_for(players)
    assert effort is not None, "the top level thinks"
    return effort


def _choice(players: int) -> float:
    setup, state = _words(players)
    effort = _top_effort(players)
    little = replace(effort, pool=2, rounds=1, halving_samples=min(1, effort.halving_samples))
    find_strategy(
        setup, state, 0, load_net(players), little, new_rng(1)
    )  # compiled before it is timed
    begin = time.process_time()
    find_strategy(setup, state, 0, load_net(players), effort, new_rng(1))
    return time.process_time() - begin


def _slowest_answer() -> float:
    setup, state = _words()
    rng, choices = new_rng(3), np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    little = Effort(leaves=1, answer_playouts=1)
    slowest = 0.0
    for _ in range(40):
        random_step(setup, state, rng, choices)
        if state.phase == CHOOSE:
            continue
        if state.phase > 2:
            break
        evaluate_answers(
            setup, state, load_net(5), little, new_rng(1)
        )  # compiled before it is timed
        begin = time.process_time()
        evaluate_answers(setup, state, load_net(5), _top_effort(5), new_rng(1))
        slowest = max(slowest, time.process_time() - begin)
    return slowest


# --- OpenSpiel ---


def _goofspiel_tasks() -> Tasks:
    """Returns random play of goofspiel, in C++ and in Python; ImportError without OpenSpiel."""
    tasks = goofspiel_tasks()
    import pyspiel

    game = pyspiel.load_game(GOOFSPIEL)
    length = int(tasks["goofspiel in Python"](0)) // GOOFSPIEL_GAMES

    def rollouts(seed: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(GOOFSPIEL_ROLLOUTS, seed)
        solve, talk = False, False
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, GOOFSPIEL_LEAVES, 64, solve, seed, talk)
        bot.mcts_search(
            game.new_initial_state()
        )  # the plies of its tree count as rollouts, in its favour
        return GOOFSPIEL_LEAVES * GOOFSPIEL_ROLLOUTS * length

    return {"goofspiel rollouts": rollouts, **tasks}
