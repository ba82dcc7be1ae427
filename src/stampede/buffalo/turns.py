"""Carries out a move: checks it and reports what follows from it as events."""

from __future__ import annotations

from stampede.buffalo.actions import Move
from stampede.buffalo.events import (
    ALL_STEPPED,
    NO_OTHER_BUFFALO,
    Blocked,
    BuffaloEnded,
    Captured,
    Moved,
    OpeningEnded,
)
from stampede.buffalo.geometry import BEHIND
from stampede.buffalo.pieces import BUFFALO_SEAT, HUNTER_SEAT, Piece, Side
from stampede.buffalo.position import CROSSED, Position
from stampede.buffalo.reasons import BuffaloReason
from stampede.buffalo.refusals import refusal
from stampede.buffalo.state import BuffaloState, Opening
from stampede.core.errors import IllegalAction
from stampede.core.events import Event
from stampede.core.game import Outcome, Step

__all__ = ["play"]


def play(state: BuffaloState, move: Move) -> Step[BuffaloState]:
    """Carries out a move of the side to move; ActionError when the rules refuse it."""
    position = state.position
    if not position.is_legal(move):
        raise refusal(position, move)
    if position.turn is Side.HUNTER:
        return _hunter(state, move)
    if state.opening is None:
        moved = Moved(BUFFALO_SEAT, Piece.BUFFALO, move)
        return _finish(state, move, position.after(move), [moved])
    return _opening(state, state.opening, move)


def _hunter(state: BuffaloState, move: Move) -> Step[BuffaloState]:
    before, end = state.position, move.to_square
    piece = Piece.CHIEF if move.from_square == before.chief else Piece.DOG
    events: list[Event] = [Moved(HUNTER_SEAT, piece, move)]
    if before.is_capture(move):
        events.append(Captured(str(end)))
    after = before.after(move)
    if (behind := BEHIND[end]) in after.buffaloes:
        events.append(Blocked(str(behind), piece, str(end)))
    return _finish(state, move, after, events)


def _opening(state: BuffaloState, opening: Opening, move: Move) -> Step[BuffaloState]:
    """One step of an opening turn (B4.3): the turn goes on while steps and fresh buffaloes are left."""
    file = move.from_square.file_name
    if file in opening.stepped:
        raise IllegalAction(
            f"the buffalo of file {file} has stepped in this opening turn; another must", "B4.3"
        )
    events: list[Event] = [Moved(BUFFALO_SEAT, Piece.BUFFALO, move)]
    after = state.position.after(move)
    if after.is_over:
        return _finish(state, move, after, events)
    going_on = BuffaloState(
        state.rules,
        state.start,
        after.with_turn(Side.BUFFALO),
        Opening(opening.left - 1, (*opening.stepped, file)),
        move,
    )
    if opening.left > 1 and going_on.legal_moves:
        return Step(going_on, tuple(events))
    steps = len(opening.stepped) + 1
    events.append(OpeningEnded(steps, ALL_STEPPED if opening.left == 1 else NO_OTHER_BUFFALO))
    return _finish(state, move, after, events)


def _finish(
    state: BuffaloState, move: Move, after: Position, events: list[Event]
) -> Step[BuffaloState]:
    """Ends the turn, and the game if it is over (B3)."""
    outcome = after.outcome()
    if outcome is not None:
        events.append(BuffaloEnded(outcome.winners[0], _reason(state, after, outcome, move)))
    ended = BuffaloState(state.rules, state.start, after, None, move, outcome)
    return Step(ended, tuple(events))


def _reason(state: BuffaloState, after: Position, outcome: Outcome, move: Move) -> BuffaloReason:
    if outcome is CROSSED:
        return BuffaloReason("crossed", "B3.1", (("square", str(move.to_square)),))
    blocked = len(after.buffaloes)
    captured = len(state.start.buffaloes) - blocked
    return BuffaloReason("no_move", "B3.2", (("blocked", blocked), ("captured", captured)))
