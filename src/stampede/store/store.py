"""The store: every table's durable log, the listings derived from it, imported records, and server values."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Self

from sqlalchemy import Select, func, insert, select, true, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.backends import STANDARD, Backends
from stampede.store.engine import (
    close_engine,
    database_url,
    expect_schema,
    make_reading_engine,
    migrate,
)
from stampede.store.errors import StoreError, StoreUnavailable
from stampede.store.files.lock import ServerLock
from stampede.store.files.side_files import side_files
from stampede.store.log.chain import verify_chain
from stampede.store.log.entries import Append, Listing, LogEntry
from stampede.store.log.group_commit import GroupWriter, OnDurable
from stampede.store.log.reader import LogReader
from stampede.store.schema import ENTRIES, IMPORTED, LISTINGS, PLAYERS, VALUES
from stampede.store.transactions import DATABASE_ERRORS, begin_read, begin_write, to_store_error

__all__ = ["Store"]

log = logging.getLogger("stampede.store")

PROBE_SIZE = 64 * 1024
PAGE = 200
"""How many ids of tables one query reads."""


class NoLog:
    """The log of a store that is open for reading."""

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Refuses a group."""
        raise StoreUnavailable(f"expected a store for writing, got {len(group)} appends to a log")

    async def close(self) -> None:
        """There is nothing to close."""


class Store:
    """The log and what is derived from it. Open it with `Store.open`, inside a running event loop.

    Attributes:
        engine: The engine of the other stores, which share the database.
        writer: The only writer of the log.
        backends: How the database is reached.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        writer: GroupWriter,
        backends: Backends = STANDARD,
        lock: ServerLock | None = None,
    ) -> None:
        self.engine = engine
        self.writer = writer
        self.backends = backends
        self._lock = lock
        self._reader = LogReader(engine, backends.connect) if self.shared else None

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        timeout: float = 10.0,
        busy: float = 1.0,
        capacity: int = 4096,
        backends: Backends = STANDARD,
        exclusive: bool = False,
    ) -> Self:
        """Opens a database and migrates its schema.

        Args:
            address: ``sqlite:///PATH`` or ``postgresql://…``.
            timeout: Seconds for which a write is retried while the database is busy or unreachable.
            busy: Seconds for which SQLite itself waits for a lock.
            capacity: How many appends may wait.
            backends: How the database is reached.
            exclusive: Whether to keep other servers out of a SQLite file.

        Raises:
            InputError: Another server uses the file.
            StoreError: The database can't be opened, lacks what its mark says, or has a newer schema.
        """
        url = database_url(address)
        engine = backends.make_engine(url)
        side = engine.get_execution_options().get("side_files")
        lock = backends.make_lock(side.path) if exclusive and side is not None else None
        try:
            if side is not None:
                await asyncio.to_thread(side.open)
            await migrate(engine)
        except BaseException as error:
            await close_engine(engine)
            if lock is not None:
                lock.release()
            if isinstance(error, DATABASE_ERRORS):
                raise to_store_error(error, "a database that can be opened") from error
            raise
        writer = GroupWriter(
            backends.make_log(url, engine, busy), timeout=timeout, capacity=capacity
        )
        return cls(engine, writer, backends, lock)

    @classmethod
    async def open_for_reading(cls, address: str) -> Self:
        """Opens an existing database as it is: nothing is made, migrated or written.

        Raises:
            UnknownSchema: It has another schema than this version.
            StoreError: It can't be read.
        """
        engine = make_reading_engine(database_url(address))
        try:
            async with begin_read(engine) as connection:
                await connection.run_sync(expect_schema)
        except BaseException:
            await close_engine(engine)
            raise
        return cls(engine, GroupWriter(NoLog()))

    async def close(self) -> None:
        """Writes what is queued and closes the database."""
        await close_engine(self.engine, self._close_connections)
        if self._lock is not None:
            self._lock.release()

    async def _close_connections(self) -> None:
        await self.writer.close()
        if self._reader is not None:
            await self._reader.close()

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same log, which PostgreSQL allows."""
        if self.backends.shared is not None:
            return self.backends.shared
        return self.engine.dialect.name == "postgresql"

    async def probe(self) -> None:
        """Returns when the database has stored something; raises StoreError when it can't.

        After a failed append it stores as much as a group of appends: a full disk may still take a few bytes.
        """
        size = 1 if self.writer.failure is None else PROBE_SIZE
        await self.set_value("probe", "x" * size)

    async def note_present(self) -> None:
        """Makes the mark of a SQLite file say what it holds, after entries were written past the writer."""
        if (side := side_files(self.engine)) is not None:
            await asyncio.to_thread(side.note_present)

    # --- the log ---

    async def append(self, append: Append) -> None:
        """Returns when the entries are durable; raises StoreError when they aren't."""
        await self.writer.append(append)

    def put(self, append: Append, on_durable: OnDurable) -> None:
        """Queues an append and returns; calls back later with None when it is durable, or with the error.

        Raises:
            StoreError: The queue is full, or the store is closed.
        """
        self.writer.put(append, on_durable)

    async def read(
        self, table_id: str, after: int = 0, *, unchecked: bool = False
    ) -> list[LogEntry]:
        """Returns a table's entries after a sequence number, in order.

        A whole log is verified, unless it is read unchecked. A caller who reads on in one holds its last chain value,
        and calls `verify_chain`.

        Raises:
            LogDamaged: The log isn't what was written.
        """
        columns = (ENTRIES.c.seq, ENTRIES.c.payload, ENTRIES.c.mark, ENTRIES.c.chain)
        query = (
            select(*columns)
            .where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq > after)
            .order_by(ENTRIES.c.seq)
        )
        entries = [
            LogEntry(row.seq, row.payload, row.mark, row.chain) for row in await self._rows(query)
        ]
        if not after and not unchecked:
            verify_chain(table_id, entries)
        return entries

    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[LogEntry]]:
        """Returns the entries after a sequence number, by table; tables without new entries are left out."""
        if self._reader is not None:
            return await self._reader.read_many(after)
        found = {table_id: await self.read(table_id, seq) for table_id, seq in after.items()}
        return {table_id: entries for table_id, entries in found.items() if entries}

    async def last_seqs(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Returns the sequence numbers of the tables' last entries; tables without a log are left out."""
        if self._reader is not None:
            return await self._reader.last_seqs(table_ids)
        logs = await self.read_many(dict.fromkeys(table_ids, 0))
        return {table_id: entries[-1].seq for table_id, entries in logs.items()}

    async def table_ids(self) -> AsyncIterator[str]:
        """Yields the ids of all tables that have a log, sorted."""
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
        """Returns tables by status, the latest change first."""
        query = select(LISTINGS).where(LISTINGS.c.status.in_(status))
        if public is not None:
            query = query.where(LISTINGS.c.public == public)
        if game is not None:
            query = query.where(LISTINGS.c.game == game)
        query = query.order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id).limit(limit)
        return [_listing(row) for row in await self._rows(query)]

    async def ids_by_status(self, status: str, limit: int) -> list[str]:
        """Returns the ids of tables by status, the latest change first."""
        query = (
            select(LISTINGS.c.table_id)
            .where(LISTINGS.c.status == status)
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        return [str(row.table_id) for row in await self._rows(query)]

    async def contested(self, game: str) -> dict[str, int]:
        """Returns the last sequence numbers of the tables where people play a game against each other now."""
        last = (
            select(func.max(ENTRIES.c.seq))
            .where(ENTRIES.c.table_id == LISTINGS.c.table_id)
            .scalar_subquery()
        )
        query = (
            select(LISTINGS.c.table_id, last.label("seq"))
            .where(LISTINGS.c.contested == true(), LISTINGS.c.game == game)
            .order_by(LISTINGS.c.table_id)
        )
        return {str(row.table_id): int(row.seq or 0) for row in await self._rows(query)}

    async def listings_of(self, guest: str, limit: int = 100) -> list[Listing]:
        """Returns the tables at which a guest sits, the latest change first."""
        query = (
            select(LISTINGS)
            .join(PLAYERS, PLAYERS.c.table_id == LISTINGS.c.table_id)
            .where(PLAYERS.c.guest == guest)
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        return [_listing(row) for row in await self._rows(query)]

    async def count_unfinished(self, guest: str, but: str = "", since: int = 0) -> int:
        """Returns at how many open or running tables a guest sits or is the host.

        Args:
            guest: The guest.
            but: A table that isn't counted.
            since: Tables that have last changed before this time aren't counted.
        """
        query = (
            select(func.count())
            .select_from(PLAYERS)
            .join(LISTINGS, PLAYERS.c.table_id == LISTINGS.c.table_id)
            .where(
                PLAYERS.c.guest == guest,
                PLAYERS.c.table_id != but,
                LISTINGS.c.status.in_(("open", "running")),
                LISTINGS.c.updated >= since,
            )
        )
        (found,) = await self._rows(query)
        return int(found[0])

    # --- imported records and values ---

    async def import_record(self, record_id: str, game: str, record: str) -> bool:
        """Stores a record from elsewhere; returns False if it is stored already."""
        row = {"record_id": record_id, "game": game, "record": record}
        try:
            async with begin_write(self.engine) as connection:
                await connection.execute(insert(IMPORTED), row)
        except IntegrityError:
            return False
        return True

    async def find_imported(self, record_id: str) -> str | None:
        """Returns an imported record; None if there is none of that id."""
        query = select(IMPORTED.c.record).where(IMPORTED.c.record_id == record_id)
        found = await self._rows(query)
        return str(found[0].record) if found else None

    async def imported_ids(self) -> list[str]:
        """Returns the ids of all imported records."""
        query = select(IMPORTED.c.record_id).order_by(IMPORTED.c.record_id)
        return [str(row.record_id) for row in await self._rows(query)]

    async def value(self, name: str, default: str) -> str:
        """Returns a value of the server; stores and returns the default if there is none."""
        query = select(VALUES.c.value).where(VALUES.c.name == name)
        found = await self._rows(query)
        if not found:
            try:
                async with begin_write(self.engine) as connection:
                    await connection.execute(insert(VALUES), {"name": name, "value": default})
            except IntegrityError:  # another process was first
                pass
            found = await self._rows(query)
        return str(found[0].value)

    async def set_value(self, name: str, value: str) -> None:
        """Stores a value of the server, in place of the old one."""
        statement = update(VALUES).where(VALUES.c.name == name).values(value=value)
        async with begin_write(self.engine) as connection:
            found = await connection.execute(statement)
            if not found.rowcount:
                await connection.execute(insert(VALUES), {"name": name, "value": value})

    async def time(self) -> int | None:
        """Returns the time of a database that several hosts share, in milliseconds; None for a file of our own."""
        return None if self._reader is None else await self._reader.time()

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async with begin_read(self.engine) as connection:
            rows: Sequence[Row[Any]] = (await connection.execute(query)).all()
            return rows


def _listing(row: Row[Any]) -> Listing:
    return Listing(row.table_id, row.game, row.status, row.public, row.updated, row.summary)
