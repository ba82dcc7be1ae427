"""What can happen in a game of Buffalo. `stampede.buffalo.describe` says it in English."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from stampede.buffalo.actions import Move
from stampede.buffalo.pieces import Piece
from stampede.buffalo.reasons import BuffaloReason
from stampede.core.events import Event
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

CAPTURED: Final = BuffaloReason("chief_entered", "B2.4")
IN_FRONT: Final = BuffaloReason("piece_in_front", "B2.5")
ALL_STEPPED: Final = BuffaloReason("all_stepped", "B4.3")
NO_OTHER_BUFFALO: Final = BuffaloReason("no_other_buffalo", "B4.3")


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A seat moved a piece."""

    kind: Literal["moved"] = field(default="moved", kw_only=True, repr=False, compare=False)
    seat: Seat
    piece: Piece
    move: Move

    def to_json(self) -> JsonObject:
        """The event as JSON; a server writes one for every action."""
        return {"kind": "moved", "seat": self.seat, "piece": self.piece, "move": str(self.move)}


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """The chief took the buffalo on this square."""

    kind: Literal["captured"] = field(default="captured", kw_only=True, repr=False, compare=False)
    square: str
    reason: BuffaloReason = CAPTURED


@dataclass(frozen=True, slots=True)
class Blocked(Event):
    """One of the hunter's pieces now stands in front of the buffalo on this square."""

    kind: Literal["blocked"] = field(default="blocked", kw_only=True, repr=False, compare=False)
    square: str
    by: Piece
    at: str
    reason: BuffaloReason = IN_FRONT


@dataclass(frozen=True, slots=True)
class OpeningEnded(Event):
    """An opening turn of several steps is over; the hunter is to move."""

    kind: Literal["opening_ended"] = field(
        default="opening_ended", kw_only=True, repr=False, compare=False
    )
    steps: int
    reason: BuffaloReason


@dataclass(frozen=True, slots=True)
class BuffaloEnded(Event):
    """The game is over."""

    kind: Literal["ended"] = field(default="ended", kw_only=True, repr=False, compare=False)
    winner: Seat
    reason: BuffaloReason


BuffaloEvent: TypeAlias = Moved | Captured | Blocked | OpeningEnded | BuffaloEnded
"""Every event of Buffalo, told apart by ``kind``."""
