"""Games for learning: states between rounds are kept, and each is played out many times, so that luck cancels out."""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.greedy import draw_good_choice, score_pairs
from stampede.kernels.zoff.layout import (
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OVER,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.line import finish_round
from stampede.kernels.zoff.records import copy_record
from stampede.kernels.zoff.resolve import reveal
from stampede.search.zoff.inputs import (
    CARD_SUMS,
    Inputs,
    card_sums,
    crowd,
    own_inputs,
    seat_inputs,
    shared_inputs,
)
from stampede.search.zoff.rounds import play_outs
from stampede.search.zoff.value import Values

__all__ = ["fill_inputs", "sample_game"]


@kernel
def sample_game(
    setup: SetupRecord,
    state: StateRecord,
    heat: float,
    rng: RngState,
    games: int,
    kept: States,
    results: Values,
) -> int:
    """Plays a quick game to its end, keeps the state before each round, and plays each of them out many times.

    …, changed, float64, uint64[1], changed, int64 > 0, `STATE`[7], filled, float64[7, 2, 6], filled: mean
    cows and shares of the victory → int64, the number of states kept.
    """
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    rounds = 0
    while state.phase != OVER:
        copy_record(kept[rounds], state)
        play_outs(setup, state, games, rng, results[rounds, 0], results[rounds, 1])
        rounds += 1
        for seat in range(setup.players):
            score_pairs(setup, state, seat, scores)
            draw_good_choice(setup, state, seat, scores, heat, rng, choices[seat])
        reveal(setup, state, choices)
        finish_round(setup, state)
    return rounds


@kernel
def fill_inputs(
    setup: SetupRecord, state: StateRecord, seat: int, pastures: Inputs, cards: Inputs
) -> None:
    """Fills in all that the value function looks at for one seat.

    …, float32[2 × 12, PASTURE_INPUTS], zero where nothing is open, float32[SEAT_INPUTS].
    """
    sums = np.zeros((CARD_SUMS, MAX_COLOURS), dtype=np.float32)
    card_sums(setup, state, sums)
    room = crowd(setup, state, sums)
    seat_inputs(setup, state, seat, sums, room, cards)
    for half in range(2 if setup.players == 2 else 1):
        colour = int(setup.colours_of[seat, half])
        rest = int(state.open)
        while rest:
            pasture = first(rest)
            rest &= rest - 1
            row = pastures[half * MAX_PASTURES + pasture]
            shared_inputs(setup, state, pasture, room, row)
            own_inputs(setup, state, colour, pasture, sums, row)
