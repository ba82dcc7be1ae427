"""The static evaluation: the sum of a position's feature weights, from the sums that `evaluation_sums` prepares."""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.layout import CHIEF_AT, DOGS_AT, FILE_BITS, SQUARE_BITS
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo import evaluation_sums as sums
from stampede.search.buffalo.features import FREE, GUARDS, MARKS
from stampede.search.buffalo.workspace import EVALUATION

__all__ = ["evaluate"]

_LARGEST: Final = 8_000
"""Evaluations stay within this, far from proven scores."""
_RANK_MASK: Final = (1 << FILE_BITS) - 1
_SQUARE_MASK: Final = (1 << SQUARE_BITS) - 1
_GUARD_MASK: Final = 3
_GUARD_BITS: Final = 2
_LOW_GUARD_BITS: Final = 0x155555
"""The lower one of each file's two guard bits."""
# Where the sums begin, counted in words of their own size.
_COLUMNS: Final = 2 * EVALUATION
_SMALL: Final = 4 * (EVALUATION + sums.COLUMN_WORDS)
_HALF_COUNT: Final = 1 << (sums.COUNT_SHIFT - 1)
_ZERO: Final = np.int64(0)
"""Without JIT, a sum that begins with a plain 0 would keep the narrow type of its first summand, and overflow."""


@bare
def evaluate(space: Words, key: int) -> int:
    """Evaluates a position for the side to move, in hundredths. The search's memory and the position's key; int64.

    The result is the sum of the weights of the features that `write_features` lists, at a third of the cost: everything
    is read from the key, without a branch for each feature.
    """
    columns, small = space.view(np.int32), space.view(np.int16)
    side = (key >> 63) & 1
    chief = (key >> CHIEF_AT) & _SQUARE_MASK
    # 1. Dogs. A key lists them by square, lowest rank first, so of two in a column the one nearer to the buffalo
    #    counts. `guards` has two bits for each file: 0 no dog ahead of the buffalo, 1 directly ahead, 2 one square
    #    apart, 3 more.
    total, guards = _ZERO, 0
    for number in range(4):
        dog = (key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE_MASK
        rank = dog // WIDTH
        file = dog - WIDTH * rank
        gap = ((key >> (FILE_BITS * file)) & _RANK_MASK) - rank - 3
        guard = min(max(gap + 1, 0), 3)
        total += small[_SMALL + sums.DOGS + dog * GUARDS + guard]
        place = _GUARD_BITS * file
        guards = guards & ~((_GUARD_MASK if guard else 0) << place) | (guard << place)
    # 2. Columns, each alone and with its left neighbour.
    column_at = _COLUMNS + side * sums.PER_SIDE + chief * sums.PER_CHIEF
    pair_at = _SMALL + (chief % WIDTH) * sums.PAIRS_OF_CHIEF
    summed, before = _ZERO, 0
    for file in range(WIDTH):
        digit = (key >> (FILE_BITS * file)) & _RANK_MASK
        guard = (guards >> (_GUARD_BITS * file)) & _GUARD_MASK
        summed += columns[column_at + file * sums.PER_FILE + digit * GUARDS + guard]
        mark = 2 * digit + (1 if guard == 1 else 0)
        # The first file has no left neighbour; its sums are 0.
        total += small[pair_at + file * sums.PER_PAIR + before * MARKS + mark]
        before = mark
    # 3. The whole board. `summed` holds a signed value in its lower bits and two counts above it. Adding half of the
    #    range before masking, and taking it away afterwards, restores the value's sign.
    value = ((summed + _HALF_COUNT) & ((1 << sums.COUNT_SHIFT) - 1)) - _HALF_COUNT
    counts = (summed - value) >> sums.COUNT_SHIFT
    uncovered, runners = counts & 15, (counts >> (sums.RUNNER_SHIFT - sums.COUNT_SHIFT)) & 15
    free = 4 - popcount((guards | (guards >> 1)) & _LOW_GUARD_BITS)
    board = _SMALL + (side * (WIDTH + 1)) * FREE + free
    total += value
    total += small[board + sums.CAPACITY + uncovered * FREE]
    total += small[board + sums.RUNNERS + runners * FREE]
    total += small[_SMALL + sums.CHIEF + chief * (WIDTH + 1) + uncovered]
    score: int = max(-_LARGEST, min(_LARGEST, total))
    return -score if side else score
