"""A compiled twin of OpenSpiel's MCTS: the same search, node by node, some thirty times as fast.

OpenSpiel's `MCTSBot` is Python, and most of its time goes into its tree. If you only want to know what it would play
with so many simulations, use the twin. `Uct` does what `MCTSBot(…, solve=False)` does with UCT and rollouts by our
kernels (`stampede.search.zoff.rivals.random_tree`). A test compares the two with equal random numbers.
"""

from __future__ import annotations

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.rng import RngState
from stampede.lab.zoff.openspiel import Turns
from stampede.search.zoff.rivals.random_tree import search_tree
from stampede.search.zoff.rivals.turns import MAX_ACTIONS

__all__ = ["Uct"]


class Uct:
    """A searcher with the one method of OpenSpiel's bot that a player needs."""

    def __init__(self, simulations: int, uct: float, rng: RngState) -> None:
        if simulations < 2:  # the first one looks at the root alone
            raise InputError(f"simulations: expected at least 2, got {simulations}")
        self.simulations = simulations
        self.uct = uct
        self.rng = rng

    def step(self, state: Turns) -> int:
        """The action to be played."""
        found = np.zeros((MAX_ACTIONS, 2), dtype=np.int32)
        return int(
            search_tree(state.setup, state.record, self.simulations, self.uct, self.rng, found)
        )
