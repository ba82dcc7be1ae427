"""Splits a bonus over pastures: the best of all ways, by dynamic programming over pastures (a knapsack)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import MAX_BONUS, SetupRecord

__all__ = ["NEVER", "Worths", "best_way", "new_split", "offer_pasture"]

NEVER = -1e9
"""Worse than any value that occurs."""

Worths = npt.NDArray[np.float64]
Ways = npt.NDArray[np.int64]


@kernel
def new_split() -> tuple[Worths, Ways]:
    """Nothing placed yet: what each number of cows gains at best, and the bonus that does it."""
    best = np.zeros(MAX_BONUS + 1)
    best[1:] = NEVER
    return best, np.zeros(MAX_BONUS + 1, dtype=np.int64)


@kernel
def offer_pasture(
    pasture: int, mask: int, most: int, worth: Worths, best: Worths, ways: Ways
) -> None:
    """One more pasture takes cows, as many as the mask allows.

    Args:
        pasture: Where.
        mask: A bit for each number of cows that may be placed there.
        most: How many cows there are in all.
        worth: What the pasture is worth with 0, 1, … more cows; read where the mask allows, and at 0.
        best: By cows placed so far; changed, from the most down, so that no pasture counts twice.
        ways: The bonuses that do it, changed too.
    """
    for total in range(most, 0, -1):
        code = 0
        for cows in range(1, total + 1):
            code = code << 4 | (pasture + 1)  # a bonus of so many cows, all of them here
            if not (mask >> cows) & 1 or best[total - cows] == NEVER:
                continue
            gain = best[total - cows] - worth[0] + worth[cows]
            if gain > best[total]:
                best[total] = gain
                ways[total] = ways[total - cows] | code << (4 * (total - cows))


@kernel
def best_way(setup: SetupRecord, best: Worths, ways: Ways) -> int:
    """The bonus that gains most; of the most cows where as many as possible must be placed (Z5.2)."""
    if setup.must_place:
        for cows in range(len(best) - 1, 0, -1):
            if best[cows] > NEVER:
                return int(ways[cows])
    return int(ways[np.argmax(best)])
