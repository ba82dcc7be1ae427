"""The daily puzzles that an account has tried, by game, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import PUZZLE_DAYS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Days", "PuzzleDays"]

Days: TypeAlias = Mapping[str, Mapping[str, str]]
"""What became of daily puzzles: results by game and ISO day."""


class PuzzleDays:
    """Daily puzzles in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def results(self, account_id: str) -> dict[str, dict[str, str]]:
        """Returns an account's results by game and day."""
        query = (
            select(PUZZLE_DAYS)
            .where(PUZZLE_DAYS.c.account_id == account_id)
            .order_by(PUZZLE_DAYS.c.game, PUZZLE_DAYS.c.day)
        )
        found: dict[str, dict[str, str]] = {}
        async with begin_read(self._engine) as connection:
            for row in await connection.execute(query):
                found.setdefault(str(row.game), {})[str(row.day)] = str(row.result)
        return found

    async def add(self, account_id: str, days: Days, now: int) -> None:
        """Adds results. Idempotent: the first result of a day stays."""
        wanted = [
            (game, day, result) for game, results in days.items() for day, result in results.items()
        ]
        while True:
            try:
                return await self._add_missing(account_id, wanted, now)
            except IntegrityError:  # another of the account's browsers has just added one of them
                continue

    async def _add_missing(
        self, account_id: str, days: Iterable[tuple[str, str, str]], now: int
    ) -> None:
        async with begin_write(self._engine) as connection:
            query = select(PUZZLE_DAYS.c.game, PUZZLE_DAYS.c.day).where(
                PUZZLE_DAYS.c.account_id == account_id
            )
            known = {(row.game, row.day) for row in await connection.execute(query)}
            rows = [
                {"account_id": account_id, "game": game, "day": day, "result": result, "at": now}
                for game, day, result in sorted(days)
                if (game, day) not in known
            ]
            if rows:
                await connection.execute(insert(PUZZLE_DAYS), rows)
