"""Wins of Zoff that are certain: in the last round of two players, once all pairs lie open.

Nothing is hidden then, and nothing is drawn any more: placements and bonuses are played out to the end of the game by
the rules, with every answer of the other player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from stampede.core.game import Seat
from stampede.core.replay import replay
from stampede.search.review import ProvenWin, ReviewedDecision, ReviewPart, ReviewPlan
from stampede.zoff import ZoffGame
from stampede.zoff.state import State, ZoffPhase

__all__ = ["EndPlayout", "TooManyStates", "with_proven_ends"]

LIMIT: Final = 3_000
"""States of a last round that are played out; a decision with more isn't proven."""
_GAME: Final = ZoffGame()
_Key: TypeAlias = tuple[object, ...]


class TooManyStates(Exception):
    """More states follow than are played out."""


class EndPlayout:
    """Plays the last round of two players out; each state once.

    Args:
        limit: How many states.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._left = limit
        self._known: dict[_Key, int | None] = {}

    def plies_to_win(self, state: State, seat: Seat) -> int | None:
        """In at most how many actions a seat wins alone, whatever the other one does; None if it can't force that.

        Raises:
            TooManyStates: The limit is reached.
        """
        if state.ending is not None:
            return 0 if state.ending.winners == (seat,) else None
        key = (
            seat,
            state.phase,
            state.herds,
            state.line,
            state.waiting,
            state.payments,
            state.queue,
        )
        if key not in self._known:
            self._left -= 1
            if self._left < 0:
                raise TooManyStates
            self._known[key] = self._play_on(state, seat)
        return self._known[key]

    def _play_on(self, state: State, seat: Seat) -> int | None:
        (actor,) = _GAME.to_act(state)
        found = (self.plies_to_win(after, seat) for after in _followers(state, actor))
        if actor == seat:
            wins = [plies for plies in found if plies is not None]
            return 1 + min(wins) if wins else None
        longest = 0
        for plies in found:
            if plies is None:
                return None
            longest = max(longest, plies)
        return 1 + longest


def _followers(state: State, seat: Seat) -> Iterator[State]:
    for action in _GAME.legal(state, seat):
        yield _GAME.apply(state, seat, action).state


def with_proven_ends(plan: ReviewPlan) -> ReviewPlan:
    """The same review, which also says for certain which placement or bonus of the last round lost; of two players."""
    if plan.seats != 2:
        return plan
    curve, *rest = plan.tasks
    return replace(plan, tasks=(curve, *(partial(_prove, plan, task) for task in rest)))


def _prove(plan: ReviewPlan, task: Callable[[], ReviewPart]) -> ReviewPart:
    part = task()
    last = [one for one in part.decisions if one.loss > 0 and _is_answer(one)]
    if not last:
        return part
    played = replay(_GAME, plan.record)
    if last[0].round != played.rules.rounds:
        return part
    states = (played.start, *(turn.state for turn in played.turns))
    ends = EndPlayout()
    return replace(part, decisions=tuple(_with_proof(one, states, ends) for one in part.decisions))


def _is_answer(decision: ReviewedDecision) -> bool:
    """Whether it was taken when the pairs lay open; its reasons are those of an answer then."""
    chosen = decision.chosen
    return isinstance(chosen, dict) and chosen.get("type") in ("place", "bonus")


def _with_proof(
    decision: ReviewedDecision, states: tuple[State, ...], ends: EndPlayout
) -> ReviewedDecision:
    """The decision with the win of the other seat, if it gave a win away and both are certain."""
    before, after = states[decision.turn], states[decision.turn + 1]
    seat, other = decision.seat, 1 - decision.seat
    if decision.loss <= 0 or before.phase not in (ZoffPhase.PLACE, ZoffPhase.BONUS):
        return decision
    best = _GAME.apply(before, seat, _GAME.read_action(before, decision.best)).state
    try:
        if ends.plies_to_win(best, seat) is None:
            return decision
        plies = ends.plies_to_win(after, other)
    except TooManyStates:
        return decision
    if plies is None:
        return decision
    return replace(decision, proven=ProvenWin(other, plies, "search"))
