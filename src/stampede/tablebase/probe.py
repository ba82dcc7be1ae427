"""Asking tables in the middle of a search (compiled): does the hunter win, and in how many moves at most?

A table says who wins, not how soon. How soon follows from the rules, as every turn of the buffalo side is a step:

- A buffalo in the window takes at most as many steps as lie between it and rank 2. There it is captured at once, or
  it would cross; and the hunter who plays by the table lets nobody cross.
- A buffalo outside is held by a dog of its column. Right behind the dog it takes no step. Three or more rows away it
  takes one, then the dog stands before it. Two rows away it takes two: after the first the dog gives way by two rows.

The buffalo side moves first and the hunter answers each step once; when no step is left, it has lost. So the game lasts
at most twice as many moves as there are steps. After every step one of the hunter's answers leaves a position that
a table wins with a bound that is smaller by two, so whoever always takes the smallest bound keeps the promise.
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
from stampede.kernels.buffalo.tables import WIDTH, Words
from stampede.kernels.jit import kernel
from stampede.tablebase.addresses import address_of, borrowed, borrowed_rows
from stampede.tablebase.windows import MAX_TABLEBASES, Recognisers, look

__all__ = ["BOUND", "MOST_ALIVE", "PROBE_WORDS", "TABLEBASE_AT", "probe", "probe_words"]

BOUND: Final = 0xFFFF
"""The part of an answer with the bound."""
TABLEBASE_AT: Final = 16
_RANK: Final = (1 << FILE_BITS) - 1
_INSIDE: Final = 3
"""Where a window's row has the set of its columns."""
_FACTS, _WINDOW = 5, 5

# --- the words of the search's memory that say where tables are ---

MOST_ALIVE: Final = 0
"""No table knows a position with more buffaloes than this; 0 when there is no table."""
_WINDOWS: Final = 1
"""How many windows there are."""
_ADDRESSES: Final = 2
"""Of facts, powers and windows; then of each table's three arrays, and their lengths."""
_TABLES: Final = _ADDRESSES + 3
_BOARD: Final = _TABLES + 6 * MAX_TABLEBASES
PROBE_WORDS: Final = _BOARD + BOARD_WORDS


def probe_words(known: Recognisers | None) -> Words:
    """What a search's memory holds of some tables: int64[PROBE_WORDS]. Keep the recognisers alive meanwhile."""
    words: Words = np.zeros(PROBE_WORDS, dtype=np.int64)
    if known is None or len(known.windows) == 0:
        return words
    used = sorted(set(known.windows[:, 0].tolist()))
    # Columns inside a window may all be alive, and each dog that the table doesn't move may guard one outside.
    lives = {int(table): popcount(int(live)) for table, _, _, _, live in known.windows.tolist()}
    words[MOST_ALIVE] = max(lives[table] + 4 - int(known.facts[table, 1]) for table in used)
    words[_WINDOWS] = len(known.windows)
    for index, array in enumerate((known.facts, known.powers, known.windows)):
        words[_ADDRESSES + index] = address_of(array)
    for table in range(MAX_TABLEBASES):
        for index, arrays in enumerate((known.where, known.words, known.places)):
            at = _TABLES + 6 * table + 2 * index
            words[at], words[at + 1] = address_of(arrays[table]), len(arrays[table])
    return words


@kernel
def _bound(board: Words, inside: int) -> int:
    """How many moves of both sides are left at most where a window with these columns wins: see above."""
    key, dogs = board[KEY], board[DOGS]
    steps = 0
    for column in range(WIDTH):
        rank = (key >> (FILE_BITS * column)) & _RANK
        if rank == 0:
            continue
        if (inside >> column) & 1:
            steps += rank - 2
            continue
        gap = 1
        while (dogs >> (column + (rank - 2 - gap) * WIDTH)) & 1 == 0:
            gap += 1
        if gap > 1:
            steps += 2 if gap == 2 else 1
    return 2 * steps


@kernel
def _array(mem: Words, table: int, index: int) -> Words:
    at = _TABLES + 6 * table + 2 * index
    return borrowed(mem[at], mem[at + 1])


@kernel
def probe(mem: Words, prairie: int, bank: int, dogs: int, chief: int, key: int) -> int:
    """Whether a table wins for the hunter, with the buffalo side to move: -1, or the bound and the table's number.

    int64[PROBE_WORDS] from `probe_words`; sets, square and key of the position. Of all windows that win, the one with
    the smallest bound counts: bound | table << TABLEBASE_AT.
    """
    board = mem[_BOARD : _BOARD + BOARD_WORDS]
    board[KEY], board[PRAIRIE], board[BANK] = key, prairie, bank
    board[DOGS], board[CHIEF], board[CROSSED] = dogs, chief, 0
    where = (
        _array(mem, 0, 0), _array(mem, 1, 0), _array(mem, 2, 0), _array(mem, 3, 0),
        _array(mem, 4, 0), _array(mem, 5, 0), _array(mem, 6, 0), _array(mem, 7, 0),
    )  # fmt: skip
    words = (
        _array(mem, 0, 1), _array(mem, 1, 1), _array(mem, 2, 1), _array(mem, 3, 1),
        _array(mem, 4, 1), _array(mem, 5, 1), _array(mem, 6, 1), _array(mem, 7, 1),
    )  # fmt: skip
    places = (
        _array(mem, 0, 2), _array(mem, 1, 2), _array(mem, 2, 2), _array(mem, 3, 2),
        _array(mem, 4, 2), _array(mem, 5, 2), _array(mem, 6, 2), _array(mem, 7, 2),
    )  # fmt: skip
    facts = borrowed_rows(mem[_ADDRESSES], MAX_TABLEBASES, _FACTS)
    powers = borrowed_rows(mem[_ADDRESSES + 1], MAX_TABLEBASES, WIDTH)
    windows = borrowed_rows(mem[_ADDRESSES + 2], mem[_WINDOWS], _WINDOW)
    best, begin = -1, 0
    while begin < len(windows):
        number, distance = look(
            board, Recognisers(where, words, places, facts, powers, windows[begin:])
        )
        if distance != 0:
            break
        begin += number
        found = _bound(board, windows[begin - 1, _INSIDE]) | (windows[begin - 1, 0] << TABLEBASE_AT)
        if best < 0 or found & BOUND < best & BOUND:
            best = found
    return best
