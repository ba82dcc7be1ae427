"""Redaction: takes a deleted account's name out of the log. No other change is ever made to it.

Names decide nothing in a game, so replaying a redacted log gives the same games. The chain values stay as they are, and
a redacted entry gets a seal in place of its mark (`stampede.store.log.chain`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.log.chain import seal
from stampede.store.log.entries import Listing, LogEntry
from stampede.store.schema import CHAT, CONSENTS, ENTRIES, LISTINGS, REPORTS
from stampede.store.transactions import begin_write

__all__ = ["delete_chat", "replace_entries"]


async def replace_entries(
    engine: AsyncEngine, table_id: str, entries: Iterable[LogEntry], listing: Listing
) -> None:
    """Replaces the payloads of entries, seals them, and replaces the table's listing."""
    mine = ENTRIES.c.table_id == table_id
    async with begin_write(engine) as connection:
        rows = await connection.execute(select(ENTRIES.c.seq, ENTRIES.c.chain).where(mine))
        chains = {int(row.seq): str(row.chain) for row in rows}
        for entry in entries:
            known = replace(entry, chain=chains[entry.seq])
            mark = seal(chains.get(entry.seq - 1, ""), table_id, known)
            await connection.execute(
                update(ENTRIES)
                .where(mine, ENTRIES.c.seq == entry.seq)
                .values(payload=entry.payload, mark=mark)
            )
        await connection.execute(
            update(LISTINGS)
            .where(LISTINGS.c.table_id == table_id, LISTINGS.c.updated <= listing.updated)
            .values(summary=listing.summary)
        )


async def delete_chat(engine: AsyncEngine, who: str, name: str) -> None:
    """Deletes what a player has said, and the name under which they were reported."""
    async with begin_write(engine) as connection:
        await connection.execute(delete(CHAT).where(CHAT.c.who == who))
        await connection.execute(delete(CONSENTS).where(CONSENTS.c.who == who))
        await connection.execute(
            update(REPORTS).where(REPORTS.c.reported == who).values(name=name, chat="[]")
        )
