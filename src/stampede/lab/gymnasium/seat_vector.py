"""One seat of many games as a vector environment of Gymnasium; bots have the other seats.

Every step is a step of all seats: while others are asked, your mask allows only to do nothing.
`stampede.lab.vector.opponents` says which bots play by kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from stampede.buffalo import BuffaloRules
from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.lab.gymnasium.seat import ZoffSeat
from stampede.lab.gymnasium.spaces import action_space, observation_space
from stampede.lab.vector import BuffaloVec, ZoffVec
from stampede.lab.vector.base import read_numbers
from stampede.lab.vector.opponents import (
    BuffaloOpponents,
    Opponents,
    ZoffOpponents,
    name_bots,
    plays_by_kernels,
)
from stampede.lab.vector.zoff import Variant

__all__ = ["BuffaloSeats", "ZoffSeats", "zoff_seats"]

Observation = dict[str, npt.NDArray[np.int8]]


class _Seats(VectorEnv[Observation, Any, Any]):
    """A seat of many games.

    Args:
        opponents: The bots, and the games, with ``next_step`` and ``terminate``.
        seat: The one that you play.
    """

    def __init__(self, opponents: Opponents, seat: Seat) -> None:
        games = opponents.games
        if games.autoreset != "next_step":
            raise InputError(f"autoreset: expected next_step, got {games.autoreset}")
        self.games = games
        self.opponents = opponents
        self.seat = seat
        self.num_envs = games.num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        size = len(games.seat_observation(0, seat))
        self.single_observation_space = observation_space(size, games.atoms)
        self.single_action_space = action_space(games.atoms)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals new games.

        Args:
            seed: One number for all games, or a number or None for each: those without one are dealt by the chance
                that they have.
            options: Not used.
        """
        del options
        if isinstance(seed, list):
            self.games.reset(seed)
            known = [own for own in seed if own is not None]
            if known:
                self.opponents.seed(int(np.random.SeedSequence(known).generate_state(1)[0]))
            return self._seen(), {}
        if seed is not None or self._np_random is None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        drawn = self._np_random.integers(1 << 62, size=2)
        self.opponents.seed(int(drawn[1]))
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
        """Takes your atom in every game, int[N]; the bots choose theirs."""
        given = read_numbers("actions", actions, (self.num_envs,), "iu", "whole numbers")
        atoms = self.opponents.choose()
        atoms[:, self.seat] = np.clip(given, -1, self.games.atoms)  # neither end is an atom
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
    """A seat of many games of Zoff; the other options are those of `stampede.lab.vector.ZoffVec`.

    Args:
        num_envs: How many games.
        players: 2 to 6.
        variant: Variants and house rules.
        seat: The one that you play.
        bots: The bot of all other seats, or one for each: ``random``, ``zoff-1``, ``zoff-2``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 4,
        variant: Variant = (),
        *,
        seat: Seat = 0,
        bots: str | Sequence[str] = "random",
        **options: Any,
    ) -> None:
        names = name_bots(players, seat, bots)
        usual = {"rotate": True, "viewer": seat, "illegal": "terminate"}
        self._zoff = ZoffVec(num_envs, players, variant, **{**usual, **options})
        super().__init__(ZoffOpponents(self._zoff, names), seat)

    def _observe(self) -> npt.NDArray[np.int8]:
        public, private = self._zoff.flat_observation
        return np.concatenate([public[:, 0], private[:, self.seat]], axis=1)


def zoff_seats(
    num_envs: int = 1,
    players: int = 4,
    variant: Variant = (),
    *,
    seat: Seat = 0,
    bots: str | Sequence[str] = "random",
    **options: Any,
) -> VectorEnv[Any, Any, Any]:
    """Makes a seat of many games of Zoff with any bots.

    `ZoffSeats` if all bots play by kernels. Others need a readable game each: then the environments of ``make`` run one
    after another, with their options, and a step takes as long as their bots think.
    """
    if all(map(plays_by_kernels, name_bots(players, seat, bots).values())):
        return ZoffSeats(num_envs, players, variant, seat=seat, bots=bots, **options)
    known = ("illegal", "memory", "render_mode", "reward")
    unknown = [name for name in options if name not in known]
    if unknown:
        raise InputError(
            f"{unknown[0]}: expected no such option with bots that don't play by kernels, got"
            f" {options[unknown[0]]!r}; known are {', '.join(known)}"
        )

    def one() -> ZoffSeat:
        return ZoffSeat(players, variant, seat=seat, bots=bots, **options)

    return SyncVectorEnv([one] * num_envs)


class BuffaloSeats(_Seats):
    """A side of many games of Buffalo; the other options are those of `stampede.lab.vector.BuffaloVec`.

    Args:
        num_envs: How many games.
        removed: The files of the buffaloes left out (B4.2).
        opening_moves: The steps of the opening turn (B4.3).
        seat: 0 for the buffalo side, 1 for the hunter.
        bots: The bot of the other side: ``random``, ``buffalo-1`` to ``buffalo-10``, or any other.
    """

    def __init__(
        self,
        num_envs: int = 1,
        removed: str = "",
        opening_moves: int = 1,
        *,
        seat: Seat = 0,
        bots: str | Sequence[str] = "random",
        **options: Any,
    ) -> None:
        names = name_bots(2, seat, bots)
        rules = BuffaloRules(tuple(removed), opening_moves)
        usual = {"illegal": "terminate", "variant": rules}
        self._buffalo = BuffaloVec(num_envs, **{**usual, **options})
        super().__init__(BuffaloOpponents(self._buffalo, names), seat)

    def _observe(self) -> npt.NDArray[np.int8]:
        return self._buffalo.flat_observation.copy()
