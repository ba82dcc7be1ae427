"""Where compiled kernels are cached: in a folder named by a digest of the sources that they are compiled from.

Numba's cache looks at the file that defines a function and nothing else. But a kernel contains the code of the kernels
that it calls and the constants that it reads, so a change in another file would leave a stale one behind. Here the
digest covers a kernel's module and all modules of this package that it imports, directly or not, and the versions of
what compiles it. A changed source therefore means a new, empty folder; folders that are no longer used are deleted
after some days.

Numba also numbers the files of one function, so two processes that compile it for different types at the same time
would overwrite each other's code. `compiling` is the lock against that.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from inspect import getsourcefile
from pathlib import Path
from typing import IO, Final

import llvmlite  # type: ignore[import-untyped]  # it has no types
import numba
import numpy as np

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["PACKAGE", "cache_folder", "compiling", "is_compiled", "source_of", "sources"]

PACKAGE: Final = Path(__file__).parents[1]
_TOOLS: Final = (
    sys.implementation.cache_tag,
    np.__version__,
    numba.__version__,
    llvmlite.__version__,
)
_IMPORT: Final = re.compile(
    rf"^\s*(?:from|import) ({PACKAGE.name}\b[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE
)
_DAY: Final = 86_400
_UNUSED_DAYS: Final = 30
_OUTDATED_DAYS: Final = 2
"""For folders of other versions of the same file: kept for a while, as you may switch branches."""


def source_of(function: Callable[..., object]) -> Path:
    """The file that defines a function."""
    return Path(getsourcefile(function) or "")


@cache
def cache_folder(file: Path) -> Path | None:
    """The folder for the kernels that a file defines, or None if there is no such file or no place to write to."""
    if not file.is_file():
        return None
    # The path, too: Numba keeps equal files of different checkouts apart.
    family = f"{file.stem}-{sha256(str(file).encode()).hexdigest()[:8]}"
    name = f"{family}-{_digest(file)}"
    for root in _roots():
        folder = root / name
        try:
            if not folder.is_dir():
                folder.mkdir(parents=True, exist_ok=True)
                _prune(root, family)
            tempfile.TemporaryFile(dir=folder).close()
            # Its time tells `_prune` that it is in use. Once a day is enough.
            if folder.stat().st_mtime < time.time() - _DAY:
                os.utime(folder)
        except OSError:
            continue
        return folder
    return None


@contextmanager
def compiling(function: Callable[..., object]) -> Iterator[None]:
    """Holds a kernel's lock against other processes while it is loaded or compiled and saved.

    A process that had to wait finds the kernel in the cache afterwards. Kernels call each other without circles, so
    processes that lock a caller before its callees can't wait for each other.
    """
    path = _lock_path(function)
    if path is None:
        yield
        return
    # Its folder may be gone, if the cache was deleted while this process runs.
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as lock:
        _acquire(lock)
        try:
            yield
            if not path.stat().st_size:
                lock.write(b"compiled\n")
                lock.flush()
        finally:
            _release(lock)


def is_compiled(function: Callable[..., object]) -> bool:
    """Whether the cache has a kernel, for any types of arguments."""
    path = _lock_path(function)
    return path is not None and path.is_file() and path.stat().st_size > 0


def _lock_path(function: Callable[..., object]) -> Path | None:
    """A kernel's lock file. It stays empty until the kernel was compiled for the first time."""
    file = source_of(function)
    folder = cache_folder(file)
    return None if folder is None else folder / f"{file.stem}.{function.__qualname__}.lock"


if sys.platform == "win32":

    def _acquire(lock: IO[bytes]) -> None:
        while True:
            lock.seek(0)
            with suppress(OSError):  # it gives up after ten seconds
                return msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)

    def _release(lock: IO[bytes]) -> None:
        lock.seek(0)
        msvcrt.locking(lock.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _acquire(lock: IO[bytes]) -> None:
        with suppress(
            OSError
        ):  # some network file systems have no locks; Numba alone has none either
            fcntl.flock(lock, fcntl.LOCK_EX)

    def _release(lock: IO[bytes]) -> None:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_UN)


def _roots() -> Iterator[Path]:
    """Where cache folders may be, best first: the order is Numba's own."""
    asked: str = getattr(numba.config, "CACHE_DIR", "")
    if asked:
        yield Path(asked) / "stampede"
    yield PACKAGE / "__pycache__" / "kernels"
    with suppress(RuntimeError):  # the user has no home
        yield _user_caches() / "stampede" / "kernels"


def _user_caches() -> Path:
    if sys.platform == "win32":
        asked, usual = os.environ.get("LOCALAPPDATA"), Path("AppData", "Local")
    elif sys.platform == "darwin":
        asked, usual = None, Path("Library", "Caches")
    else:
        asked, usual = os.environ.get("XDG_CACHE_HOME"), Path(".cache")
    return Path(asked) if asked else Path.home() / usual


def _prune(root: Path, family: str) -> None:
    """Deletes folders that are no longer used: soon those of the same file, later any."""
    now = time.time()
    for folder in root.iterdir():
        days = _OUTDATED_DAYS if folder.name.startswith(family) else _UNUSED_DAYS
        with suppress(OSError):  # another process prunes, too
            if folder.stat().st_mtime < now - days * _DAY:
                shutil.rmtree(folder, ignore_errors=True)


def _digest(file: Path) -> str:
    """The digest of everything that a kernel in this file may be compiled from."""
    total = sha256(repr(_TOOLS).encode())
    for path in sorted(sources(file)):
        total.update(_read(path).encode())
    return total.hexdigest()[:24]


def sources(file: Path) -> set[Path]:
    """The files whose code or constants may end up in a kernel that this file defines."""
    # Outside this package, say in a test, a file may import its neighbours by names of any kind.
    todo = {file} if file.is_relative_to(PACKAGE) else {file, *file.parent.glob("*.py")}
    found: set[Path] = set()
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= _imports(path) - found
    return found


@cache
def _imports(path: Path) -> frozenset[Path]:
    """The files of this package that a file imports."""
    found = set[Path]()
    for module, names in _IMPORT.findall(_read(path)):
        base = PACKAGE.parent.joinpath(*module.split("."))
        file = base.with_suffix(".py")
        if file.is_file():
            found.add(file)
            continue
        # A package: what is imported from it may be its modules.
        found.add(base / "__init__.py")
        found |= {base / f"{name}.py" for name in re.findall(r"\w+", names)}
    return frozenset(path for path in found if path.is_file())


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
