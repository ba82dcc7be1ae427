"""Sums of weights that the evaluation reads: the same result as adding up the features, in fewer steps.

`features` describes a position's value as the sum of 39 weights, which is what training needs; the search needs only
the sum. So all weights of one column, as seen from a chief's square, are added up ahead of time, and the features that
count columns are counted in the same word, above the value:

- **columns**, int32 by side, chief's square, file, buffalo's rank and guard: *race* + *column*; from bit COUNT_SHIFT
  a 1 when no dog covers the buffalo, from bit RUNNER_SHIFT a 1 when it is a runner besides;
- **pairs**, int16 by the chief's file, the right one of two files, and the marks of both: *pair*;
- **dogs**, int16 by square and guard: *dog*;
- **boards**, int16 as they were learned: *capacity* and *runners*; then *chief*, by square and uncovered columns.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.buffalo.lookups import PLACES, WIDTH, Words
from stampede.search.buffalo.features import DIGITS, FREE, GROUPS, GUARDS, HALF, MARKS, NEAR, RANKS

__all__ = ["EVALUATION_WORDS", "sum_weights"]

COUNT_SHIFT: Final = 20
"""The bits below are a sum of values; those from here on count uncovered columns."""
RUNNER_SHIFT: Final = 24
"""The bits from here on count runners. Four bits suffice for each count: there are eleven columns."""
PER_FILE: Final = DIGITS * GUARDS
PER_CHIEF: Final = WIDTH * PER_FILE
"""Columns of a side and a chief's square."""
PER_SIDE: Final = PLACES * PER_CHIEF
PER_PAIR: Final = MARKS * MARKS
PAIRS_OF_CHIEF: Final = WIDTH * PER_PAIR
"""The first file is the right one of no pair; its part is 0."""

_COLUMNS: Final = WIDTH + 1
_BOARD_SIZE: Final = 2 * _COLUMNS * FREE
# Offsets in the int16 part, counted from its beginning; pairs come first.
DOGS: Final = WIDTH * PAIRS_OF_CHIEF
CAPACITY: Final = DOGS + PLACES * GUARDS
RUNNERS: Final = CAPACITY + _BOARD_SIZE
CHIEF: Final = RUNNERS + _BOARD_SIZE
_SMALL_SIZE: Final = CHIEF + PLACES * _COLUMNS
SMALL_WORDS: Final = (_SMALL_SIZE + 3) // 4
COLUMN_WORDS: Final = 2 * PER_SIDE // 2
"""How many int64 words the int32 part takes: two sides, two numbers a word."""
EVALUATION_WORDS: Final = COLUMN_WORDS + SMALL_WORDS
"""How many int64 words all sums take; the int32 part comes first, then the int16 part."""

_FILES: Final = np.arange(WIDTH)
_HALVES: Final = np.minimum(_FILES, WIDTH - 1 - _FILES)
_SQUARES: Final = np.arange(PLACES)


def sum_weights(words: Words) -> Words:
    """Makes the sums of some weights: int64[FEATURE_COUNT] → int64[EVALUATION_WORDS], read-only."""
    small = np.concatenate([_pairs(words), _dogs(words), _boards(words)]).astype(np.int16)
    small = np.concatenate([small, np.zeros(4 * SMALL_WORDS - len(small), dtype=np.int16)])
    values = np.concatenate([_columns(words).astype(np.int32).view(np.int64), small.view(np.int64)])
    values.flags.writeable = False
    return values


def _group(words: Words, name: str, *shape: int) -> Words:
    start, end = GROUPS[name]
    return words[start:end].reshape(shape)


def _columns(words: Words) -> Words:
    race = _group(words, "race", 2, WIDTH, RANKS, DIGITS, GUARDS)
    column = _group(words, "column", 2, HALF, DIGITS, GUARDS)
    apart = np.abs(_SQUARES[:, None] % WIDTH - _FILES)
    rank = _SQUARES[:, None] // WIDTH
    value = race[:, apart, rank] + column[:, None, _HALVES]
    side, digit = np.arange(2), np.arange(DIGITS)
    uncovered = np.zeros((DIGITS, GUARDS), dtype=np.int64)
    uncovered[1:, 0] = 1
    # Rank 2 is reached after digit - 2 steps, and one move more is left to capture there.
    late = np.maximum(apart, rank)[None, :, :, None] > (digit - 2 + side[:, None])[:, None, None, :]
    runner = late[..., None] & (uncovered == 1)
    total: Words = value + (uncovered << COUNT_SHIFT) + (runner.astype(np.int64) << RUNNER_SHIFT)
    return total.reshape(-1)


def _pairs(words: Words) -> Words:
    pair = _group(words, "pair", NEAR, MARKS, MARKS)
    pairs = np.zeros((WIDTH, WIDTH, MARKS, MARKS), dtype=np.int64)
    for chief in range(WIDTH):
        for file in range(1, WIDTH):
            if chief < file:
                pairs[chief, file] = pair[min(file - 1 - chief, NEAR - 1)]
            else:
                pairs[chief, file] = pair[min(chief - file, NEAR - 1)].T
    return pairs.reshape(-1)


def _dogs(words: Words) -> Words:
    dog = _group(words, "dog", HALF, RANKS, GUARDS)
    return dog[_HALVES[_SQUARES % WIDTH], _SQUARES // WIDTH].reshape(-1)


def _boards(words: Words) -> Words:
    chief = _group(words, "chief", HALF, RANKS, _COLUMNS)
    return np.concatenate(
        [
            _group(words, "capacity", -1),
            _group(words, "runners", -1),
            chief[_HALVES[_SQUARES % WIDTH], _SQUARES // WIDTH].reshape(-1),
        ]
    )
