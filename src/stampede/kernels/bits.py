"""Sets of squares in one word: what the processor does in one step and Python has no operator for.

Words are int64 everywhere in the kernels: plain literals mix with them, in Numba as in NumPy, and boards have fewer
than 63 squares, so that nothing gets negative. Each function is plain Python for runs without JIT; Numba replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from stampede.kernels.jit import kernel

__all__ = ["first", "nth", "popcount"]

_WORD: Final = (1 << 64) - 1


def popcount(word: int) -> int:
    """How many squares are in the set. int64 → int64."""
    return (int(word) & _WORD).bit_count()


def first(word: int) -> int:
    """The lowest square of the set, which must not be empty. int64 → int64."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel
def nth(word: int, index: int) -> int:
    """The square with `index` lower ones in the set, which must have more than `index`. int64, int64 → int64."""
    for _ in range(index):
        word &= word - 1
    return first(word)


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
