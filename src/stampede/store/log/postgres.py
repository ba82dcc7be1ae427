"""Groups into PostgreSQL: a whole group is one statement, and one round trip when no listing changes.

Several processes may write to one database. Rows go in sorted, so that two groups never wait for each other in a
circle, and a row that is there already stays as it is: one writer gets an entry of a table, and the others are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import FAILURES, Direct, connected
from stampede.store.errors import SequenceTaken, StoreError, StoreFull
from stampede.store.log.entries import Append, Listing
from stampede.store.log.group_commit import Retryable

__all__ = ["PostgresSink"]

DISK_FULL: Final = "53100"

INSERT: Final = """INSERT INTO entries (table_id, seq, mark, payload)
SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[])
ON CONFLICT DO NOTHING RETURNING table_id, seq, mark"""
MARKS: Final = """SELECT entries.table_id, entries.seq, entries.mark FROM entries
JOIN unnest($1::text[], $2::int[]) AS asked (table_id, seq) USING (table_id, seq)"""
FORGET: Final = "DELETE FROM entries WHERE table_id = $1 AND mark = $2"
LIST: Final = """INSERT INTO listings (table_id, game, status, public, updated, summary)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[], $5::bigint[], $6::text[])
ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, status = excluded.status,
public = excluded.public, updated = excluded.updated, summary = excluded.summary"""
UNSEAT: Final = "DELETE FROM players WHERE table_id = ANY($1::text[])"
SEAT: Final = """INSERT INTO players (guest, table_id) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT DO NOTHING"""

QUEUE: Final = """INSERT INTO rating_queue (table_id, seq)
SELECT * FROM unnest($1::text[], $2::int[]) ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq"""


class PostgresSink:
    """Commits groups to PostgreSQL over a connection of its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._open: Direct | None = None

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction."""
        try:
            if self._open is None or self._open.is_closed():
                self._open = await connected(self._engine)
            return await _write(self._open, group)
        except FAILURES as error:
            self._disconnect()
            if getattr(error, "sqlstate", None) == DISK_FULL:
                raise StoreFull("the disk is full: nothing was written") from error
            raise Retryable(str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Lets go of the connection."""
        self._disconnect()

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.terminate()
            self._open = None


async def _write(database: Direct, group: Sequence[Append]) -> list[StoreError | None]:
    ordered = sorted(group, key=lambda append: (append.table_id, append.first))
    if all(append.listing is None and len(append.payloads) == 1 for append in group):
        won = await _insert(database, ordered)
    else:
        async with database.transaction():
            won = await _insert(database, ordered)
            listings = [append.listing for append in ordered if append.mark in won]
            await _list(database, [listing for listing in listings if listing is not None])
    lost = [append for append in group if append.mark not in won]
    refusals = await _refusals(database, lost) if lost else {}
    return [refusals.get(append.mark) for append in group]


async def _insert(database: Direct, ordered: Sequence[Append]) -> set[str]:
    """Writes the rows; returns the marks of the appends that are in, each as a whole."""
    columns = zip(*(row for append in ordered for row in append.rows()), strict=True)
    found = await database.fetch(INSERT, *(list(column) for column in columns))
    rows = {(row["table_id"], row["seq"], row["mark"]) for row in found}
    won: set[str] = set()
    for append in ordered:
        wanted = [(table, seq, mark) for table, seq, mark, _ in append.rows()]
        if rows.issuperset(wanted):
            won.add(append.mark)
        elif not rows.isdisjoint(wanted):
            await database.execute(FORGET, append.table_id, append.mark)
    return won


async def _refusals(database: Direct, lost: Sequence[Append]) -> dict[str, StoreError | None]:
    """Why appends are refused; None for one that's there already, written by a commit that was cut off."""
    found = await database.fetch(
        MARKS, [append.table_id for append in lost], [append.first for append in lost]
    )
    marks = {(row["table_id"], row["seq"]): row["mark"] for row in found}
    return {
        append.mark: _refusal(append, marks.get((append.table_id, append.first))) for append in lost
    }


def _refusal(append: Append, mark: str | None) -> StoreError | None:
    if mark == append.mark:
        return None
    return SequenceTaken(f"{append.table_id}: entry {append.first} was written by another")


async def _list(database: Direct, listings: Sequence[Listing]) -> None:
    latest = {
        item.table_id: item for item in listings
    }  # the group is in order: the last one counts
    if not latest:
        return
    items = list(latest.values())
    await database.execute(
        LIST,
        list(latest),
        [item.game for item in items],
        [item.status for item in items],
        [item.public for item in items],
        [item.updated for item in items],
        [item.summary for item in items],
    )
    seated = {item.table_id: item.guests for item in listings if item.guests is not None}
    if seated:
        await database.execute(UNSEAT, list(seated))
    seats = [(guest, table_id) for table_id, guests in seated.items() for guest in guests]
    if seats:
        await database.execute(SEAT, [seat[0] for seat in seats], [seat[1] for seat in seats])
    ended = {item.table_id: item.ended for item in listings if item.ended}
    if ended:
        await database.execute(QUEUE, list(ended), list(ended.values()))
