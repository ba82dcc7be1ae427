"""Ratings in the database: a cache that can be recomputed from the log. Each game counts once, in the order of ends.

Games end at several tables and workers at once, so a game may be counted after another that ended later. Then the
later games of its pool are undone and counted again after it, in one transaction: the stored ratings are always those
that counting all games in order gives.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.engine import Row
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.schema import RATED_GAMES, RATING_CHANGES, RATING_QUEUE, RATINGS
from stampede.store.transactions import begin_read, begin_write

__all__ = [
    "QueuedTable",
    "RateGame",
    "RatedGame",
    "RatedPlayer",
    "Rating",
    "RatingChange",
    "RatingStore",
    "Ratings",
    "read_rating",
]

LOCK: Final = 0x57A3_9EDC
"""The PostgreSQL advisory lock that lets one process at a time count games."""
CHUNK: Final = 500


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player in a rated game.

    Attributes:
        player: The chair.
        identity: An account's id, or ``bot:`` and a level.
        board: The rating board's name.
        rank: 1 for the winners; players may share a rank.
    """

    player: int
    identity: str
    board: str
    rank: int


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game, derived from the log.

    Attributes:
        pool: The games that count together; their order matters.
    """

    table_id: str
    game: int
    pool: str
    ended: int
    players: tuple[RatedPlayer, ...]

    @property
    def order(self) -> tuple[int, str, int]:
        """The sort key among the games of its pool."""
        return (self.ended, self.table_id, self.game)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: the estimate, its standard deviation, and the games behind it."""

    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    updated: int = 0


class QueuedTable(NamedTuple):
    """A table with games to be counted, and the last entry of its log when it was queued."""

    table_id: str
    seq: int


class RatingChange(NamedTuple):
    """The change of a rating by a game."""

    player: RatedPlayer
    before: Rating
    after: Rating


Owner: TypeAlias = tuple[str, str]
"""The owner of a rating: identity and board."""
Ratings: TypeAlias = dict[Owner, Rating]
RateGame: TypeAlias = Callable[[RatedGame, Mapping[Owner, Rating]], Sequence[RatingChange]]
"""Rates a game: returns the change for each player. A player without a rating is new."""


class RatingStore:
    """Ratings in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    # --- counting ---

    async def read_queue(self, limit: int = 1000) -> list[QueuedTable]:
        """Returns the queue: tables with games that may not be counted yet."""
        query = select(RATING_QUEUE).order_by(RATING_QUEUE.c.table_id).limit(limit)
        async with begin_read(self._engine) as connection:
            return [QueuedTable(row.table_id, row.seq) for row in await connection.execute(query)]

    async def count(self, table: QueuedTable, games: Iterable[RatedGame], rate: RateGame) -> int:
        """Counts a table's games that aren't counted yet, and removes the table from the queue; returns how many.

        Args:
            table: The table, as it was queued before its log was read.
            games: Its rated games.
            rate: Rates a game.
        """
        done = 0
        async with self._begin_counting() as connection:
            for game in sorted(games, key=lambda game: game.order):
                known = select(RATED_GAMES.c.game).where(
                    RATED_GAMES.c.table_id == table.table_id, RATED_GAMES.c.game == game.game
                )
                if (await connection.execute(known)).first() is None:
                    await _count(connection, game, rate)
                    done += 1
            await connection.execute(
                delete(RATING_QUEUE).where(
                    RATING_QUEUE.c.table_id == table.table_id, RATING_QUEUE.c.seq == table.seq
                )
            )
        return done

    async def replace(
        self, games: Sequence[RatedGame], changes: Sequence[RatingChange], book: Ratings
    ) -> None:
        """Replaces everything that is stored. Tables whose games were counted meanwhile are queued again.

        Args:
            games: All rated games, in the order of ``changes``.
            changes: The changes, one for each player of each game.
            book: The resulting ratings.
        """
        async with self._begin_counting() as connection:
            await _queue_others(connection, {(game.table_id, game.game) for game in games})
            for table in (RATED_GAMES, RATING_CHANGES, RATINGS):
                await connection.execute(table.delete())
            following = iter(changes)
            rows = [_change_row(game, next(following)) for game in games for _ in game.players]
            pools = {player.board: game.pool for game in games for player in game.players}
            await _insert(connection, RATED_GAMES, [_game_row(game) for game in games])
            await _insert(connection, RATING_CHANGES, rows)
            rating_rows = [_rating_row(owner, pools[owner[1]], book[owner]) for owner in book]
            await _insert(connection, RATINGS, rating_rows)

    @asynccontextmanager
    async def _begin_counting(self) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction in which no other process counts games."""
        async with begin_write(self._engine) as connection:
            if self._engine.dialect.name == "postgresql":
                await connection.execute(
                    text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK}
                )
            yield connection

    # --- reading ---

    async def games(self) -> list[RatedGame]:
        """Returns all counted games, in order."""
        async with begin_read(self._engine) as connection:
            found = [_game(row) for row in await connection.execute(select(RATED_GAMES))]
        return sorted(found, key=lambda game: (game.pool, *game.order))

    async def book(self) -> Ratings:
        """Returns all ratings."""
        async with begin_read(self._engine) as connection:
            rows = await connection.execute(select(RATINGS))
            return {(row.identity, row.board): read_rating(row) for row in rows}


# --- counting one game ---


async def _count(connection: AsyncConnection, game: RatedGame, rate: RateGame) -> None:
    await connection.execute(insert(RATED_GAMES), _game_row(game))
    later = await _find_later(connection, game)
    replayed = [game, *later]
    owners = {(player.identity, player.board) for played in replayed for player in played.players}
    book = await _read_ratings(connection, owners)
    if later:
        await _undo(connection, later, book)
    for played in replayed:
        changes = rate(played, book)
        for change in changes:
            book[change.player.identity, change.player.board] = change.after
        rows = [_change_row(played, change) for change in changes]
        await _insert(connection, RATING_CHANGES, rows)
    await _store_ratings(connection, game.pool, {owner: book[owner] for owner in owners})


async def _find_later(connection: AsyncConnection, game: RatedGame) -> list[RatedGame]:
    """Returns the games of the pool that ended after this one, but are counted already."""
    query = select(RATED_GAMES).where(
        RATED_GAMES.c.pool == game.pool, RATED_GAMES.c.ended >= game.ended
    )
    found = [_game(row) for row in await connection.execute(query)]
    # Sorted here: databases sort text differently.
    return sorted(
        (other for other in found if other.order > game.order), key=lambda other: other.order
    )


async def _read_ratings(connection: AsyncConnection, owners: Iterable[Owner]) -> Ratings:
    book: Ratings = {}
    wanted = sorted({identity for identity, _ in owners})
    for start in range(0, len(wanted), CHUNK):
        part = wanted[start : start + CHUNK]
        rows = await connection.execute(select(RATINGS).where(RATINGS.c.identity.in_(part)))
        book |= {(row.identity, row.board): read_rating(row) for row in rows}
    return book


async def _undo(connection: AsyncConnection, later: Sequence[RatedGame], book: Ratings) -> None:
    """Restores the ratings before these games, and deletes their changes."""
    for game in reversed(later):
        mine = (RATING_CHANGES.c.table_id == game.table_id) & (RATING_CHANGES.c.game == game.game)
        rows = (await connection.execute(select(RATING_CHANGES).where(mine))).all()
        ranks = {player.player: player.rank for player in game.players}
        for owner, row in {(row.identity, row.board): row for row in rows}.items():
            now = book[owner]
            won = any(ranks[other.player] == 1 for other in rows if other.identity == row.identity)
            book[owner] = Rating(
                row.mu_before, row.sigma_before, now.games - 1, now.wins - won, now.updated
            )
        await connection.execute(delete(RATING_CHANGES).where(mine))
    for owner in [owner for owner, rating in book.items() if not rating.games]:
        del book[owner]


async def _store_ratings(connection: AsyncConnection, pool: str, book: Ratings) -> None:
    for owner, rating in book.items():
        identity, board = owner
        values = asdict(rating)
        found = await connection.execute(
            update(RATINGS)
            .where(RATINGS.c.identity == identity, RATINGS.c.board == board)
            .values(**values)
        )
        if not found.rowcount:
            await connection.execute(insert(RATINGS), _rating_row(owner, pool, rating))


async def _queue_others(connection: AsyncConnection, known: set[tuple[str, int]]) -> None:
    """Queues the tables of games that are counted, but aren't among the known ones."""
    counted = select(RATED_GAMES.c.table_id, RATED_GAMES.c.game)
    others = {
        row.table_id
        for row in await connection.execute(counted)
        if (row.table_id, row.game) not in known
    }
    waiting = {row.table_id for row in await connection.execute(select(RATING_QUEUE.c.table_id))}
    rows = [{"table_id": table_id, "seq": 0} for table_id in sorted(others - waiting)]
    await _insert(connection, RATING_QUEUE, rows)


async def _insert(connection: AsyncConnection, table: Any, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), CHUNK):
        await connection.execute(insert(table), rows[start : start + CHUNK])


# --- rows ---


def _game_row(game: RatedGame) -> dict[str, Any]:
    players = [asdict(player) for player in game.players]
    return {
        "table_id": game.table_id,
        "game": game.game,
        "pool": game.pool,
        "ended": game.ended,
        "players": json.dumps(players, sort_keys=True),
    }


def _game(row: Row[Any]) -> RatedGame:
    players = tuple(RatedPlayer(**player) for player in json.loads(row.players))
    return RatedGame(row.table_id, row.game, row.pool, row.ended, players)


def _change_row(game: RatedGame, change: RatingChange) -> dict[str, Any]:
    return {
        "table_id": game.table_id,
        "game": game.game,
        "player": change.player.player,
        "identity": change.player.identity,
        "board": change.player.board,
        "mu_before": change.before.mu,
        "sigma_before": change.before.sigma,
        "mu": change.after.mu,
        "sigma": change.after.sigma,
    }


def _rating_row(owner: Owner, pool: str, rating: Rating) -> dict[str, Any]:
    identity, board = owner
    return {"identity": identity, "board": board, "pool": pool, **asdict(rating)}


def read_rating(row: Row[Any]) -> Rating:
    """A rating from its row."""
    return Rating(row.mu, row.sigma, row.games, row.wins, row.updated)
