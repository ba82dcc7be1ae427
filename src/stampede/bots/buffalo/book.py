"""The opening book of some levels: the opening explorer's good moves, for variety without a search.

The explorer has the value of every move in the first four plies from the start (`stampede.oracle.explorer`), found with
far more nodes than these levels have. Games with a handicap begin elsewhere and have no book.
"""

from __future__ import annotations

import random

from stampede.buffalo import Position
from stampede.oracle.explorer import shipped_explorer
from stampede.search.buffalo.variations import Variation

__all__ = ["draw_book_move"]


def draw_book_move(position: Position, margin: int, rng: random.Random) -> Variation | None:
    """Draws one of the explored moves that are nearly as good as the best, all equally likely.

    Args:
        position: A position with a move to make.
        margin: How much worse than the best a move may be, in hundredths.
        rng: Draws; unchanged when the position isn't in the book.

    Returns:
        The move with its value; None when the position isn't in the book.
    """
    moves = shipped_explorer().find(position)
    if not moves:
        return None
    one = rng.choice([one for one in moves if moves[0].score - one.score <= margin])
    return Variation((one.move,), one.score, 1)
