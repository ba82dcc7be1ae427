"""Regret matching over candidate choices: a mixed strategy for every seat, when no seat knows the others' choices.

In each iteration a choice is drawn for every seat from its current strategy. Then each seat evaluates all its
candidates against the same drawn choices of the others and adds up its regrets. The average strategy is the result:
with two players it approaches an equilibrium, so that the bot can't be exploited by watching it. Negative regrets are
cut at zero and later iterations weigh more (regret matching+ with linear averaging), which converges faster.

A seat may believe that, with some probability, the others choose as a model says. Then it finds a restricted Nash
response: good against the model, and hard to exploit as far as the model is wrong.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import MAX_COLOURS, SetupRecord, StateRecord
from stampede.search.zoff.candidates import Pool
from stampede.search.zoff.utilities import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = ["draw_index", "match_regrets", "match_regrets_with_model"]

_EXPLORE = 0.06
"""The share of choices drawn evenly, so that every candidate of the others is met now and then."""
_TO_UNIT = 1.0 / (1 << 53)


@kernel
def _current_strategy(regrets: Values, size: int, strategy: Values) -> None:
    """In proportion to positive regrets; even when there are none. float64[n], int64, float64[n], filled."""
    total = 0.0
    for index in range(size):
        total += regrets[index]
    for index in range(size):
        strategy[index] = regrets[index] / total if total > 0.0 else 1.0 / size


@kernel
def draw_index(strategy: Values, size: int, explore: float, rng: RngState) -> int:
    """An index drawn from the strategy, now and then evenly. float64[n], int64, float64, uint64[1], changed → int64."""
    point = float(draw(rng) >> np.uint64(11)) * _TO_UNIT
    total = 0.0
    for index in range(size):
        total += (1.0 - explore) * strategy[index] + explore / size
        if point < total:
            return index
    return size - 1


@kernel
def match_regrets_with_model(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    budget: int,
    expected: Values,
    trust: Values,
    mean: npt.NDArray[np.float64],
    gains: npt.NDArray[np.float64],
) -> int:
    """`match_regrets` for seats that trust a model of the others.

    …, int64: rounds to be played, float64[6, n]: each candidate's mean utility against the model, float64[6]: how
    likely each seat thinks that the others choose as its model says, float64[6, n] twice, filled → int64.
    """
    players = int(setup.players)
    width = pool.shape[1]
    regrets = np.zeros((players, width))
    strategies = np.zeros((players, width))
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    results = np.empty((width, MAX_COLOURS))
    mean[:] = 0.0
    gains[:] = 0.0
    cost = 0
    for seat in range(players):
        cost += int(sizes[seat])
    played, iteration, weights = 0, 0, 0.0
    while iteration == 0 or played + cost <= budget:
        iteration += 1
        # 1. Every seat draws a choice.
        for seat in range(players):
            _current_strategy(regrets[seat], int(sizes[seat]), strategies[seat])
            choices[seat] = pool[
                seat, draw_index(strategies[seat], int(sizes[seat]), _EXPLORE, rng)
            ]
        # 2. Every seat evaluates all its candidates against the same choices of the others.
        weights += iteration
        for seat in range(players):
            size = int(sizes[seat])
            kept = choices[seat].copy()
            value = 0.0
            for index in range(size):
                choices[seat] = pool[seat, index]
                round_utilities(setup, state, choices, net, preferences[seat], results[index])
                results[index, seat] *= 1.0 - trust[seat]
                results[index, seat] += trust[seat] * expected[seat, index]
                value += strategies[seat, index] * results[index, seat]
            choices[seat] = kept
            for index in range(size):
                regret = regrets[seat, index] + results[index, seat] - value
                regrets[seat, index] = max(0.0, regret)
                mean[seat, index] += iteration * strategies[seat, index]
                gains[seat, index] += iteration * results[index, seat]
        played += cost
    mean /= weights
    gains /= weights
    return played


@kernel
def match_regrets(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    budget: int,
    mean: npt.NDArray[np.float64],
    gains: npt.NDArray[np.float64],
) -> int:
    """Fills in the average strategy and the mean utility of each candidate.

    …, float64[6, 6] preferences by seat, uint64[1], changed, int16[6, n, 4], int64[6], int64: rounds to be played,
    float64[6, n] twice, filled → int64, the rounds played: never more than the budget, unless one iteration takes more.
    """
    expected, trust = np.zeros(mean.shape), np.zeros(MAX_COLOURS)
    return int(
        match_regrets_with_model(
            setup, state, net, preferences, rng, pool, sizes, budget, expected, trust, mean, gains
        )
    )
