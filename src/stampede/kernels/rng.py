"""Random numbers for kernels: the state is an array that the caller owns and passes in.

SplitMix64, a public-domain design by Sebastiano Vigna: any seed will do, every 64-bit number comes once in a period
of 2^64, and a draw costs two multiplications.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel

__all__ = ["RngState", "below", "draw", "new_rng"]

RngState = npt.NDArray[np.uint64]
"""The state of a generator: uint64[1]. Threads need one each."""

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_27: Final = np.uint64(27)
_30: Final = np.uint64(30)
_31: Final = np.uint64(31)
_32: Final = np.uint64(32)


def new_rng(seed: int) -> RngState:
    """A generator's state from a seed, of which the lowest 64 bits count."""
    return np.array([seed % (1 << 64)], dtype=np.uint64)


@kernel
def draw(rng: RngState) -> np.uint64:
    """The next random word. uint64[1], changed → uint64."""
    state: np.uint64 = rng[0] + _STEP
    rng[0] = state
    word = (state ^ (state >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def below(rng: RngState, bound: int) -> int:
    """A random number from 0 to bound - 1. uint64[1], changed; int64 from 1 to 2^31 → int64.

    The bound isn't always divided evenly: a number's chance is off by less than one part in 2^32 / bound.
    """
    # int64 in Numba; to the type checker a word is an int.
    return np.int64(((draw(rng) >> _32) * np.uint64(bound)) >> _32)  # type: ignore[return-value]
