"""Events as English sentences, for the terminal and for the question "why?"."""

from __future__ import annotations

from typing import assert_never

from stampede.buffalo.events import (
    Blocked,
    BuffaloEnded,
    BuffaloEvent,
    Captured,
    Moved,
    OpeningEnded,
)
from stampede.buffalo.pieces import Side
from stampede.buffalo.reasons import BuffaloReason
from stampede.core.events import Event

__all__ = ["describe"]


def describe(event: Event) -> str:
    """One sentence that says what happened, with the clause where the rules decided it."""
    if not isinstance(event, BuffaloEvent):
        raise TypeError(f"expected an event of Buffalo, got {event!r}")
    match event:
        case Moved():
            start, end = event.move.from_square, event.move.to_square
            return f"The {event.piece} moves from {start} to {end}."
        case Captured():
            return f"The chief captures the buffalo on {event.square} ({event.reason.clause})."
        case Blocked():
            clause = event.reason.clause
            return f"The {event.by} on {event.at} blocks the buffalo on {event.square} ({clause})."
        case OpeningEnded():
            return _describe_opening(event)
        case BuffaloEnded():
            winner = str(Side(event.winner)).capitalize()
            return f"{winner} wins: {_describe_end(event.reason)} ({event.reason.clause})."
    assert_never(event)


def _describe_opening(event: OpeningEnded) -> str:
    steps = f"{event.steps} step{'s' if event.steps > 1 else ''}"
    why = "; no other buffalo can step" if event.reason.code == "no_other_buffalo" else ""
    return f"The opening turn is over after {steps}{why} ({event.reason.clause})."


def _describe_end(reason: BuffaloReason) -> str:
    values = dict(reason.values)
    if reason.code == "crossed":
        return f"a buffalo has reached {values['square']}"
    if not values["blocked"]:
        return "every buffalo is captured"
    return f"no buffalo can move, {values['blocked']} blocked and {values['captured']} captured"
