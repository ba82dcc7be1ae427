"""The transposition table of the proof search: proof and disproof numbers by exact key (compiled).

The numbers are the hunter's. The proof number estimates the work left to show that the hunter wins, the disproof number
the work left to show that the buffalo side does. 0 means shown, INFINITE that it can't be shown.

An entry is a key and a value: proof | disproof << NUMBER_BITS | work << 2 * NUMBER_BITS, where work counts the
positions that were searched below it. Several threads share a table without locks: keys are stored xor the value, so
an entry that two threads wrote halves of doesn't match any key (Hyatt's lockless hashing).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.jit import inlined, kernel

__all__ = [
    "INFINITE",
    "NUMBER_BITS",
    "TranspositionTable",
    "find_entry",
    "new_transposition_table",
    "store_entries",
    "store_entry",
]

NUMBER_BITS: Final = 20
INFINITE: Final = (1 << NUMBER_BITS) - 1
_WORK_SHIFT: Final = 2 * NUMBER_BITS
_MAX_WORK: Final = (1 << 23) - 1
_WAYS: Final = 4
_HASH_FACTOR: Final = 0x1E3779B97F4A7C15
_POSITIVE: Final = (1 << 63) - 1


class TranspositionTable(NamedTuple):
    """Keys (xor values) and values, int64[n] each; n is a multiple of the ways of a bucket."""

    keys: Words
    values: Words


def new_transposition_table(megabytes: int) -> TranspositionTable:
    """An empty table of this size."""
    entries = (megabytes << 20) // 16
    return TranspositionTable(np.zeros(entries, dtype=np.int64), np.zeros(entries, dtype=np.int64))


@inlined
def _bucket(key: int, entries: int) -> int:
    mixed = (key ^ (key >> 29)) * _HASH_FACTOR
    mixed ^= mixed >> 32
    return (mixed & _POSITIVE) % entries & ~(_WAYS - 1)


@inlined
def find_entry(tt: TranspositionTable, key: int) -> int:
    """A position's value: proof | disproof << NUMBER_BITS | work << 2 * NUMBER_BITS; -1 when it isn't in the table."""
    at = _bucket(key, len(tt.keys))
    for way in range(at, at + _WAYS):
        value: int = tt.values[way]
        if tt.keys[way] ^ value == key and value != 0:
            return value
    return -1


@kernel
def store_entry(tt: TranspositionTable, key: int, proof: int, disproof: int, work: int) -> None:
    """Stores the numbers of a position. Decided positions are replaced last, then those with much work."""
    value = proof | (disproof << NUMBER_BITS) | (min(work, _MAX_WORK) << _WORK_SHIFT)
    at = _bucket(key, len(tt.keys))
    worst, least = at, 1 << 62
    for way in range(at, at + _WAYS):
        old = tt.values[way]
        if old == 0 or tt.keys[way] ^ old == key:
            worst = way
            break
        weight = old >> _WORK_SHIFT
        if old & INFINITE == 0 or (old >> NUMBER_BITS) & INFINITE == 0:
            weight += 1 << 40
        if weight < least:
            worst, least = way, weight
    tt.values[worst] = value
    tt.keys[worst] = key ^ value


@kernel
def store_entries(tt: TranspositionTable, keys: Words, values: Words) -> None:
    """Stores entries of another table: its keys and values, int64[n] each."""
    for index in range(len(keys)):
        value = values[index]
        store_entry(
            tt,
            keys[index] ^ value,
            value & INFINITE,
            (value >> NUMBER_BITS) & INFINITE,
            value >> _WORK_SHIFT,
        )
