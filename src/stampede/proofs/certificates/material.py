"""The states of a restricted game, by material, and where each of them is stored.

The *material* is the set of live columns that still have their buffalo. A state of some material has a digit for each
of these columns, 0 for the near bank to 4 for rank 3: a number of base 5, the first column's digit last. The states
of a material are stored in the order of their digits' sum. If the spec is its own mirror image, one of two materials
that mirror each other suffices, and half of the states of a material that is its own mirror image.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.proofs.certificates.window_game import Words

__all__ = ["DIGITS", "Material", "StateOrder", "all_materials", "order_states", "split_states"]

DIGITS: Final = 5
"""A column's digit is below this: the row of its buffalo. In questions this digit means that there is no buffalo."""
KEPT, IMAGE, OWN_IMAGE = range(3)
"""The material itself is stored, or its mirror image is stored instead, or it is its own mirror image."""


@dataclass(frozen=True, slots=True)
class StateOrder:
    """The stored states of a material, one row of results for each.

    Attributes:
        states: By row: the state.
        starts: By digits' sum: its first row; one entry more.
        place: By state: its row, or ~row when the row is that of its mirror image.
        times: By row: how many states it represents.
    """

    states: Words
    starts: Words
    place: npt.NDArray[np.int32]
    times: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Material:
    """Which live columns of a spec have a buffalo.

    Attributes:
        members: The live columns with a buffalo, by their numbers among the live ones, ascending.
        live: How many live columns there are.
        is_symmetric: Whether the spec is its own mirror image.
    """

    members: tuple[int, ...]
    live: int
    is_symmetric: bool

    @property
    def number(self) -> int:
        """The members as a set of bits."""
        return sum(1 << number for number in self.members)

    @property
    def absent(self) -> tuple[int, ...]:
        """The live columns without a buffalo."""
        return tuple(number for number in range(self.live) if number not in self.members)

    @property
    def image(self) -> Material:
        """The mirror image."""
        turned = tuple(self.live - 1 - number for number in reversed(self.members))
        return Material(turned, self.live, self.is_symmetric)

    @property
    def kept(self) -> Material:
        """The one of material and mirror image that is stored: the material itself unless the spec is symmetric."""
        return (
            min(self, self.image, key=lambda material: material.members)
            if self.is_symmetric
            else self
        )

    @property
    def kind(self) -> int:
        """KEPT, IMAGE or OWN_IMAGE."""
        if self.is_symmetric and self == self.image:
            return OWN_IMAGE
        return KEPT if self == self.kept else IMAGE

    def without(self, member: int) -> Material:
        """The material after the capture of a member."""
        left = tuple(number for number in self.members if number != member)
        return Material(left, self.live, self.is_symmetric)


def all_materials(live: int, *, is_symmetric: bool) -> Iterator[Material]:
    """All stored materials, small ones first: a capture leads to one that came before."""
    for size in range(live + 1):
        for members in combinations(range(live), size):
            material = Material(members, live, is_symmetric)
            if material == material.kept:
                yield material


def split_states(states: Words, live: int) -> tuple[Words, Words]:
    """Splits states of questions (base 6, 5 for no buffalo) into sets of members and states of these materials."""
    members, own, power = np.zeros_like(states), np.zeros_like(states), np.ones_like(states)
    for number in range(live):
        digit = states // (DIGITS + 1) ** number % (DIGITS + 1)
        is_there = digit < DIGITS
        members |= is_there.astype(np.int64) << number
        own += np.where(is_there, digit * power, 0)
        power = np.where(is_there, power * DIGITS, power)
    return members, own


def order_states(size: int, kind: int, times: int) -> StateOrder:
    """Orders the states of a material of this size and kind; `times` is 2 if the spec is its own mirror image."""
    sums = np.zeros(1, dtype=np.uint8)
    for _ in range(size):
        sums = (np.arange(DIGITS, dtype=np.uint8)[:, None] + sums[None, :]).reshape(-1)
    images = np.zeros(len(sums), dtype=np.int64)
    rest = np.arange(len(sums))
    for _ in range(size):
        images = images * DIGITS + rest % DIGITS
        rest //= DIGITS
    states: Words = np.argsort(sums, kind="stable")
    if kind == OWN_IMAGE:
        states = states[states <= images[states]]
    rows = np.arange(len(states), dtype=np.int32)
    place = np.empty(len(sums), dtype=np.int32)
    place[images[states]] = ~rows
    if kind != IMAGE:
        place[states] = rows
    each = np.full(len(states), times, dtype=np.uint8)
    if kind == OWN_IMAGE:
        each[images[states] == states] = 1
    starts = np.searchsorted(sums[states], np.arange((DIGITS - 1) * size + 2))
    return StateOrder(states, starts, place, each)
