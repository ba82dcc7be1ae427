"""Random playouts: every legal action equally likely, from a state to the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import nth, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below, draw
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_COLOURS,
    OVER,
    PLACE,
    Choices,
    SetupRecord,
    Setups,
    StateRecord,
    States,
)
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    draw_choice,
    nth_bonus,
    placements,
)
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import count_cows, place, place_bonus, reveal, run_on

__all__ = ["Results", "batch", "playout", "playouts", "random_step", "spread"]

Results = npt.NDArray[np.int32]
_Function = TypeVar("_Function", bound=Callable[..., object])


def spread(function: _Function) -> _Function:
    """Compiles a function whose `prange` loops run on all cores. Not cached: it only calls kernels, which are."""
    compiled: Any = numba.njit(parallel=True, nogil=True, error_model="numpy")(function)
    result: _Function = compiled
    return result


@kernel
def random_step(setup: SetupRecord, state: StateRecord, rng: RngState, choices: Choices) -> int:
    """Makes one random decision, or all choices of a round at once, and carries on to the next.

    …, changed, uint64[1], changed, int16[6, 4], filled → int64, the number of decisions made.
    """
    decisions = 1
    if state.phase == PLACE:
        mask = placements(state) | 1
        place(setup, state, nth(mask, below(rng, popcount(mask))))
    elif state.phase == CHOOSE:
        decisions = int(setup.players)
        for seat in range(decisions):
            draw_choice(setup, state, seat, rng, choices[seat])
        reveal(setup, state, choices)
    else:
        room = bonus_room(setup, state)
        place_bonus(setup, state, nth_bonus(room, below(rng, bonus_count(room))))
    run_on(setup, state)
    return decisions


@kernel
def playout(setup: SetupRecord, state: StateRecord, rng: RngState, choices: Choices) -> int:
    """Plays one random game to its end. …, changed, uint64[1], changed, int16[6, 4], filled → int64, decisions."""
    decisions = 0
    while state.phase != OVER:
        decisions += random_step(setup, state, rng, choices)
    return decisions


@kernel
def playouts(
    setup: SetupRecord, start: StateRecord, games: int, rng: RngState, results: Results
) -> int:
    """Plays many random games; the start stays as it is.

    …, int64, uint64[1], changed, int32[7], added to: each seat's cows, then the
    games that a single seat won → int64, the decisions of all games.
    """
    state = new_state()
    choices = np.empty((MAX_COLOURS, 4), dtype=np.int16)
    decisions = 0
    for _ in range(games):
        copy_record(state, start)
        decisions += playout(setup, state, rng, choices)
        for seat in range(setup.players):
            results[seat] += count_cows(setup, state, seat)
        results[MAX_COLOURS] += popcount(int(state.winners)) == 1
    return decisions


@spread
def batch(
    setups: Setups,
    starts: States,
    games: int,
    seed: int,
    results: npt.NDArray[np.int32],
) -> int:
    """Plays random games from each of many states, on all cores. The same for any number of cores.

    `SETUP`[n], `STATE`[n], int64 games each, int64, int32[n, 7], added to → int64, decisions.
    """
    decisions = 0
    for index in numba.prange(len(starts)):
        # A generator for each state, seeded by its index, so that results don't depend on the number of threads.
        rng = np.empty(1, dtype=np.uint64)
        rng[0] = np.uint64(seed)
        rng[0] = draw(rng) ^ np.uint64(index)
        decisions += playouts(setups[index], starts[index], games, rng, results[index])
    return decisions
