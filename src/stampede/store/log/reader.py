"""Reads on in many logs at once, for workers that follow each other: one statement, over a connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import FAILURES, Direct, connected
from stampede.store.errors import StoreUnavailable
from stampede.store.log.entries import Entry

__all__ = ["LogReader"]

READ_ON: Final = """SELECT entries.table_id, entries.seq, entries.payload
FROM unnest($1::text[], $2::int[]) AS asked (table_id, seq)
JOIN entries ON entries.table_id = asked.table_id AND entries.seq > asked.seq
ORDER BY entries.table_id, entries.seq"""
ENDS: Final = """SELECT asked.table_id,
(SELECT max(seq) FROM entries WHERE entries.table_id = asked.table_id) AS last
FROM unnest($1::text[]) AS asked (table_id)"""


class LogReader:
    """Reads logs of PostgreSQL."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._open: Direct | None = None

    async def read_on(self, after: Mapping[str, int]) -> dict[str, list[Entry]]:
        """By table: the entries behind a number, in order; tables without any are left out."""
        rows = await self._fetch(READ_ON, list(after), list(after.values()))
        found: dict[str, list[Entry]] = {}
        for row in rows:
            entry = Entry(row["seq"], row["payload"])
            found.setdefault(row["table_id"], []).append(entry)
        return found

    async def ends(self, table_ids: Sequence[str]) -> dict[str, int]:
        """The numbers of the tables' last entries: one look at the end of the index for each."""
        rows = await self._fetch(ENDS, list(table_ids))
        return {row["table_id"]: row["last"] for row in rows if row["last"] is not None}

    async def close(self) -> None:
        """Lets go of the connection."""
        if self._open is not None:
            self._open.terminate()

    async def _fetch(self, query: str, *values: object) -> Sequence[Mapping[str, Any]]:
        async with self._lock:  # a connection does one thing at a time
            try:
                if self._open is None or self._open.is_closed():
                    self._open = await connected(self._engine)
                return await self._open.fetch(query, *values)
            except FAILURES as error:
                if self._open is not None:
                    self._open.terminate()
                cause = str(error) or type(error).__name__
                text = f"expected an answer of the database, got: {cause}"
                raise StoreUnavailable(text) from error
