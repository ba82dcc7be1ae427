"""Reviews of finished games of either game, with everything that is proven."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from stampede.buffalo import BuffaloGame
from stampede.core.errors import InputError
from stampede.core.record import GameRecord
from stampede.oracle.local import default_oracle
from stampede.oracle.zoff_ends import with_proven_ends
from stampede.search.buffalo import review as buffalo
from stampede.search.review import ReviewPlan
from stampede.search.zoff.review import game as zoff
from stampede.search.zoff.strategy import Effort
from stampede.zoff import ZoffGame

__all__ = ["QUICK_ZOFF", "plan_quick_review", "plan_review_again"]

QUICK_ZOFF: Final = Effort(pool=64, samples=4, keep=8, rounds=2_000, leaves=1_000)
"""Enough to tell mistakes of half a cow; a fifth of the time of the command line's effort."""


def plan_quick_review(record: GameRecord) -> ReviewPlan:
    """Plans a review that takes seconds, for a page that people wait for.

    Raises:
        InputError: There is no review of this game, it isn't finished, or not by the rules.
    """
    if record.game not in _PLANS:
        known = " or ".join(sorted(_PLANS))
        raise InputError(f"review: expected a game of {known}, got {record.game}")
    return _PLANS[record.game](record)


def plan_review_again(record: GameRecord, budget: Mapping[str, int]) -> ReviewPlan:
    """Plans a review with the budget that another review of the same record names, which gives the same review.

    Wins by tablebase are the exception: they need the tablebases that the other machine had.

    Raises:
        InputError: As for `plan_quick_review`, or the budget isn't one of a review of this game.
    """
    plan = plan_quick_review(record)
    if set(budget) != set(plan.budget):
        expected, got = (", ".join(sorted(names)) for names in (plan.budget, budget))
        raise InputError(f"budget: expected {expected}, got {got or 'nothing'}")
    if record.game == BuffaloGame.name:
        return buffalo.plan_review(record, default_oracle(), buffalo.ReviewEffort(**budget))
    effort = zoff.effort_of(budget)
    return with_proven_ends(zoff.plan_review(record, effort=effort, seed=budget["seed"]))


def _plan_buffalo(record: GameRecord) -> ReviewPlan:
    return buffalo.plan_review(record, default_oracle())


def _plan_zoff(record: GameRecord) -> ReviewPlan:
    return with_proven_ends(zoff.plan_review(record, effort=QUICK_ZOFF))


_PLANS: Final[Mapping[str, Callable[[GameRecord], ReviewPlan]]] = MappingProxyType(
    {BuffaloGame.name: _plan_buffalo, ZoffGame.name: _plan_zoff}
)
