"""The small tablebases that cover most endings: built once on a machine, by `stampede warmup --tablebases`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from stampede.tablebase.build import BuildProgress, build_columns
from stampede.tablebase.files import file_name
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["SMALL", "build_small", "missing_tablebases"]

_ALL: Final = (2, 3, 4, 5, 6)
SMALL: Final = (
    TablebaseSpec.of(7, 1, _ALL),
    TablebaseSpec.of(8, 3),
    TablebaseSpec.of(7, 3, (2, 3)),
    TablebaseSpec.of(7, 2, _ALL),
    TablebaseSpec.of(8, 2, (2, 3)),
)
"""Together they cover most endings of real games, after half a minute of building (docs/engine.md). Quickest first."""

_WORKSHOP: Final = "beside"
_LOCK: Final = "lock"
_STALE: Final = 60.0
"""Seconds without a sign of life after which a lock's owner is presumed dead."""


def missing_tablebases(
    folder: Path, specs: Sequence[TablebaseSpec] = SMALL
) -> tuple[TablebaseSpec, ...]:
    """The tablebases that a folder doesn't have yet."""
    return tuple(spec for spec in specs if not (folder / file_name(spec)).exists())


def build_small(
    folder: Path,
    specs: Sequence[TablebaseSpec] = SMALL,
    *,
    cores: int = 1,
    report: Callable[[TablebaseSpec, BuildProgress], None] = lambda _spec, _progress: None,
    clock: Callable[[], float] = time.time,
) -> bool:
    """Builds the missing small tablebases, unless another process is building them; returns whether all exist now.

    They are built in a separate folder and then moved, so no reader finds an incomplete one, and a `stampede solve
    tablebase` for the same one isn't disturbed. The report may raise `BuildStopped`; the next call resumes.
    """
    workshop = folder / _WORKSHOP
    if not missing_tablebases(folder, specs):
        return True
    workshop.mkdir(parents=True, exist_ok=True)
    lock = workshop / _LOCK
    if not _try_lock(lock, clock):
        return False
    try:
        for spec in missing_tablebases(folder, specs):

            def show(progress: BuildProgress, spec: TablebaseSpec = spec) -> None:
                os.utime(lock)
                report(spec, progress)

            build_columns(spec, workshop, cores=cores, report=show).replace(
                folder / file_name(spec)
            )
    finally:
        lock.unlink(missing_ok=True)
    return True


def _try_lock(lock: Path, clock: Callable[[], float]) -> bool:
    """Acquires the lock file, from a dead process if need be; False when another process holds it."""
    with suppress(FileNotFoundError):
        if clock() - lock.stat().st_mtime > _STALE:
            lock.unlink(missing_ok=True)
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return False
    return True
