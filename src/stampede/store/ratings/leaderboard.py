"""Ratings as they are shown: boards, places, somebody's ratings, what a game changed. It looks only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.ratings.ratings import Rating, read_rating
from stampede.store.schema import ACCOUNTS, RATED_GAMES, RATING_CHANGES, RATINGS
from stampede.store.transactions import begin_read

__all__ = ["Leader", "Leaderboard"]

_SHOWN: Final = RATINGS.outerjoin(ACCOUNTS, ACCOUNTS.c.account_id == RATINGS.c.identity)
_IS_SHOWN: Final = ACCOUNTS.c.name.is_not(None) | RATINGS.c.identity.like("bot:%")
"""Who has deleted himself is still counted, but on no board."""


class Leader(NamedTuple):
    """A line of a board. The name is None for a bot."""

    rank: int
    identity: str
    name: str | None
    standing: Rating


class Leaderboard:
    """Looks at ratings."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def leaders(self, board: str, sure: float, limit: int, offset: int) -> list[Leader]:
        """A part of a board, the strongest first: people who keep a name, and bots.

        Args:
            board: Which.
            sure: By how many standard deviations below the estimate the order goes.
            limit: How many.
            offset: How many stronger ones are left out.
        """
        query = (
            select(RATINGS, ACCOUNTS.c.name)
            .select_from(_SHOWN)
            .where(RATINGS.c.board == board, _IS_SHOWN)
            .order_by((RATINGS.c.mu - sure * RATINGS.c.sigma).desc(), RATINGS.c.identity)
            .limit(limit)
            .offset(offset)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return [
            Leader(offset + index, row.identity, row.name, read_rating(row))
            for index, row in enumerate(rows, start=1)
        ]

    async def place(self, board: str, sure: float, identity: str) -> Leader | None:
        """Where somebody stands on a board; None when he isn't there."""
        low = RATINGS.c.mu - sure * RATINGS.c.sigma
        mine = (
            select(RATINGS, ACCOUNTS.c.name)
            .select_from(_SHOWN)
            .where(RATINGS.c.board == board, RATINGS.c.identity == identity, _IS_SHOWN)
        )
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(mine)).one_or_none()
            if row is None:
                return None
            here = row.mu - sure * row.sigma
            ahead = (
                select(func.count())
                .select_from(_SHOWN)
                .where(
                    RATINGS.c.board == board,
                    _IS_SHOWN,
                    (low > here) | ((low == here) & (RATINGS.c.identity < identity)),
                )
            )
            rank = int((await connection.execute(ahead)).scalar_one()) + 1
        return Leader(rank, row.identity, row.name, read_rating(row))

    async def boards(self) -> dict[str, int]:
        """How many people who keep a name, and bots, are on each board."""
        query = (
            select(RATINGS.c.board, func.count().label("rated"))
            .select_from(_SHOWN)
            .where(_IS_SHOWN)
            .group_by(RATINGS.c.board)
        )
        async with begin_read(self._engine) as connection:
            return {row.board: int(row.rated) for row in await connection.execute(query)}

    async def of(self, identities: Iterable[str]) -> dict[tuple[str, str], Rating]:
        """The ratings of some, on all boards."""
        wanted = sorted(set(identities))
        query = select(RATINGS).where(RATINGS.c.identity.in_(wanted))
        async with begin_read(self._engine) as connection:
            rows = await connection.execute(query)
            return {(row.identity, row.board): read_rating(row) for row in rows}

    async def history(self, identity: str, board: str, limit: int) -> list[tuple[int, Rating]]:
        """How a rating came about: by the latest games' ends, the rating afterwards; the oldest first."""
        changes, games = RATING_CHANGES.c, RATED_GAMES.c
        same = (changes.table_id == games.table_id) & (changes.game == games.game)
        query = (
            select(games.ended, changes.mu, changes.sigma)
            .join_from(RATING_CHANGES, RATED_GAMES, same)
            .where(changes.identity == identity, changes.board == board)
            .order_by(games.ended.desc(), games.table_id.desc(), games.game.desc())
            .limit(limit)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return [(row.ended, Rating(row.mu, row.sigma)) for row in reversed(rows)]

    async def changes(self, table_id: str, game: int) -> list[tuple[int, str, Rating, Rating]]:
        """What a game did: by player, the board, and the rating before and after."""
        query = (
            select(RATING_CHANGES)
            .where(RATING_CHANGES.c.table_id == table_id, RATING_CHANGES.c.game == game)
            .order_by(RATING_CHANGES.c.player)
        )
        async with begin_read(self._engine) as connection:
            return [
                (
                    row.player,
                    row.board,
                    Rating(row.mu_before, row.sigma_before),
                    Rating(row.mu, row.sigma),
                )
                for row in await connection.execute(query)
            ]
