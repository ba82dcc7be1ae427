"""Random games: every legal action equally likely, from a state to the end."""

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
    PHASE,
    PLACE,
    PLAYERS,
    STATE_SIZE,
    WINNERS,
    Choices,
    State,
    Table,
)
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    draw_choice,
    nth_bonus,
    placements,
)
from stampede.kernels.zoff.resolve import place, place_bonus, placed, reveal, run_on

__all__ = ["Results", "batch", "playout", "playouts", "random_step", "spread"]

Results = npt.NDArray[np.int32]
_Function = TypeVar("_Function", bound=Callable[..., object])


def spread(function: _Function) -> _Function:
    """Compiles a function whose `prange` loops run on all cores. Not cached: it holds calls of cached kernels only."""
    compiled: Any = numba.njit(parallel=True, nogil=True, error_model="numpy")(function)
    result: _Function = compiled
    return result


@kernel
def random_step(table: Table, state: State, rng: RngState, choices: Choices) -> int:
    """Makes one random decision, or all choices of a round at once, and carries on to the next.

    …, changed, uint64[1], changed, int16[6, 4], filled → int64, the number of decisions made.
    """
    decisions = 1
    if state[PHASE] == PLACE:
        mask = placements(table, state) | 1
        place(table, state, nth(mask, below(rng, popcount(mask))))
    elif state[PHASE] == CHOOSE:
        decisions = int(table[PLAYERS])
        for seat in range(decisions):
            draw_choice(table, state, seat, rng, choices[seat])
        reveal(table, state, choices)
    else:
        room = bonus_room(state)
        place_bonus(table, state, nth_bonus(room, below(rng, bonus_count(room))))
    run_on(table, state)
    return decisions


@kernel
def playout(table: Table, state: State, rng: RngState, choices: Choices) -> int:
    """Plays one random game to its end. …, changed, uint64[1], changed, int16[6, 4], filled → int64, decisions."""
    decisions = 0
    while state[PHASE] != OVER:
        decisions += random_step(table, state, rng, choices)
    return decisions


@kernel
def playouts(table: Table, start: State, games: int, rng: RngState, results: Results) -> int:
    """Plays many random games; the start stays as it is.

    int32[TABLE_SIZE], int16[STATE_SIZE], int64, uint64[1], changed, int32[7], added to: each seat's cows, then the
    games that a single seat won → int64, the decisions of all games.
    """
    state = np.empty(STATE_SIZE, dtype=np.int16)
    choices = np.empty((MAX_COLOURS, 4), dtype=np.int16)
    decisions = 0
    for _ in range(games):
        state[:] = start
        decisions += playout(table, state, rng, choices)
        for seat in range(table[PLAYERS]):
            results[seat] += placed(table, state, seat)
        results[MAX_COLOURS] += popcount(int(state[WINNERS])) == 1
    return decisions


@spread
def batch(
    tables: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int16],
    games: int,
    seed: int,
    results: npt.NDArray[np.int32],
) -> int:
    """Plays random games from each of many states, on all cores. The same for any number of cores.

    int32[n, TABLE_SIZE], int16[n, STATE_SIZE], int64 games each, int64, int32[n, 7], added to → int64, decisions.
    """
    decisions = 0
    for index in numba.prange(len(starts)):
        rng = np.empty(1, dtype=np.uint64)
        rng[0] = np.uint64(seed)
        rng[0] = draw(rng) ^ np.uint64(index)
        decisions += playouts(tables[index], starts[index], games, rng, results[index])
    return decisions
