"""Atoms, the words of a table, and where things stand in an observation.

**Atom**: a move as one number of 287.

    0–10      the buffalo of this file steps
    11–65     the chief goes to this square of the prairie, from a2 on, rank by rank
    66–285    a dog goes there: 66 + 55 × the dog's number + the square; dogs are numbered by their squares
    286       nothing: for a seat that isn't to move

**Table**: int64[12]: a board, then the words below.

**Observation**: int8: the 77 squares from a1 on (0 empty, 1 buffalo, 2 dog, 3 chief), the seat to move, the move's
number, how many steps are left of an opening turn (B4.3), and by file which buffaloes have made one.
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.buffalo.layout import BOARD_WORDS, NEAR
from stampede.kernels.buffalo.lookups import PLACES, WIDTH

__all__ = ["ATOMS", "NOTHING"]

STEPS: Final = 0
CHIEF_TO: Final = STEPS + WIDTH
DOG_TO: Final = CHIEF_TO + PLACES
NOTHING: Final = DOG_TO + 4 * PLACES
ATOMS: Final = NOTHING + 1

LEFT: Final = BOARD_WORDS
"""How many steps are left of an opening turn; 0 in all other turns."""
STEPPED: Final = LEFT + 1
"""The files whose buffaloes have stepped in it."""
NUMBER: Final = STEPPED + 1
"""The number of the move."""
WINNER: Final = NUMBER + 1
"""The seat that has won, or -1."""
OVER: Final = WINNER + 1
"""1 when the game has ended and waits for a new one."""
TABLE_WORDS: Final = OVER + 2

PIECES: Final = 5
"""The chief and the dogs: so many sets of targets has the hunter. The buffalo side has one, of files."""

SQUARES: Final = NEAR + WIDTH
TURN: Final = SQUARES
MOVE_NUMBER: Final = TURN + 1
OPENING_LEFT: Final = MOVE_NUMBER + 1
OPENING_STEPPED: Final = OPENING_LEFT + 1
PUBLIC: Final = OPENING_STEPPED + WIDTH

BUFFALO_CELL: Final = 1
DOG_CELL: Final = 2
CHIEF_CELL: Final = 3

assert ATOMS == 287
