"""What everybody is likely to choose, and own choices weighed against that.

Regret matching leaves everybody a handful of choices, out of hundreds that are nearly as good, so it foresees others
badly. Here they are expected to err: the better a choice looks to them, the likelier it is, but all good ones are
possible (a quantal response). Own choices then go through heats: all against the same samples of the others' choices,
the best ones on to the next heat with more samples.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.layout import MAX_COLOURS, Choices, SetupRecord, StateRecord
from stampede.search.zoff.candidates import (
    POOL_HEAT,
    Pool,
    draw_at_first_sight,
    draw_pools,
    screen,
)
from stampede.search.zoff.endings import FIELDS, ROOM, ending_utilities
from stampede.search.zoff.regret import drawn
from stampede.search.zoff.rounds import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = ["ENTRANTS", "FINALISTS", "SCREENED", "enter", "foresee", "run_heats"]

Few = npt.NDArray[np.int16]
"""int16[n, 4]: choices of one seat."""
ERRING: Final = 1.5
"""How much worse a choice of the others may look to them (utility: cows, and the chance to win) and still be likely."""
SCREENED: Final = 64
_HEATS: Final = (32, 12, 5)
ENTRANTS: Final = _HEATS[0]
FINALISTS: Final = _HEATS[-1]
_MORE: Final = 3
"""Each heat has so many times the samples of the one before."""


@kernel
def foresee(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    tastes: Values,
    rng: RngState,
    pool: Pool,
    samples: int,
    turns: int,
    sizes: npt.NDArray[np.int64],
    weights: Values,
) -> None:
    """Fills in many good choices of every seat and how likely each is. Costs players × n × samples × turns rounds.

    At first everybody expects the others to take what looks good at first sight, then what was just found likely.
    …, float64[6, 4], uint64[1], changed, int16[6, n, 4], filled, int64, int64 > 0, int64[6], float64[6, n], filled.
    """
    draw_pools(setup, state, POOL_HEAT, 1, rng, pool, sizes)
    expected = np.zeros((samples, MAX_COLOURS, 4), dtype=np.int16)
    draw_at_first_sight(setup, state, rng, expected)
    values = np.empty(pool.shape[1])
    for turn in range(turns):
        for seat in range(setup.players):
            size = int(sizes[seat])
            screen(setup, state, net, tastes[seat], seat, pool[seat], size, expected, values)
            best = values[:size].max()
            weights[seat, :size] = np.exp((values[:size] - best) / ERRING)
            weights[seat, :size] /= weights[seat, :size].sum()
        if turn + 1 < turns:
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
        out[seat] = pool[seat, drawn(weights[seat], int(sizes[seat]), 0.0, rng)]


@kernel
def enter(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    tastes: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    weights: Values,
    chosen: Few,
) -> int:
    """Fills in a seat's choices that are worth a heat: those of its pool that look best against what is foreseen.

    …, float64[4], uint64[1], changed, int16[6, n, 4], int64[6], float64[6, n], int16[ENTRANTS, 4], filled → int64, how
    many.
    """
    samples = np.zeros((SCREENED, MAX_COLOURS, 4), dtype=np.int16)
    for sample in range(SCREENED):
        _draw_all(setup, pool, sizes, weights, rng, samples[sample])
    size = int(sizes[seat])
    values = np.empty(size)
    screen(setup, state, net, tastes, seat, pool[seat], size, samples, values)
    order = np.argsort(-values)
    found = min(size, ENTRANTS)
    for at in range(found):
        chosen[at] = pool[seat, order[at]]
    return found


@kernel
def run_heats(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    net: Net,
    tastes: Values,
    tries: int,
    samples: int,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    weights: Values,
    chosen: Few,
    values: Values,
) -> int:
    """Fills in the mean utility of each choice; those of the last heat come first, the best one in front.

    …, float64[4], int64: tries in the tree that ends a round (0: the quick player ends it), int64 > 0: samples of the
    first heat, uint64[1], changed, int16[6, n, 4], int64[6], float64[6, n], int16[n, 4], put in order, float64[n],
    filled → int64, rounds looked at.
    """
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    result = np.empty(MAX_COLOURS)
    nodes = np.zeros((ROOM, FIELDS))
    sums = np.zeros(len(chosen))
    done, spent = 0, 0
    for heat in range(len(_HEATS)):
        alive = min(len(chosen), _HEATS[heat])
        for _ in range(samples):
            _draw_all(setup, pool, sizes, weights, rng, choices)
            for index in range(alive):
                choices[seat] = chosen[index]
                if tries > 0:
                    ending_utilities(setup, state, choices, net, tastes, tries, nodes, result)
                else:
                    round_utilities(setup, state, choices, net, tastes, result)
                sums[index] += result[seat]
        done += samples
        spent += samples * alive * max(1, tries)
        samples *= _MORE
        order = np.argsort(-sums[:alive])
        chosen[:alive] = chosen[:alive][order].copy()
        sums[:alive] = sums[:alive][order].copy()
        values[:alive] = sums[:alive] / done
    return spent
