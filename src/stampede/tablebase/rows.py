"""A row: for one state, the chief's winning squares by placement of the dogs, packed.

A row is a run of words: one bit for each placement that says whether any square wins; one bit for each that says
whether the set is written out, because it is neither empty nor full; then the written sets, one after another without
gaps. A set is full when the chief wins wherever there is room for the chief. A row without a winning square takes no
words at all.
"""

from __future__ import annotations

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import inlined, kernel
from stampede.tablebase.geometry import Geometry

__all__ = ["read_row", "row_bound", "row_set", "take", "write_row"]


@inlined
def row_bound(planes: int, placements: int, size: int) -> int:
    """The maximum length of a row in words, plus one that may be read. int64 × 3 → int64."""
    return 2 * planes + (placements * size >> 6) + 2


@inlined
def take(words: Words, base: int, bit: int, size: int) -> int:
    """The `size` bits from this bit on, counted from words[base]. int64[n], int64 × 3 → int64."""
    at, shift = base + (bit >> 6), bit & 63
    bits: int = words[at] >> shift
    if shift + size > 64:
        bits = (bits & ((1 << (64 - shift)) - 1)) | (words[at + 1] << (64 - shift))
    return bits & ((1 << size) - 1)


@kernel
def read_row(geometry: Geometry, words: Words, base: int, taken: int, row: Words) -> None:
    """Unpacks the row at words[base], of a state with these squares taken, into row[placements]."""
    size = geometry.columns * 5
    free = geometry.empty & ~taken
    bit = 0
    literals = base + 2 * geometry.planes
    for plane in range(geometry.planes):
        some = words[base + plane]
        written = words[base + geometry.planes + plane]
        start = plane << 6
        for index in range(start, min(start + 64, len(row))):
            if (some >> (index & 63)) & 1 == 0:
                row[index] = 0
            elif (written >> (index & 63)) & 1 == 0:
                row[index] = free & ~geometry.dogs[index]
            else:
                row[index] = take(words, literals, bit, size)
                bit += size


@kernel
def write_row(geometry: Geometry, row: Words, taken: int, words: Words, base: int) -> int:
    """Packs a row into words from `base` on, which must be zero there; returns the index after it.

    Geometry, int64[placements], int64, int64[≥ base + row_bound], int64 → int64.
    """
    size = geometry.columns * 5
    free = geometry.empty & ~taken
    literals = base + 2 * geometry.planes
    bit = 0
    any_square = False
    for index in range(len(row)):
        squares = row[index]
        if squares == 0:
            continue
        any_square = True
        words[base + (index >> 6)] |= 1 << (index & 63)
        if squares == free & ~geometry.dogs[index]:
            continue
        words[base + geometry.planes + (index >> 6)] |= 1 << (index & 63)
        at, shift = literals + (bit >> 6), bit & 63
        words[at] |= squares << shift
        if shift + size > 64:
            words[at + 1] |= squares >> (64 - shift)
        bit += size
    if not any_square:
        return base
    return literals + ((bit + 63) >> 6)


@inlined
def row_set(words: Words, base: int, planes: int, size: int, placement: int, free: int) -> int:
    """The chief's winning squares of one placement in the packed row at words[base].

    int64[n], int64 × 5 → int64. `free`: the squares where the chief may stand.
    """
    plane, bit = placement >> 6, 1 << (placement & 63)
    if words[base + plane] & bit == 0:
        return 0
    written = words[base + planes + plane]
    if written & bit == 0:
        return free
    rank = popcount(written & (bit - 1))
    for lower in range(plane):
        rank += popcount(words[base + planes + lower])
    return take(words, base + 2 * planes, rank * size, size)
