"""UCT over the rest of a round: how it ends after given choices, by a small tree and not by the quick policy alone.

In the last round the last placements decide who wins, and the look-ahead policy, which considers one pasture at a time,
is often wrong about them. So a tree of answers grows by upper confidence bounds, each seat maximising its own utility
(max^n); where the tree ends, the policy finishes the round. The result is the mean over the later half of the
iterations: by then bad answers are rare, and an answer that is only slightly better doesn't decide everything.
"""

from __future__ import annotations

import math
from typing import Any, Final

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
from stampede.search.zoff.max_n import apply_option, option_count
from stampede.search.zoff.utilities import utilities_after_round
from stampede.search.zoff.value import Net, Values

__all__ = ["MAX_NODES", "NODE", "Nodes", "uct_utilities"]

_FIELDS: Final = np.dtype(
    [
        (
            "total",
            np.float64,
        ),  # the utility that the node's chooser got from it, summed over visits
        ("visits", np.int64),
        ("seat", np.int64),  # who decides here
        ("first_child", np.int64),  # children lie side by side, one for each answer
        ("child_count", np.int64),  # 0 until the node is expanded
    ]
)
NODE: Final = np.dtype((np.record, _FIELDS))
Nodes = npt.NDArray[Any]
"""An array of `NODE`; the root is node 0."""
MAX_NODES: Final = 4096
"""Nodes of a tree, more than are ever used."""
_MAX_PATH: Final = 64
_EXPLORE: Final = 3.0
"""The weight of the exploration term, in cows."""


@kernel
def _clear(nodes: Nodes, start: int, end: int) -> None:
    for index in range(start, end):
        node = nodes[index]
        node.total = 0.0
        node.visits = 0
        node.child_count = 0


@kernel
def _expand(setup: SetupRecord, state: StateRecord, nodes: Nodes, index: int, used: int) -> int:
    """Gives a node its children. … → int64, the nodes used by then; unchanged if there is no room."""
    count = int(option_count(setup, state))
    if used + count > len(nodes):
        return used
    _clear(nodes, used, used + count)
    node = nodes[index]
    node.seat = to_act(setup, state)
    node.first_child = used
    node.child_count = count
    return used + count


@kernel
def _select(nodes: Nodes, parent: int) -> int:
    """The answer to try: one that has no visits, from the last one down (more cows), or that with the best bound."""
    first, count = int(nodes[parent].first_child), int(nodes[parent].child_count)
    log_visits = math.log(nodes[parent].visits + 1.0)
    best, best_bound = count - 1, -1e18
    for index in range(count - 1, -1, -1):
        child = nodes[first + index]
        if child.visits == 0:
            return index
        bound = child.total / child.visits + _EXPLORE * math.sqrt(log_visits / child.visits)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


@kernel
def uct_utilities(
    setup: SetupRecord,
    start: StateRecord,
    choices: Choices,
    net: Net,
    preferences: Values,
    iterations: int,
    nodes: Nodes,
    values: Values,
) -> None:
    """The utilities after these choices; the start stays as it is.

    …, int16[6, 4], …, float64[6], the same preferences for all, int64 > 0, `NODE`[MAX_NODES], changed, float64[6],
    filled.
    """
    revealed = new_state()
    copy_record(revealed, start)
    reveal(setup, revealed, choices)
    run_on(setup, revealed)
    state = new_state()
    path = np.zeros(_MAX_PATH, dtype=np.int64)
    found = np.empty(MAX_COLOURS)
    _clear(nodes, 0, 1)
    values[:] = 0.0
    used, counted = 1, 0
    for iteration in range(iterations):
        # 1. Selection: down to an answer that has no visits, or to the end of the round.
        copy_record(state, revealed)
        index, depth = 0, 0
        while state.phase in (PLACE, PAY) and depth < _MAX_PATH - 1:
            if nodes[index].child_count == 0:
                # 2. Expansion, at a node's second visit.
                if depth > 0 and nodes[index].visits == 0:
                    break
                used = _expand(setup, state, nodes, index, used)
                if nodes[index].child_count == 0:
                    break
            answer = _select(nodes, index)
            apply_option(setup, state, answer)
            index = int(nodes[index].first_child) + answer
            depth += 1
            path[depth] = index
        # 3. Simulation: the policy finishes the round, and the value function says what that is worth.
        utilities_after_round(setup, state, net, preferences, found)
        # 4. Backpropagation: each node adds up what it brought to the seat that chose it.
        nodes[0].visits += 1
        for step in range(depth, 0, -1):
            seat = int(nodes[path[step - 1]].seat)
            node = nodes[path[step]]
            node.total += found[seat]
            node.visits += 1
        if iteration >= iterations // 2:
            counted += 1
            values += found
    values /= counted
