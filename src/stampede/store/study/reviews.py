"""Finished reviews, by what was played: a cache that outlives the server, with a bound."""

from __future__ import annotations

import base64
import zlib
from typing import Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import REVIEWS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["MOST_REVIEWS", "ReviewStore"]

MOST_REVIEWS: Final = 5_000
"""Reviews that are kept, about 8 kB each; those that nobody has looked at for longest are dropped first."""
AT_ONCE: Final = 100
"""How many are dropped together, so that not every new one has to look for an old one."""


class ReviewStore:
    """Reviews in the database, compressed."""

    def __init__(self, engine: AsyncEngine, most: int = MOST_REVIEWS) -> None:
        self._engine = engine
        self._most = most

    async def find(self, key: str, now: int) -> str | None:
        """Returns a review's text, if it is kept, and notes that it was looked at."""
        async with begin_read(self._engine) as connection:
            query = select(REVIEWS.c.body).where(REVIEWS.c.digest == key)
            body = (await connection.execute(query)).scalar_one_or_none()
        if body is None:
            return None
        async with begin_write(self._engine) as connection:
            await connection.execute(
                update(REVIEWS).where(REVIEWS.c.digest == key).values(used=now)
            )
        return zlib.decompress(base64.b85decode(body)).decode()

    async def put(self, key: str, text: str, now: int) -> None:
        """Keeps a review; drops those that were looked at least recently if there are too many."""
        body = base64.b85encode(zlib.compress(text.encode(), 9)).decode()
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(REVIEWS).values(digest=key, used=now, body=body))
                count = (
                    await connection.execute(select(func.count()).select_from(REVIEWS))
                ).scalar_one()
                if count > self._most:
                    oldest = (
                        select(REVIEWS.c.digest)
                        .order_by(REVIEWS.c.used, REVIEWS.c.digest)
                        .limit(max(count - self._most, min(AT_ONCE, self._most // 2)))
                    )
                    await connection.execute(delete(REVIEWS).where(REVIEWS.c.digest.in_(oldest)))
        except IntegrityError:  # two people looked at the same game: the reviews are the same
            return
