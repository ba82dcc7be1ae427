"""The simulated database server between workers: advisory locks and notifications, as `Channel` uses them.

It takes the place of PostgreSQL, not of our code: `PostgresCluster` and `Channel` are the real ones. Notifications may
be late, lost, doubled or reordered, and connections may end. A crashed worker's locks vanish after a while, as when
keepalives find it out; a stopped worker keeps its own.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, NamedTuple

from simulation.clock import WallClock
from simulation.disk import Disk
from simulation.loop import SimulatedLoop
from simulation.world import World
from stampede.store.cluster.channel import WORKERS
from stampede.store.log.reader import LAST_SEQS, READ_AFTER, TIME

__all__ = ["DatabaseServer"]

COLUMNS: Final = ("table_id", "seq", "payload", "mark", "chain")
AFTER: Final = """SELECT table_id, seq, payload, mark, chain FROM entries
WHERE table_id = ? AND seq > ? ORDER BY seq"""
LAST: Final = "SELECT max(seq) FROM entries WHERE table_id = ?"
SHARED: Final = 0
"""The second key of the lock that all workers share."""


class LostConnection(ConnectionError):
    """The connection to the database server has ended."""


class Statement(NamedTuple):
    """A statement on its way: who asks what, and what is called with the answer."""

    connection: ServerConnection
    query: str
    values: tuple[object, ...]
    answer: Callable[[Any], None]


class ServerConnection:
    """A process's connection: the part of asyncpg's that `Channel` uses."""

    def __init__(self, server: DatabaseServer, loop: SimulatedLoop) -> None:
        self.server = server
        self.loop = loop
        self.number = server.number()
        self.open = True
        self.listener: Callable[..., None] | None = None
        self._waiting: dict[asyncio.Future[Any], None] = {}

    async def execute(self, query: str, *values: object) -> str:
        """Runs a statement."""
        await self._ask(query, values)
        return "OK"

    async def fetchval(self, query: str, *values: object) -> object:
        """Runs a statement and returns its value."""
        return await self._ask(query, values)

    async def fetch(self, query: str, *values: object) -> Sequence[Mapping[str, Any]]:
        """Runs a statement and returns its rows."""
        found: Sequence[Mapping[str, Any]] = await self._ask(query, values)
        return found

    def transaction(self) -> AbstractAsyncContextManager[object]:
        """Isn't used by the channel."""
        raise NotImplementedError("expected single statements: the channel begins no transaction")

    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None:
        """Listens to notifications."""
        await self._ask("LISTEN", (channel,))
        self.listener = callback

    def is_closed(self) -> bool:
        """Whether the connection has ended."""
        return not self.open

    def terminate(self) -> None:
        """Drops the connection; the server notices at once."""
        self.end()
        self.server.release(self)

    def end(self) -> None:
        """The connection has ended: all that waits for an answer gets an error."""
        self.open = False
        for future in tuple(self._waiting):
            if not future.done():
                self.loop.call_soon(_fail, future)
        self._waiting.clear()

    async def _ask(self, query: str, values: tuple[object, ...]) -> Any:
        if not self.open:
            raise LostConnection("the connection is closed")
        future = self.loop.create_future()
        self._waiting[future] = None
        world, delay = self.server.world, self.server.draw_delay()
        statement = Statement(self, query, values, self._answer(future))
        world.after(delay, self.server.run, statement)
        try:
            async with asyncio.timeout(10.0):
                return await future
        finally:
            self._waiting.pop(future, None)

    def _answer(self, future: asyncio.Future[Any]) -> Callable[[Any], None]:
        def answer(value: Any) -> None:
            def settle() -> None:
                if future.done():
                    return
                if isinstance(value, Exception):
                    future.set_exception(value)
                else:
                    future.set_result(value)

            if self.open:
                self.loop.call_soon(settle)

        return answer


def _fail(future: asyncio.Future[Any]) -> None:
    if not future.done():
        future.set_exception(LostConnection("the connection was lost"))


class DatabaseServer:
    """Locks and notifications.

    Attributes:
        trouble: Probabilities of what happens to a notification: ``lost``, ``doubled``, ``late``.
        down: Whether nobody can connect.
    """

    def __init__(self, world: World, rng: random.Random, disk: Disk) -> None:
        self.world = world
        self._disk = disk
        self._clock = WallClock(world)
        self.trouble: dict[str, float] = {}
        self.down = False
        self._rng = rng
        self._numbers = 0
        self._connections: dict[ServerConnection, None] = {}
        self._exclusive: dict[int, ServerConnection] = {}
        self._shared: dict[ServerConnection, None] = {}
        self._queue: list[tuple[ServerConnection, int, bool, Callable[[Any], None]]] = []

    def number(self) -> int:
        """Counts connections."""
        self._numbers += 1
        return self._numbers

    def draw_delay(self) -> float:
        """Draws how long a statement travels."""
        return 0.001 + 0.004 * self._rng.random()

    async def connect(self, loop: SimulatedLoop) -> ServerConnection:
        """Opens a connection; raises OSError when nobody answers."""
        await asyncio.sleep(self.draw_delay())
        if self.down:
            raise ConnectionRefusedError("the database server is down")
        connection = ServerConnection(self, loop)
        self._connections[connection] = None
        return connection

    def cut(self, connection: ServerConnection | None = None) -> None:
        """Ends a connection, or all of them."""
        for found in [connection] if connection is not None else list(self._connections):
            found.end()
            self.release(found)

    def connections_of(self, loop: SimulatedLoop) -> list[ServerConnection]:
        """Returns a process's connections."""
        return [connection for connection in self._connections if connection.loop is loop]

    def forget_process(self, loop: SimulatedLoop, patience: float) -> None:
        """A process has died; the server notices after a while."""
        for connection in self.connections_of(loop):
            connection.open = False
            self.world.after(patience, self.release, connection)

    def release(self, connection: ServerConnection) -> None:
        """Frees what a connection held."""
        if self._connections.pop(connection, self) is self:
            return
        self._queue = [item for item in self._queue if item[0] is not connection]
        self._unlock_all(connection)

    # --- statements ---

    def run(self, statement: Statement) -> None:
        """Runs a statement; answers at once, or when a lock is free."""
        connection, query, values, answer = statement
        if connection not in self._connections:
            return
        if query.startswith(("SET ", "LISTEN")):
            answer(None)
        elif "pg_notify" in query:
            self._notify(str(values[1]))
            answer(None)
        elif query in (READ_AFTER, LAST_SEQS):
            answer(self._read(query, values))
        elif query == TIME:
            answer([{"now": self._clock()}])
        elif query == WORKERS:
            answer([{"number": number} for number in self._exclusive if number != SHARED])
        elif "pg_advisory_unlock_all" in query:
            self._unlock_all(connection)
            answer(None)
        elif "pg_advisory_unlock" in query:
            if self._exclusive.get(SHARED) is connection:
                del self._exclusive[SHARED]
            answer(None)
            self._grant()
        else:
            self._lock(statement)

    def _read(self, query: str, values: tuple[Any, ...]) -> list[dict[str, Any]] | Exception:
        """Reads logs, as `LogReader` asks for them."""
        try:
            database = self._disk.reading()
            if query == LAST_SEQS:
                return [
                    {"table_id": table, "last": database.execute(LAST, (table,)).fetchone()[0]}
                    for table in values[0]
                ]
            return [
                dict(zip(COLUMNS, row, strict=True))
                for table, seq in sorted(zip(*values, strict=True))
                for row in database.execute(AFTER, (table, seq)).fetchall()
            ]
        except sqlite3.Error as error:
            return ConnectionError(str(error))

    def _lock(self, statement: Statement) -> None:
        connection, query, values, answer = statement
        key = int(str(values[1])) if len(values) > 1 else SHARED
        shared = "_shared" in query
        if "pg_try_advisory_lock" in query:
            free = self._is_free(connection, key, shared=False)
            if free:
                self._exclusive[key] = connection
            answer(free)
        elif "pg_advisory_lock" in query:
            self._queue.append((connection, key, shared, answer))
            self._grant()
        else:
            raise NotImplementedError(
                f"expected a statement that the channel or the log's reader sends, got {query!r}"
            )

    def _is_free(self, connection: ServerConnection, key: int, *, shared: bool) -> bool:
        holder = self._exclusive.get(key)
        if holder not in (None, connection):
            return False
        if key == SHARED and not shared:
            return all(found is connection for found in self._shared)
        return True

    def _grant(self) -> None:
        waiting, self._queue = self._queue, []
        for item in waiting:
            connection, key, shared, answer = item
            if not self._is_free(connection, key, shared=shared):
                self._queue.append(item)
                continue
            if shared:
                self._shared[connection] = None
            else:
                self._exclusive[key] = connection
            answer(None)

    def _unlock_all(self, connection: ServerConnection) -> None:
        self._shared.pop(connection, None)
        for key in [key for key, found in self._exclusive.items() if found is connection]:
            del self._exclusive[key]
        self._grant()

    # --- notifications ---

    def _notify(self, text: str) -> None:
        for connection in self._connections:
            if connection.listener is None:
                continue
            copies = 1
            if self._rng.random() < self.trouble.get("lost", 0.0):
                self.world.counts["notifications lost"] += 1
                copies = 0
            elif self._rng.random() < self.trouble.get("doubled", 0.0):
                self.world.counts["notifications doubled"] += 1
                copies = 2
            for _ in range(copies):
                delay = self.draw_delay()
                if self._rng.random() < self.trouble.get("late", 0.0):
                    self.world.counts["notifications late"] += 1
                    delay += 3.0 * self._rng.random()
                self.world.after(delay, self._deliver, connection, text)

    def _deliver(self, connection: ServerConnection, text: str) -> None:
        if connection.open and connection.listener is not None:
            connection.loop.call_soon(connection.listener, connection, 0, "stampede", text)
