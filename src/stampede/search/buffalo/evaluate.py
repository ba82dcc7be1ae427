"""The value of a position without looking ahead: the sum of its features' weights, from the tables of `values`."""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.layout import CHIEF_AT, DOGS_AT, FILE_BITS, SQUARE_BITS
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo import values as at
from stampede.search.buffalo.features import FREE, GUARDS, MARKS
from stampede.search.buffalo.workspace import VALUES

__all__ = ["evaluate"]

_LARGEST: Final = 8_000
_DIGIT: Final = (1 << FILE_BITS) - 1
_SQUARE: Final = (1 << SQUARE_BITS) - 1
_EVEN: Final = 0x155555
"""The lower bit of every file's two."""
_COLUMNS: Final = 2 * VALUES
_SMALL: Final = 4 * (VALUES + at.COLUMN_WORDS)
_HALF_COUNT: Final = 1 << (at.COUNTS - 1)
_ZERO: Final = np.int64(0)
"""Without JIT, a sum that begins with a plain 0 would stay as short as what is added."""


@bare
def evaluate(mem: Words, key: int) -> int:
    """The value for the side to move, in hundredths. Memory with tables of values, key; int64.

    The same as adding up the weights of what `write_features` writes.
    """
    columns, small = mem.view(np.int32), mem.view(np.int16)
    side = (key >> 63) & 1
    chief = (key >> CHIEF_AT) & _SQUARE
    # 1. Dogs, lowest rank first, so that of two in a column the nearer to the buffalo counts.
    total, guards = _ZERO, 0
    for number in range(4):
        dog = (key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE
        rank = dog // WIDTH
        file = dog - WIDTH * rank
        gap = ((key >> (FILE_BITS * file)) & _DIGIT) - rank - 3
        guard = min(max(gap + 1, 0), 3)
        total += small[_SMALL + at.DOGS_AT + dog * GUARDS + guard]
        place = 2 * file
        guards = guards & ~((3 if guard else 0) << place) | (guard << place)
    # 2. Columns, one by one and with their neighbour.
    column_at = _COLUMNS + side * at.PER_SIDE + chief * at.PER_CHIEF
    pair_at = _SMALL + (chief % WIDTH) * at.PAIRS_OF_CHIEF
    summed, before = _ZERO, 0
    for file in range(WIDTH):
        digit = (key >> (FILE_BITS * file)) & _DIGIT
        guard = (guards >> (2 * file)) & 3
        summed += columns[column_at + file * at.PER_FILE + digit * GUARDS + guard]
        mark = 2 * digit + (1 if guard == 1 else 0)
        # The first file has no left neighbour: its part of the table is 0.
        total += small[pair_at + file * at.PER_PAIR + before * MARKS + mark]
        before = mark
    # 3. The whole board. The sum's lower bits are a value with its sign, the upper ones two counts.
    value = ((summed + _HALF_COUNT) & ((1 << at.COUNTS) - 1)) - _HALF_COUNT
    counts = (summed - value) >> at.COUNTS
    uncovered, runners = counts & 15, (counts >> (at.RUNNERS_AT - at.COUNTS)) & 15
    free = 4 - popcount((guards | (guards >> 1)) & _EVEN)
    board = _SMALL + (side * (WIDTH + 1)) * FREE + free
    total += value
    total += small[board + at.CAPACITY_AT + uncovered * FREE]
    total += small[board + at.RUNNER_TABLE_AT + runners * FREE]
    total += small[_SMALL + at.CHIEF_TABLE_AT + chief * (WIDTH + 1) + uncovered]
    worth: int = max(-_LARGEST, min(_LARGEST, total))
    return -worth if side else worth
