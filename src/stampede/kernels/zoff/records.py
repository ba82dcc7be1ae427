"""New states and copies of records, for kernels and for Python.

A kernel's new state lies on the stack and lives until the kernel returns. An array of one state wouldn't do: a record
doesn't keep its array alive, so Numba would free the array after its last mention, with the record still in use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from stampede.kernels.zoff.layout import SETUP, STATE, SetupRecord, StateRecord, States

__all__ = ["copy_record", "new_setup", "new_state", "state_array"]

_Record = TypeVar("_Record")
_STATE_TYPE: Final = from_dtype(STATE)
_CACHE_LINE: Final = 64


def new_setup() -> SetupRecord:
    """A set-up that is zero throughout; not for kernels."""
    return cast("SetupRecord", np.zeros(1, dtype=SETUP)[0])


def state_array(*states: StateRecord) -> States:
    """Copies of states, in an array; not for kernels."""
    array = np.zeros(len(states), dtype=STATE)
    for index, state in enumerate(states):
        array[index] = state
    return array


def new_state() -> StateRecord:
    """A state with any content at all. A kernel must not return it."""
    return cast("StateRecord", np.zeros(1, dtype=STATE)[0])


def copy_record(to: _Record, source: _Record) -> None:
    """Overwrites a record with another one of the same type."""
    target: Any = to
    for name in target.dtype.names:
        target[name] = getattr(source, name)


def _new_type(_context: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        allocate: Any = cgutils.alloca_once
        place = allocate(builder, context.get_data_type(_STATE_TYPE))
        place.align = _CACHE_LINE
        return place

    return _STATE_TYPE(), generate


def _copy_type(_context: Any, to: Any, source: Any) -> Any:
    if to != source:
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, to.size)
        copy: Any = cgutils.raw_memcpy
        copy(builder, *arguments, size, 1, align=2)
        return context.get_dummy_value()

    return types.void(to, source), generate


_new: Any = intrinsic(_new_type)
_copy: Any = intrinsic(_copy_type)


@overload(new_state, inline="always")
def _new_state() -> Callable[[], StateRecord]:
    def compiled() -> StateRecord:
        state: StateRecord = _new()
        return state

    return compiled


@overload(copy_record)
def _copy_record(to: _Record, source: _Record) -> Callable[[_Record, _Record], None]:  # noqa: ARG001
    def compiled(to: _Record, source: _Record) -> None:
        _copy(to, source)

    return compiled
