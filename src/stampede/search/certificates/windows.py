"""Tables laid over part of the board: when one applies, and what it is asked.

A table knows a game on some adjacent columns against a hunter who keeps to some squares. Let the buffalo side be to
move, chief and n dogs stand in these columns, and every buffalo of another column be held by a dog of its own column.
Then the hunter answers moves in the window there, and each other move with the dog that holds that buffalo: one answer
to one move. Neither leaves its columns, so neither is in the other's way, and what the table says holds for the whole
board. When no buffalo of the window can move any more, those outside run out of moves, too.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.jit import kernel
from stampede.search.certificates.board import CHIEF, DOGS, WIDTH, Words

__all__ = ["HELD", "NOT_HELD", "NOT_LIVE", "NO_CHIEF", "OTHER_DOGS", "RANK_TWO", "recognise"]

APPLIES: Final = 0
NO_CHIEF, OTHER_DOGS, RANK_TWO, NOT_HELD, NOT_LIVE = range(7, 12)
"""Why a table can't be asked; `stampede.search.certificates.check.FAULTS` has the words."""


def _holds(row: int, dog: int, last: int) -> bool:
    """Whether a dog on `dog`, ahead of a buffalo on `row`, holds it with moves on rows up to `last`.

    Rows count from the near bank, 0, to the prairie's last, 5. Directly in front it blocks. Else the buffalo steps
    and the dog must answer, as nobody may pass; it may go anywhere in front of the buffalo.
    """
    if dog == row + 1:
        return True
    return any(_holds(row + 1, to, last) for to in range(row + 2, last + 1) if to != dog)


HELD: Final = np.array(
    [
        [[row < dog <= last and _holds(row, dog, last) for last in range(6)] for dog in range(6)]
        for row in range(6)
    ]
)
"""By the buffalo's row, its dog's row and the last row that is free for the dog: whether it is held. bool[6, 6, 6]."""


@kernel
def recognise(board: Words, width: int, window: Words, question: Words) -> int:
    """Turns a position with the buffalo side to move into a question to a table, or says why that can't be.

    window int64[6]: table, first column, mirrored, columns, dogs, live columns as a set.
    question int64[4]: table, state, dogs as a set of cells, the chief's cell; see `tables`.
    """
    first, columns = window[1], window[3]
    flip = window[2] * (columns - 1)
    turn = 1 - 2 * window[2]
    dogs, count = 0, 0
    for piece in range(CHIEF, DOGS + 4):
        column = board[piece] % WIDTH - first
        inside = 0 <= column < columns
        cell = (4 - board[piece] // WIDTH) * columns + flip + turn * column
        if piece == CHIEF:
            if not inside:
                return NO_CHIEF
            question[3] = cell
        elif inside:
            dogs |= 1 << cell
            count += 1
    if count != window[4]:
        return OTHER_DOGS
    for file in range(width):
        if board[file] == 2:
            return RANK_TWO
        if board[file] != 0 and not first <= file < first + columns and not _is_held(board, file):
            return NOT_HELD
    state, power = 0, 1
    for column in range(columns):
        rank = board[first + flip + turn * column]
        if window[5] >> column & 1:
            state += power * (7 - rank if rank else 5)
            power *= 6
        elif rank:
            return NOT_LIVE
    question[0], question[1], question[2] = window[0], state, dogs
    return APPLIES


@kernel
def _is_held(board: Words, file: int) -> bool:
    """Whether a dog of its own column holds the file's buffalo, whatever happens elsewhere."""
    row = 7 - board[file]
    nearest, next_one = 6, 6
    for dog in range(DOGS, DOGS + 4):
        if board[dog] % WIDTH == file:
            ahead = 5 - board[dog] // WIDTH
            if row < ahead < nearest:
                next_one = nearest
                nearest = ahead
            elif row < ahead < next_one:
                next_one = ahead
    return nearest < 6 and HELD[row, nearest, next_one - 1]
