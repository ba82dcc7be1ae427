"""Arrays by their address: what a recursive kernel reads seldom, it needn't be handed at every call.

An array is many words as an argument, and tables of the endgame are dozens of arrays. Where they stand is one word
each, kept in the search's memory. Whoever writes an address there keeps the array alive as long as the search runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from stampede.kernels.buffalo.tables import Words

__all__ = ["address_of", "borrowed", "borrowed_rows"]


def address_of(words: Words) -> int:
    """Where an array without gaps begins. int64[n] → int64."""
    if not words.flags.c_contiguous or words.dtype != np.int64:
        raise ValueError("expected int64 words without gaps, got another array")
    return int(words.ctypes.data)


def borrowed(address: int, length: int) -> Words:
    """The array that stands at an address. int64, int64 → int64[length]."""
    return np.ctypeslib.as_array((ctypes.c_int64 * int(length)).from_address(int(address)))


def borrowed_rows(address: int, rows: int, columns: int) -> Words:
    """The same as rows. int64, int64, int64 → int64[rows, columns]."""
    return borrowed(address, int(rows) * int(columns)).reshape(int(rows), int(columns))


def _pointer_type(_context: Any, address: Any) -> Any:
    pointer = types.CPointer(types.int64)  # type: ignore[no-untyped-call]  # Numba has no types

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    return pointer(address), generate


_pointer: Any = intrinsic(_pointer_type)
_carray: Any = numba.carray  # type: ignore[attr-defined]  # it isn't among Numba's declared names


@overload(borrowed)
def _borrowed(address: int, length: int) -> Callable[[int, int], Words]:  # noqa: ARG001
    def compiled(address: int, length: int) -> Words:
        words: Words = _carray(_pointer(address), (length,))
        return words

    return compiled


@overload(borrowed_rows)
def _borrowed_rows(address: int, rows: int, columns: int) -> Callable[[int, int, int], Words]:  # noqa: ARG001
    def compiled(address: int, rows: int, columns: int) -> Words:
        words: Words = _carray(_pointer(address), (rows, columns))
        return words

    return compiled
