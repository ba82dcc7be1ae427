"""Processes that work together on one machine: they end with their parent, and lock files against each other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading

if sys.platform != "win32":
    import fcntl

__all__ = ["stop_with_parent", "try_lock"]


def stop_with_parent() -> None:
    """In a process that `multiprocessing` has spawned: ends it by SIGTERM as soon as its parent has died.

    The system closes the parent's end of a pipe however the parent dies, so this needs no polling, and a parent that
    died before the call is noticed, too.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        raise RuntimeError("expected a process that multiprocessing has started, got the first one")

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Locks an open file against other processes; returns False if one of them holds it.

    The system frees the lock when the descriptor is closed or its process ends, however it ends. Windows has no such
    lock: there it is always granted.
    """
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
