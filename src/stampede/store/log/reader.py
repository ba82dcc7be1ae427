"""Reads new entries of many logs with one statement, for workers that follow each other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import (
    CONNECTION_ERRORS,
    AsyncpgConnection,
    ReconnectingConnection,
    connect,
)
from stampede.store.errors import StoreUnavailable
from stampede.store.log.entries import LogEntry

__all__ = ["LogReader"]

READ_AFTER: Final = """SELECT entries.table_id, entries.seq, entries.payload, entries.mark, entries.chain
FROM unnest($1::text[], $2::int[]) AS asked (table_id, seq)
JOIN entries ON entries.table_id = asked.table_id AND entries.seq > asked.seq
ORDER BY entries.table_id, entries.seq"""
LAST_SEQS: Final = """SELECT asked.table_id,
(SELECT max(seq) FROM entries WHERE entries.table_id = asked.table_id) AS last
FROM unnest($1::text[]) AS asked (table_id)"""

TIME: Final = "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now"


class LogReader:
    """Reads logs from PostgreSQL over a dedicated connection."""

    def __init__(
        self,
        engine: AsyncEngine,
        connect: Callable[[AsyncEngine], Awaitable[AsyncpgConnection]] = connect,
    ) -> None:
        self._connection = ReconnectingConnection(engine, connect)
        self._lock = asyncio.Lock()

    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[LogEntry]]:
        """Returns the entries after a sequence number, by table; tables without new entries are left out."""
        rows = await self._fetch(READ_AFTER, list(after), list(after.values()))
        found: dict[str, list[LogEntry]] = {}
        for row in rows:
            entry = LogEntry(row["seq"], row["payload"], row["mark"], row["chain"])
            found.setdefault(row["table_id"], []).append(entry)
        return found

    async def last_seqs(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Returns the sequence numbers of the tables' last entries: one index lookup for each."""
        rows = await self._fetch(LAST_SEQS, list(table_ids))
        return {row["table_id"]: row["last"] for row in rows if row["last"] is not None}

    async def time(self) -> int:
        """Returns the database's time in milliseconds."""
        (row,) = await self._fetch(TIME)
        return int(row["now"])

    async def close(self) -> None:
        """Closes the connection."""
        self._connection.drop()

    async def _fetch(self, query: str, *values: object) -> Sequence[Mapping[str, Any]]:
        async with self._lock:  # a connection runs one statement at a time
            try:
                return await (await self._connection.get()).fetch(query, *values)
            except CONNECTION_ERRORS as error:
                self._connection.drop()
                cause = str(error) or type(error).__name__
                text = f"expected an answer of the database, got: {cause}"
                raise StoreUnavailable(text) from error
