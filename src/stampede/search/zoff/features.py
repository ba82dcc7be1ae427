"""The features of the value function: one short vector for each colour on each open pasture, and one for each seat.

They describe a state where a round begins. Pastures share their weights, so that any edition will do. Features are
scaled to about 0…1; divisors such as 8 cows of a herd or 5 of a card are those scales, nothing of the rules.

The trained weights depend on the order of the names below: a new feature needs new weights.
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
    "HERD_FEATURES",
    "PASTURE_FEATURES",
    "RANK_BONUS",
    "SEAT_FEATURES",
    "Features",
    "fill_card_sums",
    "fill_herd_features",
    "fill_pasture_features",
    "fill_seat_features",
    "free_per_cow",
]

Features = npt.NDArray[np.float32]
"""float32[n]: features, or sums over cards."""

# By seat, what its cards can do: rows of float32[CARD_SUMS, 6].
SUM, BEST, COUNT, SECOND = 0, 1, 2, 3
CARD_SUMS: Final = 4

# A colour's herd on an open pasture: the first `HERD_FEATURES` of `PASTURE_FEATURES`.
HAS_HERD: Final = 0  # 1 if the colour has cows there
HERD_SIZE: Final = 1  # cows of its herd
RANK_BONUS: Final = 2  # what the herd's rank pays
BONUS_ABOVE: Final = 3  # what the next higher rank pays
BONUS_BELOW: Final = 4  # what the next lower rank pays
GAP_ABOVE: Final = 5  # cows to the next larger herd
IS_LARGEST: Final = 6  # 1 if no herd is larger
LEAD_BELOW: Final = 7  # cows ahead of the next smaller herd
BEST_CARD: Final = 8  # its seat's best card
MEAN_CARD: Final = 9  # the mean of its seat's cards
ENTRY_BONUS: Final = 10  # what a first cow's rank would pay
OTHER_COLOUR: Final = 11  # cows of the seat's other colour (two players)
OTHER_COLOUR_AHEAD: Final = 12  # 1 if that herd is larger
THREAT: Final = 13  # how far another seat's best card gets beyond this herd
OVERTAKING: Final = 14  # how far its seat's best card gets beyond the next larger herd
BEST_FITTING: Final = 15  # the best card, as far as it fits in
SECOND_FITTING: Final = 16  # the second best card, as far as it fits in
BONUS_WITH_ROOM: Final = 17  # the rank's bonus, less if the pasture is about to fill
HERD_FEATURES: Final = 18

# The pasture itself, the same for all colours.
HERD_COUNT: Final = 18  # how many herds there are
FREE: Final = 19  # free spaces
CAPACITY: Final = 20  # spaces in all
LITTLE_FREE: Final = 21  # free spaces, up to 3
PASTURE_CROWD: Final = 22  # free spaces for each cow to come, everywhere
INVERSE_FREE: Final = 23  # 1 / free spaces
PASTURE_BIAS: Final = 24  # always 1
FAIR_SOON: Final = 25  # the fair bonus, the more the sooner it fills
FREE_UP_TO_EIGHT: Final = 26  # free spaces, up to 8
PASTURE_FEATURES: Final = 27

# A seat, apart from any pasture.
CARDS: Final = 0  # the sum of its cards
OTHERS_CARDS: Final = 1  # the mean of the others' sums
CROWD: Final = 2  # free spaces for each cow to come
SECOND_CARD: Final = 3  # its second best card
TOP_CARD: Final = 4  # its best card
OPEN_PASTURES: Final = 5  # how many pastures are open
HERDS: Final = 6  # on how many of them it has a herd
TIGHT: Final = 7  # the crowd, up to 1
CARDS_IF_TIGHT: Final = 8  # cards × tightness
SEAT_BIAS: Final = 9  # always 1
FAIR_GAME: Final = 10  # 1 if the fair bonus is paid
ROOMY_PASTURES: Final = 11  # how many open pastures have room for its best card
STRONGEST_HAND: Final = 12  # the largest sum of another seat
RESERVE: Final = 13  # cows left in reserve
SEAT_FEATURES: Final = 14

_FULL_HAND: Final = 33.0  # the sum of a first hand's cards


@kernel
def fill_card_sums(setup: SetupRecord, state: StateRecord, sums: Features) -> None:
    """Fills in what each seat's cards can do. …, float32[CARD_SUMS, 6]."""
    for seat in range(setup.players):
        total, best, second = 0, 0, 0
        hand = int(state.hands[seat])
        sums[COUNT, seat] = popcount(hand)
        while hand:
            card = first(hand)
            hand &= hand - 1
            value = int(setup.card_values[seat, card])
            total += value
            second = max(second, min(best, value))
            best = max(best, value)
        sums[SUM, seat] = total
        sums[BEST, seat] = best
        sums[SECOND, seat] = second


@kernel
def free_per_cow(setup: SetupRecord, state: StateRecord, sums: Features) -> float:
    """The free spaces for each cow that cards can still bring, up to 3. … → float64."""
    spaces, cows = 0.0, 0.0
    for pasture in range(MAX_PASTURES):
        spaces += float(state.free[pasture])
    for seat in range(setup.players):
        cows += float(sums[SUM, seat])
    return min(3.0, spaces / max(1.0, cows))


@kernel
def fill_pasture_features(
    setup: SetupRecord, state: StateRecord, pasture: int, room: float, features: Features
) -> None:
    """Fills in what all colours have in common on an open pasture, from `HERD_FEATURES` on. …, float32[27]."""
    free = int(state.free[pasture])
    count = 0
    for colour in range(MAX_COLOURS):
        count += state.herds[pasture, colour] > 0
    features[HERD_COUNT] = count / 6.0
    features[FREE] = min(30, free) / 10.0
    features[CAPACITY] = float(setup.capacity[pasture]) / 20.0
    features[LITTLE_FREE] = min(free, 3) / 3.0
    features[PASTURE_CROWD] = room
    features[INVERSE_FREE] = 1.0 / max(1, free)
    features[PASTURE_BIAS] = 1.0
    features[FAIR_SOON] = float(setup.fair * setup.fair_cows[pasture]) * features[INVERSE_FREE]
    features[FREE_UP_TO_EIGHT] = min(free, 8) / 8.0


@kernel
def fill_herd_features(
    setup: SetupRecord,
    state: StateRecord,
    colour: int,
    pasture: int,
    sums: Features,
    features: Features,
) -> None:
    """Fills in what a colour's herd on an open pasture looks like, up to `HERD_FEATURES`. …, float32[27]."""
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
            reach = min(float(sums[BEST, setup.seat_of[other]]), float(free))
            threat = max(threat, reach - (own - herd))
        if setup.seat_of[other] == seat:
            friend = herd
    for index in range(HERD_FEATURES):
        features[index] = 0.0
    best = float(sums[BEST, seat])
    if own > 0:
        features[HAS_HERD] = 1.0
        features[HERD_SIZE] = own / 8.0
        features[RANK_BONUS] = float(bonus[rank]) / 3.0 if rank < MAX_RANKS else 0.0
        features[BONUS_BELOW] = float(bonus[rank + 1]) / 3.0 if rank + 1 < MAX_RANKS else 0.0
        features[IS_LARGEST] = 1.0 if rank == 0 else 0.0
        features[LEAD_BELOW] = min(8, own - below) / 8.0
        features[THREAT] = max(0.0, threat) / 5.0
    elif rank < MAX_RANKS:
        features[ENTRY_BONUS] = float(bonus[rank]) / 3.0
    if rank > 0:
        features[BONUS_ABOVE] = float(bonus[rank - 1]) / 3.0 if rank <= MAX_RANKS else 0.0
        features[GAP_ABOVE] = min(8, above - own) / 8.0
        features[OVERTAKING] = max(0.0, min(best, float(free)) - (above - own)) / 5.0
    features[BEST_CARD] = best / 5.0
    features[MEAN_CARD] = sums[SUM, seat] / max(1.0, 5.0 * sums[COUNT, seat])
    features[OTHER_COLOUR] = friend / 8.0
    features[OTHER_COLOUR_AHEAD] = 1.0 if friend > own else 0.0
    features[BEST_FITTING] = min(best, float(free)) / 5.0
    features[SECOND_FITTING] = min(float(sums[SECOND, seat]), float(free)) / 5.0
    features[BONUS_WITH_ROOM] = features[RANK_BONUS] * min(1.0, free / 3.0)


@kernel
def fill_seat_features(
    setup: SetupRecord,
    state: StateRecord,
    seat: int,
    sums: Features,
    room: float,
    features: Features,
) -> None:
    """Fills in what doesn't belong to one pasture. …, float32[14]."""
    others, most = 0.0, 0.0
    for other in range(setup.players):
        if other != seat:
            others += float(sums[SUM, other])
            most = max(most, float(sums[SUM, other]))
    herds, roomy = 0, 0
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        herds += state.herds[pasture, setup.colours_of[seat, 0]] > 0
        roomy += state.free[pasture] >= sums[BEST, seat]
    features[CARDS] = sums[SUM, seat] / _FULL_HAND
    features[OTHERS_CARDS] = others / (int(setup.players) - 1) / _FULL_HAND
    features[CROWD] = room
    features[SECOND_CARD] = sums[SECOND, seat] / 5.0
    features[TOP_CARD] = sums[BEST, seat] / 5.0
    features[OPEN_PASTURES] = popcount(int(state.open)) / 12.0
    features[HERDS] = herds / 6.0
    features[TIGHT] = min(room, 1.0)
    features[CARDS_IF_TIGHT] = features[CARDS] * features[TIGHT]
    features[SEAT_BIAS] = 1.0
    features[FAIR_GAME] = float(setup.fair)
    features[ROOMY_PASTURES] = roomy / 12.0
    features[STRONGEST_HAND] = most / _FULL_HAND
    features[RESERVE] = min(int(state.reserves[setup.colours_of[seat, 0]]), 12) / 12.0
