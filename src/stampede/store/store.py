"""The store: the log of every table, durable, and what is derived from it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self

from sqlalchemy import Select, func, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.asyncpg_connection import FAILURES, PATIENCE
from stampede.store.engine import database_url, make_engine, migrate, sqlite_path
from stampede.store.errors import StoreUnavailable
from stampede.store.log.entries import Append, Entry, Listing
from stampede.store.log.group_commit import Done, GroupWriter, Sink
from stampede.store.log.postgres import PostgresSink
from stampede.store.log.reader import LogReader
from stampede.store.log.sqlite import SqliteSink
from stampede.store.schema import ENTRIES, IMPORTED, LISTINGS, PLAYERS, VALUES

__all__ = ["Store"]

log = logging.getLogger("stampede.store")

PAGE = 200
"""How many tables are read at a time when all are gone through."""


class Store:
    """Keeps tables. Open it with `Store.open`, inside a running event loop.

    Attributes:
        engine: For reading and for whole-database work; the log is written by `append` only.
    """

    def __init__(self, engine: AsyncEngine, writer: GroupWriter) -> None:
        self.engine = engine
        self.writer = writer
        self._reader = LogReader(engine) if self.shared else None

    @classmethod
    async def open(
        cls, address: str, *, patience: float = 10.0, busy: float = 1.0, capacity: int = 4096
    ) -> Self:
        """Opens the database at an address, and brings its schema up to date.

        Args:
            address: ``sqlite:///PATH`` or ``postgresql://…``.
            patience: For how many seconds a write is tried again while the database is busy or away.
            busy: For how many seconds SQLite itself waits for a lock.
            capacity: How many appends may wait.
        """
        url = database_url(address)
        engine = make_engine(url)
        try:
            await migrate(engine)
        except (DBAPIError, *FAILURES) as error:
            await engine.dispose()
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise StoreUnavailable(
                f"expected a database that can be opened, got: {cause}"
            ) from error
        path = sqlite_path(url)
        sink: Sink = PostgresSink(engine) if path is None else SqliteSink(path, busy=busy)
        return cls(engine, GroupWriter(sink, patience=patience, capacity=capacity))

    async def close(self) -> None:
        """Writes what waits, and closes the database."""
        await self.writer.close()
        if self._reader is not None:
            await self._reader.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self.engine.dispose()
        except TimeoutError:  # connections say goodbye, and wait for an answer
            log.warning("the database doesn't let us go: its connections are cut")

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same log: PostgreSQL."""
        return self.engine.dialect.name == "postgresql"

    async def ping(self) -> None:
        """Returns when the database answers; StoreUnavailable when it doesn't."""
        await self._rows(select(1))

    # --- the log ---

    async def append(self, append: Append) -> None:
        """Returns when the entries are durable; StoreError when they aren't."""
        await self.writer.append(append)

    def put(self, append: Append, done: Done) -> None:
        """Does the same without waiting: `done` is told later that the entries are durable (None), or why they aren't.

        Raises:
            StoreError: Too many wait already, or the store is closed.
        """
        self.writer.put(append, done)

    async def read(self, table_id: str, after: int = 0) -> list[Entry]:
        """A table's entries behind a number, in order; empty when there are none."""
        query = (
            select(ENTRIES.c.seq, ENTRIES.c.payload)
            .where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq > after)
            .order_by(ENTRIES.c.seq)
        )
        return [Entry(row.seq, row.payload) for row in await self._rows(query)]

    async def read_on(self, after: Mapping[str, int]) -> dict[str, list[Entry]]:
        """The entries behind a number, of many tables; those without any are left out."""
        if self._reader is not None:
            return await self._reader.read_on(after)
        found = {table_id: await self.read(table_id, seq) for table_id, seq in after.items()}
        return {table_id: entries for table_id, entries in found.items() if entries}

    async def heads(self, table_ids: Sequence[str]) -> dict[str, int]:
        """The last entries' numbers of these tables, as far as there are any."""
        if self._reader is not None:
            return await self._reader.ends(table_ids)
        logs = await self.read_on(dict.fromkeys(table_ids, 0))
        return {table_id: entries[-1].seq for table_id, entries in logs.items()}

    async def table_ids(self) -> AsyncIterator[str]:
        """Every table that has a log, in the order of their ids."""
        last = ""
        while True:
            query = (
                select(ENTRIES.c.table_id)
                .where(ENTRIES.c.seq == 1, ENTRIES.c.table_id > last)
                .order_by(ENTRIES.c.table_id)
                .limit(PAGE)
            )
            found = [row.table_id for row in await self._rows(query)]
            if not found:
                return
            for table_id in found:
                yield table_id
            last = found[-1]

    # --- listings ---

    async def listings(
        self,
        status: Sequence[str],
        *,
        public: bool | None = None,
        game: str | None = None,
        limit: int = 100,
    ) -> list[Listing]:
        """Tables of these states, the latest first."""
        query = select(LISTINGS).where(LISTINGS.c.status.in_(status))
        if public is not None:
            query = query.where(LISTINGS.c.public == public)
        if game is not None:
            query = query.where(LISTINGS.c.game == game)
        query = query.order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id).limit(limit)
        return [_listing(row) for row in await self._rows(query)]

    async def ids_of(self, status: str, limit: int) -> list[str]:
        """The ids of the tables of a state, the latest first."""
        query = (
            select(LISTINGS.c.table_id)
            .where(LISTINGS.c.status == status)
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        return [str(row.table_id) for row in await self._rows(query)]

    async def listings_of(self, guest: str, limit: int = 100) -> list[Listing]:
        """The tables at which a guest sits, the latest first."""
        query = (
            select(LISTINGS)
            .join(PLAYERS, PLAYERS.c.table_id == LISTINGS.c.table_id)
            .where(PLAYERS.c.guest == guest)
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        return [_listing(row) for row in await self._rows(query)]

    async def count(self, status: str) -> int:
        """How many tables have this state."""
        query = select(func.count()).where(LISTINGS.c.status == status)
        return int((await self._rows(query))[0][0])

    # --- imported records and values ---

    async def import_record(self, record_id: str, game: str, record: str) -> bool:
        """Keeps a record that was made elsewhere; False when it is there already."""
        row = {"record_id": record_id, "game": game, "record": record}
        try:
            async with self._connection(writes=True) as connection:
                await connection.execute(insert(IMPORTED), row)
                await connection.commit()
        except IntegrityError:
            return False
        return True

    async def imported(self, record_id: str) -> str | None:
        """The record of that id, brought in from elsewhere."""
        query = select(IMPORTED.c.record).where(IMPORTED.c.record_id == record_id)
        found = await self._rows(query)
        return str(found[0].record) if found else None

    async def imported_ids(self) -> list[str]:
        """The ids of all records that were brought in."""
        query = select(IMPORTED.c.record_id).order_by(IMPORTED.c.record_id)
        return [str(row.record_id) for row in await self._rows(query)]

    async def value(self, name: str, fresh: str) -> str:
        """A value that the server keeps for itself; ``fresh`` is kept when there is none yet."""
        query = select(VALUES.c.value).where(VALUES.c.name == name)
        found = await self._rows(query)
        if not found:
            try:
                async with self._connection(writes=True) as connection:
                    await connection.execute(insert(VALUES), {"name": name, "value": fresh})
                    await connection.commit()
            except IntegrityError:  # another process was first
                pass
            found = await self._rows(query)
        return str(found[0].value)

    async def set_value(self, name: str, value: str) -> None:
        """Keeps a value in place of the old one."""
        statement = update(VALUES).where(VALUES.c.name == name).values(value=value)
        async with self._connection(writes=True) as connection:
            found = await connection.execute(statement)
            if not found.rowcount:
                await connection.execute(insert(VALUES), {"name": name, "value": value})
            await connection.commit()

    # --- helpers ---

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async with self._connection() as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(query)).all()
            return rows

    @asynccontextmanager
    async def _connection(self, *, writes: bool = False) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.execution_options(writes=writes).connect() as connection:
                yield connection
        except IntegrityError:
            raise
        except (DBAPIError, *FAILURES) as error:
            # Never the statement's text and values: they can hold secrets.
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise StoreUnavailable(f"expected an answer of the database, got: {cause}") from error


def _listing(row: Row[Any]) -> Listing:
    return Listing(row.table_id, row.game, row.status, row.public, row.updated, row.summary)
