"""Predicts every seat's choices by quantal response, and finds the best choice against them by successive halving.

Regret matching leaves every seat a handful of choices, out of hundreds that are nearly as good, so it predicts others
badly. A quantal response expects them to err: the better a choice looks to a seat, the likelier it is, but all good
ones are possible. Own choices then compete in stages, all against the same samples of the others' choices; the best
third goes on to the next stage, which has three times the samples.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import MAX_COLOURS, Choices, SetupRecord, StateRecord
from stampede.search.zoff.candidates import (
    POOL_TEMPERATURE,
    Pool,
    draw_at_first_sight,
    draw_pools,
    screen,
)
from stampede.search.zoff.regret import draw_index
from stampede.search.zoff.uct import MAX_NODES, NODE, uct_utilities
from stampede.search.zoff.utilities import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = [
    "ENTRANTS",
    "FINALISTS",
    "SCREENED",
    "predict_choices",
    "run_successive_halving",
    "select_entrants",
]

Few = npt.NDArray[np.int16]
"""int16[n, 4]: choices of one seat."""
QUANTAL_TEMPERATURE: Final = 1.5
"""The quantal response's softmax temperature, in units of utility: how much worse a likely choice may look."""
SCREENED: Final = 64
"""Samples of the others' choices against which a seat's pool is screened before the first stage."""
_SURVIVORS: Final = (32, 12, 5)
"""How many choices compete in each stage: about the best third goes on."""
ENTRANTS: Final = _SURVIVORS[0]
FINALISTS: Final = _SURVIVORS[-1]
_MORE: Final = 3
"""Each stage has so many times the samples of the one before."""


@kernel
def predict_choices(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    rng: RngState,
    pool: Pool,
    samples: int,
    iterations: int,
    sizes: npt.NDArray[np.int64],
    weights: Values,
) -> None:
    """Fills in many good choices of every seat and how likely each is. Costs players × n × samples × iterations rounds.

    In the first iteration every seat responds to what looks good at first sight, then to the prediction before.
    …, float64[6, 6], uint64[1], changed, int16[6, n, 4], filled, int64, int64 > 0, int64[6], float64[6, n], filled.
    """
    draw_pools(setup, state, POOL_TEMPERATURE, 1, rng, pool, sizes)
    expected = np.zeros((samples, MAX_COLOURS, 4), dtype=np.int16)
    draw_at_first_sight(setup, state, rng, expected)
    values = np.empty(pool.shape[1])
    for iteration in range(iterations):
        for seat in range(setup.players):
            size = int(sizes[seat])
            screen(setup, state, net, preferences[seat], seat, pool[seat], size, expected, values)
            best = values[:size].max()  # taken off, so that the exponential can't overflow
            weights[seat, :size] = np.exp((values[:size] - best) / QUANTAL_TEMPERATURE)
            weights[seat, :size] /= weights[seat, :size].sum()
        if iteration + 1 < iterations:
            for sample in range(samples):
                _draw_all(setup, pool, sizes, weights, rng, expected[sample])


@kernel
def _draw_all(
    setup: SetupRecord,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    weights: Values,
    rng: RngState,
    out: Choices,
) -> None:
    """A choice for every seat, drawn by its weights. …, int16[6, n, 4], int64[6], float64[6, n], …, int16[6, 4]."""
    for seat in range(setup.players):
        out[seat] = pool[seat, draw_index(weights[seat], int(sizes[seat]), 0.0, rng)]


@kernel
def select_entrants(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    preferences: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    weights: Values,
    chosen: Few,
) -> int:
    """Fills in the choices of a seat's pool that look best against the predicted ones, for the first stage.

    …, float64[6], uint64[1], changed, int16[6, n, 4], int64[6], float64[6, n], int16[ENTRANTS, 4], filled → int64, how
    many.
    """
    samples = np.zeros((SCREENED, MAX_COLOURS, 4), dtype=np.int16)
    for sample in range(SCREENED):
        _draw_all(setup, pool, sizes, weights, rng, samples[sample])
    size = int(sizes[seat])
    values = np.empty(size)
    screen(setup, state, net, preferences, seat, pool[seat], size, samples, values)
    order = np.argsort(-values)
    found = min(size, ENTRANTS)
    for at in range(found):
        chosen[at] = pool[seat, order[at]]
    return found


@kernel
def run_successive_halving(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    preferences: Values,
    tries: int,
    samples: int,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    weights: Values,
    chosen: Few,
    values: Values,
) -> int:
    """Fills in the mean utility of each choice; those of the last stage come first, the best one in front.

    …, float64[6], int64: UCT iterations that end a round (0: the quick policy ends it), int64 > 0: samples of the
    first stage, uint64[1], changed, int16[6, n, 4], int64[6], float64[6, n], int16[n, 4], put in order, float64[n],
    filled → int64, rounds played.
    """
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    result = np.empty(MAX_COLOURS)
    nodes = np.zeros(MAX_NODES, dtype=NODE)
    sums = np.zeros(len(chosen))
    done, spent = 0, 0
    for stage in range(len(_SURVIVORS)):
        alive = min(len(chosen), _SURVIVORS[stage])
        for _ in range(samples):
            # Common random numbers: all survivors meet the same choices, so that they differ by themselves.
            _draw_all(setup, pool, sizes, weights, rng, choices)
            for index in range(alive):
                choices[seat] = chosen[index]
                if tries > 0:
                    uct_utilities(setup, state, choices, net, preferences, tries, nodes, result)
                else:
                    round_utilities(setup, state, choices, net, preferences, result)
                sums[index] += result[seat]
        done += samples
        spent += samples * alive * max(1, tries)
        samples *= _MORE
        # Sums carry over: a survivor's earlier samples count, too.
        order = np.argsort(-sums[:alive])
        chosen[:alive] = chosen[:alive][order].copy()
        sums[:alive] = sums[:alive][order].copy()
        values[:alive] = sums[:alive] / done
    return spent
