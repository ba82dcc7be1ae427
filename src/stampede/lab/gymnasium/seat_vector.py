"""One seat of many games as a vector environment of Gymnasium; random play has the other seats.

Every step is a step of all seats: while others are asked, your mask allows only to do nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from stampede.buffalo import BuffaloRules
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.kernels.rng import new_rng
from stampede.lab.vector import BuffaloVec, VectorGames, ZoffVec
from stampede.lab.vector.zoff import Variant

__all__ = ["BuffaloSeats", "ZoffSeats"]

Observation = dict[str, npt.NDArray[np.int8]]


class _Seats(VectorEnv[Observation, Any, Any]):
    """A seat of many games.

    Args:
        games: The games, with ``next_step`` and ``terminate``.
        seat: The one that you play.
        bots: Must be ``random``.
    """

    def __init__(self, games: VectorGames, seat: Seat, bots: str) -> None:
        if not 0 <= seat < games.players:
            raise InputError(f"seat: expected 0 to {games.players - 1}, got {seat!r}")
        if bots != "random":
            raise InputError(
                f'bots: expected random, or vectorization_mode="sync" for others, got {bots!r}'
            )
        self.games = games
        self.seat = seat
        self.num_envs = games.num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        size = len(games.seat_observation(0, seat))
        seen: Any = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (size,), np.int8),
                "action_mask": spaces.Box(0, 1, (games.atoms,), np.int8),
            }
        )
        self.single_observation_space = seen
        self.single_action_space = spaces.Discrete(games.atoms)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._others = new_rng(0)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals new games; a seed is one number for all."""
        del options
        if isinstance(seed, list):
            raise InputError("seed: expected one number, as every game's follows from it")
        if seed is not None or self._np_random is None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        drawn = self._np_random.integers(1 << 62, size=2)
        self._others = new_rng(int(drawn[1]))
        self.games.reset(int(drawn[0]))
        return self._seen(), {}

    def step(
        self, actions: Any
    ) -> tuple[
        Observation,
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Takes your atom in every game, int[N]; the other seats draw theirs."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise InputError(f"actions: expected a shape of ({self.num_envs},), got {given.shape}")
        atoms = self.games.sample(self._others)
        atoms[:, self.seat] = given
        _, reward, terminated, truncated, _ = self.games.step(atoms)
        return (
            self._seen(),
            reward[:, self.seat].copy(),
            terminated.copy(),
            truncated.copy(),
            {},
        )

    def _seen(self) -> Observation:
        mask = self.games.action_mask[:, self.seat].copy()
        return {"observation": self._observe(), "action_mask": mask}

    def _observe(self) -> npt.NDArray[np.int8]:
        raise NotImplementedError


class ZoffSeats(_Seats):
    """A seat of many games of Zoff; the options are those of `stampede.lab.vector.ZoffVec`."""

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 4,
        variant: Variant = (),
        *,
        seat: Seat = 0,
        bots: str = "random",
        **options: Any,
    ) -> None:
        usual = {"rotate": True, "viewer": seat, "illegal": "terminate"}
        self._zoff = ZoffVec(num_envs, players, variant, **{**usual, **options})
        super().__init__(self._zoff, seat, bots)

    def _observe(self) -> npt.NDArray[np.int8]:
        public, private = self._zoff.flat_observation
        return np.concatenate([public[:, 0], private[:, self.seat]], axis=1)


class BuffaloSeats(_Seats):
    """A side of many games of Buffalo; the options are those of `stampede.lab.vector.BuffaloVec`."""

    def __init__(
        self,
        num_envs: int = 1,
        removed: str = "",
        opening_moves: int = 1,
        *,
        seat: Seat = 0,
        bots: str = "random",
        **options: Any,
    ) -> None:
        rules = BuffaloRules(tuple(removed), opening_moves)
        usual = {"illegal": "terminate", "variant": rules}
        self._buffalo = BuffaloVec(num_envs, **{**usual, **options})
        super().__init__(self._buffalo, seat, bots)

    def _observe(self) -> npt.NDArray[np.int8]:
        return self._buffalo.flat_observation.copy()
