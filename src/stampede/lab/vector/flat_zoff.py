"""Many games of Zoff at once, by numbers of whole answers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import MAX_BONUS
from stampede.kernels.zoff.vector import layout as at
from stampede.kernels.zoff.vector.atoms import nth_answer
from stampede.kernels.zoff.vector.step import count_range
from stampede.lab.vector.zoff import ZoffVec

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
    >>> from stampede.kernels.rng import new_rng
    >>> _ = games.step(games.sample(new_rng(1)))
    """

    flat: ClassVar[bool] = True

    def count(self) -> npt.NDArray[np.int16]:
        """Returns how many answers each seat has, int16[N, P]; 0 for a seat that isn't asked."""
        counts = np.zeros((self.num_envs, self.players), dtype=np.int16)
        count_range(self._setups, self._states, self._tables, counts, 0, self.num_envs)
        return counts

    def sample(self, rng: RngState) -> npt.NDArray[np.int16]:
        """Draws the number of an answer for every seat, each equally likely: int16[N, P]; 0 for one that isn't asked.

        Args:
            rng: A generator of `stampede.kernels.rng.new_rng`, changed.
        """
        chance = np.random.default_rng(int(draw(rng)))
        return chance.integers(0, np.maximum(self.count(), 1), dtype=np.int16)

    def nth(self, index: int, seat: Seat, number: int) -> tuple[int, ...]:
        """Returns the atoms of a seat's answer with this number, from 0 to its `count` - 1."""
        if seat not in range(self.players):
            raise InputError(f"seat: expected 0 to {self.players - 1}, got {seat!r}")
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
