"""Garbage-collection policy: runs the cyclic collector only when the server is idle.

Tables are immutable values and WebSockets break their reference cycles when they close
(`stampede.server.http.websocket`), so reference counting frees both. What is left is the odd exception with its
traceback. With Python's default thresholds, collecting the young generations took a tenth of a busy server's time, and
a full collection stops everything.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

__all__ = ["CHECK_SECONDS", "GarbageCollectionPolicy"]

CHECK_SECONDS: Final = 5
"""Seconds between calls of `GarbageCollectionPolicy.collect_if_idle`."""
IDLE_LOAD: Final = 0.1
"""The share of a core below which the process is idle."""
IDLE_INTERVAL: Final = 60.0
BUSY_INTERVAL: Final = 5 * 60.0
"""Seconds between collections while idle, and while busy: an attacker may know a cycle that we don't."""


class GarbageCollectionPolicy:
    """Decides when to run the cyclic garbage collector, in place of Python's thresholds.

    Args:
        clock: Returns the time in seconds.
        cpu_clock: Returns the CPU seconds that this process has used.
        collect: Runs a collection.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        cpu_clock: Callable[[], float] = time.process_time,
        collect: Callable[[], object] = gc.collect,
    ) -> None:
        self._clock = clock
        self._cpu_clock = cpu_clock
        self._collect = collect
        self._last_check = self._last_collection = clock()
        self._last_cpu = cpu_clock()

    def install(self) -> None:
        """Turns the automatic collector off, and excludes everything alive now from later collections."""
        self._collect()
        gc.freeze()
        gc.disable()

    async def collect_if_idle(self) -> None:
        """Runs a collection if the process is idle, or if the last one was long ago."""
        now, cpu = self._clock(), self._cpu_clock()
        busy = cpu - self._last_cpu > IDLE_LOAD * (now - self._last_check)
        self._last_check, self._last_cpu = now, cpu
        if now - self._last_collection > (BUSY_INTERVAL if busy else IDLE_INTERVAL):
            self._collect()
            self._last_collection = self._clock()
