"""The learned weights unfolded into tables that answer faster: the same sums, with fewer steps.

`features` describes a position's value as the sum of 39 weights, which is what learning needs. Judging a position
needs their sum alone. So what belongs to one column, as seen from a chief on a square, is added up ahead of time; and
what counts columns is kept in the same number, above its value:

- **columns**, int32 by side, chief's square, file, buffalo's rank and guard: *race* + *column*; above bit 20 a 1 when
  no dog covers the buffalo, above bit 24 a 1 when it is a runner besides;
- **pairs**, int16 by the chief's file, the right one of two files, and the marks of both: *pair*;
- **dogs**, int16 by square and guard: *dog*;
- **boards**, int16 as they were learned: *capacity* and *runners*; then *chief*, by square and uncovered columns.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.buffalo.tables import PLACES, WIDTH, Words
from stampede.search.buffalo.features import DIGITS, FREE, GROUPS, GUARDS, HALF, MARKS, NEAR, RANKS

__all__ = ["VALUE_WORDS", "unfold"]

COUNTS: Final = 20
"""Bits below it are a sum of values, those above count columns, and from RUNNERS_AT on runners."""
RUNNERS_AT: Final = 24
PER_FILE: Final = DIGITS * GUARDS
PER_CHIEF: Final = WIDTH * PER_FILE
"""Columns of a side and a chief's square."""
PER_SIDE: Final = PLACES * PER_CHIEF
PER_PAIR: Final = MARKS * MARKS
PAIRS_OF_CHIEF: Final = WIDTH * PER_PAIR
"""The first file is the right one of no pair; its part is 0."""

_COLUMN_WORDS: Final = 2 * PER_SIDE // 2
_COLUMNS: Final = WIDTH + 1
_BOARD: Final = 2 * _COLUMNS * FREE
# Within the int16 part, counted from its own beginning.
PAIRS_AT: Final = 0
DOGS_AT: Final = WIDTH * PAIRS_OF_CHIEF
CAPACITY_AT: Final = DOGS_AT + PLACES * GUARDS
RUNNER_TABLE_AT: Final = CAPACITY_AT + _BOARD
CHIEF_TABLE_AT: Final = RUNNER_TABLE_AT + _BOARD
_SMALL: Final = CHIEF_TABLE_AT + PLACES * _COLUMNS
SMALL_WORDS: Final = (_SMALL + 3) // 4
VALUE_WORDS: Final = _COLUMN_WORDS + SMALL_WORDS
"""How many int64 words all tables take; the int32 part comes first, then the int16 part."""
COLUMN_WORDS: Final = _COLUMN_WORDS

_Small = npt.NDArray[np.int16]
_FILES: Final = np.arange(WIDTH)
_HALVES: Final = np.minimum(_FILES, WIDTH - 1 - _FILES)
_SQUARES: Final = np.arange(PLACES)


def unfold(words: Words) -> Words:
    """The tables for weights: int64[FEATURE_COUNT] → int64[VALUE_WORDS], read-only."""
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
    total: Words = value + (uncovered << COUNTS) + (runner.astype(np.int64) << RUNNERS_AT)
    return total.reshape(-1)


def _pairs(words: Words) -> Words:
    pair = _group(words, "pair", NEAR, MARKS, MARKS)
    table = np.zeros((WIDTH, WIDTH, MARKS, MARKS), dtype=np.int64)
    for chief in range(WIDTH):
        for file in range(1, WIDTH):
            if chief < file:
                table[chief, file] = pair[min(file - 1 - chief, NEAR - 1)]
            else:
                table[chief, file] = pair[min(chief - file, NEAR - 1)].T
    return table.reshape(-1)


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
