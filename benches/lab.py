"""How fast the vector environments step, beside the readable rules and, where installed, others' environments.

Actions are drawn once and played again, so that only steps are timed: with masks, observations, rewards, checks of all
actions, and fresh deals as games end. Times are those of the processor, on one core, but for the last rows, which
compare one thread with two by the wall clock. Rounds take turns, and the best of each counts.

An **atom** is one seat's answer to a step. A **decision** is one of the rules: a choice is one decision and two atoms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from benches import zoff
from benches.figures import Figure, Figures, best_rates
from stampede.kernels.rng import new_rng
from stampede.lab.vector import BuffaloVec, VectorGames, ZoffVec

__all__ = ["measure", "rounds"]

ROUND_SECONDS = 4.0
BATCH = 1024
WIDE = 8192
"""The batch of the comparison of threads."""
STEPS = 150
DEALS = 50
CONNECT_FOUR_GAMES = 20


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


def measure(count: int, track: Callable[[range], Iterable[int]] = iter) -> Figures:
    """Measures in so many rounds, each with a bit of everything; ``track`` wraps them, to show progress."""
    report = Figures()
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
        "readable": zoff.readable_decisions,
    }
    others = ("goofspiel", _goofspiel), ("connect four", _connect_four), ("make_vec", _make_vec)
    for name, make in others:
        try:
            tasks |= make()
        except ImportError as error:
            report.skipped[name] = f"its package isn't installed ({error})"
    best = best_rates(tasks, track(range(count)), time.process_time)
    decisions = best["zoff"] * own.answers / own.atoms
    report.figures = [
        Figure("ZoffVec, 5 players, batch 1024", best["zoff"], "atoms a second", 3_000_000),
        Figure("the same in decisions of the rules", decisions, "decisions a second"),
        Figure("the same, rotated for each seat", best["rotated"], "atoms a second"),
        Figure("ZoffVec, 2 players, auction, fair", best["two"], "atoms a second"),
        Figure("fresh deals with observations", best["deals"], "deals a second", 100_000),
        Figure("BuffaloVec, batch 1024", best["buffalo"], "steps a second", 10_000_000),
        Figure("readable rules, 5 players", best["readable"], "decisions a second"),
        Figure("ZoffVec / readable rules", decisions / best["readable"], "times"),
    ]
    if "goofspiel in Python" in best:
        plies = best["goofspiel in Python"]
        report.figures += [
            Figure("OpenSpiel's goofspiel in Python", plies, "plies a second"),
            Figure("ZoffVec / goofspiel in Python", best["zoff"] / plies, "times"),
        ]
    if "make_vec" in best:
        alone = best["zoff"] * own.steps / own.atoms
        report.figures += [
            Figure("Gymnasium's make_vec, 5 players", best["make_vec"], "steps a second"),
            Figure("ZoffVec / make_vec", alone / best["make_vec"], "times", 3, at_most=True),
        ]
    if "connect four" in best:
        games = best["buffalo"] * buffalo.ended / buffalo.steps
        report.figures += [
            Figure("PettingZoo's connect_four", best["connect four"], "games a second"),
            Figure("BuffaloVec / connect_four, games", games / best["connect four"], "times", 50),
        ]
    report.figures += _threads(count)
    return report


def _timed(replay: Replay, done: int) -> float:
    replay.run()
    return done


def _deal(games: VectorGames) -> float:
    for _ in range(DEALS):
        games.reset()
    return DEALS * games.num_envs


def _threads(count: int) -> list[Figure]:
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
        found.append(Figure(f"{name}, two threads / one", best["2"] / best["1"], "times", goal))
        replays[1].games.close()
    return found


def _replay(replay: Replay, seed: int) -> float:
    del seed
    return _timed(replay, replay.steps)


# --- others ---


def _goofspiel() -> dict[str, Callable[[int], float]]:
    found = zoff.goofspiel_tasks()
    return {"goofspiel in Python": found["goofspiel in Python"]}


def _make_vec() -> dict[str, Callable[[int], float]]:
    import gymnasium

    import stampede.lab.gymnasium

    stampede.lab.gymnasium.register_all()
    env = gymnasium.make_vec("Stampede/Zoff-v0", num_envs=BATCH, players=5)
    seen, _ = env.reset(seed=1)
    actions = []
    for _ in range(STEPS):
        actions.append(seen["action_mask"].argmax(axis=1))
        seen, *_ = env.step(actions[-1])

    def play(seed: int) -> float:
        del seed
        env.reset(seed=1)
        for chosen in actions:
            env.step(chosen)
        return STEPS * BATCH

    return {"make_vec": play}


def _connect_four() -> dict[str, Callable[[int], float]]:
    from pettingzoo.classic import connect_four_v3

    env: Any = connect_four_v3.raw_env()

    def play(seed: int) -> float:
        rng = np.random.default_rng(seed)
        for _ in range(CONNECT_FOUR_GAMES):
            env.reset()
            for agent in env.agent_iter():
                seen, _, ended, truncated, _ = env.last()
                del agent
                over = ended or truncated
                legal = np.flatnonzero(seen["action_mask"])
                env.step(None if over else int(rng.choice(legal)))
        return CONNECT_FOUR_GAMES

    return {"connect four": play}
