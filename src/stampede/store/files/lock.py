"""The lock of a SQLite database: one server a file. The system frees it when its process ends, however it ends."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from stampede.core.errors import InputError
from stampede.core.processes import try_lock

__all__ = ["ServerLock", "find_server"]

ATTEMPTS: Final = 10
RETRY_SECONDS: Final = 0.02
"""How often a server tries to get the lock, and how long it waits in between."""


class ServerLock:
    """Held while a server runs on a SQLite file.

    Raises:
        InputError: Another server holds it.
    """

    def __init__(self, database: Path) -> None:
        self._descriptor = os.open(lock_path(database), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not self._acquire():
                holder = os.read(self._descriptor, 32).decode("ascii", "replace").strip()
                raise InputError(
                    f"{database}: expected a database that no other server uses, but process"
                    f" {holder or 'unknown'} serves it; stop that one, or choose another --database"
                )
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())
        except BaseException:
            os.close(self._descriptor)
            raise

    def _acquire(self) -> bool:
        """Tries for a moment: `find_server` may hold the lock for an instant."""
        for _ in range(ATTEMPTS):
            if try_lock(self._descriptor):
                return True
            time.sleep(RETRY_SECONDS)
        return try_lock(self._descriptor)

    def release(self) -> None:
        """Lets another server in. The file stays: removing it could take the lock from a newcomer."""
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def lock_path(database: Path) -> Path:
    """Returns the lock's file."""
    return database.with_name(f"{database.name}-lock")


def find_server(database: Path) -> bool:
    """Returns whether a server runs on a SQLite file."""
    try:
        descriptor = os.open(lock_path(database), os.O_RDONLY)
    except OSError:
        return False
    try:
        return not try_lock(descriptor, shared=True)  # so that two who look don't see each other
    finally:
        os.close(descriptor)
