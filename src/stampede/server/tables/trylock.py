"""An asyncio lock with a synchronous try-acquire."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

__all__ = ["TryLock"]


class TryLock:
    """A fair mutex: waiters get it in the order in which they came.

    `try_acquire` needs no task. The holder may release it from a callback: a lock isn't bound to a task.
    """

    __slots__ = ("_is_locked", "_waiters")

    def __init__(self) -> None:
        self._is_locked = False
        self._waiters: deque[asyncio.Future[None]] = deque()

    @property
    def is_locked(self) -> bool:
        """Whether it is held."""
        return self._is_locked

    def try_acquire(self) -> bool:
        """Acquires the lock if it is free; returns whether it did."""
        if self._is_locked:
            return False
        self._is_locked = True
        return True

    async def acquire(self) -> None:
        """Waits for the lock."""
        if self.try_acquire():
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.cancelled():
                with suppress(
                    ValueError
                ):  # `release` may have skipped it in the same turn of the loop
                    self._waiters.remove(waiter)
            else:  # cancelled in the moment after it was handed over: pass it on
                self.release()
            raise

    def release(self) -> None:
        """Hands the lock to the first waiter, or frees it."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self._is_locked = False

    async def __aenter__(self) -> None:
        """Waits for the lock."""
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        """Releases it."""
        self.release()
