"""Where pieces can go (B2), as sets of squares and as lists of moves."""

from __future__ import annotations

from stampede.kernels.bits import first, popcount
from stampede.kernels.buffalo.layout import BANK, CHIEF, CROSSED, DOGS, KEY, NEAR, PRAIRIE, TO
from stampede.kernels.buffalo.lookups import (
    CHIEF_STEPS,
    FIRST,
    LAST_RANK,
    LINE_BASE,
    LINE_FACTOR,
    LINE_MASK,
    LINE_SHIFT,
    LINE_SIZE,
    LINE_TARGETS,
    NEAR_SHIFT,
    ROW_BASE,
    ROW_INDEX,
    ROW_SHIFT,
    ROW_TARGETS,
    WIDTH,
    Words,
)
from stampede.kernels.jit import inlined, kernel

__all__ = [
    "ahead",
    "count_moves",
    "dog_targets",
    "generate",
    "generate_buffalo",
    "generate_hunter",
    "winner",
]


@inlined
def ahead(prairie: int, bank: int) -> int:
    """The prairie squares in front of buffaloes, empty or not. Sets int64, int64 → int64.

    Those on the last rank (LAST_RANK) have the far bank in front of them, which isn't among them: it is always empty.
    """
    return (prairie >> WIDTH) | (bank << NEAR_SHIFT)


@inlined
def dog_targets(square: int, occupied: int) -> int:
    """Where a dog can go (B2.3). Its square, the set of all pieces on the prairie; int64, int64 → set int64."""
    # 1. Along the rank: its inner squares are contiguous bits, so they are the index themselves.
    start: int = ROW_SHIFT[square]
    row: int = ROW_TARGETS[ROW_BASE[square] + ((occupied >> start) & ROW_INDEX)]
    # 2. Along the file and both diagonals: a product gathers the relevant squares in the highest bits ("magic").
    index = ((occupied & LINE_MASK[square]) * LINE_FACTOR[square]) >> LINE_SHIFT[square]
    lines: int = LINE_TARGETS[LINE_BASE[square] + (index & LINE_SIZE[square])]
    # Lookups include the first occupied square of each ray; a dog can't go there (B2.3).
    return ((row << (start - 1)) | lines) & ~occupied


@kernel
def generate(board: Words, moves: Words, at: int) -> int:
    """Writes all legal moves into `moves` from index `at` on, and returns the index after the last.

    int64[6], int64[≥ at + MAX_MOVES], int64 → int64. A game that is over has none. The order is fixed: see the two
    functions for the sides. One array serves a whole search: each depth writes where the one above it ended.
    """
    if board[KEY] < 0:
        return generate_hunter(board, moves, at)
    return generate_buffalo(board, moves, at)


@kernel
def generate_buffalo(board: Words, moves: Words, at: int) -> int:
    """`generate` for the buffalo side, which must be to move: crossings first, then the most advanced buffaloes."""
    prairie = board[PRAIRIE]
    occupied = prairie | board[DOGS] | (1 << board[CHIEF])
    crossing = prairie & LAST_RANK
    while crossing:
        end = first(crossing)
        crossing &= crossing - 1
        moves[at] = (end + FIRST) | (end << TO)
        at += 1
    steps = ahead(prairie, board[BANK]) & ~occupied
    while steps:
        end = first(steps) + FIRST
        steps &= steps - 1
        moves[at] = (end + WIDTH) | (end << TO)
        at += 1
    return at


@kernel
def generate_hunter(board: Words, moves: Words, at: int) -> int:
    """`generate` for the hunter, who must be to move: captures, the chief's other steps, then dog by dog."""
    if board[CROSSED] != 0:  # the game is over (B3.1)
        return at
    prairie, dogs, chief = board[PRAIRIE], board[DOGS], board[CHIEF]
    occupied = prairie | dogs | (1 << chief)
    steps = CHIEF_STEPS[chief] & ~dogs
    at = _write(chief, steps & prairie, moves, at)
    at = _write(chief, steps & ~prairie, moves, at)
    while dogs:
        dog = first(dogs)
        dogs &= dogs - 1
        at = _write(dog, dog_targets(dog, occupied), moves, at)
    return at


@kernel
def _write(square: int, targets: int, moves: Words, at: int) -> int:
    start = square + FIRST
    while targets:
        moves[at] = start | ((first(targets) + FIRST) << TO)
        targets &= targets - 1
        at += 1
    return at


@inlined
def count_moves(board: Words) -> int:
    """How many legal moves there are, without listing them. int64[6] → int64."""
    prairie, dogs, chief = board[PRAIRIE], board[DOGS], board[CHIEF]
    occupied = prairie | dogs | (1 << chief)
    if board[KEY] >= 0:
        steps = ahead(prairie, board[BANK]) & ~occupied
        return popcount(steps) + popcount(prairie & LAST_RANK)
    if board[CROSSED] != 0:
        return 0
    count = popcount(CHIEF_STEPS[chief] & ~dogs)
    while dogs:
        count += popcount(dog_targets(first(dogs), occupied))
        dogs &= dogs - 1
    return count


@kernel
def winner(board: Words) -> int:
    """The side that has won (B3): 0 the buffalo side, 1 the hunter, -1 if the game goes on. int64[6] → int64."""
    if board[CROSSED] != 0:
        return 0
    if board[KEY] >= 0 and count_moves(board) == 0:
        return 1
    return -1


assert NEAR == NEAR_SHIFT + WIDTH + FIRST
