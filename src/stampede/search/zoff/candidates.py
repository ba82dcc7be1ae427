"""Candidate generation: the few choices of each seat that are worth a closer look, out of thousands.

Choices are drawn by how much their pairs promise at first sight (`score_pairs`), and screened by playing the round
against samples of the others' choices.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.greedy import draw_good_choice, score_pairs
from stampede.kernels.zoff.layout import (
    CARD_1,
    CARD_2,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    PASTURE_1,
    PASTURE_2,
    Choice,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import choice_count, nth_choice
from stampede.search.zoff.utilities import round_utilities
from stampede.search.zoff.value import Net, Values

__all__ = [
    "POOL_TEMPERATURE",
    "Pool",
    "choice_code",
    "draw_at_first_sight",
    "draw_pools",
    "find_candidates",
    "screen",
]

Pool = npt.NDArray[np.int16]
"""int16[6, n, 4]: n choices of each seat."""
POOL_TEMPERATURE = 0.8
"""Softmax temperature of the choices that are drawn, in cows."""


@kernel
def choice_code(choice: Choice) -> int:
    """One number for a choice: equal for equal ones. int16[4] → int64."""
    code = 0
    for part in range(4):
        code = code << 4 | (int(choice[part]) + 1)
    return code


@kernel
def _code_by_value(setup: SetupRecord, seat: int, choice: Choice) -> int:
    """One number for a choice: equal for those that differ by letters of cards alone. … → int64."""
    code = 0
    for part in range(0, 4, 2):
        code = code << 8 | (int(choice[part]) + 1) << 4
        if choice[part + 1] >= 0:
            code |= int(setup.card_values[seat, choice[part + 1]])
    return code


@kernel
def draw_pools(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
    by_value: int,
    rng: RngState,
    pool: Pool,
    sizes: npt.NDArray[np.int64],
) -> None:
    """Fills each seat's pool with different good choices, as many as are found. …, int16[6, n, 4], int64[6], filled.

    All of them if there are no more than the pool holds. Else the first one is the greedy one, and tries run out after
    four times the pool's size. With `by_value` (0 or 1) choices that differ by letters alone count as one, so
    that the pool is more diverse.
    """
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    wanted = pool.shape[1]
    codes = np.empty(wanted, dtype=np.int64)
    for seat in range(setup.players):
        size = int(choice_count(setup, state, seat))
        if size <= wanted:
            for index in range(size):
                nth_choice(setup, state, seat, index, pool[seat, index])
            sizes[seat] = size
            continue
        score_pairs(setup, state, seat, scores)
        size = 0
        for attempt in range(4 * wanted):
            if size == wanted:
                break
            choice = pool[seat, size]
            # Temperature 0 has no noise: the greedy choice is always in the pool.
            draw_good_choice(
                setup, state, seat, scores, 0.0 if attempt == 0 else temperature, rng, choice
            )
            # Without colours the two pairs have no order: the smaller pasture first, so that equal choices look equal.
            if (
                setup.players > 2
                and choice[PASTURE_2] >= 0
                and choice[PASTURE_1] > choice[PASTURE_2]
            ):
                choice[PASTURE_1], choice[PASTURE_2] = choice[PASTURE_2], choice[PASTURE_1]
                choice[CARD_1], choice[CARD_2] = choice[CARD_2], choice[CARD_1]
            # A linear search for duplicates: pools are small, and most attempts are new.
            code = _code_by_value(setup, seat, choice) if by_value else choice_code(choice)
            fresh = True
            for index in range(size):
                fresh = fresh and codes[index] != code
            if fresh:
                codes[size] = code
                size += 1
        sizes[seat] = size


@kernel
def screen(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    seat: int,
    pool: Pool,
    size: int,
    others: Pool,
    values: Values,
) -> None:
    """Fills in the mean utility of each choice of a seat's pool against the same choices of the others.

    …, int16[n, 4], int64, int16[m, 6, 4]: m samples of all seats' choices, float64[n], filled.
    """
    result = np.empty(MAX_COLOURS)
    choices = np.empty((MAX_COLOURS, 4), dtype=np.int16)
    for index in range(size):
        values[index] = 0.0
        for sample in range(len(others)):
            choices[:] = others[sample]
            choices[seat] = pool[index]
            round_utilities(setup, state, choices, net, preferences, result)
            values[index] += result[seat] / len(others)


@kernel
def draw_at_first_sight(
    setup: SetupRecord, state: StateRecord, rng: RngState, samples: Pool
) -> None:
    """Fills in choices of all seats that look good at first sight. …, uint64[1], changed, int16[m, 6, 4], filled."""
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    for seat in range(setup.players):
        score_pairs(setup, state, seat, scores)
        for sample in range(len(samples)):
            draw_good_choice(
                setup, state, seat, scores, POOL_TEMPERATURE, rng, samples[sample, seat]
            )


@kernel
def find_candidates(
    setup: SetupRecord,
    state: StateRecord,
    net: Net,
    preferences: Values,
    rng: RngState,
    pool: Pool,
    samples: int,
    keep: int,
    sizes: npt.NDArray[np.int64],
) -> None:
    """Fills pools with good choices and moves each seat's best ones to the front. Costs players × n × samples rounds.

    …, float64[6, 6], uint64[1], changed, int16[6, n, 4], filled, int64, int64, int64[6], filled: up to `keep`.
    """
    players = int(setup.players)
    draw_pools(setup, state, POOL_TEMPERATURE, 0, rng, pool, sizes)
    others = np.zeros((samples, MAX_COLOURS, 4), dtype=np.int16)
    draw_at_first_sight(setup, state, rng, others)
    values = np.empty(pool.shape[1])
    for seat in range(players):
        size = int(sizes[seat])
        screen(setup, state, net, preferences[seat], seat, pool[seat], size, others, values)
        best = np.argsort(-values[:size])[:keep]
        kept = pool[seat][best].copy()
        sizes[seat] = len(best)
        pool[seat, : len(best)] = kept
