"""Ratings of a calibration: the shared fit (`stampede.lab.ratings`) on cells of games, with bootstrap intervals.

Buffalo's sides have ratings of their own: the buffaloes of one player against the hunter of another. In Zoff one player
sits among several equal others.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stampede.lab.ratings import Contest, RatingEstimate, fit, interval_of

__all__ = ["Cell", "RatingEstimate", "rate"]

_SAMPLES: Final = 200


@dataclass(frozen=True, slots=True)
class Cell:
    """The games between two.

    Attributes:
        first: Whose wins are counted.
        second: Against whom.
        wins: Shared victories count in part.
        games: All games.
        others: How many of the second it played against at once.
    """

    first: str
    second: str
    wins: float
    games: int
    others: int = 1

    @property
    def contest(self) -> Contest:
        """The games as the fit takes them."""
        among = sorted([self.first, *[self.second] * self.others])
        return Contest(tuple(among), {self.first: self.wins, self.second: self.games - self.wins})


def rate(
    cells: Sequence[Cell], anchors: Mapping[str, float], rng: random.Random
) -> dict[str, RatingEstimate]:
    """Ratings with intervals: the fit is repeated on results drawn anew, cell by cell."""
    middle = fit((cell.contest for cell in cells), anchors)
    drawn: dict[str, list[float]] = {name: [] for name in middle}
    for _ in range(_SAMPLES):
        again = [replace(cell, wins=_draw(cell, rng)) for cell in cells]
        for name, value in fit((cell.contest for cell in again), anchors).items():
            drawn[name].append(value)
    return {
        name: RatingEstimate(value, *interval_of(drawn[name])) for name, value in middle.items()
    }


def _draw(cell: Cell, rng: random.Random) -> float:
    share = cell.wins / cell.games
    return sum(rng.random() < share for _ in range(cell.games))
