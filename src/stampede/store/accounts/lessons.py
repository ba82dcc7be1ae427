"""The lessons that an account has finished."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import LESSONS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["LessonProgress"]


class LessonProgress:
    """Finished lessons in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def finished(self, account_id: str) -> list[str]:
        """Returns the lessons that an account has finished, as ``game/name``."""
        query = (
            select(LESSONS.c.lesson)
            .where(LESSONS.c.account_id == account_id)
            .order_by(LESSONS.c.lesson)
        )
        async with begin_read(self._engine) as connection:
            return [str(row.lesson) for row in await connection.execute(query)]

    async def add(self, account_id: str, lessons: Iterable[str], now: int) -> None:
        """Adds finished lessons. Idempotent."""
        wanted = sorted(set(lessons))
        while True:
            try:
                return await self._add_missing(account_id, wanted, now)
            except IntegrityError:  # another of the account's browsers has just added one of them
                continue

    async def _add_missing(self, account_id: str, lessons: Iterable[str], now: int) -> None:
        async with begin_write(self._engine) as connection:
            query = select(LESSONS.c.lesson).where(LESSONS.c.account_id == account_id)
            known = {row.lesson for row in await connection.execute(query)}
            rows = [
                {"account_id": account_id, "lesson": lesson, "at": now}
                for lesson in lessons
                if lesson not in known
            ]
            if rows:
                await connection.execute(insert(LESSONS), rows)
