"""The static evaluation: the sum of a position's feature weights, and what the network adds to it, if there is one.

The sums are those that `evaluation_sums` prepares, the network's words those of `network`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.layout import CHIEF_AT, DOGS_AT, FILE_BITS, SQUARE_BITS
from stampede.kernels.buffalo.lookups import PLACES, WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo import evaluation_sums as sums
from stampede.search.buffalo import network as net
from stampede.search.buffalo.features import FREE, GUARDS, HALF, MARKS
from stampede.search.buffalo.workspace import EVALUATION, NETWORK, NETWORK_ROWS, TABLEBASES

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
# Where the network's words begin.
_NETWORK_COLUMNS: Final = NETWORK + net.COLUMNS_AT
_NETWORK_DOGS: Final = NETWORK + net.DOGS_AT
_NETWORK_CHIEF: Final = NETWORK + net.CHIEF_AT
_NETWORK_OUTPUTS: Final = NETWORK + net.OUTPUTS_AT
_LANE_MASK: Final = (1 << net.LANE_BITS) - 1
_NEURON_ZERO: Final = net.ROWS * net.OFFSET
"""A neuron's sum of 0, with the offsets of all rows."""
_OUTPUT_SHIFT: Final = 10
"""Divides by the steps of a neuron and of an output weight."""
assert 1 << _OUTPUT_SHIFT == net.UNIT * net.OUTPUT_UNIT
_ADDRESS_MASK: Final = (1 << 20) - 1
"""Tells the compiler that an address isn't negative, so that it reads eight words at a time."""
assert TABLEBASES <= _ADDRESS_MASK


@bare
def _ask_network(space: Words, side: int) -> int:
    """What the network makes of the rows at NETWORK_ROWS, in hundredths for the buffalo side."""
    total, at = _ZERO, _NETWORK_OUTPUTS + side * net.HIDDEN
    for word in range(net.ROW_WORDS):
        neurons = _ZERO
        for row in range(net.ROWS):
            neurons += space[(space[NETWORK_ROWS + row] & _ADDRESS_MASK) + word]
        for lane in range(4):
            above = ((neurons >> (net.LANE_BITS * lane)) & _LANE_MASK) - _NEURON_ZERO
            total += min(max(above, 0), net.UNIT) * space[at + lane * net.ROW_WORDS + word]
    return int(total >> _OUTPUT_SHIFT)


@bare
def evaluate(space: Words, key: int) -> int:
    """Evaluates a position for the side to move, in hundredths. The search's memory and the position's key; int64.

    The result is the sum of the weights of the features that `write_features` lists, at a third of the cost: everything
    is read from the key, without a branch for each feature. To it comes what the network makes of the rows that
    `list_rows` lists; without a network that is 0.
    """
    columns, small = space.view(np.int32), space.view(np.int16)
    side = (key >> 63) & 1
    chief = (key >> CHIEF_AT) & _SQUARE_MASK
    # 1. Dogs. A key lists them by square, lowest rank first, so of two in a column the one nearer to the buffalo
    #    counts. `guards` has two bits for each file: 0 no dog ahead of the buffalo, 1 directly ahead, 2 one square
    #    apart, 3 more.
    total, guards = _ZERO, 0
    chief_file = chief % WIDTH
    space[NETWORK_ROWS + net.ROWS - 1] = _NETWORK_CHIEF + (side * PLACES + chief) * net.ROW_WORDS
    mirrored = net.is_mirrored(key)
    network_dogs = _NETWORK_DOGS + (PLACES * net.ROW_WORDS if mirrored else 0)
    for number in range(4):
        dog = (key >> (DOGS_AT + SQUARE_BITS * number)) & _SQUARE_MASK
        rank = dog // WIDTH
        file = dog - WIDTH * rank
        gap = ((key >> (FILE_BITS * file)) & _RANK_MASK) - rank - 3
        guard = min(max(gap + 1, 0), 3)
        total += small[_SMALL + sums.DOGS + dog * GUARDS + guard]
        space[NETWORK_ROWS + number] = network_dogs + dog * net.ROW_WORDS
        place = _GUARD_BITS * file
        guards = guards & ~((_GUARD_MASK if guard else 0) << place) | (guard << place)
    # 2. Columns, each alone and with its left neighbour.
    column_at = _COLUMNS + side * sums.PER_SIDE + chief * sums.PER_CHIEF
    pair_at = _SMALL + chief_file * sums.PAIRS_OF_CHIEF
    image = WIDTH if mirrored and chief_file == HALF - 1 else chief_file
    network_columns = _NETWORK_COLUMNS + image * (WIDTH * net.HELD * net.ROW_WORDS)
    summed, before = _ZERO, 0
    for file in range(WIDTH):
        digit = (key >> (FILE_BITS * file)) & _RANK_MASK
        guard = (guards >> (_GUARD_BITS * file)) & _GUARD_MASK
        held = file * sums.PER_FILE + digit * GUARDS + guard
        summed += columns[column_at + held]
        space[NETWORK_ROWS + 4 + file] = network_columns + held * net.ROW_WORDS
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
    total += _ask_network(space, side)
    score: int = max(-_LARGEST, min(_LARGEST, total))
    return -score if side else score
