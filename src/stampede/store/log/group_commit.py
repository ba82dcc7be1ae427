"""Group commit: whatever waits is written in one transaction, and acknowledged after its commit.

While one group is on its way to the disk, the next one gathers. So durability costs one synchronisation a group, not
one an action, and the busier the server is the larger the groups are.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from stampede.store.errors import StoreBusy, StoreError, StoreUnavailable
from stampede.store.log.entries import Append

__all__ = ["Done", "GroupWriter", "Retryable", "Sink"]

log = logging.getLogger("stampede.store")

LEAST_SECONDS = 0.010
"""From the beginning of a group to that of the next: a fast disk would else make many small ones, each of which costs
more than the entries in it. Whoever comes alone doesn't wait."""
FIRST_DELAY = 0.01
LONGEST_DELAY = 0.25


class Retryable(Exception):
    """The database is busy or away: the same group may be tried again."""


class Sink(Protocol):
    """Where groups go: a database."""

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction: by append, None when it's durable, else why it isn't.

        Raises:
            Retryable: Nothing is known to be written; try again.
            StoreError: Nothing was written, and trying again is of no use.
        """

    async def close(self) -> None:
        """Lets go of the database."""


Done: TypeAlias = Callable[[StoreError | None], None]
"""Is told that an append is durable (None), or why it isn't."""


class Waiting(NamedTuple):
    """An append, and whom to tell."""

    append: Append
    done: Done


class GroupWriter:
    """Gathers appends and commits them in groups.

    Attributes:
        groups: How many groups were committed.
        written: How many appends became durable.
        refused: How many didn't.
    """

    def __init__(
        self, sink: Sink, *, capacity: int = 4096, group: int = 512, patience: float = 10.0
    ) -> None:
        self._sink = sink
        self._capacity = capacity
        self._group = group
        self._patience = patience
        self._queue: deque[Waiting] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.get_running_loop().create_task(self._run())
        self.groups = 0
        self.written = 0
        self.refused = 0

    @property
    def waiting(self) -> int:
        """How many appends wait for their group."""
        return len(self._queue)

    def put(self, append: Append, done: Done) -> None:
        """Lets an append wait for its group; `done` is told later what has become of it, never at once.

        Raises:
            StoreError: It isn't taken.
        """
        if self._closing:
            raise StoreUnavailable("the store is closed")
        if len(self._queue) >= self._capacity:
            raise StoreBusy(f"expected at most {self._capacity} waiting entries")
        self._queue.append(Waiting(append, done))
        self._wake.set()

    async def append(self, append: Append) -> None:
        """Returns when the entries are durable; StoreError when they aren't."""
        written = asyncio.get_running_loop().create_future()

        def done(error: StoreError | None) -> None:
            if written.done():  # whoever waited was cancelled; the entry is written all the same
                return
            if error is None:
                written.set_result(None)
            else:
                written.set_exception(error)

        self.put(append, done)
        await written

    async def close(self) -> None:
        """Writes what waits, then lets go of the database."""
        self._closing = True
        self._wake.set()
        await self._task
        await asyncio.sleep(0)  # the last group is told
        await self._sink.close()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                begin = loop.time()
                group = [self._queue.popleft() for _ in range(min(self._group, len(self._queue)))]
                results = await self._commit([waiting.append for waiting in group])
                # Told in a moment: what has gathered meanwhile goes to the disk first.
                loop.call_soon(self._tell, group, results)
                if (rest := begin + LEAST_SECONDS - loop.time()) > 0 and not self._closing:
                    await asyncio.sleep(rest)

    def _tell(self, group: list[Waiting], results: Sequence[StoreError | None]) -> None:
        self.groups += 1
        for (_, done), error in zip(group, results, strict=True):
            self.written += error is None
            self.refused += error is not None
            try:
                done(error)
            except Exception:  # the others of the group are to be told, too
                log.exception("whoever waited for an append failed")

    async def _commit(self, group: list[Append]) -> Sequence[StoreError | None]:
        """Tries until it works or patience is at its end; then all of the group learn that it didn't."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        delay = FIRST_DELAY
        while True:
            try:
                return await self._sink.commit(group)
            except Retryable as error:
                if loop.time() + delay > deadline:
                    return [self._gave_up(error) for _ in group]
            except StoreError as error:
                return [type(error)(str(error)) for _ in group]
            except Exception as error:  # a writer that died would leave everybody waiting for ever
                log.exception("a group couldn't be written")
                return [StoreUnavailable(f"not written: {type(error).__name__}") for _ in group]
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY)

    def _gave_up(self, error: Retryable) -> StoreError:
        return StoreUnavailable(
            f"expected the database to answer within {self._patience:g} s, got: {error}"
        )
