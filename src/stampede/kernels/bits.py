"""Bit operations on sets of squares that the processor has an instruction for and Python has no operator for.

Words are int64 everywhere in the kernels: plain literals mix with them, in Numba as in NumPy, and boards have fewer
than 63 squares, so that nothing gets negative. Each function is plain Python for runs without JIT; Numba replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from stampede.kernels.jit import inlined

__all__ = ["first", "nth", "popcount"]

_WORD: Final = (1 << 64) - 1
_PAIRS: Final = 0x5555555555555555
_QUARTERS: Final = 0x3333333333333333
_HALVES: Final = 0x0F0F0F0F0F0F0F0F
_ONES: Final = 0x0101010101010101
_TOPS: Final = 0x8080808080808080 - (1 << 64)
"""The highest bit of each byte, as int64."""


def _nth_of_byte() -> npt.NDArray[np.uint8]:
    lookup = np.zeros((8, 256), dtype=np.uint8)
    for byte in range(256):
        squares = [square for square in range(8) if byte >> square & 1]
        lookup[: len(squares), byte] = squares
    lookup.flags.writeable = False
    return lookup.reshape(-1)


_NTH_OF_BYTE: Final = _nth_of_byte()
"""By index << 8 | byte: the bit with that index. uint8[2048]."""


def popcount(word: int) -> int:
    """How many squares are in the set. int64 → int64."""
    return (int(word) & _WORD).bit_count()


def first(word: int) -> int:
    """The lowest square of the set, which must not be empty. int64 → int64."""
    return (int(word) & -int(word)).bit_length() - 1


@inlined
def nth(word: int, index: int) -> int:
    """The square with `index` lower ones in the set, which must have more than `index`. int64, int64 → int64.

    Without a branch, as a random index makes every branch a wrong guess: counts the squares in each byte, adds them
    up from the lowest byte, finds the byte in which `index` falls, and looks the rest up.
    """
    sums = word - ((word >> 1) & _PAIRS)
    sums = (sums & _QUARTERS) + ((sums >> 2) & _QUARTERS)
    sums = ((sums + (sums >> 4)) & _HALVES) * _ONES
    start = popcount(((index * _ONES | _TOPS) - sums) & _TOPS) << 3
    rest = index - (((sums << 8) >> start) & 255)
    # Without JIT a uint8 would stay one, and overflow in the caller's next shift.
    square: Any = np.int64(_NTH_OF_BYTE[((word >> start) & 255) | (rest << 8)])
    total: int = start + square
    return total


def _ctpop_type(_context: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _cttz_type(_context: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)  # undefined for an empty set

    return types.int64(types.int64), generate


_ctpop: Any = intrinsic(_ctpop_type)
_cttz: Any = intrinsic(_cttz_type)


@overload(popcount)
def _popcount(word: int) -> Callable[[int], int]:  # noqa: ARG001
    def compiled(word: int) -> int:
        count: int = _ctpop(word)
        return count

    return compiled


@overload(first)
def _first(word: int) -> Callable[[int], int]:  # noqa: ARG001
    def compiled(word: int) -> int:
        square: int = _cttz(word)
        return square

    return compiled
