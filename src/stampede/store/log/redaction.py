"""Taking a name out of the log: the one change that is ever made to it, when somebody deletes himself.

Names decide nothing in a game, so a log without them tells the same games.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.log.entries import Entry, Listing
from stampede.store.schema import CHAT, CONSENTS, ENTRIES, LISTINGS, REPORTS
from stampede.store.sql import writing

__all__ = ["forget_talk", "replace_entries"]


async def replace_entries(
    engine: AsyncEngine, table_id: str, entries: Iterable[Entry], listing: Listing
) -> None:
    """Puts other texts in place of entries' old ones, and of the table's line in the lobby."""
    async with writing(engine) as connection:
        for entry in entries:
            await connection.execute(
                update(ENTRIES)
                .where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq == entry.seq)
                .values(payload=entry.payload)
            )
        await connection.execute(
            update(LISTINGS)
            .where(LISTINGS.c.table_id == table_id, LISTINGS.c.updated <= listing.updated)
            .values(summary=listing.summary)
        )


async def forget_talk(engine: AsyncEngine, who: str, name: str) -> None:
    """Forgets what somebody has said, and under which name he was reported."""
    async with writing(engine) as connection:
        await connection.execute(delete(CHAT).where(CHAT.c.who == who))
        await connection.execute(delete(CONSENTS).where(CONSENTS.c.who == who))
        await connection.execute(
            update(REPORTS).where(REPORTS.c.reported == who).values(name=name, chat="[]")
        )
