"""The first moves of the strongest levels, searched ahead of time, so that a new machine answers before it compiles.

Levels that always play the best move that they find open in the same way every time. A file has what their searches
find from the start: their own first two moves, after any answers. `scripts/buffalo_first_moves.py` makes it anew, and a
test repeats some of its searches. Only the standard library is imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from stampede.buffalo import Move, Position

__all__ = ["FILE", "find_first_move", "position_text", "shipped_first_moves"]

FILE: Final = "first_moves.json"
_LAST_NUMBER: Final = 3
"""The number of a move when the hunter is asked for its second."""


def find_first_move(level: int, position: Position) -> Move | None:
    """What a level plays in a position at the beginning of a game; None when it has to search."""
    if position.number > _LAST_NUMBER:
        return None
    found = shipped_first_moves().get(str(level), {}).get(position_text(position))
    return None if found is None else Move.parse(found)


def position_text(position: Position) -> str:
    """The pieces and the side to move: a FEN without its counters."""
    return " ".join(position.fen().split()[:2])


@cache
def shipped_first_moves() -> Mapping[str, Mapping[str, str]]:
    """By level and `position_text`: the move."""
    text = resources.files(__package__).joinpath(FILE).read_text("utf-8")
    moves: dict[str, dict[str, str]] = json.loads(text)
    return moves
