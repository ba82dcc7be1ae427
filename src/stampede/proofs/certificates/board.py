"""The verifier's boards and moves (B2): plain loops, compiled by Numba.

A key has 63 bits: the buffalo of each file in bits 0–32, file a first, 3 bits each: its rank, or 0 when there is
none; the chief's square in bits 33–38; the dogs' squares in bits 39–62, 4 × 6 bits, in ascending order from the low
end. Squares of the prairie are numbered 0 (a2) to 54 (k6). The side to move isn't in the key: it is always the winner.

In the file, keys are in another order when the buffalo side wins: buffaloes first, then dogs, then the chief.

A board is int64[17]: the ranks of the files' buffaloes, the chief, the four dogs, and the set of all occupied squares
of the prairie. On a board of fewer columns the others stay empty, and no move of the hunter ends there. That is all:
a line between two of the first columns passes through no other column.

No code is shared with the search or with `stampede.kernels.buffalo`; the tests compare with the readable rules.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Position, Square
from stampede.kernels.jit import inlined, kernel

__all__ = [
    "BOARD",
    "BUFFALO",
    "CHIEF",
    "DOGS",
    "OCCUPIED",
    "Words",
    "cannot_be_stopped",
    "canonical",
    "from_file_order",
    "hunter_can",
    "is_free",
    "is_position",
    "key_of",
    "mirrored",
    "move_hunter",
    "near",
    "pack",
    "position_of",
    "take_back",
    "to_file_order",
    "unpack",
    "wins_at_once",
]

Words = npt.NDArray[np.int64]

BUFFALO, HUNTER = 0, 1
"""The winner, by number: see `stampede.buffalo.Side`."""
WIDTH: Final = 11
PLACES: Final = 55
FIRST: Final = 11
"""The square a2 among all squares of the board, a1 = 0."""
CHIEF: Final = 11
DOGS: Final = 12
OCCUPIED: Final = 16
BOARD: Final = 17

CHIEF_AT: Final = 33
DOGS_AT: Final = 39
BUFFALOES: Final = (1 << CHIEF_AT) - 1
HUNTER_BITS: Final = 30


@inlined
def to_file_order(key: int, winner: int) -> int:
    """A key in the order of the file."""
    return key if winner == HUNTER else (key & BUFFALOES) << HUNTER_BITS | key >> CHIEF_AT


@inlined
def from_file_order(key: int, winner: int) -> int:
    """A key of the file in the usual order."""
    if winner == HUNTER:
        return key
    return (key >> HUNTER_BITS) | (key & ((1 << HUNTER_BITS) - 1)) << CHIEF_AT


@kernel
def unpack(key: int, board: Words) -> None:
    """Sets up a position. int64, int64[17]."""
    occupied = 0
    for file in range(WIDTH):
        rank = key >> 3 * file & 7
        board[file] = rank
        if 2 <= rank <= 6:
            occupied |= 1 << (rank - 2) * WIDTH + file
    for piece in range(5):
        square = key >> CHIEF_AT + 6 * piece & 63
        board[CHIEF + piece] = square
        occupied |= 1 << square
    board[OCCUPIED] = occupied


@kernel
def is_position(key: int, width: int, board: Words) -> bool:
    """Sets up a position; False when it is invalid: pieces on one square, dogs out of order, a piece off the board."""
    unpack(key, board)
    pieces = 0
    seen = 0
    for piece in range(5):
        square = board[CHIEF + piece]
        if square >= PLACES or square % WIDTH >= width or seen >> square & 1:
            return False
        if piece >= 2 and square <= board[CHIEF + piece - 1]:
            return False
        seen |= 1 << square
    for file in range(WIDTH):
        rank = board[file]
        if rank == 1 or (rank != 0 and file >= width):
            return False
        if 2 <= rank <= 6:
            pieces |= 1 << (rank - 2) * WIDTH + file
    return key >= 0 and pieces & seen == 0


@kernel
def pack(board: Words) -> int:
    """The key of a board whose dogs may be out of order. int64[17] → int64."""
    key: int = 0
    for file in range(WIDTH):
        key |= board[file] << 3 * file
    key |= board[CHIEF] << CHIEF_AT
    for dog in range(DOGS, DOGS + 4):
        lower = 0
        for other in range(DOGS, DOGS + 4):
            lower += board[other] < board[dog]
        key |= board[dog] << DOGS_AT + 6 * lower
    return key


@kernel
def mirrored(key: int, width: int) -> int:
    """The key of the mirror image. int64, int64 → int64."""
    result = 0
    for file in range(width):
        result |= (key >> 3 * file & 7) << 3 * (width - 1 - file)
    for piece in range(5):
        square = _mirrored_square(key, piece, width)
        place = 0  # the chief's, or how many dogs come before this one in the mirror
        if piece:
            place = 1
            for other in range(1, 5):
                place += _mirrored_square(key, other, width) < square
        result |= square << CHIEF_AT + 6 * place
    return result


@inlined
def _mirrored_square(key: int, piece: int, width: int) -> int:
    """The square of the chief (0) or a dog (1 to 4) of a key in the mirror image."""
    square = key >> CHIEF_AT + 6 * piece & 63
    return square + width - 1 - 2 * (square % WIDTH)


@kernel
def canonical(key: int, width: int, winner: int) -> int:
    """The key under which a file has the position or its mirror image: the smaller of the two, as to_file_order."""
    least: int = min(to_file_order(key, winner), to_file_order(mirrored(key, width), winner))
    return least


def key_of(position: Position) -> int:
    """The key of a position."""
    key = position.chief - FIRST << CHIEF_AT
    for square in position.buffaloes:
        key |= square.rank << 3 * square.file
    for index, dog in enumerate(sorted(position.dogs)):
        key |= dog - FIRST << DOGS_AT + 6 * index
    return key


def position_of(key: int, *, hunter_to_move: bool) -> Position:
    """The position of a key, by way of its FEN."""
    rows = [["."] * WIDTH for _ in range(8)]
    for file in range(WIDTH):
        if rank := key >> 3 * file & 7:
            rows[rank][file] = "b"
    for piece in range(5):
        square = Square((key >> CHIEF_AT + 6 * piece & 63) + FIRST)
        rows[square.rank][square.file] = "D" if piece else "C"
    text = "/".join("".join(row) for row in reversed(rows[1:]))
    ranks = re.sub(r"\.+", lambda run: str(len(run.group())), text)
    return Position.from_fen(f"{ranks} {'w' if hunter_to_move else 'b'} - -")


@inlined
def near(square: int, other: int) -> bool:
    """Whether two squares are the same or adjacent."""
    files = square % WIDTH - other % WIDTH
    return -1 <= files <= 1 and -1 <= square // WIDTH - other // WIDTH <= 1


@kernel
def hunter_can(board: Words, start: int, end: int, width: int) -> bool:
    """Whether the hunter may move from one square of the prairie to another (B2.3, B2.4)."""
    if not (0 <= start < PLACES and 0 <= end < PLACES and end % WIDTH < width) or start == end:
        return False
    if start == board[CHIEF]:
        for dog in range(DOGS, DOGS + 4):
            if board[dog] == end:
                return False
        return near(start, end)
    is_dog = False
    for dog in range(DOGS, DOGS + 4):
        is_dog |= board[dog] == start
    files, ranks = end % WIDTH - start % WIDTH, end // WIDTH - start // WIDTH
    distance = max(abs(files), abs(ranks))
    if (
        not is_dog
        or (abs(files) != distance and files != 0)
        or (abs(ranks) != distance and ranks != 0)
    ):
        return False
    step = files // distance + ranks // distance * WIDTH
    for count in range(1, distance + 1):
        if board[OCCUPIED] >> (start + count * step) & 1:
            return False
    return True


@kernel
def move_hunter(board: Words, start: int, end: int) -> int:
    """Makes a legal move of the hunter; returns the rank of the captured buffalo, or 0."""
    board[OCCUPIED] = (board[OCCUPIED] & ~(1 << start)) | 1 << end
    captured = 0
    for piece in range(CHIEF, DOGS + 4):
        if board[piece] == start:
            board[piece] = end
    file, rank = end % WIDTH, end // WIDTH + 2
    if board[file] == rank:
        captured = rank
        board[file] = 0
    return captured


@kernel
def take_back(board: Words, start: int, end: int, captured: int) -> None:
    """Undoes `move_hunter`."""
    for piece in range(CHIEF, DOGS + 4):
        if board[piece] == end:
            board[piece] = start
    board[OCCUPIED] |= 1 << start
    if captured:
        board[end % WIDTH] = captured
    else:
        board[OCCUPIED] &= ~(1 << end)


@inlined
def is_free(board: Words, file: int) -> bool:
    """Whether the square ahead of the file's buffalo, on rank 3 or higher, is empty (B2.2)."""
    free: bool = board[OCCUPIED] >> ((board[file] - 3) * WIDTH + file) & 1 == 0
    return free


@kernel
def wins_at_once(board: Words) -> bool:
    """Buffalo side to move: one crosses, or one steps to rank 2 where the chief can't capture it."""
    for file in range(WIDTH):
        if board[file] == 2:
            return True
        if board[file] == 3 and is_free(board, file) and not near(board[CHIEF], file):
            return True
    return False


@kernel
def cannot_be_stopped(board: Words) -> bool:
    """Hunter to move: two buffaloes on rank 2, or one that the chief can't capture. The next step crosses."""
    count, caught = 0, 0
    for file in range(WIDTH):
        if board[file] == 2:
            count += 1
            caught += near(board[CHIEF], file)
    return count >= 2 or count > caught
