"""Reads ratings: leaderboards, a player's rank and ratings, histories, and the changes by a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.ratings.ratings import Rating, read_rating
from stampede.store.schema import ACCOUNTS, PROFILES, RATED_GAMES, RATING_CHANGES, RATINGS
from stampede.store.transactions import begin_read

__all__ = ["Leader", "Leaderboard"]

_SHOWN: Final = RATINGS.outerjoin(ACCOUNTS, ACCOUNTS.c.account_id == RATINGS.c.identity).outerjoin(
    PROFILES, PROFILES.c.account_id == RATINGS.c.identity
)
_LINE: Final = select(RATINGS, ACCOUNTS.c.name, PROFILES.c.ratings_hidden).select_from(_SHOWN)
_IS_SHOWN: Final = ACCOUNTS.c.name.is_not(None) | RATINGS.c.identity.like("bot:%")
"""A deleted account still counts in games, but is on no leaderboard."""


class Leader(NamedTuple):
    """A line of a leaderboard. The name is None for a bot; a hidden one isn't told to others."""

    rank: int
    identity: str
    name: str | None
    rating: Rating
    hidden: bool = False


class Leaderboard:
    """Reads ratings from the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def leaders(self, board: str, confidence: float, limit: int, offset: int) -> list[Leader]:
        """Returns a part of a leaderboard of accounts and bots, the strongest first.

        Args:
            board: The board's name.
            confidence: How many standard deviations below the estimate a rating counts.
            limit: How many lines.
            offset: How many lines to skip.
        """
        query = (
            _LINE.where(RATINGS.c.board == board, _IS_SHOWN)
            .order_by((RATINGS.c.mu - confidence * RATINGS.c.sigma).desc(), RATINGS.c.identity)
            .limit(limit)
            .offset(offset)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return [
            Leader(
                offset + index, row.identity, row.name, read_rating(row), bool(row.ratings_hidden)
            )
            for index, row in enumerate(rows, start=1)
        ]

    async def find(self, board: str, confidence: float, identity: str) -> Leader | None:
        """Returns a player's line of a leaderboard; None if they aren't on it."""
        low = RATINGS.c.mu - confidence * RATINGS.c.sigma
        mine = _LINE.where(RATINGS.c.board == board, RATINGS.c.identity == identity, _IS_SHOWN)
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(mine)).one_or_none()
            if row is None:
                return None
            here = row.mu - confidence * row.sigma
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
        return Leader(rank, row.identity, row.name, read_rating(row), bool(row.ratings_hidden))

    async def boards(self) -> dict[str, int]:
        """Counts the accounts and bots on each board."""
        query = (
            select(RATINGS.c.board, func.count().label("rated"))
            .select_from(_SHOWN)
            .where(_IS_SHOWN)
            .group_by(RATINGS.c.board)
        )
        async with begin_read(self._engine) as connection:
            return {row.board: int(row.rated) for row in await connection.execute(query)}

    async def of(self, identities: Iterable[str]) -> dict[tuple[str, str], Rating]:
        """Returns the ratings of some players on all boards."""
        wanted = sorted(set(identities))
        query = select(RATINGS).where(RATINGS.c.identity.in_(wanted))
        async with begin_read(self._engine) as connection:
            rows = await connection.execute(query)
            return {(row.identity, row.board): read_rating(row) for row in rows}

    async def history(self, identity: str, board: str, limit: int) -> list[tuple[int, Rating]]:
        """Returns when the latest games ended and the rating after each, the oldest first."""
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
        """Returns the changes by a game: player, board, rating before and after."""
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
