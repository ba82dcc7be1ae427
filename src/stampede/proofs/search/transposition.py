"""What the proof search remembers: proof and disproof numbers by exact key (compiled).

The numbers are the hunter's: `proof` says how much is left to show that he wins, `disproof` how much to show that the
buffalo side does. 0 is shown, NEVER can't be shown. Several threads share one memory without locks: the second word
of an entry is stored xor the key, so that a torn entry is no entry.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import inlined, kernel

__all__ = [
    "BITS",
    "NEVER",
    "TranspositionTable",
    "new_memory",
    "recall",
    "remember",
    "remember_all",
]

BITS: Final = 20
NEVER: Final = (1 << BITS) - 1
_MASK: Final = NEVER
_WORK: Final = 2 * BITS
_MOST_WORK: Final = (1 << 23) - 1
_WAYS: Final = 4
_FACTOR: Final = 0x1E3779B97F4A7C15


class TranspositionTable(NamedTuple):
    """Keys and values, int64[2 ** n]."""

    keys: Words
    values: Words


def new_memory(megabytes: int) -> TranspositionTable:
    """An empty memory of at most this size."""
    entries = 1 << max(10, (megabytes << 20) // 16).bit_length() - 1
    return TranspositionTable(np.zeros(entries, dtype=np.int64), np.zeros(entries, dtype=np.int64))


@inlined
def _bucket(key: int, entries: int) -> int:
    mixed = (key ^ (key >> 29)) * _FACTOR
    mixed ^= mixed >> 32
    return (mixed & (entries - 1)) & ~(_WAYS - 1)


@inlined
def recall(memory: TranspositionTable, key: int) -> int:
    """What is known of a position: proof | disproof << BITS | work << 2 * BITS, or -1."""
    at = _bucket(key, len(memory.keys))
    for way in range(at, at + _WAYS):
        value: int = memory.values[way]
        if memory.keys[way] ^ value == key and value != 0:
            return value
    return -1


@kernel
def remember(memory: TranspositionTable, key: int, proof: int, disproof: int, work: int) -> None:
    """Stores the numbers of a position. What is decided stays as long as anything undecided can go instead."""
    value = proof | (disproof << BITS) | (min(work, _MOST_WORK) << _WORK)
    at = _bucket(key, len(memory.keys))
    worst, least = at, 1 << 62
    for way in range(at, at + _WAYS):
        old = memory.values[way]
        if old == 0 or memory.keys[way] ^ old == key:
            worst = way
            break
        weight = old >> _WORK
        if old & _MASK == 0 or (old >> BITS) & _MASK == 0:
            weight += 1 << 40
        if weight < least:
            worst, least = way, weight
    memory.values[worst] = value
    memory.keys[worst] = key ^ value


@kernel
def remember_all(memory: TranspositionTable, keys: Words, values: Words) -> None:
    """Stores entries of another memory, as they stand there. TranspositionTable, int64[n], int64[n]."""
    for index in range(len(keys)):
        value = values[index]
        remember(
            memory,
            keys[index] ^ value,
            value & _MASK,
            (value >> BITS) & _MASK,
            value >> _WORK,
        )
