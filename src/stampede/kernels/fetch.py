"""Prefetching: loads a word into the processor's cache before it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba import types
from numba.extending import intrinsic, overload

__all__ = ["fetch"]

Words = npt.NDArray[np.int64]


def fetch(words: Words, index: int) -> None:
    """Prefetches words[index]. int64[n], int64. Affects speed only."""


def _prefetch_type(_context: Any, words: Any, _index: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        array = context.make_array(words)(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        # To read, keep in every cache, data.
        builder.call(prefetch, [builder.bitcast(place, byte), word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(words, types.int64), generate


_prefetch: Any = intrinsic(_prefetch_type)


@overload(fetch)
def _fetch(words: Words, index: int) -> Callable[[Words, int], None]:  # noqa: ARG001
    def compiled(words: Words, index: int) -> None:
        _prefetch(words, index)

    return compiled
