"""Tells levels apart by what their decisions give away in reviews: the mean loss, with its interval by game.

Two figures are told. All decisions: each game counts once. Open decisions: those whose mover has a chance within
`OPEN`, as in a game that is already decided most moves lose nothing; each decision counts once. The intervals of both
are over games, as decisions of one game depend on each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias

from stampede.bots import bot_named
from stampede.buffalo import BuffaloGame, BuffaloRules
from stampede.core.json import JsonObject
from stampede.games import game_named
from stampede.lab.simulate import SimulationPlan, play_one
from stampede.oracle.reviews import plan_quick_review
from stampede.search.review import run_review
from stampede.zoff import ZoffRules

__all__ = [
    "LEVELS",
    "OPEN",
    "Figure",
    "LevelGame",
    "MeanLoss",
    "all_decisions",
    "mean_gap",
    "mean_loss",
    "open_decisions",
    "paired_seats",
    "play_levels",
]

LEVELS: Final = range(1, 7)
OPEN: Final = (0.1, 0.9)
"""Chances to win with the best move; where it is in between, the game is open."""
_Z: Final = 1.96


class Decision(NamedTuple):
    """What the best option of a decision was worth, and what was given away."""

    best_value: float
    loss: float


@dataclass(frozen=True, slots=True)
class LevelGame:
    """A game between levels: who sat where, and every seat's decisions as its review judges them."""

    levels: tuple[int, ...]
    decisions: tuple[tuple[Decision, ...], ...]

    def to_json(self) -> JsonObject:
        """The game as JSON."""
        return {
            "levels": list(self.levels),
            "decisions": [
                [[round(one.best_value, 4), round(one.loss, 4)] for one in own]
                for own in self.decisions
            ],
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> LevelGame:
        """Reads a game that `to_json` has written."""
        return cls(
            tuple(row["levels"]),
            tuple(tuple(Decision(*one) for one in own) for own in row["decisions"]),
        )


Share: TypeAlias = tuple[float, float]
"""What the decisions of a seat in one game add to a mean: their losses, and by how much they count."""
Figure: TypeAlias = Callable[[Sequence[Decision]], Share]


def all_decisions(decisions: Sequence[Decision]) -> Share:
    """Counts the game once, with the mean of its decisions."""
    return sum(one.loss for one in decisions) / max(1, len(decisions)), float(bool(decisions))


def open_decisions(decisions: Sequence[Decision]) -> Share:
    """Counts every decision whose mover has a chance within `OPEN`."""
    low, high = OPEN
    losses = [one.loss for one in decisions if low <= one.best_value <= high]
    return sum(losses), float(len(losses))


@dataclass(frozen=True, slots=True)
class MeanLoss:
    """A mean loss, or a difference of two, with half of its 95 % interval, over so many games."""

    value: float
    half: float
    games: int

    @property
    def tells_apart(self) -> bool:
        """Whether the interval leaves out zero."""
        return abs(self.value) > self.half


def mean_loss(shares: Sequence[Share]) -> MeanLoss:
    """The mean of what games add to it."""
    residuals = _residuals(shares)
    return MeanLoss(_ratio(shares), _half(residuals), len(shares))


def mean_gap(pairs: Iterable[tuple[Share, Share]]) -> MeanLoss:
    """How much larger the first mean is than the second, over games that belong together.

    What two games of a pair have in common, such as the deal or the opponent, doesn't widen the interval.
    """
    below, above = zip(*pairs, strict=True)
    both = zip(_residuals(below), _residuals(above), strict=True)
    return MeanLoss(
        _ratio(below) - _ratio(above), _half([low - high for low, high in both]), len(below)
    )


def _ratio(shares: Sequence[Share]) -> float:
    return sum(loss for loss, _ in shares) / max(1.0, sum(weight for _, weight in shares))


def _residuals(shares: Sequence[Share]) -> list[float]:
    """By game: how far it pulls the mean, as a ratio of two sums, to one side."""
    mean = _ratio(shares)
    usual = max(1.0, sum(weight for _, weight in shares)) / len(shares)
    return [(loss - mean * weight) / usual for loss, weight in shares]


def _half(residuals: Sequence[float]) -> float:
    count = len(residuals)
    spread = sum(one**2 for one in residuals) / max(1, count - 1)
    return _Z * math.sqrt(spread / count)


def paired_seats(
    games: Iterable[LevelGame], below: int, above: int, figure: Figure
) -> Iterator[tuple[Share, Share]]:
    """Pairs what two levels add to a mean.

    With all levels at one table these are two seats of one game. Of a game of two they are two games: each level on
    the same side against the same opponent, the n-th time, or against each other.
    """
    played: dict[tuple[int, ...], tuple[list[Share], list[Share]]] = defaultdict(lambda: ([], []))
    pair = below, above
    for game in games:
        for seat, level in enumerate(game.levels):
            if level not in pair:
                continue
            others = [other for other in game.levels if other not in pair]
            key = (seat, *others) if len(game.levels) == 2 else ()
            played[key][pair.index(level)].append(figure(game.decisions[seat]))
    for low, high in played.values():
        yield from zip(low, high, strict=False)


def play_levels(game: str, games: int, seed: int = 0, first: int = 0) -> Iterator[LevelGame]:
    """Plays and reviews games between levels 1 to 6, from the game with a number on.

    Zoff: all six levels at one table, each in another seat from game to game. Buffalo: every level against every
    other on both sides, in turn.
    """
    tables = list(permutations(LEVELS, 2))
    rules = game_named(game).game
    for index in range(first, games):
        if game == BuffaloGame.name:
            # 7 and 30 have no common factor: the first few games have many pairings.
            levels = list(tables[7 * index % len(tables)])
            settings = BuffaloRules().to_json()
        else:
            levels = [LEVELS[(seat + index) % len(LEVELS)] for seat in range(len(LEVELS))]
            settings = ZoffRules(players=len(LEVELS)).to_json()
        bots = tuple(bot_named(f"{game}-{level}") for level in levels)
        played = play_one(SimulationPlan(rules, settings, bots, games, f"levels/{seed}"), index)
        review = run_review(plan_quick_review(played.record))
        yield LevelGame(
            tuple(levels),
            tuple(
                tuple(
                    Decision(one.best_value, one.loss)
                    for one in review.decisions
                    if one.seat == seat
                )
                for seat in range(len(levels))
            ),
        )
