"""The log in PostgreSQL: a group is one statement, and one round trip when no listing changes.

Several processes may write to one database. Rows are inserted in sorted order, so that two groups never deadlock, and
an existing row stays as it is: one writer wins an entry of a table, and the others get SequenceTaken.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import (
    CONNECTION_ERRORS,
    AsyncpgConnection,
    ReconnectingConnection,
    connect,
)
from stampede.store.errors import SequenceTaken, StoreError, StoreFull
from stampede.store.log.entries import Append, Listing
from stampede.store.log.group_commit import Retryable

__all__ = ["PostgresLog"]

DISK_FULL: Final = "53100"

INSERT: Final = """INSERT INTO entries (table_id, seq, mark, payload, chain)
SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[])
ON CONFLICT DO NOTHING RETURNING table_id, seq, mark"""
SELECT_MARKS: Final = """SELECT entries.table_id, entries.seq, entries.mark FROM entries
JOIN unnest($1::text[], $2::int[]) AS asked (table_id, seq) USING (table_id, seq)"""
DELETE_MARKED: Final = "DELETE FROM entries WHERE table_id = $1 AND mark = $2"
UPSERT_LISTING: Final = """INSERT INTO listings
(table_id, game, status, public, updated, summary, contested) SELECT * FROM unnest(
$1::text[], $2::text[], $3::text[], $4::bool[], $5::bigint[], $6::text[], $7::bool[])
ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, status = excluded.status,
public = excluded.public, updated = excluded.updated, summary = excluded.summary,
contested = excluded.contested"""
DELETE_PLAYERS: Final = "DELETE FROM players WHERE table_id = ANY($1::text[])"
INSERT_PLAYERS: Final = """INSERT INTO players (guest, table_id) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT DO NOTHING"""

QUEUE_RATING: Final = """INSERT INTO rating_queue (table_id, seq)
SELECT * FROM unnest($1::text[], $2::int[]) ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq"""


class PostgresLog:
    """Commits groups to PostgreSQL over a dedicated connection.

    Args:
        engine: The engine of the database.
        connect: Opens a connection to it.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        connect: Callable[[AsyncEngine], Awaitable[AsyncpgConnection]] = connect,
    ) -> None:
        self._connection = ReconnectingConnection(engine, connect)

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction."""
        try:
            return await _write(await self._connection.get(), group)
        except CONNECTION_ERRORS as error:
            self._connection.drop()
            if getattr(error, "sqlstate", None) == DISK_FULL:
                raise StoreFull("the disk is full: nothing was written") from error
            raise Retryable(str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Closes the connection."""
        self._connection.drop()


async def _write(database: AsyncpgConnection, group: Sequence[Append]) -> list[StoreError | None]:
    ordered = sorted(group, key=lambda append: (append.table_id, append.first))
    if all(append.listing is None and len(append.payloads) == 1 for append in group):
        won = await _insert(database, ordered)
    else:
        async with database.transaction():
            won = await _insert(database, ordered)
            listings = [append.listing for append in ordered if append.mark in won]
            await _upsert_listings(
                database, [listing for listing in listings if listing is not None]
            )
    lost = [append for append in group if append.mark not in won]
    refusals = await _refusals(database, lost) if lost else {}
    return [refusals.get(append.mark) for append in group]


async def _insert(database: AsyncpgConnection, ordered: Sequence[Append]) -> set[str]:
    """Inserts the rows; returns the marks of the appends that were inserted completely."""
    columns = zip(*(row for append in ordered for row in append.rows()), strict=True)
    found = await database.fetch(INSERT, *(list(column) for column in columns))
    rows = {(row["table_id"], row["seq"], row["mark"]) for row in found}
    won: set[str] = set()
    for append in ordered:
        wanted = [(table, seq, mark) for table, seq, mark, *_ in append.rows()]
        if rows.issuperset(wanted):
            won.add(append.mark)
        elif not rows.isdisjoint(wanted):
            await database.execute(DELETE_MARKED, append.table_id, append.mark)
    return won


async def _refusals(
    database: AsyncpgConnection, lost: Sequence[Append]
) -> dict[str, StoreError | None]:
    """Returns why appends are refused, by mark; None for one that an interrupted commit has written already."""
    found = await database.fetch(
        SELECT_MARKS, [append.table_id for append in lost], [append.first for append in lost]
    )
    marks = {(row["table_id"], row["seq"]): row["mark"] for row in found}
    return {
        append.mark: _refusal(append, marks.get((append.table_id, append.first))) for append in lost
    }


def _refusal(append: Append, mark: str | None) -> StoreError | None:
    if mark == append.mark:
        return None
    return SequenceTaken(f"{append.table_id}: entry {append.first} was written by another writer")


async def _upsert_listings(database: AsyncpgConnection, listings: Sequence[Listing]) -> None:
    latest = {item.table_id: item for item in listings}  # the group is sorted: the last one wins
    if not latest:
        return
    items = list(latest.values())
    await database.execute(
        UPSERT_LISTING,
        list(latest),
        [item.game for item in items],
        [item.status for item in items],
        [item.public for item in items],
        [item.updated for item in items],
        [item.summary for item in items],
        [item.contested for item in items],
    )
    seated = {item.table_id: item.guests for item in listings if item.guests is not None}
    if seated:
        await database.execute(DELETE_PLAYERS, list(seated))
    seats = [(guest, table_id) for table_id, guests in seated.items() for guest in guests]
    if seats:
        await database.execute(
            INSERT_PLAYERS, [seat[0] for seat in seats], [seat[1] for seat in seats]
        )
    ended = {item.table_id: item.ended for item in listings if item.ended}
    if ended:
        await database.execute(QUEUE_RATING, list(ended), list(ended.values()))
