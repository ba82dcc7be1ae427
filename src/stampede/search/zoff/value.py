"""The value of a state where a round begins: the cows that each seat is expected to have in the end.

Two small networks with one hidden layer each, trained by self-play (`python -m stampede.lab.zoff.train`). One maps the
features of a colour on an open pasture to the cows to come there, the other those of a seat's cards. Their sum is added
to the cows already placed. A seat's chance to win is a softmax of the expected cows, the sharper the fewer rounds are
left.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import IO, Any, Final

import numba
import numpy as np
import numpy.typing as npt

from stampede.core.errors import InputError
from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import MAX_COLOURS, OVER, UNIT, SetupRecord, StateRecord
from stampede.kernels.zoff.resolve import count_cows
from stampede.search.zoff.features import (
    CARD_SUMS,
    HERD_FEATURES,
    PASTURE_FEATURES,
    RANK_BONUS,
    SEAT_FEATURES,
    fill_card_sums,
    fill_herd_features,
    fill_pasture_features,
    fill_seat_features,
    free_per_cow,
)

__all__ = [
    "HIDDEN",
    "NET_SIZE",
    "SEAT_HIDDEN",
    "Net",
    "Values",
    "expected_cows",
    "fill_win_chances",
    "load_net",
    "plain_net",
    "read_net",
]

Net = npt.NDArray[np.float32]
"""float32[NET_SIZE]: all weights of one player count."""
Values = npt.NDArray[np.float64]

HIDDEN: Final = 16
SEAT_HIDDEN: Final = 12
MAX_ROUNDS: Final = 6
W1: Final = 0
"""The weights of one stage, from here on; there is a stage for each number of rounds left, the last round's first."""
W2: Final = W1 + PASTURE_FEATURES * HIDDEN
G1: Final = W2 + HIDDEN
G2: Final = G1 + SEAT_FEATURES * SEAT_HIDDEN
STAGE: Final = G2 + SEAT_HIDDEN
TAU: Final = STAGE * MAX_ROUNDS
"""By rounds left: how many cows of lead make a win e times likelier."""
NET_SIZE: Final = TAU + MAX_ROUNDS + 1
FILE: Final = "zoff-value-2.npz"
_IS_PLAIN: Final[Any] = numba.config.DISABLE_JIT  # type: ignore[attr-defined] # without types


def load_net(players: int) -> Net:
    """The learned weights for this many players; InputError when there are none."""
    return _read_net(players).copy()


@cache
def _read_net(players: int) -> Net:
    path = resources.files("stampede.search.zoff").joinpath(FILE)
    with path.open("rb") as file:
        return read_net(file, players)


def read_net(file: IO[bytes], players: int) -> Net:
    """Reads the weights for this many players from a file as `FILE`; InputError when it has none."""
    with np.load(file, allow_pickle=False) as arrays:
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
        stage[W1 + RANK_BONUS * HIDDEN] = 3.0
        stage[W2] = 1.0
        stage[G1] = 33.0 * 0.75
        stage[G2] = 1.0
    net[TAU:] = 4.0
    return net


@kernel
def expected_cows(setup: SetupRecord, state: StateRecord, net: Net, cows: Values) -> None:
    """Fills in each seat's expected cows at the end, its bid deducted. …, float32[NET_SIZE], float64[6]."""
    for seat in range(setup.players):
        cows[seat] = count_cows(setup, state, seat) - float(setup.bids[seat]) / UNIT
    if state.phase == OVER:
        return
    # The running round counts as left; stages are numbered from the last round.
    left = int(setup.rounds) - int(state.round_number)
    net = net[left * STAGE : (left + 1) * STAGE]
    sums = np.zeros((CARD_SUMS, MAX_COLOURS), dtype=np.float32)
    inputs = np.zeros(PASTURE_FEATURES, dtype=np.float32)
    hidden = np.zeros(HIDDEN, dtype=np.float32)
    common = np.zeros(HIDDEN, dtype=np.float32)
    fill_card_sums(setup, state, sums)
    room = free_per_cow(setup, state, sums)
    for seat in range(setup.players):
        fill_seat_features(setup, state, seat, sums, room, inputs)
        cows[seat] += _seat_part(net, inputs)
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        fill_pasture_features(setup, state, pasture, room, inputs)
        common[:] = 0.0  # the pasture's part of the hidden layer, computed once for all its colours
        _add_layer(net, inputs, HERD_FEATURES, PASTURE_FEATURES, common)
        for colour in range(setup.colours):
            fill_herd_features(setup, state, colour, pasture, sums, inputs)
            hidden[:] = common
            _add_layer(net, inputs, 0, HERD_FEATURES, hidden)
            cows[setup.seat_of[colour]] += _output(net, hidden)


@kernel
def _add_layer(net: Net, inputs: Net, start: int, end: int, hidden: Net) -> None:
    """Adds what these inputs contribute to the hidden units of the pasture network."""
    for index in range(start, end):
        value = inputs[index]
        if value != 0.0:
            weights = W1 + index * HIDDEN  # input by input, so that zeros cost nothing
            for unit in range(HIDDEN):
                hidden[unit] += value * net[weights + unit]


@kernel
def _output(net: Net, hidden: Net) -> float:
    """The output of the pasture network.

    Four sums side by side, as each addition to a single one would wait for the one before. The rectifier is
    (x + |x|) / 2: max(x, 0) without a branch.
    """
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
    """The output of the seat network."""
    total = 0.0
    for unit in range(SEAT_HIDDEN):
        value = 0.0
        for index in range(SEAT_FEATURES):
            value += inputs[index] * net[G1 + index * SEAT_HIDDEN + unit]
        if value > 0.0:
            total += value * net[G2 + unit]
    return total


if _IS_PLAIN:  # as plain Python these loops take most of a decision's time

    def _add_layer(net: Net, inputs: Net, start: int, end: int, hidden: Net) -> None:
        weights = net[W1 + start * HIDDEN : W1 + end * HIDDEN]
        hidden += inputs[start:end] @ weights.reshape(end - start, HIDDEN)

    def _output(net: Net, hidden: Net) -> float:
        return float(np.maximum(hidden, 0) @ net[W2 : W2 + HIDDEN])

    def _seat_part(net: Net, inputs: Net) -> float:
        hidden = inputs[:SEAT_FEATURES] @ net[G1:G2].reshape(SEAT_FEATURES, SEAT_HIDDEN)
        return float(np.maximum(hidden, 0) @ net[G2 : G2 + SEAT_HIDDEN])


@kernel
def fill_win_chances(
    setup: SetupRecord, state: StateRecord, net: Net, cows: Values, wins: Values
) -> None:
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
