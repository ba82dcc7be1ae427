"""Group commit: writes all waiting appends in one transaction, and acknowledges them after its commit.

While one group is on its way to the disk, the next one gathers. So durability costs one fsync a group, not one an
action, and groups grow with the load.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from stampede.store.errors import StoreBusy, StoreError, StoreUnavailable
from stampede.store.log.entries import Append

__all__ = ["GroupWriter", "LogBackend", "OnDurable", "Retryable"]

log = logging.getLogger("stampede.store")

MIN_INTERVAL = 0.010
"""Seconds between the starts of two groups. A fast disk would otherwise make many small groups, each of which costs
more than the entries in it. An append that arrives alone doesn't wait."""
FIRST_RETRY_DELAY = 0.01
MAX_RETRY_DELAY = 0.25


class Retryable(Exception):
    """The database is busy or unreachable; the same group can be tried again."""


class LogBackend(Protocol):
    """A database that stores the log."""

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction; returns None for each durable append, or why it isn't.

        Raises:
            Retryable: Nothing is known to be written; try again.
            StoreError: Nothing was written, and trying again won't help.
        """

    async def close(self) -> None:
        """Closes the database."""


OnDurable: TypeAlias = Callable[[StoreError | None], None]
"""Called with None when an append is durable, or with the reason why it isn't."""


class PendingAppend(NamedTuple):
    """An append in the queue."""

    append: Append
    on_durable: OnDurable


class GroupWriter:
    """Queues appends and commits them in groups.

    Attributes:
        groups: How many groups were committed.
        written: How many appends became durable.
        refused: How many weren't stored.
        failure: Why the last group wasn't written; None if it was.
    """

    def __init__(
        self, backend: LogBackend, *, capacity: int = 4096, group: int = 512, timeout: float = 10.0
    ) -> None:
        self._backend = backend
        self._capacity = capacity
        self._group = group
        self._timeout = timeout
        self._queue: deque[PendingAppend] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.get_running_loop().create_task(self._run())
        self.groups = 0
        self.written = 0
        self.refused = 0
        self.failure: StoreError | None = None
        self._begun: float | None = None

    @property
    def seconds_under_way(self) -> float:
        """For how long the present group has been on its way to the disk; 0 when there is none."""
        return 0.0 if self._begun is None else asyncio.get_running_loop().time() - self._begun

    @property
    def pending(self) -> int:
        """How many appends wait for the next group."""
        return len(self._queue)

    def put(self, append: Append, on_durable: OnDurable) -> None:
        """Queues an append; calls back later with its outcome, never before it returns.

        Raises:
            StoreError: The queue is full, or the store is closed.
        """
        if self._closing:
            raise StoreUnavailable("the store is closed")
        if len(self._queue) >= self._capacity:
            raise StoreBusy(f"expected at most {self._capacity} waiting entries")
        self._queue.append(PendingAppend(append, on_durable))
        self._wake.set()

    async def append(self, append: Append) -> None:
        """Returns when the entries are durable; StoreError when they aren't."""
        written = asyncio.get_running_loop().create_future()

        def settle(error: StoreError | None) -> None:
            if written.done():  # the caller was cancelled; the entry is written all the same
                return
            if error is None:
                written.set_result(None)
            else:
                written.set_exception(error)

        self.put(append, settle)
        await written

    async def close(self) -> None:
        """Writes the queue, then closes the database."""
        self._closing = True
        self._wake.set()
        await self._task  # the last group's callbacks were scheduled before it ended, and run first
        await self._backend.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                begin = self._begun = loop.time()
                group = [self._queue.popleft() for _ in range(min(self._group, len(self._queue)))]
                results = await self._commit([pending.append for pending in group])
                self._begun = None
                # Callbacks run after the next group is on its way to the disk.
                loop.call_soon(self._notify, group, results)
                if (rest := begin + MIN_INTERVAL - loop.time()) > 0 and not self._closing:
                    await asyncio.sleep(rest)

    def _notify(self, group: list[PendingAppend], results: Sequence[StoreError | None]) -> None:
        self.groups += 1
        for (_, on_durable), error in zip(group, results, strict=True):
            self.written += error is None
            self.refused += error is not None
            try:
                on_durable(error)
            except Exception:  # the other callbacks of the group must run, too
                log.exception("a callback of an append failed")

    async def _commit(self, group: list[Append]) -> Sequence[StoreError | None]:
        """Retries until the timeout, then fails all appends of the group."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout
        delay = FIRST_RETRY_DELAY
        while True:
            try:
                results = await self._backend.commit(group)
            except Retryable as error:
                if loop.time() + delay > deadline:
                    return self._fail(group, self._time_out(error))
            except StoreError as error:
                return self._fail(group, error)
            except (
                Exception
            ) as error:  # a writer that died would leave all callers waiting for ever
                log.exception("a group couldn't be written")
                problem = StoreUnavailable(f"not written: {type(error).__name__}")
                return self._fail(group, problem)
            else:
                self.failure = None
                return results
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_RETRY_DELAY)

    def _fail(self, group: list[Append], error: StoreError) -> list[StoreError | None]:
        self.failure = error
        return [type(error)(str(error)) for _ in group]  # each is raised to a caller of its own

    def _time_out(self, error: Retryable) -> StoreError:
        return StoreUnavailable(
            f"expected the database to answer within {self._timeout:g} s, got: {error}"
        )
