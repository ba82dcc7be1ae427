"""Arrays by address: a recursive kernel doesn't pass on arrays that it seldom reads.

Numba passes an array as seven words, and the tablebases of a search are dozens of arrays. Their addresses are one word
each, in the search's memory. The code that writes an address keeps the array alive as long as the search runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from stampede.kernels.buffalo.lookups import Words

__all__ = ["address_of", "rows_at", "words_at"]


def address_of(words: Words) -> int:
    """The address of a contiguous array. int64[n] → int64."""
    if not words.flags.c_contiguous or words.dtype != np.int64:
        raise ValueError("expected a contiguous int64 array, got another")
    return int(words.ctypes.data)


def words_at(address: int, length: int) -> Words:
    """The array at an address. int64, int64 → int64[length]."""
    return np.ctypeslib.as_array((ctypes.c_int64 * int(length)).from_address(int(address)))


def rows_at(address: int, rows: int, columns: int) -> Words:
    """The two-dimensional array at an address. int64, int64, int64 → int64[rows, columns]."""
    return words_at(address, int(rows) * int(columns)).reshape(int(rows), int(columns))


def _pointer_type(_context: Any, address: Any) -> Any:
    pointer = types.CPointer(types.int64)  # type: ignore[no-untyped-call]  # Numba has no types

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    return pointer(address), generate


_pointer: Any = intrinsic(_pointer_type)
_carray: Any = numba.carray  # type: ignore[attr-defined]  # it isn't among Numba's declared names


@overload(words_at)
def _compile_words_at(address: int, length: int) -> Callable[[int, int], Words]:  # noqa: ARG001
    def compiled(address: int, length: int) -> Words:
        words: Words = _carray(_pointer(address), (length,))
        return words

    return compiled


@overload(rows_at)
def _compile_rows_at(address: int, rows: int, columns: int) -> Callable[[int, int, int], Words]:  # noqa: ARG001
    def compiled(address: int, rows: int, columns: int) -> Words:
        words: Words = _carray(_pointer(address), (rows, columns))
        return words

    return compiled
