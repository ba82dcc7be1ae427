"""Moves on the check's boards (B2), and the two facts about a buffalo on rank 2. Plain loops, compiled by Numba."""

from __future__ import annotations

from stampede.kernels.jit import inlined, kernel
from stampede.search.certificates.board import CHIEF, DOGS, OCCUPIED, PLACES, WIDTH, Words

__all__ = [
    "cannot_be_stopped",
    "hunter_can",
    "is_free",
    "move_hunter",
    "near",
    "take_back",
    "wins_at_once",
]


@inlined
def near(square: int, other: int) -> bool:
    """Whether the chief steps from one square to the other, or stands there."""
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
