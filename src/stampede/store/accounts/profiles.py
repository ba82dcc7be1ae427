"""What others may see of an account: its page, which is private until its owner shows it, and its ratings."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, insert, select
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
        query = select(PROFILES).where(PROFILES.c.account_id == account_id)
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return Visibility()
        return Visibility(bool(row.shown), not row.ratings_hidden)

    async def show(
        self, account_id: str, *, shown: bool | None = None, ratings: bool | None = None
    ) -> Visibility:
        """Shows or hides an account's page and ratings; None leaves it as it is. Idempotent."""
        old = await self.visibility(account_id)
        new = Visibility(
            old.shown if shown is None else shown, old.ratings if ratings is None else ratings
        )
        row = {
            "account_id": account_id,
            "shown": int(new.shown),
            "ratings_hidden": int(not new.ratings),
        }
        while True:
            try:
                async with begin_write(self._engine) as connection:
                    await connection.execute(
                        delete(PROFILES).where(PROFILES.c.account_id == account_id)
                    )
                    if new != Visibility():
                        await connection.execute(insert(PROFILES), row)
            except IntegrityError:  # another of the account's browsers does the same right now
                continue
            return new
