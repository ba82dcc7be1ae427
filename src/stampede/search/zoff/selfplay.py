"""Games for learning: everybody plays the best of a few choices, and the states between rounds are kept."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff.greedy import draw_good_choice, finish_round, score_pairs
from stampede.kernels.zoff.layout import (
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OPEN,
    OVER,
    OWN,
    PHASE,
    PLAYERS,
    WINNERS,
    State,
    Table,
)
from stampede.kernels.zoff.resolve import placed, reveal
from stampede.search.zoff.candidates import Pool, find_candidates
from stampede.search.zoff.inputs import (
    Inputs,
    card_sums,
    crowd,
    own_inputs,
    seat_inputs,
    shared_inputs,
)
from stampede.search.zoff.value import Net, Values

__all__ = ["fill_inputs", "play_game"]


@kernel
def play_game(
    table: Table,
    state: State,
    net: Net,
    tastes: Values,
    rng: RngState,
    pool: Pool,
    samples: int,
    kept: npt.NDArray[np.int16],
    results: Values,
) -> int:
    """Plays a game to its end and keeps the state before each round.

    …, changed, …, float64[6, 4], uint64[1], changed, int16[6, n, 4] for the candidates, int64: how many samples of the
    others' choices these are tried against (0: everybody just draws a good choice), int16[7, STATE_SIZE], filled,
    float64[2, 6], filled: cows and shares of the victory → int64, the number of states kept.
    """
    sizes = np.zeros(MAX_COLOURS, dtype=np.int64)
    choices = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    rounds = 0
    players = int(table[PLAYERS])
    while state[PHASE] != OVER:
        kept[rounds] = state
        rounds += 1
        if samples:
            find_candidates(table, state, net, tastes, rng, pool, samples, 2, sizes)
        for seat in range(players):
            # One in four plays another good choice, so that states off the beaten track are seen.
            if samples and below(rng, 4):
                choices[seat] = pool[seat, below(rng, int(sizes[seat]))]
            else:
                score_pairs(table, state, seat, scores)
                draw_good_choice(table, state, seat, scores, 0.7, rng, choices[seat])
        reveal(table, state, choices)
        finish_round(table, state)
    winners = int(state[WINNERS])
    for seat in range(players):
        results[0, seat] = placed(table, state, seat)
        results[1, seat] = float((winners >> seat) & 1) / popcount(winners)
    return rounds


@kernel
def fill_inputs(table: Table, state: State, seat: int, pastures: Inputs, cards: Inputs) -> None:
    """Fills in all that the value function looks at for one seat.

    …, float32[2 × 12, PASTURE_INPUTS], zero where nothing is open, float32[SEAT_INPUTS].
    """
    sums = np.zeros((3, MAX_COLOURS), dtype=np.float32)
    card_sums(table, state, sums)
    room = crowd(table, state, sums)
    seat_inputs(table, state, seat, sums, room, cards)
    for half in range(2 if table[PLAYERS] == 2 else 1):
        colour = int(table[OWN + 2 * seat + half])
        rest = int(state[OPEN])
        while rest:
            pasture = first(rest)
            rest &= rest - 1
            row = pastures[half * MAX_PASTURES + pasture]
            shared_inputs(table, state, pasture, room, row)
            own_inputs(table, state, colour, pasture, sums, row)
