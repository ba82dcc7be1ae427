"""Utilities: what a round's choices lead to for each seat, by the value function or by playouts.

A round is finished by the look-ahead policy (`stampede.kernels.zoff.lookahead`). Playouts go on to the end of the
game: choices drawn by how much they promise at first sight, answers by that policy.
"""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.greedy import PairScores, lay_good_choices
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    OVER,
    UNIT,
    Choices,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import count_cows, reveal
from stampede.search.zoff.value import Net, Values, expected_cows, fill_win_chances

__all__ = [
    "PLAYOUT_TEMPERATURE",
    "play_out",
    "play_outs",
    "playout_utilities",
    "round_utilities",
    "utilities",
    "utilities_after_round",
]

PLAYOUT_TEMPERATURE = 0.5
"""Softmax temperature of choices in playouts, in cows."""


@kernel
def _taste(setup: SetupRecord, state: StateRecord, seat: int, preferences: Values) -> float:
    """What a seat likes about its herds, with two players those of both colours. …, int64, float64[6] → float64."""
    herds, largest = 0, 0
    for half in range(2 if setup.players == 2 else 1):  # otherwise both colours are the same one
        colour = int(setup.colours_of[seat, half])
        for pasture in range(setup.pastures):
            cows = int(state.herds[pasture, colour])
            herds += 1 if cows > 0 else 0
            largest = max(largest, cows)
    return float(preferences[4] * herds + preferences[5] * largest)


@kernel
def _weigh(
    setup: SetupRecord,
    state: StateRecord,
    cows: Values,
    wins: Values,
    preferences: Values,
    values: Values,
) -> None:
    """Fills in each seat's utility, by its cows, its chance to win and its herds.

    …, float64[6] × 2, float64[6], float64[6], filled.
    """
    players = int(setup.players)
    total = 0.0
    for seat in range(players):
        total += cows[seat]
    for seat in range(players):
        strongest = -1e9
        for other in range(players):
            if other != seat:
                strongest = max(strongest, cows[other])
        values[seat] = preferences[0] * wins[seat] + preferences[1] * cows[seat]
        values[seat] -= (
            preferences[2] * (total - cows[seat]) / (players - 1) + preferences[3] * strongest
        )
        if preferences[4] != 0.0 or preferences[5] != 0.0:
            values[seat] += _taste(setup, state, seat, preferences)


@kernel
def utilities(
    setup: SetupRecord, state: StateRecord, net: Net, preferences: Values, values: Values
) -> None:
    """Fills in each seat's utility where a round begins or the game is over.

    A utility is a weighted sum, in cows: preferences[0] × the chance to win, + preferences[1] × own expected cows,
    - preferences[2] × the others' mean, - preferences[3] × the strongest other's, + preferences[4] × the number of own
    herds, + preferences[5] × the cows of the largest. …, float64[6], float64[6].
    """
    cows = np.empty(6)
    wins = np.empty(6)
    expected_cows(setup, state, net, cows)
    fill_win_chances(setup, state, net, cows, wins)
    _weigh(setup, state, cows, wins, preferences, values)


@kernel
def utilities_after_round(
    setup: SetupRecord, state: StateRecord, net: Net, preferences: Values, values: Values
) -> None:
    """The utilities once the policy has finished the running round. …, changed, …, float64[6]."""
    finish_round(setup, state)
    utilities(setup, state, net, preferences, values)


@kernel
def play_out(
    setup: SetupRecord,
    state: StateRecord,
    temperature: float,
    rng: RngState,
    scores: PairScores,
    choices: Choices,
) -> None:
    """Plays a game from the start of a round to its end: good choices at first sight, answers by the policy.

    …, changed, float64, uint64[1], changed; the rest filled.
    """
    while state.phase == CHOOSE:
        lay_good_choices(setup, state, temperature, rng, scores, choices)
        finish_round(setup, state)


@kernel
def play_outs(
    setup: SetupRecord, start: StateRecord, games: int, rng: RngState, cows: Values, wins: Values
) -> None:
    """Fills in each seat's mean cows, its bid deducted, and its share of victories. The start stays as it is.

    …, int64 > 0, uint64[1], changed, float64[6] × 2, filled.
    """
    state = new_state()
    scores = np.empty((2, MAX_PASTURES, MAX_CARDS), dtype=np.float32)
    choices = np.empty((MAX_COLOURS, 4), dtype=np.int16)
    cows[:] = 0.0
    wins[:] = 0.0
    for _ in range(games):
        copy_record(state, start)
        play_out(setup, state, PLAYOUT_TEMPERATURE, rng, scores, choices)
        winners = int(state.winners)
        for seat in range(setup.players):
            cows[seat] += count_cows(setup, state, seat) / games
            wins[seat] += float((winners >> seat) & 1) / popcount(winners) / games
    for seat in range(setup.players):
        cows[seat] -= float(setup.bids[seat]) / UNIT


@kernel
def playout_utilities(
    setup: SetupRecord,
    state: StateRecord,
    preferences: Values,
    games: int,
    rng: RngState,
    values: Values,
) -> None:
    """The utilities by so many playouts from the start of a round; the state stays as it is.

    …, float64[6], int64 > 0, uint64[1], changed, float64[6], filled.
    """
    cows = np.empty(6)
    wins = np.empty(6)
    play_outs(setup, state, games if state.phase != OVER else 1, rng, cows, wins)
    _weigh(setup, state, cows, wins, preferences, values)


@kernel
def round_utilities(
    setup: SetupRecord,
    start: StateRecord,
    choices: Choices,
    net: Net,
    preferences: Values,
    values: Values,
) -> None:
    """The utilities after these choices, the policy finishing the round; the start stays as it is.

    …, int16[6, 4], …, float64[6], float64[6], filled.
    """
    state = new_state()
    copy_record(state, start)
    reveal(setup, state, choices)
    utilities_after_round(setup, state, net, preferences, values)
