"""Who serves the same tables. Alone with SQLite; with PostgreSQL there may be others, here and on other hosts.

Every worker may decide on any command: the log takes one entry of a number, and whoever comes second reads it and
decides anew. Only what nobody asks for needs one worker that does it: bots and clocks. Who that is, everybody works
out from the table's id and the numbers of those who live (rendezvous hashing), so that a dead worker's tables spread
over the others and nothing else moves. Should two believe for a moment that a table is theirs, one of them thinks in
vain: a bot's answer has a key, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from stampede.store import Channel, News, Store

__all__ = ["ALIVE", "Alone", "Company", "Outage", "Shared", "company_of"]

ALIVE: Final = "alive"
"""The value under which the store keeps when a server was last known to run."""
OUTAGE: Final = "outage"
"""The value under which the store keeps when there was no server, the last time."""


class Outage(NamedTuple):
    """When there was no server, the last time: the tables' clocks stood still.

    Attributes:
        since: When one was last known to run before.
        until: When one was started again.
    """

    since: int
    until: int


class Company(Protocol):
    """The others, as tables need to know them."""

    @property
    def shared(self) -> bool:
        """Whether others may have written to a log meanwhile."""

    @property
    def workers(self) -> int:
        """How many there are, this one included."""

    @property
    def connected(self) -> bool:
        """Whether the line to the others stands."""

    async def open(
        self,
        now: Callable[[], int],
        heard: Callable[[Sequence[News]], None],
        changed: Callable[[], None],
    ) -> Outage:
        """Joins the others; returns when there was nobody, the last time.

        Args:
            now: The time in milliseconds.
            heard: Called with what the others have written.
            changed: Called when somebody has come or gone, or when news may be missing.
        """

    def drives(self, table_id: str) -> bool:
        """Whether this worker sees to the bots and clocks of a table."""

    def tell(self, news: News) -> None:
        """Tells the others that a log has grown."""

    async def close(self) -> None:
        """Leaves the others: they take over."""


def company_of(store: Store) -> Company:
    """Whom a store can be shared with."""
    return Shared(store) if store.shared else Alone(store)


class Alone:
    """Nobody else."""

    shared = False
    workers = 1
    connected = True

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(
        self,
        now: Callable[[], int],
        heard: Callable[[Sequence[News]], None],  # noqa: ARG002 - the protocol's
        changed: Callable[[], None],  # noqa: ARG002
    ) -> Outage:
        """Writes down that there was nobody until now."""
        await _note_outage(self._store, now)
        return await _last_outage(self._store)

    def drives(self, table_id: str) -> bool:  # noqa: ARG002
        """Whatever there is to do, we do it."""
        return True

    def tell(self, news: News) -> None:
        """Nobody hears it."""

    async def close(self) -> None:
        """Nobody to leave."""


class Shared:
    """The workers of one PostgreSQL."""

    shared = True

    def __init__(self, store: Store) -> None:
        self._store = store
        self._channel: Channel | None = None

    @property
    def workers(self) -> int:
        """How many there are, this one included."""
        return 1 if self._channel is None else len(self._channel.workers)

    @property
    def connected(self) -> bool:
        """Whether the line to the others stands."""
        return self._channel is not None and self._channel.connected

    async def open(
        self,
        now: Callable[[], int],
        heard: Callable[[Sequence[News]], None],
        changed: Callable[[], None],
    ) -> Outage:
        """Joins the others; whoever is the first writes down that there was nobody."""
        self._channel = Channel(self._store.engine, heard, changed)
        await self._channel.open(lambda: _note_outage(self._store, now))
        return await _last_outage(self._store)

    def drives(self, table_id: str) -> bool:
        """Whether this worker's number wins for the table."""
        channel = self._channel
        if channel is None:
            return False
        if len(channel.workers) == 1:
            return True
        return max(channel.workers, key=lambda number: _score(number, table_id)) == channel.number

    def tell(self, news: News) -> None:
        """Tells the others that a log has grown."""
        if self._channel is not None:
            self._channel.tell(news)

    async def close(self) -> None:
        """Leaves the others: they take over."""
        if self._channel is not None:
            await self._channel.close()


async def _note_outage(store: Store, now: Callable[[], int]) -> None:
    alive = await store.value(ALIVE, str(now()))
    await store.set_value(OUTAGE, f"{alive} {now()}")


async def _last_outage(store: Store) -> Outage:
    since, until = (await store.value(OUTAGE, "0 0")).split()
    return Outage(int(since), int(until))


def _score(number: int, table_id: str) -> bytes:
    return hashlib.blake2b(f"{number} {table_id}".encode(), digest_size=8).digest()
