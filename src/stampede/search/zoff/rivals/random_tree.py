"""UCT with random games at its leaves: how a program without knowledge of Zoff chooses.

The tree opens a node at its second visit, shuffles its children, goes down to the child with the highest bound, plays
one random game, and takes the child with the most visits, as OpenSpiel's `MCTSBot` does. Zoff's top level predicts
rivals who err by it; `stampede.lab.zoff.uct` plays it as OpenSpiel's twin.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.records import copy_record
from stampede.search.zoff.rivals.turns import (
    MAX_ACTIONS,
    TURNS,
    TurnsRecord,
    actions,
    move,
    mover,
    pairs_each,
    returns,
    rollout,
)

__all__ = ["sample_choices", "search_tree", "shuffle"]

_ACTION, _PLAYER, _VISITS, _CHILDREN, _COUNT, _OVER = 0, 1, 2, 3, 4, 5
_FIELDS = 6
"""A node: what was done, by whom, how often it was visited, its first child, how many, whether the game is over."""
_MAX_PATH = 512

Nodes = npt.NDArray[np.int32]
"""int32[n, _FIELDS]; the root is node 0."""
Totals = npt.NDArray[np.float64]
"""float64[n, 2]: the sum of rewards, and the reward of a game that is over."""


@kernel
def shuffle(items: npt.NDArray[np.int64], count: int, rng: RngState) -> None:
    """Every order equally likely. int64[≥ count], changed, int64, uint64[1], changed."""
    for index in range(count - 1, 0, -1):
        other = below(rng, index + 1)
        items[index], items[other] = items[other], items[index]


@kernel
def _best_bound(nodes: Nodes, totals: Totals, parent: int, uct: float) -> int:
    """The first child with the highest upper confidence bound; one that wasn't tried yet comes first. … → int64."""
    begin, end = (
        int(nodes[parent, _CHILDREN]),
        int(nodes[parent, _CHILDREN] + nodes[parent, _COUNT]),
    )
    visits = math.log(float(nodes[parent, _VISITS]))
    best, best_bound = begin, -1e18
    for child in range(begin, end):
        count = int(nodes[child, _VISITS])
        if nodes[child, _OVER]:
            bound = totals[child, 1]
        elif count == 0:
            return child
        else:
            bound = totals[child, 0] / count + uct * math.sqrt(visits / count)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def _most_visited(nodes: Nodes, totals: Totals) -> int:
    """The root's child that OpenSpiel takes: by the result if it is certain, visits, total. … → int64."""
    best = int(nodes[0, _CHILDREN])
    for child in range(best + 1, int(nodes[0, _CHILDREN] + nodes[0, _COUNT])):
        if totals[child, 1] != totals[best, 1]:
            better = totals[child, 1] > totals[best, 1]
        elif nodes[child, _VISITS] != nodes[best, _VISITS]:
            better = nodes[child, _VISITS] > nodes[best, _VISITS]
        else:
            better = totals[child, 0] > totals[best, 0]
        if better:
            best = child
    return best


@kernel
def search_tree(
    setup: SetupRecord,
    start: TurnsRecord,
    simulations: int,
    uct: float,
    rng: RngState,
    found: Nodes,
) -> int:
    """Searches, and fills in the visits of each of the root's actions; the start stays as it is.

    …, int64 > 1, float64, uint64[1], changed, int32[n, 2]: actions and visits, filled → int64, the
    action to be played.
    """
    nodes = np.zeros((64 * 1024, _FIELDS), dtype=np.int32)
    totals = np.zeros((len(nodes), 2))
    used = 1
    nodes[0, _PLAYER] = mover(setup, start)
    room = np.zeros(MAX_ACTIONS, dtype=np.int64)
    path = np.zeros(_MAX_PATH, dtype=np.int64)
    scratch = np.empty(1, dtype=TURNS)
    rewards = np.empty(at.MAX_COLOURS)
    for _ in range(simulations):
        # 1. Selection and expansion: down to a node without visits, or to the end of the game.
        turns = scratch[0]  # inside the loop: the array must outlive the record
        copy_record(turns, start)
        node, depth = 0, 0
        path[0] = 0
        while turns.state.phase != at.OVER and nodes[node, _VISITS] > 0:
            if nodes[node, _COUNT] == 0:
                count = actions(setup, turns, room)
                shuffle(room, count, rng)
                if used + count > len(nodes):
                    more = np.zeros((2 * len(nodes), _FIELDS), dtype=np.int32)
                    more[: len(nodes)] = nodes
                    sums = np.zeros((len(more), 2))
                    sums[: len(nodes)] = totals
                    nodes, totals = more, sums
                nodes[node, _CHILDREN], nodes[node, _COUNT] = used, count
                player = mover(setup, turns)
                for index in range(count):
                    nodes[used + index, _ACTION] = room[index]
                    nodes[used + index, _PLAYER] = player
                used += count
            node = _best_bound(nodes, totals, node, uct)
            move(setup, turns, int(nodes[node, _ACTION]))
            depth += 1
            path[depth] = node
        # 2. Simulation.
        over = turns.state.phase == at.OVER
        if not over:
            rollout(setup, turns, rng)
        returns(setup, turns, rewards)
        if over:
            nodes[node, _OVER] = 1
            totals[node, 1] = rewards[nodes[node, _PLAYER]]
        # 3. Backpropagation.
        for step in range(depth, -1, -1):
            totals[path[step], 0] += rewards[nodes[path[step], _PLAYER]]
            nodes[path[step], _VISITS] += 1
    begin = int(nodes[0, _CHILDREN])
    for index in range(int(nodes[0, _COUNT])):
        found[index, 0] = nodes[begin + index, _ACTION]
        found[index, 1] = nodes[begin + index, _VISITS]
    return int(nodes[_most_visited(nodes, totals), _ACTION])


@kernel
def sample_choices(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    simulations: int,
    uct: float,
    rng: RngState,
    samples: npt.NDArray[np.int16],
) -> None:
    """Fills in choices that such a program makes in this seat, each by searches of its own, a search for each pair.

    …, int64, int64 > 1: simulations of a search, float64, uint64[1], changed, int16[n, 4], filled.
    """
    scratch = np.empty(1, dtype=TURNS)
    found = np.empty((MAX_ACTIONS, 2), dtype=np.int32)
    for index in range(len(samples)):
        turns = scratch[0]  # inside the loop: the array must outlive the record
        copy_record(turns.state, state)
        turns.choices[:] = at.NONE
        turns.pair_count = 0
        turns.first_seat = seat
        for _ in range(pairs_each(setup, turns)):
            move(setup, turns, search_tree(setup, turns, simulations, uct, rng, found))
        samples[index] = turns.choices[seat]
