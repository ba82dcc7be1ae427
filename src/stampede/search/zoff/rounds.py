"""What a round leads to: choices in, each seat's utility out."""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState
from stampede.kernels.zoff.greedy import PairScores, draw_good_choice, score_pairs
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
from stampede.kernels.zoff.line import finish_round
from stampede.kernels.zoff.records import copy_record, new_state
from stampede.kernels.zoff.resolve import placed, reveal
from stampede.search.zoff.value import Net, Values, chances, expected_cows

__all__ = [
    "HEAT",
    "play_out",
    "play_outs",
    "played_utilities",
    "round_utilities",
    "settled_utilities",
    "utilities",
]

HEAT = 0.5
"""How much less than the best a choice may promise and still be likely, in cows, where games are played out."""


@kernel
def _weigh(setup: SetupRecord, cows: Values, wins: Values, tastes: Values, values: Values) -> None:
    """Fills in each seat's utility, by its cows and its chance to win. …, float64[6] × 2, float64[4], float64[6]."""
    players = int(setup.players)
    total = 0.0
    for seat in range(players):
        total += cows[seat]
    for seat in range(players):
        strongest = -1e9
        for other in range(players):
            if other != seat:
                strongest = max(strongest, cows[other])
        values[seat] = tastes[0] * wins[seat] + tastes[1] * cows[seat]
        values[seat] -= tastes[2] * (total - cows[seat]) / (players - 1) + tastes[3] * strongest


@kernel
def utilities(
    setup: SetupRecord, state: StateRecord, net: Net, tastes: Values, values: Values
) -> None:
    """Fills in each seat's utility where a round begins or the game is over.

    A utility is: the chance to win × tastes[0] cows, + own expected cows × tastes[1], - the others' mean × tastes[2],
    - the strongest other's × tastes[3]. …, float64[4], float64[6].
    """
    cows = np.empty(6)
    wins = np.empty(6)
    expected_cows(setup, state, net, cows)
    chances(setup, state, net, cows, wins)
    _weigh(setup, cows, wins, tastes, values)


@kernel
def settled_utilities(
    setup: SetupRecord, state: StateRecord, net: Net, tastes: Values, values: Values
) -> None:
    """The utilities once the running round is played out quickly. …, changed, …, float64[6]."""
    finish_round(setup, state)
    utilities(setup, state, net, tastes, values)


@kernel
def play_out(
    setup: SetupRecord,
    state: StateRecord,
    heat: float,
    rng: RngState,
    scores: PairScores,
    choices: Choices,
) -> None:
    """Plays a game on from the start of a round: good choices at first sight, placements by the line.

    …, changed, float64, uint64[1], changed; the rest filled.
    """
    while state.phase == CHOOSE:
        for seat in range(setup.players):
            score_pairs(setup, state, seat, scores)
            draw_good_choice(setup, state, seat, scores, heat, rng, choices[seat])
        reveal(setup, state, choices)
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
        play_out(setup, state, HEAT, rng, scores, choices)
        winners = int(state.winners)
        for seat in range(setup.players):
            cows[seat] += placed(setup, state, seat) / games
            wins[seat] += float((winners >> seat) & 1) / popcount(winners) / games
    for seat in range(setup.players):
        cows[seat] -= float(setup.bids[seat]) / UNIT


@kernel
def played_utilities(
    setup: SetupRecord,
    state: StateRecord,
    tastes: Values,
    games: int,
    rng: RngState,
    values: Values,
) -> None:
    """The utilities by so many games played out from the start of a round; the state stays as it is.

    …, float64[4], int64 > 0, uint64[1], changed, float64[6], filled.
    """
    cows = np.empty(6)
    wins = np.empty(6)
    play_outs(setup, state, games if state.phase != OVER else 1, rng, cows, wins)
    _weigh(setup, cows, wins, tastes, values)


@kernel
def round_utilities(
    setup: SetupRecord,
    start: StateRecord,
    choices: Choices,
    net: Net,
    tastes: Values,
    values: Values,
) -> None:
    """The utilities after these choices, the quick player ending the round; the start stays as it is.

    …, int16[6, 4], …, float64[4], float64[6], filled.
    """
    state = new_state()
    copy_record(state, start)
    reveal(setup, state, choices)
    settled_utilities(setup, state, net, tastes, values)
