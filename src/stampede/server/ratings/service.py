"""Keeps the ratings up to date with the log, recomputes them from it, and compares the two."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from stampede.core.errors import InputError, StampedeError
from stampede.server.ratings.rating_system import RecomputedRatings, rate, rated_games
from stampede.store import LogDamaged, Store
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import RatedGame, RatingStore

__all__ = ["Difference", "RatingService", "compare", "read_rated_games"]

log = logging.getLogger("stampede.server")

POLL_SECONDS: Final = 5.0
"""Seconds between polls of the queue; a request for ratings polls at once."""
TOLERANCE: Final = 1e-6
"""Other machines' arithmetic may differ in the last digits; a missing game always makes a larger difference."""


@dataclass(slots=True)
class RatingService:
    """Counts rated games. Several workers may do so at once; each game counts once."""

    store: Store
    ratings: RatingStore
    boards: Leaderboard
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def catch_up(self) -> int:
        """Counts the games in the queue; returns how many."""
        done = 0
        async with self._lock:
            for table in await self.ratings.read_queue():
                try:
                    entries = await self.store.read(table.table_id)
                    games = await asyncio.to_thread(rated_games, entries)
                except (InputError, LogDamaged, ValueError, LookupError):
                    # One broken log must not block the others; `stampede db check` says more.
                    log.exception("can't read a table's log: its games aren't rated")
                    continue
                done += await self.ratings.count(table, games, rate)
        return done

    async def run(self) -> None:
        """Polls the queue for ever."""
        while True:
            try:
                await self.catch_up()
            except StampedeError:
                log.warning("can't update the ratings now; trying again later")
            await asyncio.sleep(POLL_SECONDS)


async def read_rated_games(
    store: Store, track: Callable[[list[str]], Iterable[str]]
) -> list[RatedGame]:
    """Derives every rated game from the log.

    Args:
        store: The store.
        track: Wraps the list of tables, to show progress.
    """
    games: list[RatedGame] = []
    for table_id in track([table_id async for table_id in store.table_ids()]):
        games += await asyncio.to_thread(rated_games, await store.read(table_id))
    return games


class Difference(NamedTuple):
    """A difference between the stored ratings and the log."""

    what: str
    stored: str
    log: str


async def compare(ratings: RatingStore, fresh: RecomputedRatings) -> list[Difference]:
    """Returns the differences between the stored ratings and recomputed ones."""
    found: list[Difference] = []
    stored = {(game.table_id, game.game): game for game in await ratings.games()}
    wanted = {(game.table_id, game.game): game for game in fresh.games}
    for key in sorted(stored.keys() | wanted.keys()):
        if stored.get(key) != wanted.get(key):
            what = f"game {key[1]} of table {key[0]}"
            found.append(
                Difference(what, _describe_game(stored.get(key)), _describe_game(wanted.get(key)))
            )
    stored_ratings = await ratings.book()
    for owner in sorted(stored_ratings.keys() | fresh.book.keys()):
        mine, right = stored_ratings.get(owner), fresh.book.get(owner)
        if mine is not None and right is not None:
            near = math.isclose(mine.mu, right.mu, abs_tol=TOLERANCE) and math.isclose(
                mine.sigma, right.sigma, abs_tol=TOLERANCE
            )
            counts = (mine.games, mine.wins, mine.updated) == (
                right.games,
                right.wins,
                right.updated,
            )
            if near and counts:
                continue
        found.append(Difference(f"{owner[0]} on {owner[1]}", str(mine), str(right)))
    return found


def _describe_game(game: RatedGame | None) -> str:
    return "nothing" if game is None else f"{game.pool}: {game.players}"
