"""Ratings from results: a Bradley–Terry fit on the Elo scale, with bootstrap intervals.

Buffalo's sides have ratings of their own: the buffaloes of one player against the hunter of another. In Zoff one player
sits among several equal others; the same model then says that its chance is its own strength among all (Luce's choice
axiom), which shifts the scale by the number of the others.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["ELO", "Cell", "Rating", "fit", "rate"]

ELO: Final = 400 / math.log(10)
"""Elo points for a factor of e in the odds."""
_PRIOR: Final = 0.05
"""Strength of the pull towards the middle, in games: keeps ratings finite where all games were won."""
_STEPS: Final = 400
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


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with its 95 % interval, in Elo."""

    value: float
    low: float
    high: float


def fit(cells: Sequence[Cell], anchors: Mapping[str, float]) -> dict[str, float]:
    """The most likely ratings; the anchors' mean is kept at theirs.

    One coordinate after another, each by a step of Newton's method: the likelihood has one peak.
    """
    names = sorted({name for cell in cells for name in (cell.first, cell.second)})
    strengths = dict.fromkeys(names, 0.0)
    by_name: dict[str, list[Cell]] = {name: [] for name in names}
    for cell in cells:
        by_name[cell.first].append(cell)
        by_name[cell.second].append(cell)
    for _ in range(_STEPS):
        largest = 0.0
        for name in names:
            slope, curve = -_PRIOR * strengths[name], _PRIOR
            for cell in by_name[name]:
                odds = strengths[cell.first] - strengths[cell.second] - math.log(cell.others)
                chance = 1 / (1 + math.exp(-odds))
                sign = 1 if name == cell.first else -1
                slope += sign * (cell.wins - cell.games * chance)
                curve += cell.games * chance * (1 - chance)
            step = max(-1.0, min(1.0, slope / curve))
            strengths[name] += step
            largest = max(largest, abs(step))
        if largest < 1e-6:
            break
    known = [name for name in anchors if name in strengths]
    shift = 0.0
    if known:
        shift = sum(anchors[name] - ELO * strengths[name] for name in known) / len(known)
    return {name: ELO * strength + shift for name, strength in strengths.items()}


def rate(
    cells: Sequence[Cell], anchors: Mapping[str, float], rng: random.Random
) -> dict[str, Rating]:
    """Ratings with intervals: the fit is repeated on results drawn anew, cell by cell."""
    middle = fit(cells, anchors)
    drawn: dict[str, list[float]] = {name: [] for name in middle}
    for _ in range(_SAMPLES):
        again = [
            Cell(cell.first, cell.second, _draw(cell, rng), cell.games, cell.others)
            for cell in cells
        ]
        for name, value in fit(again, anchors).items():
            drawn[name].append(value)
    edge = _SAMPLES // 40
    return {
        name: Rating(value, sorted(drawn[name])[edge], sorted(drawn[name])[-1 - edge])
        for name, value in middle.items()
    }


def _draw(cell: Cell, rng: random.Random) -> float:
    share = cell.wins / cell.games
    return sum(rng.random() < share for _ in range(cell.games))
