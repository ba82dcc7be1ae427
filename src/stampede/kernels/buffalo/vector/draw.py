"""Draws legal moves of many games of Buffalo from sets of targets, which is several times as fast as from masks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import nth, popcount
from stampede.kernels.buffalo.layout import KEY
from stampede.kernels.buffalo.lookups import PLACES, Words
from stampede.kernels.buffalo.vector.layout import CHIEF_TO, NOTHING, OVER
from stampede.kernels.jit import bare
from stampede.kernels.rng import RngState, below

__all__ = ["draw_moves"]


@bare
def draw_moves(
    tables: Words, targets: Words, rng: RngState, actions: npt.NDArray[np.int16]
) -> None:
    """Draws an atom for both seats of each game, every legal one equally likely: the same as `draw_actions`.

    Args:
        tables: int64[n, 12].
        targets: int64[n, 5]: see `step`.
        rng: uint64[1], changed.
        actions: int16[n, 2], filled.
    """
    # No branch depends on the side to move or on the number: either would go the wrong way half of the time.
    for index in range(len(tables)):
        board = tables[index]
        actions[index, 0] = NOTHING
        actions[index, 1] = NOTHING
        if board[OVER]:
            continue
        zero, one, two = targets[index, 0], targets[index, 1], targets[index, 2]
        three, four = targets[index, 3], targets[index, 4]
        until_one = popcount(zero)
        until_two = until_one + popcount(one)
        until_three = until_two + popcount(two)
        until_four = until_three + popcount(three)
        wanted = below(rng, until_four + popcount(four))
        places, before, piece = zero, 0, 0
        if wanted >= until_one:
            places, before, piece = one, until_one, PLACES
        if wanted >= until_two:
            places, before, piece = two, until_two, 2 * PLACES
        if wanted >= until_three:
            places, before, piece = three, until_three, 3 * PLACES
        if wanted >= until_four:
            places, before, piece = four, until_four, 4 * PLACES
        hunts = board[KEY] < 0
        atom = (CHIEF_TO if hunts else 0) + piece + nth(places, wanted - before)
        actions[index, 1 if hunts else 0] = atom
