"""Draws legal moves of many games of Buffalo from their boards, which is several times as fast as from their masks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.buffalo.generate import dog_targets
from stampede.kernels.buffalo.layout import CHIEF, DOGS, KEY, PRAIRIE
from stampede.kernels.buffalo.lookups import CHIEF_STEPS, PLACES, Words
from stampede.kernels.buffalo.vector.layout import CHIEF_TO, NOTHING, OVER
from stampede.kernels.buffalo.vector.step import movable_files
from stampede.kernels.jit import bare
from stampede.kernels.rng import RngState, below

__all__ = ["draw_moves"]


@bare
def draw_moves(tables: Words, rng: RngState, actions: npt.NDArray[np.int16]) -> None:
    """Draws an atom for both seats of each game, every legal one equally likely: the same as `draw_actions`.

    Args:
        tables: int64[n, 12].
        rng: uint64[1], changed.
        actions: int16[n, 2], filled.
    """
    for index in range(len(tables)):
        board = tables[index]
        actions[index, 0] = NOTHING
        actions[index, 1] = NOTHING
        if board[OVER]:
            continue
        if board[KEY] >= 0:
            files = movable_files(board)
            actions[index, 0] = nth(files, below(rng, popcount(files)))
        else:
            actions[index, 1] = _draw_hunter(board, rng)


@bare
def _draw_hunter(board: Words, rng: RngState) -> int:
    """Draws an atom of the hunter. int64[12], uint64[1], changed → int64."""
    dogs = board[DOGS]
    occupied = board[PRAIRIE] | dogs | (1 << board[CHIEF])
    chief = CHIEF_STEPS[board[CHIEF]] & ~dogs
    one = dog_targets(first(dogs), occupied)
    dogs &= dogs - 1
    two = dog_targets(first(dogs), occupied)
    dogs &= dogs - 1
    three = dog_targets(first(dogs), occupied)
    dogs &= dogs - 1
    four = dog_targets(first(dogs), occupied)
    before_one = popcount(chief)
    before_two = before_one + popcount(one)
    before_three = before_two + popcount(two)
    before_four = before_three + popcount(three)
    wanted = below(rng, before_four + popcount(four))
    if wanted < before_one:
        return CHIEF_TO + nth(chief, wanted)
    if wanted < before_two:
        return CHIEF_TO + PLACES + nth(one, wanted - before_one)
    if wanted < before_three:
        return CHIEF_TO + 2 * PLACES + nth(two, wanted - before_two)
    if wanted < before_four:
        return CHIEF_TO + 3 * PLACES + nth(three, wanted - before_three)
    return CHIEF_TO + 4 * PLACES + nth(four, wanted - before_four)
