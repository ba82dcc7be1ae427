"""Keys and boards: packing, unpacking, mirrors. What the bits mean stands in `layout`."""

from __future__ import annotations

from stampede.kernels.bits import first
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
    PRAIRIE,
    SQUARE_BITS,
    TO,
)
from stampede.kernels.buffalo.lookups import MIRROR, WIDTH, Words
from stampede.kernels.jit import inlined, kernel

__all__ = ["canonical_key", "mirror_key", "mirror_move", "pack_dogs", "unpack"]

_FROM = (1 << TO) - 1
_RANK = (1 << FILE_BITS) - 1
_SQUARE = (1 << SQUARE_BITS) - 1
_BUFFALOES = (1 << CHIEF_AT) - 1
_NEAR_RANK = 7


@inlined
def pack_dogs(dogs: int) -> int:
    """The dogs' part of a key from the set of the four dogs. int64 → int64."""
    packed = first(dogs)
    dogs &= dogs - 1
    packed |= first(dogs) << SQUARE_BITS
    dogs &= dogs - 1
    packed |= first(dogs) << (2 * SQUARE_BITS)
    dogs &= dogs - 1
    packed |= first(dogs) << (3 * SQUARE_BITS)
    return packed << DOGS_AT


@kernel
def unpack(key: int, board: Words) -> None:
    """Sets up the position of a key on a board. int64, int64[6]."""
    prairie, bank, crossed, dogs = 0, 0, 0, 0
    for file in range(WIDTH):
        rank = (key >> (FILE_BITS * file)) & _RANK
        if rank == _NEAR_RANK:
            bank |= 1 << file
        elif rank == 1:
            crossed |= 1 << file
        elif rank != 0:
            prairie |= 1 << (file + (rank - 2) * WIDTH)
    for dog in range(4):
        dogs |= 1 << ((key >> (DOGS_AT + dog * SQUARE_BITS)) & _SQUARE)
    board[KEY] = key
    board[PRAIRIE] = prairie
    board[BANK] = bank
    board[DOGS] = dogs
    board[CHIEF] = (key >> CHIEF_AT) & _SQUARE
    board[CROSSED] = crossed


@kernel
def mirror_key(key: int) -> int:
    """The key of the position as seen in a mirror: a for k, b for j, and so on. int64 → int64."""
    files = key & _BUFFALOES
    for file in range(WIDTH // 2):
        # Swaps two files' ranks by toggling the bits in which they differ.
        apart = FILE_BITS * (WIDTH - 1 - 2 * file)
        differing = (files ^ (files >> apart)) & (_RANK << (FILE_BITS * file))
        files ^= differing | (differing << apart)
    # Through a set, so that `pack_dogs` restores ascending order.
    dogs = 0
    for dog in range(4):
        dogs |= 1 << MIRROR[(key >> (DOGS_AT + dog * SQUARE_BITS)) & _SQUARE]
    chief: int = MIRROR[(key >> CHIEF_AT) & _SQUARE]
    return files | (chief << CHIEF_AT) | pack_dogs(dogs) | (key & HUNTER_TO_MOVE)


@kernel
def canonical_key(key: int) -> int:
    """The same key for a position and its mirror image: the smaller of the two. int64 → int64."""
    return min(key, mirror_key(key))


@kernel
def mirror_move(move: int) -> int:
    """A move as seen in a mirror. int64 → int64."""
    start, end = move & _FROM, move >> TO
    start += WIDTH - 1 - 2 * (start % WIDTH)
    end += WIDTH - 1 - 2 * (end % WIDTH)
    return start | (end << TO)
