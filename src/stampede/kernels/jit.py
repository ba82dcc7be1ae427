"""The decorators of compiled functions, on top of Numba's `njit` and a cache of our own (see `cache`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np

from stampede.kernels.cache import cache_folder, compiling, is_compiled, source_of

__all__ = ["bare", "inlined", "is_cached", "kernel"]

_CONFIG: Final[Any] = numba.config  # without types

# Taken before a kernel's file lock. Numba holds a lock of its own while it compiles: a thread that waited for that one
# with a file lock in hand would deadlock with a thread that compiles and waits for the file.
_COMPILER: Final = threading.RLock()

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compiles a function at its first call for these types of arguments; later processes load it from the cache.

    It keeps its declared type. `nogil` lets threads run kernels side by side; with NUMBA_DISABLE_JIT=1 the function
    stays plain Python.

    A trap of Numba 0.68: a kernel that calls itself must not pass itself a literal, or a later process that loads it
    from the cache aborts. Others were seen to crash there, too: a kernel that calls such a recursive one, and recursive
    ones that pass no literal. So prefer a loop with a stack of its own, and test in a second process.
    """
    return _compile(function, inline=False)


def bare(function: _Function) -> _Function:
    """A `kernel` without reference counting: it must not create arrays.

    Numba counts references at every call, by instructions that lock the memory; a search calls too often for that.
    """
    return _compile(function, inline=False, counted=False)


def inlined(function: _Function) -> _Function:
    """A `kernel` whose code is put into every kernel that calls it: for the few that are called at every turn."""
    return _compile(function, inline=True)


def is_cached(function: Callable[..., object]) -> bool:
    """Whether the cache has a kernel compiled from these sources; true if nothing is compiled at all."""
    plain: Callable[..., object] | None = getattr(function, "py_func", None)
    return plain is None or is_compiled(plain)


def _compile(function: _Function, *, inline: bool, counted: bool = True) -> _Function:
    if _CONFIG.DISABLE_JIT:
        # Words wrap around, as they do when compiled. A process that has switched the warning off needs no help, which
        # takes longer than most functions.
        is_off = np.geterr()["over"] == "ignore"
        return function if is_off else np.errstate(over="ignore")(function)
    folder = cache_folder(source_of(function))
    options: dict[str, Any] = {"nogil": True, "cache": folder is not None, "error_model": "numpy"}
    # Not in Numba's documentation; without it, only speed would be lost.
    options |= {"forceinline": inline, "_nrt": counted}
    decorate: Any = numba.njit(**options)
    with _cache_in(folder):
        compiled: Any = decorate(function)
    compiled.compile = _locked(compiled.compile, function)
    result: _Function = compiled
    return result


@contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    """Has Numba cache what is decorated meanwhile in this folder. Others' functions keep their place."""
    with _COMPILER:
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = "" if folder is None else str(folder)
        try:
            yield
        finally:
            _CONFIG.CACHE_DIR = before


def _locked(compile_for: Callable[..., object], function: _Function) -> Callable[..., object]:
    """A kernel's `compile`, which Numba calls for each new combination of types, under the kernel's lock."""
    is_held = False

    @wraps(compile_for)
    def locked(signature: object) -> object:
        nonlocal is_held
        with _COMPILER:
            if is_held:  # it calls itself with other types
                return compile_for(signature)
            is_held = True
            try:
                with compiling(function):
                    return compile_for(signature)
            finally:
                is_held = False

    return locked
