"""Plays many games by kernels for a study, and keeps what they ended with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from stampede.buffalo import BuffaloRules, Position
from stampede.lab.vector import BuffaloVec, ZoffVec
from stampede.lab.vector.opponents import BuffaloOpponents, ZoffOpponents
from stampede.zoff import ZoffRules

__all__ = ["Track", "ZoffEndings", "play_buffalo", "play_zoff"]

Track = Callable[[Sequence[int]], Iterable[int]]
"""Wraps the batches of a study, to show progress."""
BATCH = 2048
_ROUNDS_END = 1


@dataclass(frozen=True, slots=True)
class ZoffEndings:
    """How n games of Zoff ended.

    Attributes:
        scores: float32[n, players]: cows on pastures, less the bid.
        wins: float32[n, players]: shares of victories.
        herds: int16[n, pastures, colours].
        dealt: int16[n, groups, share]: the pastures of each group's preliminary cows.
        groups: int16[n, players]: what each seat played, by number.
        rounds: int16[n]: the last round.
        early: bool[n]: whether it ended before the last round was over.
    """

    scores: npt.NDArray[np.float32]
    wins: npt.NDArray[np.float32]
    herds: npt.NDArray[np.int16]
    dealt: npt.NDArray[np.int16]
    groups: npt.NDArray[np.int16]
    rounds: npt.NDArray[np.int16]
    early: npt.NDArray[np.bool_]

    @property
    def leads(self) -> npt.NDArray[np.float32]:
        """float32[n, players]: each seat's score less the others' mean."""
        players = self.scores.shape[1]
        others = (self.scores.sum(axis=1, keepdims=True) - self.scores) / (players - 1)
        leads: npt.NDArray[np.float32] = self.scores - others
        return leads


def play_zoff(rules: ZoffRules, bots: Sequence[str], games: int, seed: int) -> ZoffEndings:
    """Plays games of Zoff with a bot of the vector environment in each seat.

    Args:
        rules: The rule set.
        bots: By seat.
        games: How many.
        seed: Of deals and draws.
    """
    parts = []
    for batch, begin in enumerate(range(0, games, BATCH)):
        count = min(BATCH, games - begin)
        env = ZoffVec(count, rules.players, rules, seed=1000 * seed + batch, autoreset="disabled")
        opponents = ZoffOpponents(env, dict(enumerate(bots)))
        opponents.seed(1000 * seed + batch)
        while not env.terminated.all():
            env.step(opponents.choose())
        parts.append(_endings(env))
    columns = ([getattr(part, item.name) for part in parts] for item in fields(ZoffEndings))
    return ZoffEndings(*(np.concatenate(column) for column in columns))


def _endings(env: ZoffVec) -> ZoffEndings:
    _, states, tables = env.records
    players = env.players
    bits = states["winners"].astype(np.int64)[:, None] >> np.arange(players)
    won = (bits & 1).astype(np.float32)
    share = env.deal_of(0).pastures[0][1]
    return ZoffEndings(
        env.score.copy(),
        won / won.sum(axis=1, keepdims=True),
        states["herds"].copy(),
        tables["dealt"][:, :players, : len(share)].copy(),
        tables["group_of"][:, :players].copy(),
        states["round_number"].copy(),
        states["reason"] != _ROUNDS_END,
    )


def play_buffalo(
    rules: BuffaloRules,
    bots: tuple[str, str],
    games: int,
    seed: int,
    start: Position | None = None,
) -> npt.NDArray[np.float32]:
    """Plays games of Buffalo; returns 1 for each that the buffalo side won, else 0: float32[games]."""
    env = BuffaloVec(games, variant=rules, start=start, autoreset="disabled")
    opponents = BuffaloOpponents(env, dict(enumerate(bots)))
    opponents.seed(seed)
    while not env.terminated.all():
        env.step(opponents.choose())
    return env.score[:, 0].copy()
