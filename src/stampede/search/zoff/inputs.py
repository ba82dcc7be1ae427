"""What the value function looks at: one short vector for each colour on each open pasture, and one for each seat.

A state is looked at where a round begins. Pastures share their weights, so that any edition will do.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    MAX_COLOURS,
    MAX_PASTURES,
    MAX_RANKS,
    SetupRecord,
    StateRecord,
)

__all__ = [
    "CARD_SUMS",
    "OWN_INPUTS",
    "PASTURE_INPUTS",
    "SEAT_INPUTS",
    "Inputs",
    "card_sums",
    "crowd",
    "own_inputs",
    "seat_inputs",
    "shared_inputs",
]

Inputs = npt.NDArray[np.float32]
PASTURE_INPUTS: Final = 27
OWN_INPUTS: Final = 18
SEAT_INPUTS: Final = 14
CARD_SUMS: Final = 4
"""By seat: the sum of its cards' values, the best one, how many, the second best one."""
_FULL_HAND: Final = 33.0


@kernel
def card_sums(setup: SetupRecord, state: StateRecord, sums: Inputs) -> None:
    """Fills in what each seat's cards can do. …, float32[CARD_SUMS, 6]."""
    for seat in range(setup.players):
        total, best, second = 0, 0, 0
        hand = int(state.hands[seat])
        sums[2, seat] = popcount(hand)
        while hand:
            card = first(hand)
            hand &= hand - 1
            value = int(setup.card_values[seat, card])
            total += value
            second = max(second, min(best, value))
            best = max(best, value)
        sums[0, seat] = total
        sums[1, seat] = best
        sums[3, seat] = second


@kernel
def crowd(setup: SetupRecord, state: StateRecord, sums: Inputs) -> float:
    """The free spaces for each cow that cards can still bring, up to 3. … → float64."""
    spaces, cows = 0.0, 0.0
    for pasture in range(MAX_PASTURES):
        spaces += float(state.free[pasture])
    for seat in range(setup.players):
        cows += float(sums[0, seat])
    return min(3.0, spaces / max(1.0, cows))


@kernel
def shared_inputs(
    setup: SetupRecord, state: StateRecord, pasture: int, room: float, inputs: Inputs
) -> None:
    """Fills in what all colours have in common on an open pasture, from place OWN_INPUTS on. …, float32[27]."""
    free = int(state.free[pasture])
    count = 0
    for colour in range(MAX_COLOURS):
        count += state.herds[pasture, colour] > 0
    inputs[18] = count / 6.0
    inputs[19] = min(30, free) / 10.0
    inputs[20] = float(setup.capacity[pasture]) / 20.0
    inputs[21] = min(free, 3) / 3.0
    inputs[22] = room
    inputs[23] = 1.0 / max(1, free)
    inputs[24] = 1.0
    inputs[25] = float(setup.fair * setup.fair_cows[pasture]) * inputs[23]
    inputs[26] = min(free, 8) / 8.0


@kernel
def own_inputs(
    setup: SetupRecord, state: StateRecord, colour: int, pasture: int, sums: Inputs, inputs: Inputs
) -> None:
    """Fills in what a colour's herd on an open pasture looks like, up to place OWN_INPUTS. …, float32[27]."""
    herds = state.herds[pasture]
    bonus = setup.bonus[pasture]
    seat = int(setup.seat_of[colour])
    own = int(herds[colour])
    free = int(state.free[pasture])
    rank, above, below, friend, threat = 0, 99, 0, 0, 0.0
    for other in range(MAX_COLOURS):
        herd = int(herds[other])
        if herd == 0 or other == colour:
            continue
        if herd > own:
            rank += 1
            above = min(above, herd)
        else:
            below = max(below, herd)
            # How far beyond this herd the other could get with its best card.
            reach = min(float(sums[1, setup.seat_of[other]]), float(free))
            threat = max(threat, reach - (own - herd))
        if setup.seat_of[other] == seat:
            friend = herd
    for index in range(OWN_INPUTS):
        inputs[index] = 0.0
    best = float(sums[1, seat])
    if own > 0:
        inputs[0] = 1.0
        inputs[1] = own / 8.0
        inputs[2] = float(bonus[rank]) / 3.0 if rank < MAX_RANKS else 0.0
        inputs[4] = float(bonus[rank + 1]) / 3.0 if rank + 1 < MAX_RANKS else 0.0
        inputs[6] = 1.0 if rank == 0 else 0.0
        inputs[7] = min(8, own - below) / 8.0
        inputs[13] = max(0.0, threat) / 5.0
    elif rank < MAX_RANKS:
        inputs[10] = float(bonus[rank]) / 3.0
    if rank > 0:
        inputs[3] = float(bonus[rank - 1]) / 3.0 if rank <= MAX_RANKS else 0.0
        inputs[5] = min(8, above - own) / 8.0
        inputs[14] = max(0.0, min(best, float(free)) - (above - own)) / 5.0
    inputs[8] = best / 5.0
    inputs[9] = sums[0, seat] / max(1.0, 5.0 * sums[2, seat])
    inputs[11] = friend / 8.0
    inputs[12] = 1.0 if friend > own else 0.0
    inputs[15] = min(best, float(free)) / 5.0
    inputs[16] = min(float(sums[3, seat]), float(free)) / 5.0
    inputs[17] = inputs[2] * min(1.0, free / 3.0)


@kernel
def seat_inputs(
    setup: SetupRecord, state: StateRecord, seat: int, sums: Inputs, room: float, inputs: Inputs
) -> None:
    """Fills in what doesn't belong to one pasture. …, float32[14]."""
    others, most = 0.0, 0.0
    for other in range(setup.players):
        if other != seat:
            others += float(sums[0, other])
            most = max(most, float(sums[0, other]))
    herds, roomy = 0, 0
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        herds += state.herds[pasture, setup.colours_of[seat, 0]] > 0
        roomy += state.free[pasture] >= sums[1, seat]
    inputs[0] = sums[0, seat] / _FULL_HAND
    inputs[1] = others / (int(setup.players) - 1) / _FULL_HAND
    inputs[2] = room
    inputs[3] = sums[3, seat] / 5.0
    inputs[4] = sums[1, seat] / 5.0
    inputs[5] = popcount(int(state.open)) / 12.0
    inputs[6] = herds / 6.0
    inputs[7] = min(room, 1.0)
    inputs[8] = inputs[0] * inputs[7]
    inputs[9] = 1.0
    inputs[10] = float(setup.fair)
    inputs[11] = roomy / 12.0
    inputs[12] = most / _FULL_HAND
    inputs[13] = min(int(state.reserves[setup.colours_of[seat, 0]]), 12) / 12.0
