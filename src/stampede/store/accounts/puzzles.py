"""Rated puzzles in the database: who has tried which, and the ratings of players and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, TypeAlias

from sqlalchemy import Select, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.ratings.ratings import Rating, read_rating
from stampede.store.schema import PUZZLE_RATINGS, PUZZLE_RESULTS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["PuzzleRatings", "Solvers"]

Rate: TypeAlias = Callable[[Rating | None, Rating | None], tuple[Rating, Rating]]


class Solvers(Enum):
    """Whose ratings meet which puzzles': the prefix of accounts and that of puzzles."""

    BUFFALO = ("", "puzzle:")
    ZOFF = ("zoff:", "zoffpuzzle:")

    def identity(self, account_id: str) -> str:
        """An account as it is rated here."""
        return f"{self.value[0]}{account_id}"

    @property
    def puzzles(self) -> str:
        """How the names of its puzzles begin."""
        return self.value[1]


class PuzzleRatings:
    """The ratings of accounts and puzzles, and each account's results."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def ratings(self, identities: Iterable[str]) -> dict[str, Rating]:
        """Returns the ratings of accounts or puzzles; those without one are left out."""
        async with begin_read(self._engine) as connection:
            return _by_identity(await connection.execute(_query(identities)))

    async def all_puzzles(self, solvers: Solvers) -> dict[str, Rating]:
        """Returns the ratings of all puzzles that were tried."""
        beginning = PUZZLE_RATINGS.c.identity.startswith(solvers.puzzles, autoescape=True)
        query = select(PUZZLE_RATINGS).where(beginning)
        async with begin_read(self._engine) as connection:
            return _by_identity(await connection.execute(query))

    async def tried(self, account_id: str) -> set[str]:
        """Returns the puzzles that counted for an account."""
        query = select(PUZZLE_RESULTS.c.puzzle).where(PUZZLE_RESULTS.c.account_id == account_id)
        async with begin_read(self._engine) as connection:
            return {str(row.puzzle) for row in await connection.execute(query)}

    async def history(self, account_id: str, limit: int) -> list[tuple[int, bool, Rating]]:
        """Returns an account's latest results, the oldest first: when, whether solved, and the rating after it."""
        query = (
            select(PUZZLE_RESULTS)
            .where(PUZZLE_RESULTS.c.account_id == account_id)
            .order_by(PUZZLE_RESULTS.c.at.desc(), PUZZLE_RESULTS.c.puzzle)
            .limit(limit)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return [(row.at, bool(row.solved), Rating(row.mu, row.sigma)) for row in reversed(rows)]

    async def count(
        self, solvers: Solvers, account_id: str, puzzle: str, *, solved: bool, rate: Rate
    ) -> tuple[Rating | None, Rating, Rating] | None:
        """Counts a result once; returns the account's rating before and after, and the puzzle's; None if it counted.

        Args:
            solvers: Whose ratings are meant.
            account_id: The account.
            puzzle: The puzzle.
            solved: Whether the account has solved it.
            rate: Computes both ratings after it from those before.
        """
        while puzzle not in await self.tried(account_id):
            try:
                return await self._count(solvers, account_id, puzzle, solved=solved, rate=rate)
            except IntegrityError:  # this account or another one tries the same puzzle right now
                continue
        return None

    async def _count(
        self, solvers: Solvers, account_id: str, puzzle: str, *, solved: bool, rate: Rate
    ) -> tuple[Rating | None, Rating, Rating]:
        solver = solvers.identity(account_id)
        async with begin_write(self._engine) as connection:
            # Locked (on PostgreSQL), or of two results at once one would undo the other.
            locked = _query([solver, puzzle]).with_for_update()
            known = _by_identity(await connection.execute(locked))
            mine, other = rate(known.get(solver), known.get(puzzle))
            result = {"account_id": account_id, "puzzle": puzzle, "solved": int(solved)}
            after = {"at": mine.updated, "mu": mine.mu, "sigma": mine.sigma}
            await connection.execute(insert(PUZZLE_RESULTS).values(**result, **after))
            for identity, rating in ((solver, mine), (puzzle, other)):
                await _write(connection, identity, rating, new=identity not in known)
        return known.get(solver), mine, other


def _query(identities: Iterable[str]) -> Select[Any]:
    """Selects ratings, always in the same order, so that two transactions can't wait for each other."""
    table = PUZZLE_RATINGS
    return select(table).where(table.c.identity.in_(list(identities))).order_by(table.c.identity)


def _by_identity(rows: Iterable[Row[Any]]) -> dict[str, Rating]:
    return {row.identity: read_rating(row) for row in rows}


async def _write(connection: AsyncConnection, identity: str, rating: Rating, *, new: bool) -> None:
    row = {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "wins": rating.wins,
        "updated": rating.updated,
    }
    if new:
        await connection.execute(insert(PUZZLE_RATINGS).values(identity=identity, **row))
    else:
        here = PUZZLE_RATINGS.c.identity == identity
        await connection.execute(update(PUZZLE_RATINGS).where(here).values(**row))
