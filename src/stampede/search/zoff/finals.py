"""More than two players: own choices weighed once more, against what the others are expected to mix.

Regret matching finds out what everybody mixes, but it looks at few choices of each seat, and at each of them not often
enough to tell good from very good. So many own choices go through heats: all against the same samples of the others'
choices and with the same luck in the games played out, the best ones on to the next heat with more samples.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, draw
from stampede.kernels.zoff.layout import MAX_COLOURS, PLAYERS, Choices, State, Table
from stampede.search.zoff.candidates import POOL_HEAT, Pool, choice_code, draw_pools, screen
from stampede.search.zoff.regret import drawn
from stampede.search.zoff.rounds import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = ["ENTRANTS", "FINALISTS", "entrants", "run_heats"]

Few = npt.NDArray[np.int16]
"""int16[n, 4]: choices of one seat."""
_WIDE: Final = 400
_SCREENED: Final = 16
ENTRANTS: Final = 32
_HEATS: Final = (32, 12, 5)
FINALISTS: Final = _HEATS[-1]
_MORE: Final = 3
"""Each heat has so many times the samples of the one before."""


@kernel
def _draw_others(
    table: Table,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    mean: Values,
    rng: RngState,
    out: Choices,
) -> None:
    """A choice for every seat, drawn from its mixture. …, int16[6, n, 4], int64[6], float64[6, n], …, int16[6, 4]."""
    for seat in range(table[PLAYERS]):
        out[seat] = pool[seat, drawn(mean[seat], int(sizes[seat]), 0.0, rng)]


@kernel
def entrants(
    table: Table,
    state: State,
    seat: int,
    net: Net,
    tastes: Values,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    mean: Values,
    chosen: Few,
) -> int:
    """Fills in a seat's choices that are worth a heat: its candidates, and the best of many others at first sight.

    …, float64[4], uint64[1], changed, int16[6, n, 4] candidates, int64[6], float64[6, n] mixtures, int16[32, 4], filled
    → int64, how many.
    """
    wide = np.zeros((MAX_COLOURS, _WIDE, 4), dtype=np.int16)
    counts = np.zeros(MAX_COLOURS, dtype=np.int64)
    draw_pools(table, state, POOL_HEAT, rng, wide, counts)
    samples = np.zeros((_SCREENED, MAX_COLOURS, 4), dtype=np.int16)
    for sample in range(_SCREENED):
        _draw_others(table, pool, sizes, mean, rng, samples[sample])
    values = np.empty(_WIDE)
    size = int(counts[seat])
    screen(table, state, net, tastes, seat, wide[seat], size, samples, values)
    found = min(int(sizes[seat]), ENTRANTS)
    codes = np.zeros(ENTRANTS, dtype=np.int64)
    for index in range(found):
        chosen[index] = pool[seat, index]
        codes[index] = choice_code(chosen[index])
    order = np.argsort(-values[:size])
    for at in range(size):
        if found == ENTRANTS:
            break
        choice = wide[seat, order[at]]
        code = choice_code(choice)
        fresh = True
        for index in range(found):
            fresh = fresh and codes[index] != code
        if fresh:
            chosen[found] = choice
            codes[found] = code
            found += 1
    return found


@kernel
def run_heats(
    table: Table,
    state: State,
    seat: int,
    net: Net,
    tastes: Values,
    games: int,
    samples: int,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
    mean: Values,
    chosen: Few,
    values: Values,
) -> int:
    """Fills in the mean utility of each choice; those of the last heat come first, the best one in front.

    …, float64[4], int64: games played out for each sample, int64 > 0: samples of the first heat, uint64[1], changed,
    int16[6, n, 4], int64[6], float64[6, n], int16[n, 4], put in order, float64[n], filled → int64, rounds looked at.
    """
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    result = np.empty(MAX_COLOURS)
    luck = np.zeros(1, dtype=np.uint64)
    sums = np.zeros(len(chosen))
    done, spent = 0, 0
    for heat in range(len(_HEATS)):
        alive = min(len(chosen), _HEATS[heat])
        for _ in range(samples):
            _draw_others(table, pool, sizes, mean, rng, choices)
            luck_of_sample = draw(rng)
            for index in range(alive):
                choices[seat] = chosen[index]
                luck[0] = luck_of_sample
                round_utilities(table, state, choices, net, tastes, games, luck, result)
                sums[index] += result[seat]
        done += samples
        spent += samples * alive
        samples *= _MORE
        order = np.argsort(-sums[:alive])
        chosen[:alive] = chosen[:alive][order].copy()
        sums[:alive] = sums[:alive][order].copy()
        values[:alive] = sums[:alive] / done
    return spent
