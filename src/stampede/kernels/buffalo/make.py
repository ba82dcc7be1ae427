"""Makes moves on a board and takes them back.

`unmake` recomputes from the move what it changed. The only undo data is the key from before, which also tells whether
a buffalo was captured.
"""

from __future__ import annotations

from stampede.kernels.buffalo.keys import pack_dogs
from stampede.kernels.buffalo.layout import (
    BANK,
    CHIEF,
    CHIEF_AT,
    CROSSED,
    DOGS,
    DOGS_AT,
    FILE_BITS,
    HUNTER_TO_MOVE,
    KEY,
    NEAR,
    PRAIRIE,
    SQUARE_BITS,
    TO,
)
from stampede.kernels.buffalo.lookups import FIRST, WIDTH, Words
from stampede.kernels.jit import inlined

__all__ = ["make", "make_buffalo", "make_hunter", "unmake"]

_FROM = (1 << TO) - 1
_RANK = (1 << FILE_BITS) - 1
_ALL_DOGS = ((1 << (4 * SQUARE_BITS)) - 1) << DOGS_AT


@inlined
def make(board: Words, move: int) -> int:
    """Makes a legal move and returns the key from before, which `unmake` needs. int64[6], int64 → int64.

    Checks nothing: an illegal move makes nonsense.
    """
    if board[KEY] < 0:
        return make_hunter(board, move)
    return make_buffalo(board, move)


@inlined
def make_buffalo(board: Words, move: int) -> int:
    """`make` for the buffalo side, which must be to move (B2.2)."""
    before: int = board[KEY]
    start, end = move & _FROM, move >> TO
    file = end % WIDTH
    # A step is one rank less in the file's 3 bits; they can't borrow, as the rank is at least 2.
    board[KEY] = (before - (1 << (FILE_BITS * file))) | HUNTER_TO_MOVE
    if start >= NEAR:
        board[BANK] ^= 1 << file
    else:
        board[PRAIRIE] ^= 1 << (start - FIRST)
    if end >= FIRST:
        board[PRAIRIE] ^= 1 << (end - FIRST)
    else:
        board[CROSSED] ^= 1 << file
    return before


@inlined
def make_hunter(board: Words, move: int) -> int:
    """`make` for the hunter, who must be to move (B2.3, B2.4)."""
    before: int = board[KEY]
    start, end = (move & _FROM) - FIRST, (move >> TO) - FIRST
    after = before ^ HUNTER_TO_MOVE
    if start == board[CHIEF]:
        after += (
            end - start
        ) << CHIEF_AT  # the difference moves the square, without masking it out
        board[CHIEF] = end
        if board[PRAIRIE] & (1 << end):
            board[PRAIRIE] ^= 1 << end
            after &= ~(
                _RANK << (FILE_BITS * (end % WIDTH))
            )  # captured: the file's rank is 0 (B2.4)
    else:
        dogs = board[DOGS] ^ (1 << start) ^ (1 << end)
        board[DOGS] = dogs
        # Packed anew: the dogs' order in the key is by square, and a move can change it.
        after = (after & ~_ALL_DOGS) | pack_dogs(dogs)
    board[KEY] = after
    return before


@inlined
def unmake(board: Words, move: int, before: int) -> None:
    """Takes back the move that was just made. int64[6], int64, int64: what `make` returned."""
    start, end = move & _FROM, move >> TO
    after = board[KEY]
    board[KEY] = before
    if before >= 0:  # the buffalo side moved: the same toggles as in `make_buffalo`
        if start >= NEAR:
            board[BANK] ^= 1 << (start - NEAR)
        else:
            board[PRAIRIE] ^= 1 << (start - FIRST)
        if end >= FIRST:
            board[PRAIRIE] ^= 1 << (end - FIRST)
        else:
            board[CROSSED] ^= 1 << end
    elif start - FIRST == ((before >> CHIEF_AT) & ((1 << SQUARE_BITS) - 1)):
        board[CHIEF] = start - FIRST
        if (before ^ after) & ((1 << CHIEF_AT) - 1):  # the buffaloes differ: it captured one
            board[PRAIRIE] ^= 1 << (end - FIRST)
    else:
        board[DOGS] ^= (1 << (start - FIRST)) ^ (1 << (end - FIRST))
