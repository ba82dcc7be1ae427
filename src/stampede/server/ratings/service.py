"""Keeps the ratings up to date with the log, and makes them anew from it."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from stampede.core.errors import InputError, StampedeError
from stampede.server.ratings.rating_system import RecomputedRatings, rate, rated_games
from stampede.store import Store
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import RatedGame, RatingStore

__all__ = ["Difference", "RatingService", "compare", "games_of_log"]

log = logging.getLogger("stampede.server")

PAUSE: Final = 5.0
"""Seconds between looks at the queue; whoever asks for ratings looks at once."""
CLOSE: Final = 1e-6
"""Other machines' arithmetic may differ in the last digits; a game more or less never is that little."""


@dataclass(slots=True)
class RatingService:
    """Counts rated games. Many may do so at once; each game counts once."""

    store: Store
    ratings: RatingStore
    boards: Leaderboard
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def catch_up(self) -> int:
        """Counts what waits; returns how many games."""
        done = 0
        async with self._lock:
            for table in await self.ratings.waiting():
                entries = await self.store.read(table.table_id)
                try:
                    games = await asyncio.to_thread(rated_games, entries)
                except (InputError, ValueError, LookupError):
                    # `stampede db check` tells more; it must not keep others from being counted.
                    log.exception("a table's log can't be read: its games aren't counted")
                    continue
                done += await self.ratings.count(table, games, rate)
        return done

    async def run(self) -> None:
        """Counts what waits now and then, for ever."""
        while True:
            try:
                await self.catch_up()
            except StampedeError:
                log.warning("ratings are counted later")
            await asyncio.sleep(PAUSE)


async def games_of_log(
    store: Store, taken: Callable[[list[str]], Iterable[str]]
) -> list[RatedGame]:
    """Every rated game, by the log alone.

    Args:
        store: Where the log is.
        taken: Hands out the tables one after another, so that whoever waits can be shown how far it is.
    """
    games: list[RatedGame] = []
    for table_id in taken([table_id async for table_id in store.table_ids()]):
        games += await asyncio.to_thread(rated_games, await store.read(table_id))
    return games


class Difference(NamedTuple):
    """Where what is stored isn't what the log says."""

    what: str
    stored: str
    log: str


async def compare(ratings: RatingStore, fresh: RecomputedRatings) -> list[Difference]:
    """What is stored beside what the log says; empty when they agree."""
    found: list[Difference] = []
    stored = {(game.table_id, game.game): game for game in await ratings.games()}
    wanted = {(game.table_id, game.game): game for game in fresh.games}
    for key in sorted(stored.keys() | wanted.keys()):
        if stored.get(key) != wanted.get(key):
            what = f"game {key[1]} of table {key[0]}"
            found.append(Difference(what, _told(stored.get(key)), _told(wanted.get(key))))
    book = await ratings.book()
    for owner in sorted(book.keys() | fresh.book.keys()):
        mine, right = book.get(owner), fresh.book.get(owner)
        if mine is not None and right is not None:
            near = math.isclose(mine.mu, right.mu, abs_tol=CLOSE) and math.isclose(
                mine.sigma, right.sigma, abs_tol=CLOSE
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


def _told(game: RatedGame | None) -> str:
    return "nothing" if game is None else f"{game.pool}: {game.players}"
