"""What others may see of an account: its page, which is private until its owner shows it, and its ratings."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Select, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import PROFILES
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Profiles", "Visibility"]


class Visibility(NamedTuple):
    """What others may see of an account.

    Attributes:
        shown: Its page with what it has played.
        ratings: Its ratings, and its name on leaderboards.
    """

    shown: bool = False
    ratings: bool = True


class Profiles:
    """What others may see of accounts, in the database. Without a row an account is as a new one."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def visibility(self, account_id: str) -> Visibility:
        """Returns what others may see of an account."""
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(_query(account_id))).one_or_none()
        return _visibility(row)

    async def show(
        self, account_id: str, *, shown: bool | None = None, ratings: bool | None = None
    ) -> Visibility:
        """Shows or hides an account's page and ratings; None leaves it as it is. Idempotent."""
        while True:
            try:
                return await self._show(account_id, shown=shown, ratings=ratings)
            except IntegrityError:  # another of the account's browsers has just added the row
                continue

    async def _show(
        self, account_id: str, *, shown: bool | None, ratings: bool | None
    ) -> Visibility:
        async with begin_write(self._engine) as connection:
            # Locked (on PostgreSQL), or of two choices at once one would undo the other.
            locked = _query(account_id).with_for_update()
            row = (await connection.execute(locked)).one_or_none()
            old = _visibility(row)
            new = Visibility(
                old.shown if shown is None else shown, old.ratings if ratings is None else ratings
            )
            values = {"shown": int(new.shown), "ratings_hidden": int(not new.ratings)}
            if row is not None:
                mine = PROFILES.c.account_id == account_id
                await connection.execute(update(PROFILES).where(mine).values(values))
            elif new != old:
                await connection.execute(insert(PROFILES).values(account_id=account_id, **values))
        return new


def _query(account_id: str) -> Select[Any]:
    return select(PROFILES).where(PROFILES.c.account_id == account_id)


def _visibility(row: Row[Any] | None) -> Visibility:
    """What a row says; without one an account is as a new one."""
    if row is None:
        return Visibility()
    return Visibility(bool(row.shown), not row.ratings_hidden)
