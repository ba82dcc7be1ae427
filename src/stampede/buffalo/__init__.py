"""Alex Randolph's Buffalo: the complete rules, readable. Standard library only.

    >>> from stampede.buffalo import Position
    >>> position = Position.start().play("f7f6").play("f2f3")
    >>> position.fen()
    'bbbbb1bbbbb/5b5/11/11/5C5/3DD1DD3/11 b - - 0 2'
    >>> len(position.legal_moves)
    11

The rules in prose stand in `stampede.buffalo.rules`. Beside the names here these modules are public: `describe`
(events in English), `geometry` (the board as tables), `perft`, `svg` (pictures).
"""

from __future__ import annotations

from stampede.buffalo.actions import BuffaloAction, LegalMoves, Move
from stampede.buffalo.events import (
    Blocked,
    BuffaloEnded,
    BuffaloEvent,
    Captured,
    Moved,
    OpeningEnded,
)
from stampede.buffalo.fen import START_FEN
from stampede.buffalo.game import BuffaloGame
from stampede.buffalo.geometry import Square
from stampede.buffalo.pieces import Piece, Side
from stampede.buffalo.position import Position
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.series import BothSidesSeries, BuffaloSeries, LadderSeries
from stampede.buffalo.state import BuffaloState, Opening
from stampede.buffalo.view import BuffaloView

__all__ = [
    "START_FEN",
    "Blocked",
    "BothSidesSeries",
    "BuffaloAction",
    "BuffaloEnded",
    "BuffaloEvent",
    "BuffaloGame",
    "BuffaloRules",
    "BuffaloSeries",
    "BuffaloState",
    "BuffaloView",
    "Captured",
    "LadderSeries",
    "LegalMoves",
    "Move",
    "Moved",
    "Opening",
    "OpeningEnded",
    "Piece",
    "Position",
    "Side",
    "Square",
]
