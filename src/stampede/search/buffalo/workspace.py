"""The memory of one search: a single int64 array, cut into sections at constant offsets.

Numba passes an array as seven machine words, and the search calls itself at every node. One array instead of ten keeps
those calls cheap, and constant offsets cost nothing: the compiler folds them into the addresses.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stampede.kernels.buffalo.layout import MAX_MOVES, TO
from stampede.kernels.buffalo.lookups import Words
from stampede.search.buffalo.evaluation_sums import EVALUATION_WORDS
from stampede.search.buffalo.network import NETWORK_WORDS, ROWS
from stampede.search.buffalo.parameters import (
    PARAMETER_WORDS,
    SearchParameters,
    parameter_words,
)
from stampede.tablebase.probe import PROBE_WORDS

__all__ = ["PROVEN", "WIN", "new_workspace"]

WIN: Final = 30_000
"""The score of a game that is already won. A win in n plies (moves of either side) scores n less."""
PROVEN: Final = WIN - 1_000
"""Scores from here on are proven wins, and those up to -PROVEN proven losses. Evaluations stay far below."""
MAX_PLY: Final = 160
"""The longest variation: at most 66 buffalo moves and as many answers, and some room."""
MAX_DEPTH: Final = 140

# --- control words ---
NODES: Final = 0
NODE_LIMIT: Final = 1
STOP: Final = 2
"""Not 0: end the search. Set by another thread, or by the kernel when it has used up its nodes."""
GENERATION: Final = 3
"""Which search of the transposition table this is; entries of older searches are replaced first."""
EXCLUDED_COUNT: Final = 4
FULL_WIDTH: Final = 5
"""Not 0: no reductions, no pruning, no null move. Tests compare such a search with the usual one."""
CONTROL_WORDS: Final = 16

# --- sections ---
EXCLUDED: Final = CONTROL_WORDS
"""Root moves to skip: the moves of better variations, when several are asked for (MultiPV)."""
KILLERS: Final = EXCLUDED + MAX_MOVES
"""Two killer moves for each ply: quiet moves that caused a cutoff in a sibling node."""
PV_MOVES: Final = KILLERS + 2 * MAX_PLY
"""The triangular table of principal variations: row `ply` holds the variation from that ply on."""
PV_LENGTHS: Final = PV_MOVES + MAX_PLY * MAX_PLY
MOVE_LISTS: Final = PV_LENGTHS + MAX_PLY
"""A row of ordered moves for each ply; `ordering` describes an entry."""
HISTORY: Final = MOVE_LISTS + MAX_PLY * MAX_MOVES
"""The history heuristic: how well each move has done anywhere in the tree, by side (buffalo side first) and move."""
MOVE_BITS: Final = 2 * TO
"""A move is from | to << TO, so this many bits hold it."""
EVALUATION: Final = HISTORY + (2 << MOVE_BITS)
"""The sums that positions are evaluated with; see `evaluation_sums`."""
NETWORK: Final = EVALUATION + EVALUATION_WORDS
"""The words of the network that corrects these sums; all 0 for none."""
NETWORK_ROWS: Final = NETWORK + NETWORK_WORDS
"""Where the rows are that the network reads in the position that is being evaluated."""
TABLEBASES: Final = NETWORK_ROWS + ROWS
"""Where the tablebases are; see `stampede.tablebase.probe`."""
PARAMETERS: Final = TABLEBASES + PROBE_WORDS
"""What the search decides by; see `parameters`."""
WORKSPACE_WORDS: Final = PARAMETERS + PARAMETER_WORDS


def new_workspace(
    evaluation: Words,
    tablebases: Words | None = None,
    network: Words | None = None,
    parameters: SearchParameters | None = None,
) -> Words:
    """Makes the memory of a search: int64[WORKSPACE_WORDS].

    Args:
        evaluation: What `sum_weights` makes of the weights, int64[EVALUATION_WORDS].
        tablebases: What `probe_words` makes of some tablebases, int64[PROBE_WORDS]; None for none.
        network: What `Network.words` makes of a network, int64[NETWORK_WORDS]; None for the sums alone.
        parameters: What the search decides by; None for the shipped values.
    """
    space = np.zeros(WORKSPACE_WORDS, dtype=np.int64)
    space[EVALUATION:NETWORK] = evaluation
    if network is not None:
        space[NETWORK:NETWORK_ROWS] = network
    if tablebases is not None:
        space[TABLEBASES:PARAMETERS] = tablebases
    space[PARAMETERS:] = parameter_words(parameters or SearchParameters())
    return space
