"""The value of a position without looking ahead: the sum of its features' weights."""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.tables import Words
from stampede.kernels.jit import kernel
from stampede.search.buffalo.features import MAX_FEATURES, write_features
from stampede.search.buffalo.memory import SCRATCH, WEIGHTS

__all__ = ["evaluate"]

_LARGEST: Final = 8_000


@kernel
def evaluate(mem: Words, key: int, dogs: int, chief: int) -> int:
    """The value for the side to move, in hundredths. Memory with weights; key, set, square; all int64."""
    write_features(key, dogs, chief, mem, SCRATCH)
    total = 0
    for index in range(SCRATCH, SCRATCH + MAX_FEATURES):
        total += mem[WEIGHTS + mem[index]]
    total = max(-_LARGEST, min(_LARGEST, total))
    return -total if key < 0 else total
