"""The look-ahead policy: a placement by backward induction over the pairs that follow on the same pasture.

The choices are revealed by then, so the first in line knows which cards follow. It and up to two followers each
maximise their own worth (max^n, depth three); other pastures are left out. In the last round open pastures pay on
themselves, as far as there is room (Z7.1), so that filling one, or leaving a space, counts, too.

It finishes the rounds inside every search, so it has to be fast: the herds of a pasture are packed into one number, 8
bits a colour from the low end, and 4 bits above them with the number of the colour that placed last + 1 (which gets
the fair bonus if the pasture is full, Z11.2).
"""

from __future__ import annotations

import numpy as np

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    MAX_BONUS,
    MAX_COLOURS,
    MAX_RANKS,
    PAY,
    PLACE,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import allowed, bonus_due
from stampede.kernels.zoff.resolve import give_answer, run_on
from stampede.kernels.zoff.split import NEVER, best_way, new_split, offer_pasture

__all__ = ["finish_round", "lookahead_answer", "lookahead_bonus", "lookahead_cows", "pasture_worth"]

_LAST_AT = 8 * MAX_COLOURS
"""Where packed herds have the colour that placed last, + 1."""
_HERDS_ONLY = (1 << _LAST_AT) - 1
_NO_LIMIT = 99


@kernel
def pack_herds(state: StateRecord, pasture: int) -> int:
    """A pasture's herds in one number. … → int64."""
    herds = 0
    for colour in range(MAX_COLOURS):
        herds |= int(state.herds[pasture, colour]) << (8 * colour)
    return herds


@kernel
def pasture_worth(
    setup: SetupRecord, pasture: int, seat: int, herds: int, free: int, last: int
) -> float:
    """A seat's cows and bonuses there less the others' mean, with these packed herds. … → float64."""
    share = 1.0 / (int(setup.players) - 1)
    worth = 0.0
    # In the last round an open pasture pays on itself, so the bonuses share its free spaces (Z7.1). Other bonuses go
    # to other pastures (Z5.2), where there is room enough.
    room = free if last and free > 0 else _NO_LIMIT
    rest = herds & _HERDS_ONLY
    for rank in range(MAX_COLOURS):
        # Selection sort, rank by rank; a herd that was counted is cleared from `rest`.
        best, colour = 0, 0
        for other in range(MAX_COLOURS):
            herd = (rest >> (8 * other)) & 255
            if herd > best:
                best, colour = herd, other
        if best == 0:
            break
        rest &= ~(255 << (8 * colour))
        cows = best
        if rank < MAX_RANKS:
            bonus = min(int(setup.bonus[pasture, rank]), room)
            room -= bonus
            cows += bonus
        if free == 0 and setup.fair and (herds >> _LAST_AT) == colour + 1:
            cows += int(setup.fair_cows[pasture])
        worth += cows if setup.seat_of[colour] == seat else -share * cows
    return worth


@kernel
def _may_place(setup: SetupRecord, state: StateRecord, at: int, herds: int, free: int) -> int:
    """`placements` for the pair at this place in line, on packed herds. … → int64, a set of numbers without 0."""
    pair = int(state.line[at])
    colour = int(state.pair_colour[pair])
    most = int(state.pair_left[pair])
    if setup.one_last_card:
        most -= _used_before(setup, state, at, herds)
    most = min(most, free, int(state.reserves[colour]))
    own = (herds >> (8 * colour)) & 255
    mask = (1 << (most + 1)) - 2
    for other in range(MAX_COLOURS):
        above = ((herds >> (8 * other)) & 255) - own
        if 0 < above <= most:
            mask &= ~(1 << above)
    return mask


@kernel
def _used_before(setup: SetupRecord, state: StateRecord, at: int, herds: int) -> int:
    """How many cows the same card has placed for the player's other colour, on packed herds (Z10.5). … → int64."""
    pair = int(state.line[at])
    seat, pasture = setup.seat_of[state.pair_colour[pair]], int(state.pair_pasture[pair])
    used = 0
    for earlier in range(state.line_next, at):
        other = int(state.line[earlier])
        colour = int(state.pair_colour[other])
        if setup.seat_of[colour] == seat and state.pair_card[other] == state.pair_card[pair]:
            used += ((herds >> (8 * colour)) & 255) - int(state.herds[pasture, colour])
    return used


@kernel
def _with_cows(herds: int, colour: int, cows: int) -> int:
    """Packed herds after a placement. int64 × 3 → int64."""
    return (herds & _HERDS_ONLY) + (cows << (8 * colour)) | (colour + 1) << _LAST_AT


@kernel
def _third(
    setup: SetupRecord, state: StateRecord, at: int, pasture: int, herds: int, free: int, last: int
) -> tuple[int, int]:
    """Herds and free spaces once the last pair of the induction has placed what is best for its seat. … → int64 × 2."""
    if at >= state.line_length or free == 0:
        return herds, free
    colour = int(state.pair_colour[state.line[at]])
    seat = int(setup.seat_of[colour])
    mask = _may_place(setup, state, at, herds, free)
    best, best_worth = 0, pasture_worth(setup, pasture, seat, herds, free, last)
    while mask:
        cows = first(mask)
        mask &= mask - 1
        now = _with_cows(herds, colour, cows)
        worth = pasture_worth(setup, pasture, seat, now, free - cows, last)
        if worth >= best_worth:
            best, best_worth = cows, worth
    if best == 0:
        return herds, free
    return _with_cows(herds, colour, best), free - best


@kernel
def _second(
    setup: SetupRecord, state: StateRecord, at: int, pasture: int, herds: int, free: int, last: int
) -> tuple[int, int]:
    """The same for the pair before it, which knows how `_third` will respond. … → int64 × 2, after both."""
    if at + 1 >= state.line_length or free == 0:
        return _third(setup, state, at, pasture, herds, free, last)
    colour = int(state.pair_colour[state.line[at]])
    seat = int(setup.seat_of[colour])
    mask = _may_place(setup, state, at, herds, free) | 1
    best_worth, best_herds, best_free = NEVER, herds, free
    while mask:
        cows = first(mask)
        mask &= mask - 1
        now = _with_cows(herds, colour, cows) if cows else herds
        then, left = _third(setup, state, at + 1, pasture, now, free - cows, last)
        worth = pasture_worth(setup, pasture, seat, then, left, last)
        if worth >= best_worth:
            best_worth, best_herds, best_free = worth, then, left
    return best_herds, best_free


@kernel
def lookahead_cows(setup: SetupRecord, state: StateRecord) -> int:
    """How many cows the first pair in line places, with up to two followers in mind. … → int64."""
    at = int(state.line_next)
    pair = int(state.line[at])
    pasture, colour = int(state.pair_pasture[pair]), int(state.pair_colour[pair])
    seat = int(setup.seat_of[colour])
    last = int(state.round_number == setup.rounds)
    herds, free = pack_herds(state, pasture), int(state.free[pasture])
    mask = _may_place(setup, state, at, herds, free) | 1  # no cow at all is always allowed (Z4.3)
    best, best_worth = 0, NEVER
    while mask:
        cows = first(mask)
        mask &= mask - 1
        now = _with_cows(herds, colour, cows) if cows else herds
        then, left = _second(setup, state, at + 1, pasture, now, free - cows, last)
        worth = pasture_worth(setup, pasture, seat, then, left, last)
        if worth >= best_worth:  # of equal ones the most cows: they count at the end
            best, best_worth = cows, worth
    return best


@kernel
def lookahead_bonus(setup: SetupRecord, state: StateRecord) -> int:
    """How the first bonus due is used: the best split by what each pasture gains. … → int64, a bonus."""
    colour, most = bonus_due(state)
    seat = int(setup.seat_of[colour])
    last = int(state.round_number == setup.rounds)
    best, ways = new_split()
    worth = np.zeros(MAX_BONUS + 1)
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        free = int(state.free[pasture])
        mask = allowed(state, pasture, colour, min(most, free))
        if mask == 0:
            continue
        herds = pack_herds(state, pasture)
        worth[0] = pasture_worth(setup, pasture, seat, herds, free, last)
        for cows in range(1, most + 1):
            if (mask >> cows) & 1:
                now = _with_cows(herds, colour, cows)
                worth[cows] = pasture_worth(setup, pasture, seat, now, free - cows, last)
        offer_pasture(pasture, mask, most, worth, best, ways)
    return best_way(setup, best, ways)


@kernel
def lookahead_answer(setup: SetupRecord, state: StateRecord) -> int:
    """The policy's answer: cows to place, or a bonus, as the phase asks. … → int64."""
    if state.phase == PLACE:
        return lookahead_cows(setup, state)
    return lookahead_bonus(setup, state)


@kernel
def finish_round(setup: SetupRecord, state: StateRecord) -> None:
    """Plays from the reveal until all choose again or it's over, every seat by this policy. …, changed."""
    run_on(setup, state)
    while state.phase in (PLACE, PAY):
        give_answer(setup, state, lookahead_answer(setup, state))
