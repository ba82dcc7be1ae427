"""Cluster membership: which workers serve the same database, and which of them runs a table's bots and clocks.

With SQLite there is one worker; with PostgreSQL there may be many, on several hosts. Any worker may decide on any
command: the log accepts one entry of each number, and the worker that comes second reads it and decides again. Only
bots and clocks need an owner. All workers compute it from the table's id and the numbers of the live workers
(rendezvous hashing), so when a worker dies, its tables spread over the others and no other table moves. If two workers
briefly believe that they own a table, one of them computes a bot's move for nothing: the move has an idempotency key.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from stampede.store import Channel, Notification, Store

__all__ = [
    "ALIVE",
    "Membership",
    "Outage",
    "PostgresCluster",
    "SingleWorker",
    "membership_for",
]

ALIVE: Final = "alive"
"""The name under which the store keeps when a server was last known to run."""
OUTAGE: Final = "outage"
"""The name under which the store keeps the last period without a server."""


class Outage(NamedTuple):
    """The last period without a server. Tables' clocks stood still.

    Attributes:
        since: When a server was last known to run before it.
        until: When a server started again.
    """

    since: int
    until: int


class Membership(Protocol):
    """This worker's membership in a cluster."""

    @property
    def shared(self) -> bool:
        """Whether other workers may write to the same log."""

    @property
    def workers(self) -> int:
        """How many workers there are, this one included."""

    @property
    def connected(self) -> bool:
        """Whether this worker is connected to the others."""

    async def open(
        self,
        now: Callable[[], int],
        on_notifications: Callable[[Sequence[Notification]], None],
        on_change: Callable[[], None],
    ) -> Outage:
        """Joins the cluster; returns the last period without a server.

        Args:
            now: Returns the time in milliseconds.
            on_notifications: Called with what other workers have written.
            on_change: Called when workers have joined or left, or when notifications may be missing.
        """

    def owns(self, table_id: str) -> bool:
        """Whether this worker runs the bots and clocks of a table."""

    def publish(self, notification: Notification) -> None:
        """Notifies the other workers that a log has grown."""

    async def close(self) -> None:
        """Leaves the cluster; the other workers take over."""


def membership_for(store: Store, entropy: Callable[[int], bytes] = os.urandom) -> Membership:
    """Returns the membership that fits a store's database."""
    return PostgresCluster(store, entropy) if store.shared else SingleWorker(store)


class SingleWorker:
    """The membership of the only worker."""

    shared = False
    workers = 1
    connected = True

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(
        self,
        now: Callable[[], int],
        on_notifications: Callable[[Sequence[Notification]], None],  # noqa: ARG002 - the protocol's
        on_change: Callable[[], None],  # noqa: ARG002
    ) -> Outage:
        """Stores that there was no server until now."""
        await _store_outage(self._store, now)
        return await _read_outage(self._store)

    def owns(self, table_id: str) -> bool:  # noqa: ARG002
        """Owns every table."""
        return True

    def publish(self, notification: Notification) -> None:
        """Does nothing: there are no other workers."""

    async def close(self) -> None:
        """Does nothing."""


class PostgresCluster:
    """The membership of a worker that shares a PostgreSQL database with others."""

    shared = True

    def __init__(self, store: Store, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._store = store
        self._entropy = entropy
        self._channel: Channel | None = None

    @property
    def workers(self) -> int:
        """How many workers there are, this one included."""
        return 1 if self._channel is None else len(self._channel.workers)

    @property
    def connected(self) -> bool:
        """Whether this worker is connected to the others."""
        return self._channel is not None and self._channel.connected

    async def open(
        self,
        now: Callable[[], int],
        on_notifications: Callable[[Sequence[Notification]], None],
        on_change: Callable[[], None],
    ) -> Outage:
        """Joins the cluster; the first worker stores that there was no server until now."""
        self._channel = Channel(
            self._store.engine,
            on_notifications,
            on_change,
            entropy=self._entropy,
            connect=self._store.backends.connect,
        )
        await self._channel.open(lambda: _store_outage(self._store, now))
        return await _read_outage(self._store)

    def owns(self, table_id: str) -> bool:
        """Whether this worker has the highest rendezvous hash for the table."""
        channel = self._channel
        if channel is None:
            return False
        if len(channel.workers) == 1:
            return True
        return max(channel.workers, key=lambda number: _score(number, table_id)) == channel.number

    def publish(self, notification: Notification) -> None:
        """Notifies the other workers that a log has grown."""
        if self._channel is not None:
            self._channel.publish(notification)

    async def close(self) -> None:
        """Leaves the cluster; the other workers take over."""
        if self._channel is not None:
            await self._channel.close()


async def _store_outage(store: Store, now: Callable[[], int]) -> None:
    alive = await store.value(ALIVE, str(now()))
    await store.set_value(OUTAGE, f"{alive} {now()}")


async def _read_outage(store: Store) -> Outage:
    since, until = (await store.value(OUTAGE, "0 0")).split()
    return Outage(int(since), int(until))


def _score(number: int, table_id: str) -> bytes:
    return hashlib.blake2b(f"{number} {table_id}".encode(), digest_size=8).digest()
