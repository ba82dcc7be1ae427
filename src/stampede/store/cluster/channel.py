"""The channel between workers that share a PostgreSQL database: who is alive, and what was written.

It needs LISTEN/NOTIFY and advisory locks, nothing else. A worker holds two advisory locks as long as it lives. One is
its own and shows the others that it is alive; PostgreSQL releases it the moment the process dies. The other is shared
by all workers, so that a starting worker knows whether it is the first, which means that the tables' clocks stood
still before.

Notifications are hints: they say that a table's log has grown, not how. A lost one costs a moment and no entry, as
every worker also polls the logs' ends (`Store.last_seqs`).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import CONNECTION_ERRORS, AsyncpgConnection, connect
from stampede.store.errors import StoreUnavailable

__all__ = ["Channel", "Notification"]

log = logging.getLogger("stampede.store")

NAME: Final = "stampede"
LOCKS: Final = 0x57A3_9EDD
"""The first key of our advisory locks; the second is a worker's number, or 0 for the shared lock."""
MAX_PAYLOAD: Final = 7500
"""Bytes of one NOTIFY; PostgreSQL takes 8000."""
HEARTBEAT: Final = 1.0
"""Seconds between heartbeats."""
MISSED_HEARTBEATS: Final = 5
"""A worker that holds its lock, but has been silent for so many polls, one a heartbeat, doesn't count: it hangs or is
stopped. Counted in polls and not in seconds, as a worker that was itself stopped would find all others silent."""

WORKERS: Final = """SELECT objid::bigint AS number FROM pg_locks
WHERE locktype = 'advisory' AND classid = $1::oid AND objsubid = 2 AND objid <> 0 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class Notification(NamedTuple):
    """A table's log has grown.

    Attributes:
        table_id: The table.
        seq: The sequence number of its last entry.
        live: Whether a bot or a clock may have something to do there.
    """

    table_id: str
    seq: int
    live: bool


class Channel:
    """A worker's connection to the other workers. Open it inside a running event loop.

    Args:
        engine: The engine of the shared database.
        on_notifications: Called with notifications of other workers.
        on_change: Called when workers have joined or left, and after a reconnect: notifications may be missing.
        entropy: Returns random bytes, for this worker's number.
        connect: Opens a connection.

    Attributes:
        number: This worker's number.
        workers: The numbers of all live workers, this one included.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        on_notifications: Callable[[Sequence[Notification]], None],
        on_change: Callable[[], None],
        *,
        entropy: Callable[[int], bytes] = os.urandom,
        connect: Callable[[AsyncEngine], Awaitable[AsyncpgConnection]] = connect,
    ) -> None:
        self.number = int.from_bytes(entropy(8), "big") % (2**31 - 1) + 1
        self.workers: frozenset[int] = frozenset({self.number})
        self._engine = engine
        self._connect = connect
        self._on_notifications = on_notifications
        self._on_change = on_change
        self._connection: AsyncpgConnection | None = None
        self._silent_polls: dict[int, int] = {}
        self._outbox: dict[str, Notification] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether the connection is open."""
        return self._connection is not None and not self._connection.is_closed()

    async def open(self, on_first: Callable[[], Awaitable[None]]) -> None:
        """Joins the other workers.

        Args:
            on_first: Called if there are no other workers, while none can join.
        """
        try:
            connection = await self._connect(self._engine)
            if await connection.fetchval("SELECT pg_try_advisory_lock($1, 0)", LOCKS):
                await on_first()
                await connection.execute("SELECT pg_advisory_lock_shared($1, 0)", LOCKS)
                await connection.execute("SELECT pg_advisory_unlock($1, 0)", LOCKS)
            await self._join(connection)
        except CONNECTION_ERRORS as error:
            raise StoreUnavailable(f"expected to join the other workers: {error}") from error
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Leaves: the other workers take over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            with suppress(*CONNECTION_ERRORS):
                await self._flush(self._connection)
                # PostgreSQL may notice late that a connection has ended, and the next worker may be the first.
                await self._connection.execute("SELECT pg_advisory_unlock_all()")
            self._connection.terminate()

    def publish(self, notification: Notification) -> None:
        """Queues a notification to the other workers; a later one of the same table replaces it."""
        self._outbox[notification.table_id] = notification
        self._wake.set()

    # --- the connection ---

    async def _join(self, connection: AsyncpgConnection) -> None:
        """Takes the locks and listens on a new connection."""
        # Notifications needn't be durable: when one is lost, so is the connection, and all workers read the logs.
        await connection.execute("SET synchronous_commit = off")
        await connection.execute("SELECT pg_advisory_lock_shared($1, 0)", LOCKS)
        await connection.execute("SELECT pg_advisory_lock($1, $2)", LOCKS, self.number)
        await connection.add_listener(NAME, self._receive)
        self._connection = connection
        await self._poll_workers(connection)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        heartbeat = loop.time()
        while True:
            try:
                connection = self._connection
                if connection is None or connection.is_closed():
                    connection = await self._connect(self._engine)
                    await self._join(connection)
                    self._on_change()
                await self._flush(connection)
                if loop.time() >= heartbeat:
                    heartbeat = loop.time() + HEARTBEAT
                    await connection.execute("SELECT pg_notify($1, $2)", NAME, str(self.number))
                    await self._poll_workers(connection)
            except CONNECTION_ERRORS as error:
                self._disconnect(error)
                await asyncio.sleep(HEARTBEAT / 2)
            except (
                Exception
            ) as error:  # without a connection this worker would miss everything for ever
                log.exception("the connection to the other workers fails")
                self._disconnect(error)
                await asyncio.sleep(HEARTBEAT / 2)
            try:
                # Not wait_for: before Python 3.12 it can swallow a cancellation, and the loop would never end.
                async with asyncio.timeout_at(heartbeat):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def _disconnect(self, error: BaseException) -> None:
        log.warning("lost the connection to the other workers: %s", type(error).__name__)
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def _flush(self, connection: AsyncpgConnection) -> None:
        self._wake.clear()
        while self._outbox:
            text = str(self.number)
            for table_id, notification in tuple(self._outbox.items()):
                item = f" {table_id}:{notification.seq}:{int(notification.live)}"
                if len(text) + len(item) > MAX_PAYLOAD:
                    break
                text += item
                del self._outbox[table_id]
            await connection.execute("SELECT pg_notify($1, $2)", NAME, text)

    async def _poll_workers(self, connection: AsyncpgConnection) -> None:
        """Finds the live workers. A new one gets time for its first heartbeat."""
        rows = await connection.fetch(WORKERS, LOCKS)
        present = {int(row["number"]) for row in rows} | {self.number}
        self._silent_polls = {number: self._silent_polls.get(number, -1) + 1 for number in present}
        self._silent_polls[self.number] = 0
        workers = frozenset(
            number for number, polls in self._silent_polls.items() if polls < MISSED_HEARTBEATS
        )
        if workers != self.workers:
            self.workers = workers
            log.info("%d workers are alive", len(workers))
            self._on_change()

    def _receive(self, _: object, __: int, ___: str, text: str) -> None:
        number, *items = text.split(" ")
        if int(number) == self.number:
            return
        self._silent_polls[int(number)] = 0
        if items:
            self._on_notifications([_read_notification(item) for item in items])


def _read_notification(item: str) -> Notification:
    table_id, seq, live = item.rsplit(":", 2)
    return Notification(table_id, int(seq), live == "1")
