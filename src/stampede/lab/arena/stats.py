"""Statistics of a match: score, interval, Elo difference, sequential test. There are no draws in Buffalo."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stampede.core.errors import InputError
from stampede.core.json import JsonObject

__all__ = ["Score", "Sprt", "elo"]

_Z = 1.959964
"""The normal distribution's 97.5 % point: intervals hold 95 %."""


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
class Sprt:
    """Wald's sequential probability ratio test (SPRT): is A better by `elo1` rather than by `elo0`?

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

    def ratio(self, score: Score) -> float:
        """The log-likelihood ratio of the second hypothesis against the first."""
        p0, p1 = (1 / (1 + 10 ** (-value / 400)) for value in (self.elo0, self.elo1))
        losses = score.games - score.wins
        return score.wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))

    def verdict(self, score: Score) -> str:
        """`better`, `not better`, or `open`."""
        ratio = self.ratio(score)
        if abs(ratio) < self.bound:
            return "open"
        return "better" if ratio > 0 else "not better"
