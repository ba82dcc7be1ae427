"""Many games of Zoff at once, by numbers of whole answers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.kernels.zoff.layout import MAX_BONUS
from stampede.kernels.zoff.vector import layout as at
from stampede.kernels.zoff.vector.atoms import nth_answer
from stampede.kernels.zoff.vector.step import count_range
from stampede.lab.vector.base import Autoreset, OnIllegal, Reward
from stampede.lab.vector.zoff import Memory, Variant, ZoffVec

__all__ = ["FlatZoff"]


class FlatZoff(ZoffVec):
    """`ZoffVec` with whole answers: a seat answers with the number of a choice, a bonus, a bid and so on.

    A choice has up to 5,940 members, so that masks would be too large: `count` says how many answers there are, and
    actions are numbers below it. The masks of atoms are filled in all the same.

    >>> games = FlatZoff(8, players=5, seed=1)
    >>> int(games.count()[0, 0])
    4950
    >>> games.nth(0, 0, 4949)
    (117, 128)
    >>> _ = games.step(games.count() - 1)
    """

    def __init__(  # noqa: PLR0913 - an environment's options
        self,
        num_envs: int,
        players: int = 4,
        variant: Variant = (),
        *,
        seed: int = 0,
        autoreset: Autoreset = "next_step",
        threads: int = 1,
        copy: bool = False,
        reward: Reward = "win_share",
        memory: Memory = "view",
        rotate: bool = False,
        illegal: OnIllegal = "raise",
    ) -> None:
        super().__init__(
            num_envs,
            players,
            variant,
            seed=seed,
            autoreset=autoreset,
            threads=threads,
            copy=copy,
            reward=reward,
            memory=memory,
            rotate=rotate,
            illegal=illegal,
        )
        self._options[at.FLAT] = 1
        self._counts = np.zeros((num_envs, players), dtype=np.int16)

    def count(self) -> npt.NDArray[np.int16]:
        """Returns how many answers each seat has, int16[N, P]; 0 for a seat that isn't asked."""
        count_range(self._setups, self._states, self._tables, self._counts, 0, self.num_envs)
        return self._counts

    def nth(self, index: int, seat: Seat, number: int) -> tuple[int, ...]:
        """Returns the atoms of a seat's answer with this number, from 0 to its `count` - 1."""
        count = int(self.count()[self._index(index), seat])
        if not 0 <= number < count:
            raise InputError(f"number: expected 0 to {count - 1}, got {number!r}")
        atoms = np.full(MAX_BONUS + 1, at.NOTHING, dtype=np.int16)
        setup = self._setups[index if self.rules.auction else 0]
        table = self._tables[index].copy()  # a bonus is tried out on it
        length = nth_answer(setup, self._states[index], table, seat, number, atoms)
        return tuple(int(atom) for atom in atoms[:length])

    def describe_atom(self, index: int, seat: Seat, atom: int) -> str:
        """Returns what was expected instead of a wrong number."""
        del atom
        return f"seat {seat} has {int(self.count()[index, seat])} answers"

    def _rule_text(self) -> str:
        return f"{super()._rule_text()} flat"
