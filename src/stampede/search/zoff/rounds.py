"""What a round leads to: choices in, each seat's utility out."""

from __future__ import annotations

import numpy as np

from stampede.kernels.jit import kernel
from stampede.kernels.zoff.greedy import finish_round
from stampede.kernels.zoff.layout import PLAYERS, STATE_SIZE, Choices, State, Table
from stampede.kernels.zoff.resolve import reveal
from stampede.search.zoff.value import Net, Values, chances, expected_cows

__all__ = ["round_utilities", "settled_utilities", "utilities"]


@kernel
def utilities(table: Table, state: State, net: Net, tastes: Values, values: Values) -> None:
    """Fills in each seat's utility where a round begins or the game is over.

    A utility is: the chance to win × tastes[0] cows, + own expected cows × tastes[1], - the others' mean × tastes[2],
    - the strongest other's × tastes[3]. …, float64[4], float64[6].
    """
    cows = np.empty(6)
    wins = np.empty(6)
    players = int(table[PLAYERS])
    expected_cows(table, state, net, cows)
    chances(table, state, net, cows, wins)
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
def settled_utilities(table: Table, state: State, net: Net, tastes: Values, values: Values) -> None:
    """The utilities once the running round is played out quickly. …, changed, …, float64[6]."""
    finish_round(table, state)
    utilities(table, state, net, tastes, values)


@kernel
def round_utilities(
    table: Table, start: State, choices: Choices, net: Net, tastes: Values, values: Values
) -> None:
    """The utilities after these choices; the start stays as it is. …, int16[6, 4], …, float64[6], filled."""
    state = np.empty(STATE_SIZE, dtype=np.int16)
    state[:] = start
    reveal(table, state, choices)
    settled_utilities(table, state, net, tastes, values)
