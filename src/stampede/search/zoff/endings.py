"""How a round ends after given choices, by a small tree instead of the quick player alone.

In the last round who wins hangs on the last placements, and the quick player, which looks at one pasture at a time, is
often wrong about them. So answers are tried by upper confidence bounds, everybody for himself (max^n); where the tree
ends, the quick player goes on. What a seat gets is the mean over the later half of the tries: by then bad answers are
rare, and an answer that is only slightly better doesn't decide everything.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    PAY,
    PLACE,
    Choices,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import reveal, run_on, to_act
from stampede.search.zoff.lookahead import apply_option, option_count
from stampede.search.zoff.rounds import settled_utilities
from stampede.search.zoff.value import Net, Values

__all__ = ["FIELDS", "ROOM", "Nodes", "ending_utilities"]

Nodes = npt.NDArray[np.float64]
"""float64[n, FIELDS]: who decides there, visits, the first child, how many, and what its chooser got from it in sum."""
_SEAT, _VISITS, _CHILD, _COUNT, _TOTAL = 0, 1, 2, 3, 4
FIELDS: Final = 5
ROOM: Final = 4096
"""Nodes of a tree, more than are ever used."""
_MAX_PATH: Final = 64
_EXPLORE: Final = 3.0
"""How much is explored, in cows."""


@kernel
def _open_node(setup: SetupRecord, state: StateRecord, nodes: Nodes, node: int, used: int) -> int:
    """Gives a node its children. … → int64, the nodes used by then; the same number when there is no room."""
    count = int(option_count(setup, state))
    if used + count > len(nodes):
        return used
    nodes[used : used + count] = 0.0
    nodes[node, _SEAT] = to_act(setup, state)
    nodes[node, _CHILD] = used
    nodes[node, _COUNT] = count
    return used + count


@kernel
def _best_bound(nodes: Nodes, parent: int) -> int:
    """The answer to try: one that wasn't tried, from the last one down (more cows), or that with the best bound."""
    child, count = int(nodes[parent, _CHILD]), int(nodes[parent, _COUNT])
    visits = math.log(nodes[parent, _VISITS] + 1.0)
    best, best_bound = count - 1, -1e18
    for index in range(count - 1, -1, -1):
        tried = nodes[child + index, _VISITS]
        if tried == 0.0:
            return index
        bound = nodes[child + index, _TOTAL] / tried + _EXPLORE * math.sqrt(visits / tried)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


@kernel
def ending_utilities(
    setup: SetupRecord,
    start: StateRecord,
    choices: Choices,
    net: Net,
    tastes: Values,
    tries: int,
    nodes: Nodes,
    values: Values,
) -> None:
    """The utilities after these choices; the start stays as it is.

    …, int16[6, 4], …, float64[4], one taste for all, int64 > 0, float64[ROOM, FIELDS], changed, float64[6], filled.
    """
    revealed = new_state()
    copy_record(revealed, start)
    reveal(setup, revealed, choices)
    run_on(setup, revealed)
    state = new_state()
    path = np.zeros(_MAX_PATH, dtype=np.int64)
    found = np.empty(MAX_COLOURS)
    nodes[0] = 0.0
    values[:] = 0.0
    used, counted = 1, 0
    for attempt in range(tries):
        # 1. Down to an answer that wasn't tried before, or to the end of the round.
        copy_record(state, revealed)
        node, depth = 0, 0
        while state.phase in (PLACE, PAY) and depth < _MAX_PATH - 1:
            if nodes[node, _COUNT] == 0.0:
                if depth > 0 and nodes[node, _VISITS] == 0.0:
                    break
                used = _open_node(setup, state, nodes, node, used)
                if nodes[node, _COUNT] == 0.0:
                    break
            index = _best_bound(nodes, node)
            apply_option(setup, state, index)
            node = int(nodes[node, _CHILD]) + index
            depth += 1
            path[depth] = node
        # 2. What it leads to.
        settled_utilities(setup, state, net, tastes, found)
        # 3. Up: whoever decided above a node remembers what it brought him.
        nodes[0, _VISITS] += 1.0
        for step in range(depth, 0, -1):
            seat = int(nodes[path[step - 1], _SEAT])
            nodes[path[step], _TOTAL] += found[seat]
            nodes[path[step], _VISITS] += 1.0
        if attempt >= tries // 2:
            counted += 1
            values += found
    values /= counted
