"""Rated puzzles: a player against a puzzle, by the same model as games. Each puzzle counts once for an account.

Each game's collection has ratings of its own, as a strong player of Buffalo may be new to Zoff.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from stampede.buffalo import BuffaloGame
from stampede.core.json import JsonObject
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.puzzle import Puzzle, shipped_puzzles
from stampede.proofs.puzzles.zoff_puzzle import ZoffPuzzle, shipped_zoff_puzzles
from stampede.server.accounts.sessions import is_account
from stampede.server.http.problems import Problem
from stampede.server.puzzles.answers import puzzle_key
from stampede.server.puzzles.zoff_answers import zoff_puzzle_key
from stampede.server.ratings.rating_system import MODEL, points, rating_json
from stampede.server.services import Services
from stampede.store.accounts.puzzles import PuzzleRatings, Solvers
from stampede.store.ratings.ratings import Rating
from stampede.zoff import ZoffGame

__all__ = [
    "BUFFALO",
    "COLLECTIONS",
    "ZOFF",
    "Collection",
    "RatedPuzzles",
    "rated_account",
    "rated_puzzles",
]

FIRST: Final = -6.0
STEP: Final = 2.4
"""The rating of a puzzle of grade 1, and each further grade, in the model's units beside its mean."""
SIGMA: Final = 4.0
"""How sure a grade is: surer than nothing, as bots have tried the puzzle."""
CANDIDATES: Final = 12
"""How many puzzles nearest to a player's rating one is drawn from."""


class _Graded(Protocol):
    @property
    def number(self) -> int: ...

    @property
    def grade(self) -> int: ...


P = TypeVar("P", bound=_Graded)


@dataclass(frozen=True, slots=True)
class Collection(Generic[P]):
    """A game's puzzles.

    Attributes:
        game: The game's name.
        solvers: Whose ratings they are, and how the database names the puzzles.
        shipped: All puzzles.
        key: A puzzle's name, which outlives its number.
    """

    game: str
    solvers: Solvers
    shipped: Callable[[], Sequence[P]]
    key: Callable[[P], str]

    def name(self, puzzle: P) -> str:
        """A puzzle's name in the database."""
        return f"{self.solvers.puzzles}{self.key(puzzle)}"


BUFFALO: Final[Collection[Puzzle]] = Collection(
    BuffaloGame.name, Solvers.BUFFALO, shipped_puzzles, puzzle_key
)
ZOFF: Final[Collection[ZoffPuzzle]] = Collection(
    ZoffGame.name, Solvers.ZOFF, shipped_zoff_puzzles, zoff_puzzle_key
)
COLLECTIONS: Final[tuple[Collection[Any], ...]] = (BUFFALO, ZOFF)


def rated_puzzles(services: Services, collection: Collection[P]) -> RatedPuzzles[P]:
    """The ratings of a game's puzzles and of those who solve them."""
    store = PuzzleRatings(services.store.engine)
    return RatedPuzzles(collection, store, services.runtime.wall)


def rated_account(caller: Caller) -> str:
    """The account of a caller whose puzzles are rated; a Problem for a guest."""
    if caller.guest is None or not is_account(caller.guest):
        raise Problem(401, "signed_out", "expected an account: only their puzzles are rated")
    return caller.guest


@dataclass(frozen=True, slots=True)
class RatedPuzzles(Generic[P]):
    """Counts attempts, and picks puzzles near to a player's rating."""

    collection: Collection[P]
    store: PuzzleRatings
    now: Callable[[], int]

    async def rating(self, account_id: str) -> JsonObject:
        """Returns an account's rating as a `PuzzleRatingAnswer`."""
        mine = await self._mine(account_id)
        return _json(mine, mine, None)

    async def _mine(self, account_id: str) -> Rating:
        solver = self.collection.solvers.identity(account_id)
        return (await self.store.ratings([solver])).get(solver, _fresh())

    async def count(self, account_id: str, puzzle: P, *, solved: bool) -> JsonObject | None:
        """Counts an attempt; returns the player's rating after it, or None if the puzzle counted before."""
        name = self.collection.name(puzzle)
        solvers = self.collection.solvers

        def rate(mine: Rating | None, other: Rating | None) -> tuple[Rating, Rating]:
            before, hard = mine or _fresh(), other or _of_grade(puzzle.grade)
            now = self.now()
            return _rate(before, hard, solved=solved, now=now)

        found = await self.store.count(solvers, account_id, name, solved=solved, rate=rate)
        if found is None:
            return None
        before, after, hard = found
        return _json(before or _fresh(), after, points(hard.mu))

    async def pick(self, account_id: str, draw: Callable[[int], int]) -> P | None:
        """Picks a puzzle that the account hasn't tried, near to its rating; None when it has tried all."""
        tried = await self.store.tried(account_id)
        mine = await self._mine(account_id)
        names = {self.collection.name(puzzle): puzzle for puzzle in self.collection.shipped()}
        known = await self.store.all_puzzles(self.collection.solvers)
        left = [
            (abs(known.get(name, _of_grade(puzzle.grade)).mu - mine.mu), puzzle.number, puzzle)
            for name, puzzle in names.items()
            if name not in tried
        ]
        nearest = sorted(left, key=lambda item: item[:2])
        # Grades tie, so the draw is among all that are as near as the last candidate.
        near = [
            item for item in nearest if item[0] <= nearest[min(CANDIDATES, len(nearest)) - 1][0]
        ]
        return near[draw(len(near))][2] if near else None


def _fresh() -> Rating:
    rating = MODEL.rating()
    return Rating(rating.mu, rating.sigma)


def _of_grade(grade: int) -> Rating:
    return Rating(MODEL.mu + FIRST + STEP * (grade - 1), SIGMA)


def _rate(mine: Rating, puzzle: Rating, *, solved: bool, now: int) -> tuple[Rating, Rating]:
    teams = [[MODEL.rating(rating.mu, rating.sigma)] for rating in (mine, puzzle)]
    ranks = [1.0, 2.0] if solved else [2.0, 1.0]
    (me,), (it,) = MODEL.rate(teams, ranks=ranks)
    return (
        Rating(me.mu, me.sigma, mine.games + 1, mine.wins + solved, now),
        Rating(it.mu, it.sigma, puzzle.games + 1, puzzle.wins + (not solved), now),
    )


def _json(before: Rating, after: Rating, puzzle: int | None) -> JsonObject:
    return {
        **rating_json(after),
        "games": after.games,
        "wins": after.wins,
        "change": points(after.mu) - points(before.mu),
        "puzzle": puzzle,
    }
