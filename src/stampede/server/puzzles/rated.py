"""Rated puzzles: a player against a puzzle, by the same model as games. Each puzzle counts once for an account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.core.json import JsonObject
from stampede.proofs.puzzles.puzzle import Puzzle, shipped_puzzles
from stampede.server.puzzles.answers import puzzle_key
from stampede.server.ratings.rating_system import MODEL, points, rating_json
from stampede.store.accounts.puzzles import PuzzleRatings
from stampede.store.ratings.ratings import Rating

__all__ = ["RatedPuzzles"]

FIRST: Final = -6.0
STEP: Final = 2.4
"""The rating of a puzzle of grade 1, and each further grade, in the model's units beside its mean."""
SIGMA: Final = 4.0
"""How sure a grade is: surer than nothing, as bots have tried the puzzle."""
CANDIDATES: Final = 12
"""How many puzzles nearest to a player's rating one is drawn from."""


@dataclass(frozen=True, slots=True)
class RatedPuzzles:
    """Counts attempts, and picks puzzles near to a player's rating."""

    store: PuzzleRatings
    now: Callable[[], int]

    async def rating(self, account_id: str) -> JsonObject:
        """Returns an account's rating as a `PuzzleRatingAnswer`."""
        mine = (await self.store.ratings([account_id])).get(account_id, _fresh())
        return _json(mine, mine, None)

    async def count(self, account_id: str, puzzle: Puzzle, *, solved: bool) -> JsonObject | None:
        """Counts an attempt; returns the player's rating after it, or None if the puzzle counted before."""
        name = f"puzzle:{puzzle_key(puzzle)}"

        def rate(mine: Rating | None, other: Rating | None) -> tuple[Rating, Rating]:
            before, hard = mine or _fresh(), other or _of_grade(puzzle.grade)
            now = self.now()
            return _rate(before, hard, solved=solved, now=now)

        found = await self.store.count(account_id, name, solved=solved, rate=rate)
        if found is None:
            return None
        before, after, hard = found
        return _json(before or _fresh(), after, points(hard.mu))

    async def pick(self, account_id: str, draw: Callable[[int], int]) -> Puzzle | None:
        """Picks a puzzle that the account hasn't tried, near to its rating; None when it has tried all."""
        tried = await self.store.tried(account_id)
        mine = (await self.store.ratings([account_id])).get(account_id, _fresh())
        names = {f"puzzle:{puzzle_key(puzzle)}": puzzle for puzzle in shipped_puzzles()}
        known = await self.store.all_puzzles()
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
