"""What a search writes to while it runs: one array of words, cut into parts, and the table of known positions.

One array instead of ten keeps the recursive kernel's calls cheap. Offsets are constants, so kernels read them as
literals. All words are int64.

**A table's entry** is two words: the exact key, and packed data. Equal keys are equal positions, so an entry is never
another position's. Bits of the data:

    0–15    score + 32768
    16–29   best move, or 0
    30–37   depth searched
    38–39   bound: 1 at least, 2 at most, 3 exact
    40–45   the age: which search of this table wrote it
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.buffalo.layout import MAX_MOVES, TO
from stampede.kernels.buffalo.tables import Words
from stampede.search.buffalo.values import VALUE_WORDS
from stampede.tablebase.probe import PROBE_WORDS

__all__ = ["WIN", "WON", "new_memory", "new_table"]

WIN: Final = 30_000
"""The score of a game that is won already; a win in n moves of either side is worth n less."""
WON: Final = WIN - 1_000
"""Scores from here on are proven wins."""
MAX_PLY: Final = 160
"""No line is longer: at most 66 buffalo moves and as many answers, and some room."""
MAX_DEPTH: Final = 140

# --- control words ---
NODES: Final = 0
NODE_LIMIT: Final = 1
STOP: Final = 2
"""Set from outside to end a search; the kernel sets it when its nodes are used up."""
AGE: Final = 3
EXCLUDED_COUNT: Final = 4
PLAIN: Final = 5
"""1 switches reductions and prunings off: for tests and proofs of them."""
CONTROL_WORDS: Final = 16

# --- parts ---
EXCLUDED: Final = CONTROL_WORDS
"""Root moves left out, for the second-best line and so on."""
KILLERS: Final = EXCLUDED + MAX_MOVES
LINES: Final = KILLERS + 2 * MAX_PLY
"""Triangle of best lines: row `ply` holds the line from there on."""
LENGTHS: Final = LINES + MAX_PLY * MAX_PLY
MOVES: Final = LENGTHS + MAX_PLY
"""Move lists, a row for each ply, as order << 14 | move."""
HISTORY: Final = MOVES + MAX_PLY * MAX_MOVES
"""How often a move cut; buffalo side first, then the hunter."""
MOVE_BITS: Final = 2 * TO
VALUES: Final = HISTORY + (2 << MOVE_BITS)
"""The tables that positions are judged by."""
KNOWN: Final = VALUES + VALUE_WORDS
"""Where the tables of exact values are: see `probe`."""
MEMORY_WORDS: Final = KNOWN + PROBE_WORDS

WAYS: Final = 4
"""Entries that share a place of the table."""


def new_memory(values: Words, known: Words | None = None) -> Words:
    """Fresh memory with what `unfold` made of weights, int64[VALUE_WORDS], and `probe_words`, int64[PROBE_WORDS]."""
    memory = np.zeros(MEMORY_WORDS, dtype=np.int64)
    memory[VALUES:KNOWN] = values
    if known is not None:
        memory[KNOWN:] = known
    return memory


def new_table(entries: int) -> Words:
    """An empty table with room for at least that many positions, a power of two from 1,024 on: int64[2 * entries]."""
    size = 1 << max(10, (max(1, entries) - 1).bit_length())
    return np.zeros(2 * size, dtype=np.int64)
