"""Where things stand in a key, on a board and in a move. All three are int64.

**Key**: a position in exactly 64 bits, so that equal keys are equal positions.

    bits 0–32    the buffalo of each file, a first: 3 bits, its rank from 1 to 7, or 0 when it was captured
    bits 33–38   the chief's square
    bits 39–62   the dogs' squares, 4 × 6 bits, in ascending order from the low end: dogs are interchangeable
    bit  63      the side to move, 0 for the buffalo side: as int64 a key is negative when the hunter is to move

**Board**: the same unpacked, int64[6], for generating and making moves. Squares are those of the prairie, 0 (a2) to
54 (k6); sets are words with these bits; files are masks of 11 bits, a lowest.

**Move**: from | to << 7, with the squares of the whole board as in `stampede.buffalo.Square`, 0 (a1) to 76 (k7).
No move is 0.

Not modelled: the opening turn of several steps (B4.3). The position after it is an ordinary one with the hunter to
move, as is a start with buffaloes left out (B4.2).
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.lookups import FIRST, PLACES, WIDTH

__all__ = [
    "BANK",
    "BOARD_WORDS",
    "CHIEF",
    "CHIEF_AT",
    "CROSSED",
    "DOGS",
    "DOGS_AT",
    "FILE_BITS",
    "HUNTER_TO_MOVE",
    "KEY",
    "MAX_MOVES",
    "NEAR",
    "NO_MOVE",
    "PRAIRIE",
    "SQUARE_BITS",
    "TO",
]

# --- the words of a board ---

KEY: Final = 0
"""The key, kept up to date by every move."""
PRAIRIE: Final = 1
"""The set of the buffaloes on the prairie."""
BANK: Final = 2
"""The files of the buffaloes on the near bank."""
DOGS: Final = 3
"""The set of the dogs."""
CHIEF: Final = 4
"""The chief's square (a number, not a set)."""
CROSSED: Final = 5
"""The files of the buffaloes on the far bank: not 0 means that the game is over (B3.1)."""
BOARD_WORDS: Final = 6

# --- the parts of a key ---

FILE_BITS: Final = 3
SQUARE_BITS: Final = 6
CHIEF_AT: Final = FILE_BITS * WIDTH
DOGS_AT: Final = CHIEF_AT + SQUARE_BITS
HUNTER_TO_MOVE: Final = -(1 << 63)
"""The highest bit alone, as int64."""

# --- moves ---

TO: Final = 7
"""How far a move's to-square is shifted."""
NEAR: Final = FIRST + PLACES
"""The first square of the near bank among all squares."""
NO_MOVE: Final = 0
MAX_MOVES: Final = 96
"""No position has more moves: 8 for the chief and, in the middle of an empty prairie, 22 for a dog."""

assert DOGS_AT + 4 * SQUARE_BITS == 63
