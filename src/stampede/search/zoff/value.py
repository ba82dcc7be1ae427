"""The value of a state where a round begins: the cows that each seat is expected to have in the end.

Two small networks, learned by self-play (`python -m stampede.lab.train_zoff`). One looks at a colour on an open pasture
and tells the cows to come there; the other looks at a seat's cards. Their sum is added to the cows already placed.
A seat's chance to win is a softmax of the expected cows, the sharper the fewer rounds are left.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import MAX_COLOURS, OVER, UNIT, SetupRecord, StateRecord
from stampede.kernels.zoff.resolve import placed
from stampede.search.zoff.inputs import (
    CARD_SUMS,
    OWN_INPUTS,
    PASTURE_INPUTS,
    SEAT_INPUTS,
    card_sums,
    crowd,
    own_inputs,
    seat_inputs,
    shared_inputs,
)

__all__ = [
    "HIDDEN",
    "NET_SIZE",
    "SEAT_HIDDEN",
    "Net",
    "Values",
    "chances",
    "expected_cows",
    "load_net",
    "plain_net",
]

Net = npt.NDArray[np.float32]
"""float32[NET_SIZE]: all weights of one player count."""
Values = npt.NDArray[np.float64]

HIDDEN: Final = 16
SEAT_HIDDEN: Final = 12
MAX_ROUNDS: Final = 6
W1: Final = 0
"""The weights of one stage, from here on; there is a stage for each number of rounds left, the last round's first."""
W2: Final = W1 + PASTURE_INPUTS * HIDDEN
G1: Final = W2 + HIDDEN
G2: Final = G1 + SEAT_INPUTS * SEAT_HIDDEN
STAGE: Final = G2 + SEAT_HIDDEN
TAU: Final = STAGE * MAX_ROUNDS
"""By rounds left: how many cows of lead make a win e times likelier."""
NET_SIZE: Final = TAU + MAX_ROUNDS + 1
_RANK_BONUS: Final = 2
"""The input with the bonus of a herd's rank."""
FILE: Final = "zoff-value-2.npz"


def load_net(players: int) -> Net:
    """The learned weights for this many players; InputError when there are none."""
    return _read_net(players).copy()


@cache
def _read_net(players: int) -> Net:
    path = resources.files("stampede.search.zoff").joinpath(FILE)
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        key = f"players_{players}"
        if key not in arrays:
            raise InputError(f"value function: expected weights for {players} players in {FILE}")
        net: Net = arrays[key].astype(np.float32)
    if net.shape != (NET_SIZE,):
        raise InputError(f"{FILE}: expected {NET_SIZE} weights in {key}, got {net.shape}")
    return net


def plain_net() -> Net:
    """A value function that wasn't learned: cows, the bonus of each herd's rank, and three quarters of the cards."""
    net = np.zeros(NET_SIZE, dtype=np.float32)
    for stage in net[:TAU].reshape(MAX_ROUNDS, STAGE):
        stage[W1 + _RANK_BONUS * HIDDEN] = 3.0
        stage[W2] = 1.0
        stage[G1] = 33.0 * 0.75
        stage[G2] = 1.0
    net[TAU:] = 4.0
    return net


@kernel
def expected_cows(setup: SetupRecord, state: StateRecord, net: Net, cows: Values) -> None:
    """Fills in each seat's expected cows at the end, its bid deducted. …, float32[NET_SIZE], float64[6]."""
    for seat in range(setup.players):
        cows[seat] = placed(setup, state, seat) - float(setup.bids[seat]) / UNIT
    if state.phase == OVER:
        return
    left = int(setup.rounds) - int(state.round_number)
    net = net[left * STAGE : (left + 1) * STAGE]
    sums = np.zeros((CARD_SUMS, MAX_COLOURS), dtype=np.float32)
    inputs = np.zeros(PASTURE_INPUTS, dtype=np.float32)
    hidden = np.zeros(HIDDEN, dtype=np.float32)
    common = np.zeros(HIDDEN, dtype=np.float32)
    card_sums(setup, state, sums)
    room = crowd(setup, state, sums)
    for seat in range(setup.players):
        seat_inputs(setup, state, seat, sums, room, inputs)
        cows[seat] += _seat_part(net, inputs)
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        shared_inputs(setup, state, pasture, room, inputs)
        common[:] = 0.0
        _add_layer(net, inputs, OWN_INPUTS, PASTURE_INPUTS, common)
        for colour in range(setup.colours):
            own_inputs(setup, state, colour, pasture, sums, inputs)
            hidden[:] = common
            _add_layer(net, inputs, 0, OWN_INPUTS, hidden)
            cows[setup.seat_of[colour]] += _output(net, hidden)


@kernel
def _add_layer(net: Net, inputs: Net, start: int, end: int, hidden: Net) -> None:
    for index in range(start, end):
        value = inputs[index]
        if value != 0.0:
            weights = W1 + index * HIDDEN
            for unit in range(HIDDEN):
                hidden[unit] += value * net[weights + unit]


@kernel
def _output(net: Net, hidden: Net) -> float:
    """Four sums side by side, because a single one waits for itself; x + |x| is cut at zero without a branch."""
    zero, half = np.float32(0.0), np.float32(0.5)
    one, two, three, four = zero, zero, zero, zero
    for unit in range(0, HIDDEN, 4):
        one += (hidden[unit] + abs(hidden[unit])) * net[W2 + unit]
        two += (hidden[unit + 1] + abs(hidden[unit + 1])) * net[W2 + unit + 1]
        three += (hidden[unit + 2] + abs(hidden[unit + 2])) * net[W2 + unit + 2]
        four += (hidden[unit + 3] + abs(hidden[unit + 3])) * net[W2 + unit + 3]
    return float(half * (one + two + three + four))


@kernel
def _seat_part(net: Net, inputs: Net) -> float:
    total = 0.0
    for unit in range(SEAT_HIDDEN):
        value = 0.0
        for index in range(SEAT_INPUTS):
            value += inputs[index] * net[G1 + index * SEAT_HIDDEN + unit]
        if value > 0.0:
            total += value * net[G2 + unit]
    return total


@kernel
def chances(setup: SetupRecord, state: StateRecord, net: Net, cows: Values, wins: Values) -> None:
    """Fills in each seat's chance to win, from the expected cows. …, float64[6], float64[6]."""
    players = int(setup.players)
    if state.phase == OVER:
        winners = int(state.winners)
        for seat in range(players):
            wins[seat] = float((winners >> seat) & 1) / popcount(winners)
        return
    tau = float(net[TAU + int(setup.rounds) - int(state.round_number) + 1])
    best, total = cows[0], 0.0
    for seat in range(players):
        best = max(best, cows[seat])
    for seat in range(players):
        wins[seat] = np.exp((cows[seat] - best) / tau)
        total += wins[seat]
    for seat in range(players):
        wins[seat] /= total
