"""Players at first sight for many tables: the low levels of Zoff (`stampede.bots.zoff.sight`) on integers.

They judge as `greedy` does, each seat with a taste of its own. A seat's whole answer is made up when the first atom of
it is due; the atoms that follow wait as its plan.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below, draw
from stampede.kernels.zoff.greedy import (
    PairScores,
    draw_good_choice,
    greedy_bonus,
    greedy_cows,
    score_pairs,
)
from stampede.kernels.zoff.layout import (
    CARD_1,
    CARD_2,
    CHOOSE,
    MAX_BONUS,
    MAX_CARDS,
    NONE,
    PASTURE_1,
    PASTURE_2,
    PLACE,
    Choice,
    SetupRecord,
    Setups,
    StateRecord,
    States,
)
from stampede.kernels.zoff.options import allowed, bonus_due, placements
from stampede.kernels.zoff.split import best_way, new_split, offer_pasture
from stampede.kernels.zoff.vector.atoms import acting_seats, free_groups
from stampede.kernels.zoff.vector.layout import (
    BID,
    BID_COUNT,
    BIDS,
    BONUS,
    COWS,
    PICKS,
    ROUNDS,
    SETTLE,
    SETTLES,
    STOP,
    Numbers,
    TableRecord,
    Tables,
)

__all__ = ["Plans", "Tastes", "sight_range"]

Tastes = npt.NDArray[np.float64]
"""float64[players, 2]: how freely a seat chooses, in cows, below 0 for one that isn't played; how often it grabs."""
Plans = npt.NDArray[np.int64]
"""int64[n, players]: what a seat has in mind for its next atoms: a pair, or the rest of a bonus."""

_BID_STEPS = 5
"""At first sight all colours are worth nearly the same: bids are at most 0.4 cows above the least."""
_FRACTION = 2.0**-53
_TO_FRACTION = np.uint64(11)


@kernel
def sight_range(
    setups: Setups,
    states: States,
    tables: Tables,
    tastes: Tastes,
    rng: RngState,
    plans: Plans,
    scores: PairScores,
    choice: Choice,
    actions: Numbers,
    begin: int,
    end: int,
) -> None:
    """Writes the atoms of the seats that have a taste and are asked.

    `SETUP`[n or 1], `STATE`[n], `TABLE`[n], float64[players, 2], uint64[1], changed, int64[n, players], changed,
    float32[2, 12, 12] and int16[4] to work in, int16[n, players], filled, int64 × 2.
    """
    for index in range(begin, end):
        setup, state, table = setups[index if len(setups) > 1 else 0], states[index], tables[index]
        seats = acting_seats(setup, state, table)
        while seats:
            seat = first(seats)
            seats &= seats - 1
            if tastes[seat, 0] < 0:
                continue
            if table.stage != ROUNDS:
                atom = _open(setup, table, seat, rng)
            elif state.phase == CHOOSE:
                if table.half == 0:
                    score_pairs(setup, state, seat, scores)
                    draw_good_choice(setup, state, seat, scores, tastes[seat, 0], rng, choice)
                    atom = _lay(setup, choice, plans[index], seat)
                else:
                    atom = int(plans[index, seat])
            else:
                grabs = (draw(rng) >> _TO_FRACTION) * _FRACTION < tastes[seat, 1]
                if state.phase == PLACE:
                    cows = _most(placements(state)) if grabs else greedy_cows(setup, state)
                    atom = COWS + cows
                else:
                    if table.bonus_laid == 0:
                        plan = grab_bonus(setup, state) if grabs else greedy_bonus(setup, state)
                        plans[index, seat] = plan
                    atom = _next_cow(plans[index], seat)
            actions[index, seat] = atom


@kernel
def _open(setup: SetupRecord, table: TableRecord, seat: int, rng: RngState) -> int:
    """An atom before the first round: a settlement, a low bid, any colour. … → int64."""
    if table.stage == SETTLE:
        return SETTLES + below(rng, 6)
    if table.stage == BID:
        least = max(0, int(table.standing[seat]))
        return BIDS + min(BID_COUNT - 1, least + below(rng, _BID_STEPS))
    groups = free_groups(setup, table)
    return PICKS + nth(groups, below(rng, popcount(groups)))


@kernel
def _lay(setup: SetupRecord, choice: Choice, plans: npt.NDArray[np.int64], seat: int) -> int:
    """The first pair as an atom; the second becomes the plan. … → int64."""
    one = int(choice[PASTURE_1]) * MAX_CARDS + int(choice[CARD_1])
    if choice[PASTURE_2] == NONE:
        return one
    other = int(choice[PASTURE_2]) * MAX_CARDS + int(choice[CARD_2])
    # The second pasture is the larger one, but for two players, whose pairs belong to their colours in order.
    swapped = setup.players > 2 and choice[PASTURE_2] < choice[PASTURE_1]
    plans[seat] = one if swapped else other
    return other if swapped else one


@kernel
def _most(cows: int) -> int:
    """The largest number of a set that has 0 at least. int64 → int64."""
    most = 0
    while cows >> (most + 1):
        most += 1
    return most


@kernel
def grab_bonus(setup: SetupRecord, state: StateRecord) -> int:
    """A use of the first bonus due that places as many cows as can be. … → int64, a bonus."""
    colour, most = bonus_due(state)
    best, ways = new_split()
    worth = np.arange(MAX_BONUS + 1).astype(np.float64)
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        mask = allowed(state, pasture, colour, min(most, int(state.free[pasture])))
        if mask:
            offer_pasture(pasture, mask, most, worth, best, ways)
    return best_way(setup, best, ways)


@kernel
def _next_cow(plans: npt.NDArray[np.int64], seat: int) -> int:
    """The next atom of a bonus: a cow, or stop. int64[players], changed, int64 → int64."""
    plan = int(plans[seat])
    plans[seat] = plan >> 4
    return BONUS + (plan & 15) - 1 if plan else STOP
