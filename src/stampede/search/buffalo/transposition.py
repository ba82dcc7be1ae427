"""The transposition table: what earlier nodes found, by exact position key.

The table is int64[2 * entries]. Buckets of `WAYS` entries follow each other; a key's hash selects the bucket, and any
entry of it may hold the position. An entry is two words: the data below, and before it the key exclusive-or the data.
Keys are exact, so an entry never belongs to another position, and no move of an entry needs a legality check.

Threads share a table without locks. When two write one entry at the same time, its words may be of different results:
then the key that they give together is that of no position that is asked for, and the entry counts as unknown.

The data word (`_pack_entry` writes it, the `entry_*` kernels read it):

    bits 0–15    score + SCORE_OFFSET, so that it isn't negative; proven scores count plies from this node
    bits 16–29   best move, or 0 when none raised alpha
    bits 30–37   depth searched
    bits 38–39   bound: LOWER, UPPER or EXACT (both bits)
    bits 40–45   generation: the search that wrote it, modulo 64

A data word is never 0: score + SCORE_OFFSET is positive. So 0 means an empty entry.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.fetch import fetch
from stampede.kernels.jit import bare
from stampede.search.buffalo.workspace import MOVE_BITS, PROVEN

__all__ = [
    "ENTRY_BYTES",
    "EXACT",
    "GENERATIONS",
    "LOWER",
    "UPPER",
    "entry_bound",
    "entry_depth",
    "entry_move",
    "entry_score",
    "find_entry",
    "new_transposition_table",
    "prefetch",
    "store_entry",
]

LOWER: Final = 1
"""The score is a lower bound: the node failed high."""
UPPER: Final = 2
"""The score is an upper bound: the node failed low."""
EXACT: Final = LOWER | UPPER
GENERATIONS: Final = 64
ENTRY_BYTES: Final = 16

WAYS: Final = 4
"""Entries of a bucket: with 16 bytes each, a bucket is one cache line."""
_BUCKET_WORDS: Final = 2 * WAYS

SCORE_OFFSET: Final = 1 << 15
_SCORE_MASK: Final = (1 << 16) - 1
_MOVE_SHIFT: Final = 16
_MOVE_MASK: Final = (1 << MOVE_BITS) - 1
_DEPTH_SHIFT: Final = _MOVE_SHIFT + MOVE_BITS
_DEPTH_MASK: Final = (1 << 8) - 1
_BOUND_SHIFT: Final = _DEPTH_SHIFT + 8
_GENERATION_SHIFT: Final = _BOUND_SHIFT + 2
_GENERATION_MASK: Final = GENERATIONS - 1

_HASH_FACTOR: Final = 0x1E3779B97F4A7C15
"""An odd constant near 2**61 / golden ratio (Fibonacci hashing): the product's upper bits depend on all key bits."""
_PLIES_PER_GENERATION: Final = 8
"""When an entry is replaced, being one search older counts like being this much shallower."""


def new_transposition_table(entries: int) -> Words:
    """Makes an empty table for at least so many positions, rounded up to a power of two from 1,024: int64[2 * n]."""
    size = 1 << max(10, (max(1, entries) - 1).bit_length())
    return np.zeros(2 * size, dtype=np.int64)


@bare
def _bucket(tt: Words, key: int) -> int:
    """The index of the first word of a key's bucket."""
    mixed = (key ^ ((key >> 29) & 0x7FFFFFFFF)) * _HASH_FACTOR
    mask = len(tt) // _BUCKET_WORDS - 1
    return ((mixed >> 30) & mask) * _BUCKET_WORDS


@bare
def find_entry(tt: Words, key: int) -> int:
    """The data of a position, or 0 when the table doesn't have it."""
    at = _bucket(tt, key)
    for way in range(WAYS):
        data: int = tt[at + 2 * way + 1]
        if tt[at + 2 * way] ^ data == key:
            return data
    return 0


@bare
def prefetch(tt: Words, key: int) -> None:
    """Loads a key's bucket into the processor's cache; `find_entry` comes soon."""
    fetch(tt, _bucket(tt, key))


@bare
def entry_move(data: int) -> int:
    """The best move of an entry, or 0."""
    return (data >> _MOVE_SHIFT) & _MOVE_MASK


@bare
def entry_depth(data: int) -> int:
    """The depth that the entry's position was searched to."""
    return (data >> _DEPTH_SHIFT) & _DEPTH_MASK


@bare
def entry_bound(data: int) -> int:
    """What the entry's score is: LOWER, UPPER or EXACT."""
    return (data >> _BOUND_SHIFT) & EXACT


@bare
def entry_score(data: int, ply: int) -> int:
    """The entry's score as seen from the root.

    A proven score says how many plies the end is away. The table counts them from the entry's position, the search from
    the root, which is `ply` plies farther away.
    """
    score = (data & _SCORE_MASK) - SCORE_OFFSET
    if score >= PROVEN:
        return score - ply
    if score <= -PROVEN:
        return score + ply
    return score


@bare
def _pack_entry(score: int, move: int, depth: int, bound: int, generation: int) -> int:
    return (
        (score + SCORE_OFFSET)
        | (move << _MOVE_SHIFT)
        | (max(depth, 0) << _DEPTH_SHIFT)
        | (bound << _BOUND_SHIFT)
        | ((generation & _GENERATION_MASK) << _GENERATION_SHIFT)
    )


@bare
def store_entry(
    tt: Words, generation: int, key: int, move: int, score: int, depth: int, bound: int, ply: int
) -> None:
    """Stores a node's result, in place of the position's own entry or of the least valuable one of the bucket.

    An entry is worth its depth, less `_PLIES_PER_GENERATION` for each search since it was written. Without a new best
    move the position's old one stays: even a stale move is good for move ordering.
    """
    if score >= PROVEN:
        score += ply
    elif score <= -PROVEN:
        score -= ply
    at = _bucket(tt, key)
    worst, worst_value = at, 1 << 40
    for way in range(WAYS):
        here = at + 2 * way
        data = tt[here + 1]
        if tt[here] ^ data == key:
            worst = here
            if move == 0:
                move = entry_move(data)
            break
        age = (generation - (data >> _GENERATION_SHIFT)) & _GENERATION_MASK
        value = entry_depth(data) - _PLIES_PER_GENERATION * age
        if data == 0:
            value = -(1 << 20)
        if value < worst_value:
            worst, worst_value = here, value
    packed = _pack_entry(score, move, depth, bound, generation)
    tt[worst] = key ^ packed
    tt[worst + 1] = packed
