"""Groups into PostgreSQL, through SQLAlchemy and asyncpg."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.entries import Append, Listing
from stampede.store.errors import KeyTaken, SequenceTaken, StoreError, StoreFull
from stampede.store.schema import ENTRIES, LISTINGS, PLAYERS
from stampede.store.writer import Retryable

__all__ = ["PostgresSink"]

DISK_FULL = "53100"
COLUMNS = ("table_id", "seq", "key", "mark", "payload")


class PostgresSink:
    """Commits groups to PostgreSQL over the engine's connections."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction."""
        try:
            try:
                async with self._engine.begin() as connection:
                    await _write(connection, group)
                return [None] * len(group)
            except IntegrityError:
                async with self._engine.begin() as connection:
                    return [await _write_one(connection, append) for append in group]
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) == DISK_FULL:
                raise StoreFull("the disk is full: nothing was written") from error
            raise Retryable(str(error.orig)) from error
        except (OSError, TimeoutError) as error:
            raise Retryable(str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Nothing: the engine belongs to the store."""


async def _write(connection: AsyncConnection, group: Sequence[Append]) -> None:
    rows = [dict(zip(COLUMNS, row, strict=True)) for append in group for row in append.rows()]
    await connection.execute(insert(ENTRIES), rows)
    for append in group:
        if append.listing is not None:
            await _list(connection, append.listing)


async def _write_one(connection: AsyncConnection, append: Append) -> StoreError | None:
    try:
        async with connection.begin_nested():
            await _write(connection, [append])
    except IntegrityError:
        return await _refusal(connection, append)
    return None


async def _refusal(connection: AsyncConnection, append: Append) -> StoreError | None:
    """Why an append is refused; None when it's there already, written by a commit that was cut off."""
    query = select(ENTRIES.c.mark).where(
        ENTRIES.c.table_id == append.table_id, ENTRIES.c.seq == append.first
    )
    mark = (await connection.execute(query)).scalar_one_or_none()
    if mark is None:
        return KeyTaken(f"{append.table_id}: expected a new key, got {append.key!r}")
    if mark == append.mark:
        return None
    return SequenceTaken(f"{append.table_id}: entry {append.first} was written by another")


async def _list(connection: AsyncConnection, item: Listing) -> None:
    row = {
        "game": item.game,
        "status": item.status,
        "public": item.public,
        "updated": item.updated,
        "summary": item.summary,
    }
    insertion = upsert(LISTINGS).values(table_id=item.table_id, **row)
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=[LISTINGS.c.table_id], set_=row)
    )
    await connection.execute(delete(PLAYERS).where(PLAYERS.c.table_id == item.table_id))
    if item.guests:
        seats = [{"guest": guest, "table_id": item.table_id} for guest in item.guests]
        await connection.execute(upsert(PLAYERS).on_conflict_do_nothing(), seats)
