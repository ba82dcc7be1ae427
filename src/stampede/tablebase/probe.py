"""Probing tablebases inside a search (compiled): does the hunter win, and in how many plies at most?

A tablebase says who wins, not how soon. A bound follows from the rules, as every move of the buffalo side is a step:

- A buffalo in the window takes at most as many steps as there are ranks between it and rank 2. On rank 2 the chief
  captures it at once; a hunter who plays by the tablebase lets none cross.
- A buffalo right behind a guard of the window has no step.
- A buffalo outside the window is held by a dog of its column. Directly behind the dog it has no step. Three or more
  rows away it has one, then the dog is in front of it. Two rows away it has two: after the first the dog gives way by
  two rows.

The buffalo side moves first, the hunter answers each step once, and when no step is left the buffalo side has lost.
So the game lasts at most twice as many plies as there are steps. After every step one of the hunter's answers leads
to a position that a tablebase wins with a bound that is smaller by two, so always choosing the smallest bound keeps
the promise.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.layout import (
    BANK,
    BOARD_WORDS,
    CHIEF,
    CROSSED,
    DOGS,
    FILE_BITS,
    KEY,
    PRAIRIE,
)
from stampede.kernels.buffalo.lookups import WIDTH, Words
from stampede.kernels.jit import kernel
from stampede.tablebase.addresses import address_of, rows_at, words_at
from stampede.tablebase.windows import MAX_TABLEBASES, WINDOW_WORDS, Recognisers, find_window

__all__ = ["BOUND", "MOST_ALIVE", "PROBE_WORDS", "TABLEBASE_AT", "probe", "probe_words"]

BOUND: Final = 0xFFFF
"""The bits of a result that hold the bound; the tablebase's number begins at TABLEBASE_AT."""
TABLEBASE_AT: Final = 16
_RANK: Final = (1 << FILE_BITS) - 1
_INSIDE, _SEALED = 3, 6
"""The columns of `Recognisers.windows` with the set of the window's columns, and with the bits of guarded buffaloes."""
_FACTS: Final = 5

# --- the words that say where the tablebases are ---

MOST_ALIVE: Final = 0
"""No tablebase covers a position with more buffaloes than this; 0 when there is no tablebase."""
_WINDOWS: Final = 1
"""The number of windows."""
_ADDRESSES: Final = 2
"""The addresses of facts, powers and windows; then address and length of each tablebase's three arrays."""
_TABLEBASES: Final = _ADDRESSES + 3
_BOARD: Final = _TABLEBASES + 6 * MAX_TABLEBASES
PROBE_WORDS: Final = _BOARD + BOARD_WORDS


def probe_words(recognisers: Recognisers | None) -> Words:
    """Describes some tablebases for `probe`: int64[PROBE_WORDS]. The caller keeps the recognisers alive meanwhile."""
    words: Words = np.zeros(PROBE_WORDS, dtype=np.int64)
    if recognisers is None or len(recognisers.windows) == 0:
        return words
    used = sorted(set(recognisers.windows[:, 0].tolist()))
    # All live and guarded columns of a window may have a buffalo, and each of the other dogs may guard one outside.
    lives = {
        int(tablebase): popcount(int(live))
        for tablebase, _, _, _, live, *_ in recognisers.windows.tolist()
    }
    words[MOST_ALIVE] = max(
        lives[tablebase] + 4 - int(recognisers.facts[tablebase, 1]) for tablebase in used
    )
    words[_WINDOWS] = len(recognisers.windows)
    for index, array in enumerate((recognisers.facts, recognisers.powers, recognisers.windows)):
        words[_ADDRESSES + index] = address_of(array)
    for tablebase in range(MAX_TABLEBASES):
        for index, arrays in enumerate((recognisers.where, recognisers.words, recognisers.places)):
            at = _TABLEBASES + 6 * tablebase + 2 * index
            words[at], words[at + 1] = address_of(arrays[tablebase]), len(arrays[tablebase])
    return words


@kernel
def _bound(board: Words, window: Words) -> int:
    """The bound on the plies until the end, where this window wins: see above."""
    key, dogs = board[KEY], board[DOGS]
    steps = 0
    for column in range(WIDTH):
        rank = (key >> (FILE_BITS * column)) & _RANK
        if rank == 0:
            continue
        if (window[_INSIDE] >> column) & 1:
            if (window[_SEALED] >> (FILE_BITS * column)) & 1 == 0:
                steps += rank - 2
            continue
        gap = 1  # rows to the dog that holds it; there is one, or the window wouldn't apply
        while (dogs >> (column + (rank - 2 - gap) * WIDTH)) & 1 == 0:
            gap += 1
        if gap > 1:
            steps += 2 if gap == 2 else 1
    return 2 * steps


@kernel
def _array(words: Words, tablebase: int, index: int) -> Words:
    at = _TABLEBASES + 6 * tablebase + 2 * index
    return words_at(words[at], words[at + 1])


@kernel
def probe(words: Words, prairie: int, bank: int, dogs: int, chief: int, key: int) -> int:
    """Whether a tablebase wins for the hunter, with the buffalo side to move.

    int64[PROBE_WORDS] from `probe_words`, partly overwritten; sets, square and key of the position. Returns -1, or of
    all windows that win the smallest bound: bound | tablebase's number << TABLEBASE_AT.
    """
    # 1. The position as `find_window` takes it, in a part of the words that is reserved for it: a `bare` caller can't
    #    allocate an array.
    board = words[_BOARD : _BOARD + BOARD_WORDS]
    board[KEY], board[PRAIRIE], board[BANK] = key, prairie, bank
    board[DOGS], board[CHIEF], board[CROSSED] = dogs, chief, 0
    # 2. The arrays of all tablebases. Numba needs tuples of constant length, written out.
    where = (
        _array(words, 0, 0), _array(words, 1, 0), _array(words, 2, 0), _array(words, 3, 0),
        _array(words, 4, 0), _array(words, 5, 0), _array(words, 6, 0), _array(words, 7, 0),
    )  # fmt: skip
    rows = (
        _array(words, 0, 1), _array(words, 1, 1), _array(words, 2, 1), _array(words, 3, 1),
        _array(words, 4, 1), _array(words, 5, 1), _array(words, 6, 1), _array(words, 7, 1),
    )  # fmt: skip
    places = (
        _array(words, 0, 2), _array(words, 1, 2), _array(words, 2, 2), _array(words, 3, 2),
        _array(words, 4, 2), _array(words, 5, 2), _array(words, 6, 2), _array(words, 7, 2),
    )  # fmt: skip
    facts = rows_at(words[_ADDRESSES], MAX_TABLEBASES, _FACTS)
    powers = rows_at(words[_ADDRESSES + 1], MAX_TABLEBASES, WIDTH)
    windows = rows_at(words[_ADDRESSES + 2], words[_WINDOWS], WINDOW_WORDS)
    # 3. The winning window with the smallest bound: each search begins after the window that the last one found.
    best, begin = -1, 0
    while begin < len(windows):
        number, distance = find_window(
            board, Recognisers(where, rows, places, facts, powers, windows[begin:])
        )
        if distance != 0:
            break
        begin += number
        found = _bound(board, windows[begin - 1]) | (windows[begin - 1, 0] << TABLEBASE_AT)
        if best < 0 or found & BOUND < best & BOUND:
            best = found
    return best
