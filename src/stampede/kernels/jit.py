"""The decorator of every compiled function, and a cache that notices when its sources change.

Numba's own cache looks at the file of the function alone. A kernel contains the code of the kernels that it calls and
the tables that it reads, so a change in another file would leave a stale one behind. Here the stamp of a kernel covers
every file that may end up in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np

__all__ = ["bare", "inlined", "is_cached", "kernel"]

_KERNELS: Final = Path(__file__).parent
_PACKAGE: Final = _KERNELS.parent
# What tables are made from: the boards of the readable rules.
_BOARDS: Final = ("buffalo/geometry.py",)
# Folders whose kernels contain code of another one.
_BORROWED: Final = (
    ("search/buffalo", "tablebase"),
    ("proofs/search", "tablebase"),
    ("proofs/search", "search/buffalo"),
)

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compiles a function at its first call for these types of arguments; later processes load it from the cache.

    It keeps its declared type. `nogil` lets threads run kernels side by side; with NUMBA_DISABLE_JIT=1 the function
    stays plain Python.

    A trap of Numba 0.68: a kernel that calls itself must not pass itself a literal, or a later process that loads it
    from the cache aborts. Others were seen to crash there, too: a kernel that calls such a recursive one, and recursive
    ones that pass no literal. So prefer a loop with a stack of its own, and test in a second process.
    """
    return _compiled(function, inline=False)


def bare(function: _Function) -> _Function:
    """A `kernel` that makes no arrays, and so needs no counting of who still uses them.

    Numba counts at every call, by instructions that lock the memory; a search calls too often for that.
    """
    return _compiled(function, inline=False, counted=False)


def inlined(function: _Function) -> _Function:
    """A `kernel` whose code is put into every kernel that calls it: for the few that are called at every turn."""
    return _compiled(function, inline=True)


def is_cached(function: Callable[..., object]) -> bool:
    """Whether the cache has a kernel compiled from these sources; true where nothing is compiled at all."""
    known: Any = getattr(function, "_cache", None)
    # Numba has no public way to ask.
    return known is None or bool(known._cache_file._load_index())  # noqa: SLF001


def _compiled(function: _Function, *, inline: bool, counted: bool = True) -> _Function:
    options: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy"}
    # Not in Numba's documentation; without it, only speed would be lost.
    options |= {"forceinline": inline, "_nrt": counted}
    decorate: Any = numba.njit(**options)
    compiled: Any = decorate(function)
    if compiled is function:
        compiled = np.errstate(over="ignore")(
            function
        )  # words wrap around, as they do when compiled
    else:
        _mend_cache(compiled, _digest(Path(function.__code__.co_filename).parent))
    result: _Function = compiled
    return result


def _mend_cache(compiled: Any, digest: bytes) -> None:
    """Makes a kernel's cache depend on the digest, too, and keeps types apart. Numba has no public way to do so."""
    index = compiled._cache._cache_file  # noqa: SLF001
    index._source_stamp = (index._source_stamp, digest)  # noqa: SLF001
    index.save = partial(_save, index)


def _save(index: Any, key: object, code: object) -> None:
    """Keeps the code for some types of arguments in a file of its own, and then says so in the kernel's index.

    Numba numbers the files. Two processes that compile a kernel for different types at the same time would take the
    same number, and whoever came later would be handed the code for the other types.
    """
    number = int.from_bytes(sha256(repr(key).encode()).digest()[:6], "big")
    name = index._data_name(number)  # noqa: SLF001
    index._save_data(name, code)  # noqa: SLF001
    known = index._load_index()  # noqa: SLF001
    if known.get(key) != name:
        index._save_index({**known, key: name})  # noqa: SLF001


@cache
def _digest(folder: Path) -> bytes:
    total = sha256()
    for path in sorted(set(_sources(folder))):
        total.update(path.read_bytes())
    return total.digest()


def _sources(folder: Path) -> Iterator[Path]:
    """The files whose code or tables a kernel of this folder may contain."""
    yield from folder.glob("*.py")
    yield from (_PACKAGE / name for name in _BOARDS)
    for borrower, lender in _BORROWED:
        if folder == _PACKAGE / borrower:
            yield from (_PACKAGE / lender).glob("*.py")
    if _KERNELS in folder.parents:
        yield from _KERNELS.glob("*.py")
    else:
        yield from _KERNELS.rglob("*.py")
