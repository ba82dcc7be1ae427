"""Writes sets as bytes, eight members at a time: for masks that are read from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba import types
from numba.extending import intrinsic, overload

from stampede.kernels.jit import inlined

__all__ = ["Bytes", "put", "put_set", "put_wide", "put_zeros"]

Bytes = npt.NDArray[np.int8]
"""Memory that is filled byte by byte: int8[n]."""


def _spread_bytes() -> npt.NDArray[np.int64]:
    words = np.array(
        [sum(1 << (8 * bit) for bit in range(8) if byte >> bit & 1) for byte in range(256)],
        dtype=np.int64,
    )
    words.flags.writeable = False
    return words


_SPREAD: Final = _spread_bytes()
"""By byte: a word with its bits in the lowest place of eight bytes. int64[256]."""


def put(memory: Bytes, at: int, word: int) -> None:
    """Writes the eight bytes of a word from an index on, which needn't be aligned. int8[n], int64, int64."""
    memory[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little", signed=True), np.int8)


@inlined
def put_set(memory: Bytes, at: int, members: int) -> None:
    """Writes 1 or 0 for each of the eight lowest members of a set. int8[n], int64, int64."""
    put(memory, at, _SPREAD[members & 255])


def put_wide(memory: Bytes, at: int, members: int) -> None:
    """Writes 1 or 0 for each of the 32 lowest members of a set, in a few vector instructions. int8[n], int64, int64."""
    for part in range(4):
        put_set(memory, at + 8 * part, members >> (8 * part))


@inlined
def put_zeros(memory: Bytes, at: int, words: int) -> None:
    """Writes so many words of eight zeros. int8[n], int64, int64."""
    for index in range(words):
        put(memory, at + 8 * index, 0)


def _put_type(_context: Any, memory: Any, _at: Any, _word: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        array = context.make_array(memory)(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        builder.store(arguments[2], builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(memory, types.int64, types.int64), generate


_store: Any = intrinsic(_put_type)


@overload(put)
def _put(memory: Bytes, at: int, word: int) -> Callable[[Bytes, int, int], None]:  # noqa: ARG001
    def compiled(memory: Bytes, at: int, word: int) -> None:
        _store(memory, at, word)

    return compiled


def _put_wide_type(_context: Any, memory: Any, _at: Any, _members: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        array = context.make_array(memory)(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        bits = builder.bitcast(
            builder.trunc(arguments[2], ir.IntType(32)), ir.VectorType(ir.IntType(1), 32)
        )
        each = builder.zext(bits, ir.VectorType(ir.IntType(8), 32))
        builder.store(each, builder.bitcast(place, each.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(memory, types.int64, types.int64), generate


_store_wide: Any = intrinsic(_put_wide_type)


@overload(put_wide)
def _put_wide(memory: Bytes, at: int, members: int) -> Callable[[Bytes, int, int], None]:  # noqa: ARG001
    def compiled(memory: Bytes, at: int, members: int) -> None:
        _store_wide(memory, at, members)

    return compiled
