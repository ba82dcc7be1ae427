"""A row: for one state, the chief's winning squares by placement of the dogs, compressed for random access.

Neighbouring placements mostly have the same set, as far as the chief can stand there at all. So a row has the changes
from each placement to the next, and starts anew every 64 placements:

    uint32[blocks + 1]   where each block of 64 placements begins, in bytes from here on; an empty block has no wins
    a block: 8 bytes     one bit for each placement: whether its set differs from the one before, at first the empty one
             then for each that does: a byte that says which of a set's 7 bytes change, and the changed bits of those

Squares on which a dog or a buffalo stands keep the bit of the placement before; it has no meaning.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.endgames.placements import Prairie

__all__ = ["BLOCK", "Bytes", "read_endgame_row", "row_room", "row_set", "write_endgame_row"]

Bytes = npt.NDArray[np.uint8]

BLOCK: Final = 64
"""The placements of a block."""
_SET_BYTES: Final = 7


def row_room(placements: int) -> int:
    """The maximum length of a row in bytes, rounded up to words."""
    blocks = -(-placements // BLOCK)
    return -(-(4 * (blocks + 1) + 8 * blocks + (_SET_BYTES + 1) * placements) // 8) * 8


@inlined
def _put(row: Bytes, at: int, count: int, word: int) -> None:
    for index in range(count):
        row[at + index] = (word >> (8 * index)) & 255


@inlined
def _take(row: Bytes, at: int, count: int) -> int:
    word = 0
    for index in range(count):
        word |= int(row[at + index]) << (8 * index)
    return word


@kernel
def write_endgame_row(prairie: Prairie, taken: int, sets: Words, row: Bytes) -> int:
    """Compresses the sets of a state into a row; returns its length in bytes, a multiple of 8, or 0 without a win.

    Prairie, int64, int64[placements], uint8[row_room] → int64. `taken` are the buffaloes' squares on the prairie.
    """
    placements = len(sets)
    blocks = (placements + BLOCK - 1) // BLOCK
    base = 4 * (blocks + 1)
    at = base
    for block in range(blocks):
        _put(row, 4 * block, 4, at - base)
        begin, before, changed = at, 0, 0
        at += 8
        for number in range(block * BLOCK, min((block + 1) * BLOCK, placements)):
            dogs = prairie.placements[number]
            care = prairie.empty & ~(dogs | taken)
            if dogs & taken:
                continue
            change = (before ^ sets[number]) & care
            if change == 0:
                continue
            before ^= change
            changed |= 1 << (number - block * BLOCK)
            which, where = 0, at
            at += 1
            for index in range(_SET_BYTES):
                part = (change >> (8 * index)) & 255
                if part:
                    which |= 1 << index
                    row[at] = part
                    at += 1
            row[where] = which
        if changed:
            _put(row, begin, 8, changed)
        else:
            at = begin
    _put(row, 4 * blocks, 4, at - base)
    if at == base:
        return 0
    while at & 7:
        row[at] = 0
        at += 1
    return at


@inlined
def row_set(row: Bytes, start: int, blocks: int, number: int) -> int:
    """The set of one placement in the row that begins at this byte; squares that are taken have any value.

    uint8[n], int64 × 3 → int64.
    """
    block = number // BLOCK
    at = start + 4 * block
    begin, end = _take(row, at, 4), _take(row, at + 4, 4)
    if begin == end:
        return 0
    at = start + 4 * (blocks + 1) + begin
    # The changes up to this placement; without a shift by 64, which isn't defined.
    changed = _take(row, at, 8) & ((2 << (number - block * BLOCK)) - 1)
    at += 8
    squares = 0
    while changed:
        which = int(row[at])
        at += 1
        while which:
            squares ^= int(row[at]) << (8 * first(which))
            at += 1
            which &= which - 1
        changed &= changed - 1
    return squares


@kernel
def read_endgame_row(prairie: Prairie, taken: int, row: Bytes, start: int, sets: Words) -> None:
    """Reads the whole row that begins at this byte. Prairie, int64, uint8[n], int64, int64[placements]."""
    blocks = (len(sets) + BLOCK - 1) // BLOCK
    for number in range(len(sets)):
        dogs = prairie.placements[number]
        sets[number] = 0
        if dogs & taken == 0:
            sets[number] = row_set(row, start, blocks, number) & prairie.empty & ~(dogs | taken)
