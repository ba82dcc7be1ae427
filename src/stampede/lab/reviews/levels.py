"""Tells levels apart by what their decisions give away in reviews: the mean loss, with its interval by game."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from stampede.bots import bot_named
from stampede.buffalo import BuffaloGame, BuffaloRules
from stampede.games import game_named
from stampede.lab.simulate import Simulation, play_one
from stampede.oracle.reviews import plan_quick_review
from stampede.search.review import run_review
from stampede.zoff import ZoffRules

__all__ = ["MeanLoss", "losses_by_level", "mean_loss", "neighbours"]

LEVELS = range(1, 7)
_Z = 1.96


@dataclass(frozen=True, slots=True)
class MeanLoss:
    """The mean loss of a decision with half of its 95 % interval, over so many games."""

    value: float
    half: float
    games: int


def mean_loss(by_game: list[float]) -> MeanLoss:
    """The mean over games; each game counts once, as its decisions depend on each other."""
    count = len(by_game)
    mean = sum(by_game) / count
    spread = sum((loss - mean) ** 2 for loss in by_game) / max(1, count - 1)
    return MeanLoss(mean, _Z * math.sqrt(spread / count), count)


def neighbours(by_level: Mapping[int, Sequence[float]]) -> Iterator[tuple[int, int, MeanLoss]]:
    """Yields neighbouring levels, and how much more the lower one loses: game by game, of the same games.

    Levels at one table share its deal and its course, so their difference varies less than their losses do.
    """
    for below, above in pairwise(sorted(by_level)):
        gaps = [low - high for low, high in zip(by_level[below], by_level[above], strict=True)]
        yield below, above, mean_loss(gaps)


def losses_by_level(
    game: str, games: int, seed: int = 0, first: int = 0
) -> Iterator[tuple[int, float]]:
    """Yields a level and its mean loss in one game, for every seat of every game, from the game with a number on.

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
        played = play_one(Simulation(rules, settings, bots, games, f"levels/{seed}"), index)
        review = run_review(plan_quick_review(played.record))
        for seat, level in enumerate(levels):
            own = [one.loss for one in review.decisions if one.seat == seat]
            yield level, sum(own) / len(own)
