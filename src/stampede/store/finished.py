"""The listings of tables whose games are over, for statistics."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import LISTINGS
from stampede.store.transactions import begin_read

__all__ = ["finished_summaries"]


async def finished_summaries(engine: AsyncEngine, limit: int) -> list[str]:
    """Returns the summaries of the latest tables that are over or closed."""
    query = (
        select(LISTINGS.c.summary)
        .where(LISTINGS.c.status.in_(("over", "closed")))
        .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
        .limit(limit)
    )
    async with begin_read(engine) as connection:
        return [str(row.summary) for row in await connection.execute(query)]
