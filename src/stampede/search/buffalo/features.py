"""The features of the evaluation: a position has a list of them, and its value is the sum of their weights.

Weights are from the buffalo side's point of view. A position and its mirror image have the same features. The groups:

- **race**: each column's buffalo against the chief: how many files apart they stand, the chief's rank, the buffalo's
  rank, whether a dog waits in the column, who is to move. The tempo race between runner and chief is in these.
- **column**: the same without the chief, but with the distance from the edge.
- **pair**: neighbouring columns together, as seen from the chief: what the chief can and can't hold at the same time.
- **capacity**: how many columns no dog covers, against how many dogs are free.
- **runners**: how many uncovered buffaloes the chief can't catch any more, against how many dogs are free.
- **dog**: where each dog stands and what it does: blocks, waits one square off, waits farther off, is free.
- **chief**: where the chief stands, with the number of columns that no dog covers.
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.bits import first
from stampede.kernels.buffalo.layout import FILE_BITS
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.jit import bare

__all__ = [
    "DIGITS",
    "FEATURE_COUNT",
    "FREE",
    "GROUPS",
    "GUARDS",
    "HALF",
    "MARKS",
    "MAX_FEATURES",
    "NEAR",
    "RANKS",
    "write_features",
]

HALF: Final = WIDTH // 2 + 1
"""Files counted from the nearer edge."""
RANKS: Final = 5
DIGITS: Final = 8
"""A column's digit is its buffalo's rank, 2 to 7; 0 when it was captured."""
GUARDS: Final = 4
"""0 no dog ahead, 1 directly ahead, 2 one square between, 3 more."""
NEAR: Final = 6
"""Distances of a pair of columns from the chief; larger ones count as the largest."""
MARKS: Final = 2 * DIGITS
"""A column's mark is its digit, and whether a dog blocks its buffalo."""
_COLUMNS: Final = WIDTH + 1
"""Numbers of columns, 0 to 11."""
FREE: Final = 5
"""Numbers of free dogs, 0 to 4."""

_SIZES: Final = {
    "race": 2 * WIDTH * RANKS * DIGITS * GUARDS,
    "column": 2 * HALF * DIGITS * GUARDS,
    "pair": NEAR * MARKS * MARKS,
    "capacity": 2 * _COLUMNS * FREE,
    "runners": 2 * _COLUMNS * FREE,
    "dog": HALF * RANKS * GUARDS,
    "chief": HALF * RANKS * _COLUMNS,
}


def _starts() -> dict[str, int]:
    start, starts = 0, {}
    for name, size in _SIZES.items():
        starts[name] = start
        start += size
    return starts


_STARTS: Final = _starts()
GROUPS: Final = {name: (_STARTS[name], _STARTS[name] + size) for name, size in _SIZES.items()}
"""The groups' ranges among all features, by name."""
FEATURE_COUNT: Final = sum(_SIZES.values())
MAX_FEATURES: Final = 2 * WIDTH + (WIDTH - 1) + 4 + 3
"""How many features every position has."""

_COLUMN: Final = _STARTS["column"]
_PAIR: Final = _STARTS["pair"]
_CAPACITY: Final = _STARTS["capacity"]
_RUNNERS: Final = _STARTS["runners"]
_DOG: Final = _STARTS["dog"]
_CHIEF: Final = _STARTS["chief"]
_DIGIT_MASK: Final = (1 << FILE_BITS) - 1


@bare
def write_features(key: int, dogs: int, chief: int, out: Words, at: int) -> None:
    """Writes a position's MAX_FEATURES features to out[at:]. Key, set, square, int64[n], int64."""
    side = 1 if key < 0 else 0
    chief_file, chief_rank = chief % WIDTH, chief // WIDTH
    count = at
    # 1. Dogs, lowest rank first, so that of two in a column the nearer to the buffalo counts.
    guards, covered, columns = 0, 0, 0
    while dogs:
        dog = first(dogs)
        dogs &= dogs - 1
        file, rank = dog % WIDTH, dog // WIDTH
        gap = ((key >> (FILE_BITS * file)) & _DIGIT_MASK) - rank - 3
        guard = 0
        if gap >= 0:
            guard = min(gap, 2) + 1
            place = 2 * file
            if (guards >> place) & 3 == 0:
                covered += 1
            guards = (guards & ~(3 << place)) | (guard << place)
        half = min(file, WIDTH - 1 - file)
        out[count] = _DOG + (half * RANKS + rank) * GUARDS + guard
        count += 1
    # 2. Columns, one by one and with their neighbour.
    runners, before = 0, 0
    for file in range(WIDTH):
        digit = (key >> (FILE_BITS * file)) & _DIGIT_MASK
        guard = (guards >> (2 * file)) & 3
        apart = abs(file - chief_file)
        held = digit * GUARDS + guard
        race = (side * WIDTH + apart) * RANKS + chief_rank
        out[count] = race * (DIGITS * GUARDS) + held
        half = min(file, WIDTH - 1 - file)
        out[count + 1] = _COLUMN + (side * HALF + half) * (DIGITS * GUARDS) + held
        count += 2
        if digit != 0 and guard == 0:
            columns += 1
            # Rank 2 is reached after digit - 2 steps, and one move more is left to capture there.
            if max(apart, chief_rank) > digit - 2 + side:
                runners += 1
        mark = 2 * digit + (1 if guard == 1 else 0)
        if file > 0:
            if chief_file < file:
                near = min(file - 1 - chief_file, NEAR - 1)
                out[count] = _PAIR + (near * MARKS + before) * MARKS + mark
            else:
                near = min(apart, NEAR - 1)
                out[count] = _PAIR + (near * MARKS + mark) * MARKS + before
            count += 1
        before = mark
    # 3. The whole board.
    free = 4 - covered
    out[count] = _CAPACITY + (side * _COLUMNS + columns) * FREE + free
    out[count + 1] = _RUNNERS + (side * _COLUMNS + runners) * FREE + free
    half = min(chief_file, WIDTH - 1 - chief_file)
    out[count + 2] = _CHIEF + (half * RANKS + chief_rank) * _COLUMNS + columns
