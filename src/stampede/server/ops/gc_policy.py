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

__all__ = ["LOOK_SECONDS", "Tidying"]

LOOK_SECONDS: Final = 5
"""So often it is looked whether the moment is quiet."""
QUIET: Final = 0.1
"""A share of a core: who uses less is quiet."""
SELDOM: Final = 60.0
AT_LEAST: Final = 5 * 60.0
"""Seconds between two searches: in quiet moments, and whatever happens. An attacker may know a circle that we don't."""


class Tidying:
    """Takes over from Python when garbage is looked for.

    Args:
        clock: The time in seconds.
        used: The seconds of a core that this process has used.
        collect: Looks for garbage.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
        collect: Callable[[], object] = gc.collect,
    ) -> None:
        self._clock = clock
        self._used = used
        self._collect = collect
        self._looked = self._tidied = clock()
        self._used_then = used()

    def begin(self) -> None:
        """From now on Python doesn't look by itself; what is there now stays."""
        self._collect()
        gc.freeze()
        gc.disable()

    async def look(self) -> None:
        """Looks for garbage if the moment is good."""
        now, used = self._clock(), self._used()
        busy = used - self._used_then > QUIET * (now - self._looked)
        self._looked, self._used_then = now, used
        if now - self._tidied > (AT_LEAST if busy else SELDOM):
            self._collect()
            self._tidied = self._clock()
