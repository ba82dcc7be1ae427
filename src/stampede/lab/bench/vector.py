"""How fast the vector environments step, beside the readable rules and, where installed, others' environments.

Actions are drawn once and played again, so that only steps are timed: with masks, observations, rewards, checks of all
actions, and fresh deals as games end. Times are those of the processor, on one core, but for the last rows, which
compare one thread with two by the wall clock. Rounds take turns, and the best of each counts.

Games of Buffalo are compared with others' games with actions that are drawn within the time, as theirs are.

An **atom** is one seat's answer to a step. A **decision** is one of the rules: a choice is one decision and two atoms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from stampede.kernels.rng import new_rng
from stampede.lab.bench.measurements import (
    Measurement,
    Measurements,
    about_machine,
    best_rates,
)
from stampede.lab.bench.others import (
    Tasks,
    connect_four_tasks,
    goofspiel_tasks,
    make_vec_tasks,
    pgx_tasks,
    random_sim_seconds,
    readable_decisions,
)
from stampede.lab.vector import BuffaloVec, VectorGames, ZoffVec

__all__ = ["measure", "rounds"]

ROUND_SECONDS = 4.0
BATCH = 1024
WIDE = 8192
"""The batch of the comparison of threads."""
STEPS = 150
DEALS = 50
PACKAGES = ("numba", "gymnasium", "pettingzoo", "pgx", "jax", "open-spiel")


@dataclass(slots=True)
class Replay:
    """Games with the actions of some steps, to be stepped again and again.

    Attributes:
        games: The environment.
        actions: By step.
        atoms: How many seats answered, in all.
        answers: How many answers they began.
        ended: How many games ended.
    """

    games: VectorGames
    actions: list[npt.NDArray[np.int16]] = field(default_factory=list)
    atoms: int = 0
    answers: int = 0
    ended: int = 0

    @classmethod
    def record(cls, games: VectorGames, steps: int) -> Replay:
        """Draws the actions of so many steps."""
        replay, rng = cls(games), new_rng(1)
        games.reset(seed=1)
        for _ in range(steps):
            actions = games.sample(rng)
            replay.actions.append(actions)
            replay.atoms += int(games.acting.sum())
            replay.answers += _begun(games)
            games.step(actions)
            replay.ended += int(games.terminated.sum())
        return replay

    def run(self) -> None:
        """Plays all steps again."""
        self.games.reset(seed=1)
        for actions in self.actions:
            self.games.step(actions)

    @property
    def steps(self) -> int:
        """Steps of single games."""
        return len(self.actions) * self.games.num_envs


def _begun(games: VectorGames) -> int:
    """How many seats that are asked have given nothing of their answer yet."""
    asked = games.acting != 0
    if "own_bonus" in games.observation:
        asked &= games.observation["own_bonus"][:, :, 0] == 0
        asked &= games.observation["own_pair"][:, :, 0] == 0
    return int(asked.sum())


def rounds(seconds: float) -> int:
    """How many rounds a run of about so many seconds has."""
    return max(1, round(seconds / ROUND_SECONDS))


def measure(count: int, track: Callable[[range], Iterable[int]] = iter) -> Measurements:
    """Measures in so many rounds, each with a bit of everything; ``track`` wraps them, to show progress."""
    report = Measurements(about=about_machine(*PACKAGES))
    own = Replay.record(ZoffVec(BATCH, 5), STEPS)
    rotated = Replay.record(ZoffVec(BATCH, 5, rotate=True), STEPS)
    two = Replay.record(ZoffVec(BATCH, 2, "auction, fair"), STEPS)
    buffalo = Replay.record(BuffaloVec(BATCH), STEPS)
    tasks: dict[str, Callable[[int], float]] = {
        "zoff": lambda _: _timed(own, own.atoms),
        "rotated": lambda _: _timed(rotated, rotated.atoms),
        "two": lambda _: _timed(two, two.atoms),
        "buffalo": lambda _: _timed(buffalo, buffalo.steps),
        "deals": lambda _: _deal(own.games),
        "drawn": lambda seed: _draw_games(buffalo.games, seed)[0],
        "drawn steps": lambda seed: _draw_games(buffalo.games, seed)[1],
        "readable": readable_decisions,
    }
    others: dict[str, Callable[[], Tasks]] = {
        "goofspiel": goofspiel_tasks,
        "connect four": connect_four_tasks,
        "Pgx": partial(pgx_tasks, BATCH),
        "make_vec": partial(make_vec_tasks, BATCH, STEPS),
    }
    for name, make in others.items():
        try:
            tasks |= make()
        except ImportError as error:
            report.skipped[name] = f"its package isn't installed ({error})"
    best = best_rates(tasks, track(range(count)), time.process_time)
    decisions = best["zoff"] * own.answers / own.atoms
    report.figures = [
        Measurement("ZoffVec, 5 players, batch 1024", best["zoff"], "atoms a second"),
        Measurement(
            "the same in decisions of the rules", decisions, "decisions a second", 3_000_000
        ),
        Measurement("the same, rotated for each seat", best["rotated"], "atoms a second"),
        Measurement("ZoffVec, 2 players, auction, fair", best["two"], "atoms a second"),
        Measurement("fresh deals with observations", best["deals"], "deals a second", 100_000),
        Measurement("BuffaloVec, batch 1024", best["buffalo"], "steps a second", 10_000_000),
        Measurement("BuffaloVec, actions drawn, too", best["drawn"], "games a second"),
        Measurement("the same in steps of a game", best["drawn steps"], "steps a second"),
        Measurement("readable rules, 5 players", best["readable"], "decisions a second"),
        Measurement("ZoffVec / readable rules", decisions / best["readable"], "times"),
        *_beside(best, own),
        *_threads(count),
    ]
    _add_random_sim(report)
    return report


def _beside(best: dict[str, float], own: Replay) -> list[Measurement]:
    """Others' environments, those that are installed."""
    found = []
    if "goofspiel in Python" in best:
        plies = best["goofspiel in Python"]
        found += [
            Measurement("OpenSpiel's goofspiel in Python", plies, "plies a second"),
            Measurement("ZoffVec / goofspiel in Python", best["zoff"] / plies, "times"),
        ]
    if "make_vec" in best:
        zoff, adapted = best["zoff"] * own.steps / own.atoms, best["make_vec, Buffalo"]
        ratio = best["buffalo"] / adapted
        found += [
            Measurement("Gymnasium's make_vec, 5 players", best["make_vec"], "steps a second"),
            Measurement("ZoffVec / make_vec", zoff / best["make_vec"], "times", 3, at_most=True),
            Measurement("Gymnasium's make_vec, Buffalo", adapted, "steps a second"),
            Measurement("BuffaloVec / make_vec", ratio, "times", 3, at_most=True),
        ]
    for name, title, goal in (
        ("connect four", "PettingZoo's connect_four", 50),
        ("Pgx", "Pgx's connect_four, batch 1024", 3),
    ):
        if name in best:
            ratio = best["drawn"] / best[name]
            found += [
                Measurement(title, best[name], "games a second"),
                Measurement(f"BuffaloVec / {title}, games", ratio, "times", goal),
            ]
    if "Pgx steps" in best:
        ratio = best["drawn steps"] / best["Pgx steps"]
        found.append(Measurement("the same in steps", ratio, "times"))
    return found


def _add_random_sim(report: Measurements) -> None:
    try:
        seconds = random_sim_seconds()
    except ImportError as error:
        report.skipped["random_sim_test"] = f"its package isn't installed ({error})"
        return
    report.figures += [
        Measurement(f"random_sim_test of {name}, 20 games", value, "seconds", 10, at_most=True)
        for name, value in seconds.items()
    ]


def _timed(replay: Replay, done: int) -> float:
    replay.run()
    return done


def _deal(games: VectorGames) -> float:
    for _ in range(DEALS):
        games.reset()
    return DEALS * games.num_envs


def _draw_games(games: VectorGames, seed: int) -> tuple[float, float]:
    """Plays on with drawn actions; returns how many games ended, and the steps."""
    rng, ended = new_rng(seed), 0
    for _ in range(STEPS):
        games.step(games.sample(rng))
        ended += int(games.terminated.sum())
    return ended, STEPS * games.num_envs


def _threads(count: int) -> list[Measurement]:
    """One thread and two, by the wall clock."""
    found = []
    for name, kind in (
        ("ZoffVec", partial(ZoffVec, WIDE, 5)),
        ("BuffaloVec", partial(BuffaloVec, WIDE)),
    ):
        replays = [Replay.record(kind(threads=threads), 40) for threads in (1, 2)]
        tasks = {str(number): partial(_replay, one) for number, one in enumerate(replays, 1)}
        best = best_rates(tasks, range(count), time.perf_counter)
        goal = 1.8 if name == "ZoffVec" else None
        found.append(
            Measurement(f"{name}, two threads / one", best["2"] / best["1"], "times", goal)
        )
        replays[1].games.close()
    return found


def _replay(replay: Replay, seed: int) -> float:
    del seed
    return _timed(replay, replay.steps)
