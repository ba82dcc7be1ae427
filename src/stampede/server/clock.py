"""The clock of tables: steady, whatever happens to the machine's.

A wall clock may jump: an administrator sets it, or a time server corrects it. A table's clock must not, as the jump
would cost a player the game, or give them an hour more. So tables' time is read from a wall clock once, and then
advanced by monotonic time. Workers that share a database read it from there, so that hosts with different clocks agree.

Time passes for players only while the server can take and store their moves. The clock of an only worker stands still
while it is stopped (SIGSTOP, a machine that hangs) and while its database stores nothing. Of several workers the
others go on, so there the clock goes on, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf
from typing import Final

from stampede.server.cluster.membership import ALIVE
from stampede.server.runtime import Runtime
from stampede.store import Store, StoreError

__all__ = ["SteadyClock", "start_clock"]

TICK_SECONDS: Final = 0.25
STALL_SECONDS: Final = 1.0
"""How long after a tick the clock stops, until the next one."""
LONGEST_COMMIT: Final = 0.5
"""Seconds. While a group of appends takes longer, the clock isn't ticked."""


class SteadyClock:
    """Returns milliseconds since 1970 when it is called. It never goes back and never jumps.

    Args:
        anchor: The time now.
        monotonic: Returns seconds that never go back.
    """

    __slots__ = ("_monotonic", "_offset", "_stall_at")

    def __init__(self, anchor: int, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._offset = anchor - monotonic() * 1000
        self._stall_at = inf

    def __call__(self) -> int:
        """Returns the time in milliseconds."""
        return round(self._offset + min(self._monotonic(), self._stall_at) * 1000)

    def tick(self) -> None:
        """Lets the clock go on. From the first tick on it stops when the next one doesn't come."""
        seconds = self._monotonic()
        self._offset -= max(0.0, seconds - self._stall_at) * 1000
        self._stall_at = seconds + STALL_SECONDS

    async def keep_ticking(self, store: Store) -> None:
        """Ticks for ever, as long as the store takes appends."""
        recovered: StoreError | None = None
        while True:
            failure = store.writer.failure
            if failure is not recovered and await _stores_again(store):
                recovered = failure
            if failure is recovered and store.writer.seconds_under_way < LONGEST_COMMIT:
                self.tick()
            await asyncio.sleep(TICK_SECONDS)

    def catch_up(self, at: int) -> None:
        """Moves on to a later time: the machine has slept, or its clock was wrong. Only while nothing is timed."""
        if at > self():
            self._offset = at - min(self._monotonic(), self._stall_at) * 1000


async def _stores_again(store: Store) -> bool:
    """Whether a store stores something, after an append has failed."""
    try:
        await store.probe()
    except StoreError:
        return False
    return True


async def start_clock(store: Store, runtime: Runtime) -> SteadyClock:
    """Returns the tables' clock: by the database's time, or the machine's; not before the last time that was known."""
    shared = await store.time()
    now = runtime.wall() if shared is None else shared
    known = int(await store.value(ALIVE, str(now)))
    return SteadyClock(max(now, known), runtime.monotonic)
