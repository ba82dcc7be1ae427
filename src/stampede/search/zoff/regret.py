"""Regret matching over candidate choices: what everybody should mix, when nobody knows the others' choices.

In each turn a choice is drawn for every seat from its present mixture. Then each seat looks at all its candidates
against the same drawn choices of the others, and regrets what it didn't play. The mean of the mixtures is the answer;
no regret stays, so that nobody can read the bot for long.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import MAX_COLOURS, SetupRecord, StateRecord
from stampede.search.zoff.candidates import Pool
from stampede.search.zoff.rounds import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = ["drawn", "match_regrets"]

_EXPLORE = 0.06
_TO_UNIT = 1.0 / (1 << 53)


@kernel
def _present_mixture(regrets: Values, size: int, mixture: Values) -> None:
    """In proportion to positive regrets; even when there are none. float64[n], int64, float64[n], filled."""
    total = 0.0
    for index in range(size):
        total += regrets[index]
    for index in range(size):
        mixture[index] = regrets[index] / total if total > 0.0 else 1.0 / size


@kernel
def drawn(mixture: Values, size: int, explore: float, rng: RngState) -> int:
    """An index drawn from the mixture, now and then evenly. float64[n], int64, float64, uint64[1], changed → int64."""
    point = float(draw(rng) >> np.uint64(11)) * _TO_UNIT
    total = 0.0
    for index in range(size):
        total += (1.0 - explore) * mixture[index] + explore / size
        if point < total:
            return index
    return size - 1


@kernel
def match_regrets(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    tastes: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    budget: int,
    mean: npt.NDArray[np.float64],
    gains: npt.NDArray[np.float64],
) -> int:
    """Fills in the mean mixture and the mean utility of each candidate.

    …, float64[6, 4] tastes by seat, uint64[1], changed, int16[6, n, 4], int64[6], int64: rounds to be played,
    float64[6, n] twice, filled → int64, the rounds played: never more than the budget, unless one turn takes more.
    """
    players = int(setup.players)
    width = pool.shape[1]
    regrets = np.zeros((players, width))
    mixtures = np.zeros((players, width))
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    results = np.empty((width, MAX_COLOURS))
    mean[:] = 0.0
    gains[:] = 0.0
    cost = 0
    for seat in range(players):
        cost += int(sizes[seat])
    played, turn, weights = 0, 0, 0.0
    while turn == 0 or played + cost <= budget:
        turn += 1
        # 1. Everybody draws.
        for seat in range(players):
            _present_mixture(regrets[seat], int(sizes[seat]), mixtures[seat])
            choices[seat] = pool[seat, drawn(mixtures[seat], int(sizes[seat]), _EXPLORE, rng)]
        # 2. Everybody looks at all candidates against the same choices of the others. Later turns count more.
        weights += turn
        for seat in range(players):
            size = int(sizes[seat])
            kept = choices[seat].copy()
            value = 0.0
            for index in range(size):
                choices[seat] = pool[seat, index]
                round_utilities(setup, state, choices, net, tastes[seat], results[index])
                value += mixtures[seat, index] * results[index, seat]
            choices[seat] = kept
            for index in range(size):
                regret = regrets[seat, index] + results[index, seat] - value
                regrets[seat, index] = max(0.0, regret)
                mean[seat, index] += turn * mixtures[seat, index]
                gains[seat, index] += turn * results[index, seat]
        played += cost
    mean /= weights
    gains /= weights
    return played
