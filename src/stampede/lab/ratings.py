"""Ratings from results: a Plackett–Luce fit on the Elo scale, with bootstrap intervals.

A *contest* is a choice among players, one of whom gets the victory. Luce's axiom says that each is chosen in proportion
to its strength. With two players this is the model of Bradley and Terry; a player that sits on several chairs counts
once for each; and a whole ranking is a series of contests (Plackett–Luce): the first place among all, the second among
the rest, and so on.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["ELO", "Contest", "RatingEstimate", "fit", "interval_of", "rank_contests", "rate_units"]

ELO: Final = 400 / math.log(10)
"""Elo points for a factor of e in the odds."""
PRIOR: Final = 0.05
"""Strength of the pull towards the middle, in games: keeps ratings finite where all games were won."""
SAMPLES: Final = 200
STEPS: Final = 100
TOLERANCE: Final = 1e-8

Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contest:
    """Games among the same players.

    Attributes:
        among: The players, sorted; one that sits on several chairs appears as often.
        wins: What each has won, by name; shared victories count in part. They add up to the number of games.
    """

    among: tuple[str, ...]
    wins: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RatingEstimate:
    """A rating with its 95 % interval, in Elo; an end is infinite where the results set no limit."""

    value: float
    low: float
    high: float


def rank_contests(ranking: Sequence[Sequence[str]]) -> list[Contest]:
    """The contests of a whole ranking, the first place first; players of an equal place share it.

    Each place that several share counts as a choice among all who are left, divided equally (Breslow's rule for ties).
    """
    contests = []
    left = [name for place in ranking for name in place]
    for place in ranking:
        for _ in place:
            if len(set(left)) > 1:
                wins = {name: place.count(name) / len(place) for name in place}
                contests.append(Contest(tuple(sorted(left)), wins))
        for name in place:
            left.remove(name)
    return contests


def fit(contests: Iterable[Contest], anchors: Mapping[str, float]) -> dict[str, float]:
    """The most likely ratings; the anchors' mean is kept at theirs, else the mean of all at 0.

    Newton's method: the likelihood has one peak.
    """
    merged = merge(contests)
    names = sorted({name for contest in merged for name in contest.among})
    if not names:
        return {}
    place = {name: index for index, name in enumerate(names)}
    chairs = np.zeros((len(merged), len(names)))
    wins = np.zeros(len(names))
    games = np.zeros(len(merged))
    for row, contest in enumerate(merged):
        for name in contest.among:
            chairs[row, place[name]] += 1
        for name, share in contest.wins.items():
            wins[place[name]] += share
            games[row] += share
    strengths = _climb(chairs, wins, games)
    known = [name for name in anchors if name in place]
    if known:
        away = sum(anchors[name] - ELO * float(strengths[place[name]]) for name in known)
        shift = away / len(known)
    else:
        shift = -ELO * float(strengths.mean())
    return {name: ELO * float(strengths[place[name]]) + shift for name in names}


def _climb(chairs: Floats, wins: Floats, games: Floats) -> Floats:
    """The strengths (logarithms) at the peak of the likelihood with its prior."""
    strengths = np.zeros(len(wins))
    height = _height(strengths, chairs, wins, games)
    for _ in range(STEPS):
        weights = chairs * np.exp(strengths)
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = games @ chances
        slope = wins - expected - PRIOR * strengths
        curve = np.diag(expected + PRIOR) - (chances * games[:, None]).T @ chances
        step = np.linalg.solve(curve, slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        while True:
            reached = _height(strengths + step, chairs, wins, games)
            if reached >= height - 1e-9 or float(np.abs(step).max()) < TOLERANCE:
                break
            step /= 2
        strengths, height = strengths + step, reached
        if float(np.abs(step).max()) < TOLERANCE:
            break
    return strengths


def _height(strengths: Floats, chairs: Floats, wins: Floats, games: Floats) -> float:
    totals = np.log((chairs * np.exp(strengths)).sum(axis=1))
    return float(wins @ strengths - games @ totals - PRIOR / 2 * strengths @ strengths)


def merge(contests: Iterable[Contest]) -> list[Contest]:
    """The contests with those among the same players added up."""
    totals: dict[tuple[str, ...], dict[str, float]] = {}
    for contest in contests:
        wins = totals.setdefault(contest.among, {})
        for name, share in contest.wins.items():
            wins[name] = wins.get(name, 0.0) + share
    return [Contest(among, wins) for among, wins in totals.items()]


# --- intervals ---


def interval_of(values: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of values."""
    ordered = sorted(values)
    edge = len(ordered) // 40
    return ordered[edge], ordered[-1 - edge]


def rate_units(
    strata: Sequence[Sequence[Sequence[Contest]]],
    anchors: Mapping[str, float],
    rng: random.Random,
    samples: int = SAMPLES,
) -> dict[str, RatingEstimate]:
    """Ratings with intervals by a bootstrap over units.

    A unit is what was played under the same conditions, such as both games of an opening: its games aren't independent,
    so it is drawn as a whole. Units are drawn within their stratum, such as a pairing, one fewer than there are, as
    draws vary less than what they are drawn from. Beside them there is an even unit to draw, with a weight that makes
    about one for each player: without it, a player that has won everything would seem to be rated for certain.

    Args:
        strata: Units by stratum; a unit is the contests of its games.
        anchors: The players whose mean rating is given.
        rng: Where the draws come from.
        samples: How many draws.
    """
    merged = [[merge(unit) for unit in stratum] for stratum in strata]
    everything = [contest for stratum in merged for unit in stratum for contest in unit]
    middle = fit(everything, anchors)
    urns = _urns([stratum for stratum in merged if stratum])
    drawn: dict[str, list[float]] = {name: [] for name in middle}
    for _ in range(samples):
        sample = [
            contest
            for units, weights in urns
            for unit in rng.choices(units, weights, k=max(1, len(units) - 2))
            for contest in unit
        ]
        for name, value in fit(sample, anchors).items():
            drawn[name].append(value)
    bounded = _bounded(everything)
    return {
        name: _rating(value, drawn[name], (True, True) if name in anchors else bounded[name])
        for name, value in middle.items()
    }


def _urns(
    strata: Sequence[Sequence[list[Contest]]],
) -> list[tuple[list[list[Contest]], list[float]]]:
    """The units of each stratum with an even one, and the weights with which they are drawn."""
    players = [
        {name for unit in stratum for contest in unit for name in contest.among}
        for stratum in strata
    ]
    meetings = Counter(name for names in players for name in names)
    urns = []
    for stratum, names in zip(strata, players, strict=True):
        weight = 1 / max(meetings[name] for name in names)
        urns.append(([*stratum, _even(stratum)], [*[1.0] * len(stratum), weight]))
    return urns


def _even(stratum: Sequence[Sequence[Contest]]) -> list[Contest]:
    """A unit like the mean one of a stratum, but with equal chances for every chair."""
    total = merge(contest for unit in stratum for contest in unit)
    even = []
    for contest in total:
        games = sum(contest.wins.values()) / len(stratum)
        share = games / len(contest.among)
        wins = {name: share * contest.among.count(name) for name in contest.among}
        even.append(Contest(contest.among, wins))
    return even


def _rating(value: float, drawn: Sequence[float], bounded: tuple[bool, bool]) -> RatingEstimate:
    low, high = interval_of([*drawn, value])
    below, above = bounded
    return RatingEstimate(
        value, min(low, value) if below else -math.inf, max(high, value) if above else math.inf
    )


def _bounded(contests: Sequence[Contest]) -> dict[str, tuple[bool, bool]]:
    """By player: whether it has ever won, and whether another has ever won against it."""
    found: dict[str, tuple[bool, bool]] = {}
    for contest in merge(contests):
        total = sum(contest.wins.values())
        for name in set(contest.among):
            won = contest.wins.get(name, 0.0)
            below, above = found.get(name, (False, False))
            found[name] = (below or won > 0, above or won < total)
    return found
