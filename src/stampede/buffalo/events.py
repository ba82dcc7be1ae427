"""What can happen in a game of Buffalo. `stampede.buffalo.describe` says it in English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from stampede.buffalo.actions import Move
from stampede.buffalo.pieces import Piece
from stampede.core.events import Event, Reason
from stampede.core.game import Seat
from stampede.core.json import JsonObject

__all__ = [
    "ALL_STEPPED",
    "CAPTURED",
    "IN_FRONT",
    "NO_OTHER_BUFFALO",
    "Blocked",
    "BuffaloEnded",
    "BuffaloEvent",
    "Captured",
    "Moved",
    "OpeningEnded",
]

CAPTURED: Final = Reason("chief_entered", "B2.4")
IN_FRONT: Final = Reason("piece_in_front", "B2.5")
ALL_STEPPED: Final = Reason("all_stepped", "B4.3")
NO_OTHER_BUFFALO: Final = Reason("no_other_buffalo", "B4.3")


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A seat moved a piece."""

    kind: ClassVar[str] = "moved"
    seat: Seat
    piece: Piece
    move: Move

    def to_json(self) -> JsonObject:
        """The event as JSON; servers write one for every action."""
        return {"kind": "moved", "seat": self.seat, "piece": self.piece, "move": str(self.move)}


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """The chief took the buffalo on this square."""

    kind: ClassVar[str] = "captured"
    square: str
    reason: Reason = CAPTURED


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """A piece of the hunter's has come to stand in front of the buffalo on this square."""

    kind: ClassVar[str] = "blocked"
    square: str
    by: Piece
    at: str
    reason: Reason = IN_FRONT


@dataclass(frozen=True, slots=True)
class OpeningEnded(Event):
    """An opening turn of several steps is over; the hunter is to move."""

    kind: ClassVar[str] = "opening_ended"
    steps: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class BuffaloEnded(Event):
    """The game is over."""

    kind: ClassVar[str] = "ended"
    winner: Seat
    reason: Reason


BuffaloEvent: TypeAlias = Moved | Captured | Blocked | OpeningEnded | BuffaloEnded
