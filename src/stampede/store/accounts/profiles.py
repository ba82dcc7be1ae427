"""Whose page others may see. An account's page is private until its owner shows it."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import PROFILES
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Profiles"]


class Profiles:
    """The accounts whose pages are shown."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def is_shown(self, account_id: str) -> bool:
        """Whether others may see an account's page."""
        query = select(PROFILES.c.shown).where(PROFILES.c.account_id == account_id)
        async with begin_read(self._engine) as connection:
            return bool((await connection.execute(query)).scalar())

    async def show(self, account_id: str, *, shown: bool) -> None:
        """Shows an account's page, or makes it private again. Idempotent."""
        while True:
            try:
                async with begin_write(self._engine) as connection:
                    await connection.execute(
                        delete(PROFILES).where(PROFILES.c.account_id == account_id)
                    )
                    if shown:
                        row = {"account_id": account_id, "shown": 1}
                        await connection.execute(insert(PROFILES), row)
            except IntegrityError:  # another of the account's browsers does the same right now
                continue
            return
