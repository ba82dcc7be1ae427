"""Which atoms are legal, as sets and as masks, and what an atom does. See `layout` for the atoms."""

from __future__ import annotations

from stampede.kernels.bits import first, nth
from stampede.kernels.jit import bare
from stampede.kernels.put import Bytes, put_set, put_zeros
from stampede.kernels.zoff.layout import (
    CHOOSE,
    MAX_CARDS,
    MAX_PASTURES,
    NONE,
    OVER,
    PLACE,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import (
    allowed,
    bonus_due,
    bonus_room,
    lays_one,
    nth_bonus,
    nth_choice,
    placements,
)
from stampede.kernels.zoff.resolve import place, place_bonus, reveal, run_on, to_act
from stampede.kernels.zoff.vector.layout import (
    ATOMS,
    BID,
    BID_COUNT,
    BIDS,
    BONUS,
    COWS,
    FLAT,
    NOTHING,
    PAIRS,
    PICK,
    PICKS,
    ROUNDS,
    SETTLE,
    SETTLES,
    STOP,
    Numbers,
    Options,
    TableRecord,
)
from stampede.kernels.zoff.vector.opening import pick_group, settle, show_bids

__all__ = [
    "acting_seats",
    "answer",
    "bonus_moves",
    "free_groups",
    "is_legal",
    "nth_answer",
    "pair_sets",
    "write_mask",
]

_STOP_BIT = 1 << MAX_PASTURES


@bare
def acting_seats(setup: SetupRecord, state: StateRecord, table: TableRecord) -> int:
    """The seats whose atom is awaited, as a set. … → int64."""
    everyone = (1 << int(setup.players)) - 1
    if table.over:
        return 0
    if table.stage == SETTLE:
        return everyone
    if table.stage == BID:
        return int(table.bidders)
    if table.stage == PICK:
        return 1 << int(table.picks[table.picks_next])
    if state.phase == CHOOSE:
        return everyone
    return 0 if state.phase == OVER else 1 << to_act(setup, state)


@bare
def pair_sets(
    setup: SetupRecord, state: StateRecord, table: TableRecord, seat: int
) -> tuple[int, int]:
    """The pastures and the cards of a seat's next pair; every one goes with every other. … → sets int64 × 2."""
    pastures, cards = int(state.open), int(state.hands[seat])
    single = pastures & (pastures - 1) == 0
    if table.half == 0:
        if setup.players > 2 and not single:
            # The second pasture is larger, so the first can't be the largest.
            largest = pastures
            while largest & (largest - 1):
                largest &= largest - 1
            pastures ^= largest
        return pastures, cards
    cards &= ~(1 << int(table.choices[seat, 1]))
    if not single:
        before = 1 << int(table.choices[seat, 0])
        pastures &= ~before if setup.players == 2 else ~(2 * before - 1)
    return pastures, cards


# --- bonuses, cow by cow (Z5.2, Z5.3) ---


@bare
def _laid_on(table: TableRecord, pasture: int) -> int:
    """How many cows of the running bonus lie on a pasture. … → int64."""
    cows = 0
    for index in range(table.bonus_laid):
        cows += table.bonus_on[index] == pasture
    return cows


@bare
def bonus_moves(setup: SetupRecord, state: StateRecord, table: TableRecord) -> int:
    """The pastures that may take the next cow, as a set; bit 12 is set where the bonus may stop. … → int64.

    The law of herds is tested when the whole bonus stands (Z5.3). So a cow may go where the rest of the bonus can
    still make all herds legal.
    """
    if setup.must_place:
        return _forced_moves(state, table)
    colour, most = bonus_due(state)
    laid = int(table.bonus_laid)
    # 1. How many more cows the pastures that have some need until their herds are legal.
    needed = 0
    for index in range(laid):
        pasture = int(table.bonus_on[index])
        seen = False
        for before in range(index):
            seen = seen or table.bonus_on[before] == pasture
        if not seen:
            cows = _laid_on(table, pasture)
            numbers = allowed(state, pasture, colour, min(most, int(state.free[pasture])))
            needed += first(numbers >> cows)
    moves = _STOP_BIT if needed == 0 else 0
    # 2. Every pasture with one cow more.
    left = most - laid - 1
    rest = int(state.open) if left >= 0 else 0
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        cows = _laid_on(table, pasture)
        numbers = allowed(state, pasture, colour, min(most, int(state.free[pasture])))
        after = numbers >> (cows + 1)
        if after == 0:
            continue
        own = first(numbers >> cows) if cows else 0
        if needed - own + first(after) <= left:
            moves |= 1 << pasture
    return moves


@bare
def _totals(state: StateRecord, table: TableRecord, colour: int, most: int, extra: int) -> int:
    """How many cows of the bonus can stand in the end, as a set of numbers, with one more on `extra`. … → int64."""
    totals = 1
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        cows = 0 if extra == NONE else _laid_on(table, pasture) + (pasture == extra)
        numbers = allowed(state, pasture, colour, min(most, int(state.free[pasture])))
        numbers = (numbers >> cows) << cows if cows else numbers | 1
        sums = 0
        for here in range(most + 1):
            if (numbers >> here) & 1:
                sums |= totals << here
        totals = sums & ((1 << (most + 1)) - 1)
    return totals


@bare
def _forced_moves(state: StateRecord, table: TableRecord) -> int:
    """`bonus_moves` where as many cows as possible must be placed (Z5.2)."""
    colour, most = bonus_due(state)
    least = most
    totals = _totals(state, table, colour, most, NONE)
    while not (totals >> least) & 1:
        least -= 1
    if table.bonus_laid >= least:
        return _STOP_BIT
    moves = 0
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        if _laid_on(table, pasture) < state.free[pasture]:
            moves |= ((_totals(state, table, colour, most, pasture) >> least) & 1) << pasture
    return moves


# --- legality ---


@bare
def is_legal(
    setup: SetupRecord, state: StateRecord, table: TableRecord, seat: int, atom: int
) -> bool:
    """Whether a seat that is asked may give this atom. …, int64, int64 → bool."""
    if atom < 0 or atom >= ATOMS:
        return False
    if table.stage == SETTLE:
        return SETTLES <= atom < BIDS
    if table.stage == BID:
        return max(BIDS, BIDS + int(table.standing[seat])) <= atom < BIDS + BID_COUNT
    if table.stage == PICK:
        group = atom - PICKS
        return bool(0 <= group < setup.players and table.owner_of[group] == NONE)
    if state.phase == CHOOSE:
        pastures, cards = pair_sets(setup, state, table, seat)
        pasture, card = atom // MAX_CARDS, atom % MAX_CARDS
        return atom < COWS and (pastures >> pasture) & (cards >> card) & 1 == 1
    if state.phase == PLACE:
        return COWS <= atom < BONUS and ((placements(state) | 1) >> (atom - COWS)) & 1 == 1
    return BONUS <= atom <= STOP and (bonus_moves(setup, state, table) >> (atom - BONUS)) & 1 == 1


@bare
def write_mask(
    setup: SetupRecord, state: StateRecord, table: TableRecord, seat: int, mask: Bytes, at: int
) -> None:
    """Writes the mask of a seat that is asked. …, int64, int8[n], from `at` on 240 bytes filled, int64."""
    if table.stage == ROUNDS and state.phase == CHOOSE:
        pastures, cards = pair_sets(setup, state, table, seat)
        for pasture in range(MAX_PASTURES):
            # Eight cards, then four and four zeros, which the next pasture overwrites.
            held = cards if (pastures >> pasture) & 1 else 0
            put_set(mask, at + MAX_CARDS * pasture, held)
            put_set(mask, at + MAX_CARDS * pasture + 8, held >> 8)
        put_zeros(mask, at + COWS, (ATOMS - COWS) // 8)
        return
    put_zeros(mask, at, ATOMS // 8)
    if table.stage == SETTLE:
        put_set(mask, at + SETTLES, 63)
    elif table.stage == BID:
        for bid in range(max(0, int(table.standing[seat])), BID_COUNT):
            mask[at + BIDS + bid] = 1
    elif table.stage == PICK:
        for group in range(setup.players):
            mask[at + PICKS + group] = table.owner_of[group] == NONE
    elif state.phase == PLACE:
        put_set(mask, at + COWS, placements(state) | 1)
    else:
        moves = bonus_moves(setup, state, table)
        put_set(mask, at + BONUS, moves)
        put_set(mask, at + BONUS + 8, moves >> 8)


# --- what atoms do ---


@bare
def answer(
    options: Options,
    template: SetupRecord,
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    actions: Numbers,
) -> None:
    """Carries out the atoms of all seats that are asked, and whatever follows. …, changed × 3, int16[players].

    Checks nothing. Where `options` say so, actions are numbers of whole answers instead.
    """
    seats = acting_seats(setup, state, table)
    flat = options[FLAT]
    if table.stage == SETTLE:
        for seat in range(2):
            table.choices[seat, 0] = int(actions[seat]) + 1 - (0 if flat else SETTLES)
        settle(options, template, state, table)
    elif table.stage == BID:
        for seat in range(setup.players):
            if (seats >> seat) & 1:
                bid = int(actions[seat]) - BIDS
                if flat:
                    bid = int(actions[seat]) + max(0, int(table.standing[seat]))
                table.choices[seat, 0] = bid
        show_bids(options, int(setup.players), table)
    elif table.stage == PICK:
        action = int(actions[first(seats)])
        group = nth(free_groups(setup, table), action) if flat else action - PICKS
        pick_group(template, setup, table, group)
    elif state.phase == CHOOSE:
        _choose(setup, state, table, actions, flat)
    elif state.phase == PLACE:
        action = int(actions[first(seats)])
        place(setup, state, nth(placements(state) | 1, action) if flat else action - COWS)
        run_on(setup, state)
    elif flat:
        room = bonus_room(setup, state)
        place_bonus(setup, state, nth_bonus(room, int(actions[first(seats)])))
        run_on(setup, state)
    else:
        _lay_bonus(setup, state, table, int(actions[first(seats)]))


@bare
def nth_answer(
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    seat: int,
    number: int,
    atoms: Numbers,
) -> int:
    """Writes the atoms of a seat's whole answer with this number. …, `TABLE`, changed, int16[5], filled → int64."""
    atoms[0] = SETTLES + number
    if table.stage == SETTLE:
        return 1
    if table.stage == BID:
        atoms[0] = BIDS + number + max(0, int(table.standing[seat]))
    elif table.stage == PICK:
        atoms[0] = PICKS + nth(free_groups(setup, table), number)
    elif state.phase == PLACE:
        atoms[0] = COWS + nth(placements(state) | 1, number)
    elif state.phase == CHOOSE:
        nth_choice(setup, state, seat, number, table.choices[seat])
        for half in range(2):
            pasture, card = (
                int(table.choices[seat, 2 * half]),
                int(table.choices[seat, 2 * half + 1]),
            )
            atoms[half] = pasture * MAX_CARDS + card
        return 1 if lays_one(setup, state) else 2
    else:
        bonus = nth_bonus(bonus_room(setup, state), number)
        table.bonus_laid = 0
        while bonus:
            atoms[table.bonus_laid] = BONUS + (bonus & 15) - 1
            table.bonus_on[table.bonus_laid] = (bonus & 15) - 1
            table.bonus_laid += 1
            bonus >>= 4
        length = int(table.bonus_laid)
        if length and not bonus_moves(setup, state, table) & (_STOP_BIT - 1):
            return length
        atoms[length] = STOP
        return length + 1
    return 1


@bare
def free_groups(setup: SetupRecord, table: TableRecord) -> int:
    """The groups without an owner, as a set. … → int64."""
    groups = 0
    for group in range(setup.players):
        groups |= (table.owner_of[group] == NONE) << group
    return groups


@bare
def _choose(
    setup: SetupRecord, state: StateRecord, table: TableRecord, actions: Numbers, flat: int
) -> None:
    """Every seat lays its next pair; the last ones reveal all."""
    half = int(table.half)
    for seat in range(setup.players):
        action = int(actions[seat])
        if flat:
            nth_choice(setup, state, seat, action, table.choices[seat])
        else:
            table.choices[seat, 2 * half] = action // MAX_CARDS
            table.choices[seat, 2 * half + 1] = action % MAX_CARDS
    if not flat and half == 0 and not lays_one(setup, state):
        table.half = 1
        return
    table.half = 0
    reveal(setup, state, table.choices)
    for seat in range(setup.players):
        for part in range(4):
            table.choices[seat, part] = NONE
    run_on(setup, state)


@bare
def _lay_bonus(setup: SetupRecord, state: StateRecord, table: TableRecord, atom: int) -> None:
    """One more cow of the bonus, or stop. It ends by itself when no further cow can be placed."""
    if atom != STOP:
        table.bonus_on[table.bonus_laid] = atom - BONUS
        table.bonus_laid += 1
        if bonus_moves(setup, state, table) & (_STOP_BIT - 1):
            return
    bonus = 0
    for index in range(table.bonus_laid):
        bonus |= (int(table.bonus_on[index]) + 1) << (4 * index)
    table.bonus_laid = 0
    place_bonus(setup, state, bonus)
    run_on(setup, state)


assert NOTHING == ATOMS - 1
assert PAIRS == 0
