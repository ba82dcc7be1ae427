"""Statistics of matches: score, interval, Elo difference, and the sequential test for pairs of games."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["PairScore", "Score", "Sprt", "SprtCourse", "elo"]

_Z = 1.959964
"""The normal distribution's 97.5 % point: intervals hold 95 %."""
_UNSEEN: Final = 1e-3
"""How often a result that never came is taken to have come, so that every mean is possible."""
_HALVINGS: Final = 60


def elo(score: float) -> float:
    """The Elo difference that corresponds to a score between 0 and 1; infinite at both ends."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True, slots=True)
class Score:
    """Wins out of games.

    Attributes:
        wins: The games that A has won.
        games: All games.
    """

    wins: int
    games: int

    @property
    def share(self) -> float:
        """The share of wins; one half without games."""
        return self.wins / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson interval of the share, with 95 % confidence."""
        if not self.games:
            return 0.0, 1.0
        n, p = self.games, self.share
        middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z / (1 + _Z * _Z / n) * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half))

    def to_json(self) -> JsonObject:
        """The score as JSON; infinite ratings are null."""
        low, high = self.interval
        difference = elo(self.share)
        return {
            "wins": self.wins,
            "games": self.games,
            "share": round(self.share, 4),
            "interval_95": [round(low, 4), round(high, 4)],
            "elo": round(difference, 1) if math.isfinite(difference) else None,
        }


@dataclass(frozen=True, slots=True)
class PairScore:
    """Results of pairs of games: each opening or deal is played twice, with sides swapped.

    Both games of a pair share its luck, so that the pair is what counts as one observation.

    Attributes:
        counts: How many pairs brought A 0, ½, 1, 1½ and 2 points.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> PairScore:
        """Counts pairs by A's points, rounded to halves."""
        counts = [0] * 5
        for each in points:
            counts[round(2 * each)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    def plus(self, points: float) -> PairScore:
        """The results with another pair."""
        one = PairScore.of([points]).counts
        zero, half, even, more, two = map(sum, zip(self.counts, one, strict=True))
        return PairScore((zero, half, even, more, two))

    @property
    def pairs(self) -> int:
        """All pairs."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """A's share of the points; one half without pairs."""
        points = sum(place * count for place, count in enumerate(self.counts))
        return points / (4 * self.pairs) if self.pairs else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share with 95 % confidence, from how much the pairs differ.

        A pair won and a pair lost are counted in, in the manner of Agresti and Coull: so it is sound at both ends and
        for few pairs.
        """
        n = self.pairs + 2
        if not self.pairs:
            return 0.0, 1.0
        counts = [*self.counts]
        for place in (0, 4):
            counts[place] += 1
        mean = sum(place / 4 * count for place, count in enumerate(counts)) / n
        spread = sum((place / 4 - mean) ** 2 * count for place, count in enumerate(counts)) / n
        half = _Z * math.sqrt(spread / n)
        return max(0.0, min(self.share, mean - half)), min(1.0, max(self.share, mean + half))

    def to_json(self) -> JsonObject:
        """The results as JSON."""
        low, high = self.interval
        return {
            "pairs": self.pairs,
            "counts": list(self.counts),
            "share": round(self.share, 4),
            "interval_95": [round(low, 4), round(high, 4)],
        }


@dataclass(frozen=True, slots=True)
class Sprt:
    """Wald's sequential probability ratio test (SPRT) for pairs: is A better by `elo1` rather than by `elo0`?

    The likelihood ratio is the generalised one for the five results of a pair: under each hypothesis the shares of the
    results are the most likely ones with that mean. So openings that favour a side don't blur the test: a pair that
    each side wins once speaks for neither.

    Attributes:
        elo0: The Elo difference of the null hypothesis.
        elo1: The larger one of the alternative.
        risk: The probability of either error.
    """

    elo0: float
    elo1: float
    risk: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1 or not 0 < self.risk < 0.5:
            raise InputError(
                "sprt: expected two rising Elo differences and a risk below 0.5,"
                f" got {self.elo0:g}, {self.elo1:g}, {self.risk:g}"
            )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Reads `0,20`; InputError when it isn't two numbers."""
        try:
            low, high = (float(part) for part in text.split(","))
        except ValueError as error:
            raise InputError(f"sprt: expected two numbers such as 0,20, got {text!r}") from error
        return cls(low, high)

    @property
    def bound(self) -> float:
        """The log-likelihood ratio, positive or negative, at which the test ends."""
        return math.log((1 - self.risk) / self.risk)

    def ratio(self, score: PairScore) -> float:
        """The log-likelihood ratio of the second hypothesis against the first."""
        if not score.pairs:
            return 0.0
        counts = [max(count, _UNSEEN) for count in score.counts]
        low, high = (_most_likely(counts, _share_at(value)) for value in (self.elo0, self.elo1))
        return sum(
            count * math.log(second / first)
            for count, first, second in zip(counts, low, high, strict=True)
        )

    def verdict(self, score: PairScore) -> str:
        """`better`, `not better`, or `open`."""
        ratio = self.ratio(score)
        if abs(ratio) < self.bound:
            return "open"
        return "better" if ratio > 0 else "not better"


@dataclass(slots=True)
class SprtCourse:
    """A sequential test, pair by pair, until it has a verdict; pairs after that don't count.

    Attributes:
        test: The test.
        score: The results of the pairs that count.
        ratios: The log-likelihood ratio after each of them.
    """

    test: Sprt
    score: PairScore = PairScore()
    ratios: list[float] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`better`, `not better`, or `open`."""
        if not self.ratios or abs(self.ratios[-1]) < self.test.bound:
            return "open"
        return "better" if self.ratios[-1] > 0 else "not better"

    def add(self, points: float) -> None:
        """Counts a pair in, unless there is a verdict."""
        if self.verdict == "open":
            self.score = self.score.plus(points)
            self.ratios.append(self.test.ratio(self.score))


def _share_at(difference: float) -> float:
    return float(1 / (1 + 10 ** (-difference / 400)))


def _most_likely(counts: Sequence[float], mean: float) -> list[float]:
    """The most likely shares of five results with a given mean score.

    They are ``count / (total * (1 + x * (score - mean)))``; the one x that gives the mean is found by bisection.
    """
    total = sum(counts)
    away = [place / 4 - mean for place in range(5)]
    low, high, x = -1 / away[-1], -1 / away[0], 0.0
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        slope = sum(count * a / (1 + x * a) for count, a in zip(counts, away, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
    return [count / (total * (1 + x * a)) for count, a in zip(counts, away, strict=True)]
