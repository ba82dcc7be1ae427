"""A person's own tables: those at which they sit, or have sat as an account, without those that they removed."""

from __future__ import annotations

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.log.entries import Listing
from stampede.store.schema import ACCOUNT_TABLES, HIDDEN, LISTINGS, PLAYERS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["MyTables"]


class MyTables:
    """Lists of own tables in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def listed(self, guest: str, limit: int, before: int) -> list[Listing]:
        """Returns a guest's or an account's tables that last changed before a time, the latest first."""
        sits = select(PLAYERS.c.table_id).where(PLAYERS.c.guest == guest)
        sat = select(ACCOUNT_TABLES.c.table_id).where(ACCOUNT_TABLES.c.account_id == guest)
        hidden = select(HIDDEN.c.table_id).where(HIDDEN.c.guest == guest)
        query = (
            select(LISTINGS)
            .where(
                or_(LISTINGS.c.table_id.in_(sits), LISTINGS.c.table_id.in_(sat)),
                LISTINGS.c.table_id.not_in(hidden),
                LISTINGS.c.updated < before,
            )
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        async with begin_read(self._engine) as connection:
            return [
                Listing(row.table_id, row.game, row.status, row.public, row.updated, row.summary)
                for row in await connection.execute(query)
            ]

    async def status(self, guest: str, table_id: str) -> str | None:
        """Returns the status of an own table, removed or not; None if it isn't one."""
        sits = select(PLAYERS.c.guest).where(
            PLAYERS.c.guest == guest, PLAYERS.c.table_id == table_id
        )
        sat = select(ACCOUNT_TABLES.c.account_id).where(
            ACCOUNT_TABLES.c.account_id == guest, ACCOUNT_TABLES.c.table_id == table_id
        )
        query = select(LISTINGS.c.status).where(
            LISTINGS.c.table_id == table_id, or_(sits.exists(), sat.exists())
        )
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else str(row.status)

    async def hide(self, guest: str, table_id: str, now: int) -> None:
        """Removes a table from a guest's or an account's list. Idempotent."""
        row = {"guest": guest, "table_id": table_id, "at": now}
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(HIDDEN), row)
        except IntegrityError:
            return

    async def carry_over(self, guest: str, account_id: str) -> None:
        """Lets what a guest has removed stay removed for the account that they have signed in to."""
        hidden = select(HIDDEN).where(HIDDEN.c.guest == guest)
        known = select(HIDDEN.c.table_id).where(HIDDEN.c.guest == account_id)
        async with begin_write(self._engine) as connection:
            there = {row.table_id for row in await connection.execute(known)}
            rows = [
                {"guest": account_id, "table_id": row.table_id, "at": row.at}
                for row in await connection.execute(hidden)
                if row.table_id not in there
            ]
            if rows:
                await connection.execute(insert(HIDDEN), rows)
            await connection.execute(delete(HIDDEN).where(HIDDEN.c.guest == guest))
