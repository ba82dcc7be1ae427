"""Games to learn from: the learner has all seats of a vector environment, or one, and bots have the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import BuffaloRules, Position
from stampede.buffalo.geometry import FILES
from stampede.buffalo.state import BuffaloState
from stampede.core.errors import InputError
from stampede.kernels.buffalo.vector.layout import BUFFALO_CELL
from stampede.lab.baselines.inputs import (
    BUFFALO_INPUTS,
    Inputs,
    buffalo_inputs,
    held_squares,
    zoff_input_count,
    zoff_inputs,
)
from stampede.lab.vector import BuffaloVec, VectorGames, ZoffVec
from stampede.lab.vector.opponents import BuffaloOpponents, Opponents, ZoffOpponents

__all__ = ["SELF", "LearningGames", "new_games"]

SELF: Final = "self"
"""The opponent of a learner that plays all seats."""
_LEAD: Final = 10.0
"""Cows of lead that count as one point of reward."""
_CAPTURED: Final = 0.7
_HELD: Final = 0.2
"""What capturing or holding back all buffaloes is worth, of the 1 for a victory."""


class LearningGames(ABC):
    """Games in which some seats are the learner's.

    Attributes:
        games: The environment.
        own: bool[N, P]: which seats the learner plays. Against bots it has one, another from game to game.
        inputs: How many numbers the network sees.
    """

    inputs: int

    def __init__(self, games: VectorGames, opponents: Opponents | None) -> None:
        self.games = games
        self.opponents = opponents
        seats = np.arange(games.players)
        turns = np.arange(games.num_envs)[:, None] % games.players
        self.own = (
            np.ones_like(games.acting, dtype=np.bool_) if opponents is None else seats == turns
        )

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """bool[N, P]: where the learner is asked."""
        asked: npt.NDArray[np.bool_] = self.own & (self.games.acting != 0)
        return asked

    @abstractmethod
    def observe(self, where: npt.NDArray[np.bool_]) -> Inputs:
        """What these seats see: bool[N, P] with n of them → float32[n, inputs]."""

    @abstractmethod
    def standing(self) -> npt.NDArray[np.float32]:
        """How a seat stands, as a potential whose changes are rewards: float32[N, P]."""

    def vary_starts(self, rng: np.random.Generator) -> None:  # noqa: B027 - most games have one start
        """Changes the starts of games that are dealt but not begun, if the game has several."""

    def masks(self, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """What these seats may do: bool[n, atoms]."""
        masks: npt.NDArray[np.bool_] = self.games.action_mask[where] != 0
        return masks

    def step(
        self, where: npt.NDArray[np.bool_], atoms: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Plays the learner's atoms at these seats, and the bots' at the others.

        Returns:
            The rewards, float32[N, P], and which games ended, bool[N].
        """
        games = self.games
        if self.opponents is None:
            given = np.full(games.acting.shape, games.nothing, dtype=np.int16)
        else:
            given = self.opponents.choose()
        given[where] = atoms
        fresh = games.terminated.copy()
        before = self.standing()
        games.step(given)
        # The step after a game's end deals a new one, and earns nothing.
        return np.where(fresh[:, None], 0, self.standing() - before), games.terminated.copy()

    def seed(self, seed: int) -> None:
        """Begins anew."""
        self.games.reset(seed)
        if self.opponents is not None:
            self.opponents.seed(seed)


class LearningZoff(LearningGames):
    """Zoff; a seat stands by its lead, the cows on pastures less the others' mean."""

    games: ZoffVec

    def __init__(self, games: ZoffVec, opponents: Opponents | None) -> None:
        super().__init__(games, opponents)
        self.inputs = zoff_input_count()

    def observe(self, where: npt.NDArray[np.bool_]) -> Inputs:
        """What these seats see."""
        public, private = self.games.flat_observation
        seen = np.concatenate([public[where], private[where]], axis=1)
        return zoff_inputs(seen, self.games.bonus)

    def standing(self) -> npt.NDArray[np.float32]:
        """The lead, in tens of cows."""
        score = self.games.score
        players = self.games.players
        others = (score.sum(axis=1, keepdims=True) - score) / (players - 1)
        lead: npt.NDArray[np.float32] = (score - others) / _LEAD
        return lead


class LearningBuffalo(LearningGames):
    """Buffalo; the hunter stands by the buffaloes that are captured or held back, until the game is won or lost.

    A hunter at random never wins, so that without this potential there would be nothing to learn from. As only its
    changes are rewards, it adds the same to every game, and doesn't change what is best.
    """

    games: BuffaloVec
    inputs = BUFFALO_INPUTS

    def __init__(self, games: BuffaloVec, opponents: Opponents | None, fewest: int) -> None:
        super().__init__(games, opponents)
        self._fewest = fewest

    def vary_starts(self, rng: np.random.Generator) -> None:
        """Leaves out some buffaloes (B4.2) of games that haven't begun: any number of them, on any files."""
        if self._fewest == len(FILES):
            return
        shown = self.games.observation
        fresh = (shown["number"] == 1) & (shown["turn"] == 0) & ~self.games.terminated
        for index in np.flatnonzero(fresh).tolist():
            left_out = int(rng.integers(0, len(FILES) - self._fewest + 1))
            files = sorted(rng.permutation(len(FILES))[:left_out].tolist())
            start = Position.start(tuple(FILES[file] for file in files))
            self.games.load(index, BuffaloState.begin(BuffaloRules(), start))

    def observe(self, where: npt.NDArray[np.bool_]) -> Inputs:
        """What these seats see: the same for both, with the turn in it."""
        return buffalo_inputs(self.games.flat_observation[np.nonzero(where)[0]])

    def standing(self) -> npt.NDArray[np.float32]:
        """1 for the winner, -1 for the loser; before, the less for the hunter the more buffaloes there are."""
        score = self.games.score
        board = self.games.observation["board"]
        buffaloes = board == BUFFALO_CELL
        held = (buffaloes & held_squares(board)).sum(axis=1)
        hunter = (_HELD * held - _CAPTURED * buffaloes.sum(axis=1)).astype(np.float32) / 11
        over = score.any(axis=1)
        hunter = np.where(over, score[:, 1] - score[:, 0], hunter)
        return np.stack([-hunter, hunter], axis=1)


def new_games(game: str, against: str, count: int, players: int, fewest: int = 11) -> LearningGames:
    """New games to learn from.

    Args:
        game: ``zoff`` or ``buffalo``.
        against: ``self``, or the name of a bot.
        count: How many side by side.
        players: How many seats.
        fewest: Buffalo: how many buffaloes a game starts with at least.
    """
    bots = dict.fromkeys(range(players), against)
    if game == "zoff":
        zoff = ZoffVec(count, players, rotate=True)
        return LearningZoff(zoff, None if against == SELF else ZoffOpponents(zoff, bots))
    if game == "buffalo":
        buffalo = BuffaloVec(count)
        opponents = None if against == SELF else BuffaloOpponents(buffalo, bots)
        return LearningBuffalo(buffalo, opponents, fewest)
    raise InputError(f"game: expected zoff or buffalo, got {game!r}")
