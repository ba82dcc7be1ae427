"""Self-play for training: keeps the states between rounds and plays each out many times, which averages luck out."""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.greedy import lay_good_choices
from stampede.kernels.zoff.layout import (
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OVER,
    SetupRecord,
    StateRecord,
    States,
)
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.records import copy_record
from stampede.search.zoff.features import (
    CARD_SUMS,
    Features,
    fill_card_sums,
    fill_herd_features,
    fill_pasture_features,
    fill_seat_features,
    free_per_cow,
)
from stampede.search.zoff.utilities import play_outs
from stampede.search.zoff.value import Values

__all__ = ["fill_features", "sample_game"]


@kernel
def sample_game(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
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
        lay_good_choices(setup, state, temperature, rng, scores, choices)
        finish_round(setup, state)
    return rounds


@kernel
def fill_features(
    setup: SetupRecord, state: StateRecord, seat: int, pastures: Features, cards: Features
) -> None:
    """Fills in all that the value function looks at for one seat.

    …, float32[2 × 12, PASTURE_FEATURES], zero where nothing is open, float32[SEAT_FEATURES].
    """
    sums = np.zeros((CARD_SUMS, MAX_COLOURS), dtype=np.float32)
    fill_card_sums(setup, state, sums)
    room = free_per_cow(setup, state, sums)
    fill_seat_features(setup, state, seat, sums, room, cards)
    for half in range(2 if setup.players == 2 else 1):
        colour = int(setup.colours_of[seat, half])
        rest = int(state.open)
        while rest:
            pasture = first(rest)
            rest &= rest - 1
            row = pastures[half * MAX_PASTURES + pasture]
            fill_pasture_features(setup, state, pasture, room, row)
            fill_herd_features(setup, state, colour, pasture, sums, row)
