"""Writes observations: what everyone knows of a table, and what one seat knows alone. See `layout` for the places.

Nothing here reads another seat's hand or its part of a running choice, but for the number of its cards and for cards
that the rules, or a perfect memory, know to be played.
"""

from __future__ import annotations

from stampede.kernels.bits import popcount
from stampede.kernels.jit import bare
from stampede.kernels.put import Bytes, put, put_set, put_zeros
from stampede.kernels.zoff.layout import (
    BY_ROUNDS,
    MAX_BONUS,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    NONE,
    OVER,
    PAY,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.resolve import to_act
from stampede.kernels.zoff.vector.layout import (
    BID,
    BID_ROUND,
    DEALT,
    DONE,
    DUE,
    DUE_SIZE,
    FIRST_PHASE,
    FREE,
    HALF,
    HAND,
    HELD,
    IN_LINE,
    LAID,
    LATER,
    OWN_BONUS,
    OWN_PAIR,
    OWNERS,
    PAIR_SIZE,
    PASTURES,
    PAYING,
    PHASE,
    PRIVATE,
    PUBLIC,
    QUEUE,
    RESERVES,
    ROUND,
    ROUNDS,
    SEEN,
    SEES_ALL,
    SETTLE,
    STANDING,
    Options,
    TableRecord,
)

__all__ = ["write_private", "write_public"]

_BITS = 4


@bare
def _colour_slots(
    setup: SetupRecord, table: TableRecord, template: SetupRecord, viewer: int
) -> int:
    """By colour, 4 bits: its place in an observation; for a viewer its own first, then the next seat's. … → int64."""
    slots, slot = 0, 0
    players = int(setup.players)
    if viewer == NONE:
        for colour in range(template.colours):
            slots |= colour << (_BITS * colour)
        return slots
    halves = 2 if players == 2 else 1
    for turn in range(players):
        group = int(table.group_of[(viewer + turn) % players])
        if group != NONE:
            for half in range(halves):
                slots |= slot << (_BITS * int(template.colours_of[group, half]))
                slot += 1
    for group in range(players):
        if table.owner_of[group] == NONE:
            for half in range(halves):
                slots |= slot << (_BITS * int(template.colours_of[group, half]))
                slot += 1
    return slots


@bare
def write_public(
    options: Options,
    template: SetupRecord,
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    viewer: int,
    memory: Bytes,
    at: int,
) -> None:
    """Writes what everyone knows, as a viewer numbers seats and colours, or as they are (-1). …, int8[n], filled."""
    players = int(setup.players)
    turn = 0 if viewer == NONE else viewer
    slots = _colour_slots(setup, table, template, viewer)
    put_zeros(memory, at, PUBLIC // 8)
    put(memory, at + PUBLIC - 8, 0)  # the last bytes, which no whole word covers
    memory[at + PHASE] = table.stage if table.stage != ROUNDS else FIRST_PHASE + state.phase
    memory[at + ROUND] = state.round_number if table.stage == ROUNDS else 0
    memory[at + BID_ROUND] = table.bid_round if table.stage == BID else 0
    memory[at + HALF] = table.half
    _write_herds(template, state, viewer, slots, memory, at)
    for pasture in range(MAX_PASTURES):
        memory[at + FREE + pasture] = state.free[pasture]
    for colour in range(template.colours):
        memory[at + RESERVES + ((slots >> (_BITS * colour)) & 15)] = state.reserves[colour]
    for place in range(players):  # in order of places, as a word reaches into the next one
        seat = turn + place if turn + place < players else turn + place - players
        memory[at + STANDING + place] = table.standing[seat] + 1
        group = int(table.group_of[seat])
        if group == NONE:
            continue
        for half in range(2):
            colour = int(template.colours_of[group, half])
            memory[at + OWNERS + ((slots >> (_BITS * colour)) & 15)] = place + 1
        # Before the first round hands are full, and those who have a group have its hand.
        hand = int(state.hands[seat])
        memory[at + HELD + place] = popcount(hand)
        if options[SEES_ALL] or state.phase == OVER:
            played = ((1 << int(template.hand_sizes[group])) - 1) & ~hand
            row = at + SEEN + MAX_CARDS * place
            put_set(memory, row, played)
            put_set(memory, row + 8, played >> 8)  # four cards; four of the next place get 0
    if table.stage == ROUNDS:
        _write_pairs(setup, state, turn, memory, at)
        if state.phase == PAY:
            _write_payments(state, slots, memory, at)
        _write_queue(state, memory, at)


@bare
def _write_herds(
    template: SetupRecord, state: StateRecord, viewer: int, slots: int, memory: Bytes, at: int
) -> None:
    """The herds, by pasture and place of the colour."""
    if viewer == NONE:
        for pasture in range(MAX_PASTURES):  # fixed numbers: the compiler writes many at a time
            for colour in range(MAX_COLOURS):
                herd = state.herds[pasture, colour]
                memory[at + PASTURES + MAX_COLOURS * pasture + colour] = herd
    else:
        for pasture in range(template.pastures):
            row = at + PASTURES + MAX_COLOURS * pasture
            for colour in range(template.colours):
                memory[row + ((slots >> (_BITS * colour)) & 15)] = state.herds[pasture, colour]


@bare
def _write_pairs(setup: SetupRecord, state: StateRecord, turn: int, memory: Bytes, at: int) -> None:
    """The pairs of the running round, once they are revealed."""
    if state.phase == OVER and state.reason == BY_ROUNDS:
        return  # they are discarded
    players = int(setup.players)
    last, half = NONE, 0
    for pair in range(state.laid):
        seat = int(setup.seat_of[state.pair_colour[pair]])
        half = half + 1 if seat == last else 0
        last = seat
        place = seat - turn if seat >= turn else seat - turn + players
        row = at + LAID + PAIR_SIZE * (2 * place + half)
        pasture, card = int(state.pair_pasture[pair]), int(state.pair_card[pair])
        memory[row] = pasture + 1
        memory[row + 1] = card + 1
        memory[at + SEEN + MAX_CARDS * place + card] = 1
        if (state.waiting >> pasture) & 1:
            memory[row + 2] = state.pair_left[pair]
            memory[row + 3] = LATER
        else:
            memory[row + 3] = DONE
            for index in range(state.line_next, state.line_length):
                if state.line[index] == pair:
                    memory[row + 2] = state.pair_left[pair]
                    memory[row + 3] = IN_LINE


@bare
def _write_payments(state: StateRecord, slots: int, memory: Bytes, at: int) -> None:
    """The bonuses that are due from the pasture that pays now, the first of them first."""
    memory[at + PAYING] = state.paying_pasture + 1
    row = at + DUE
    for payment in range(state.payments_next, state.payments_length):
        colour = int(state.payment_colour[payment])
        memory[row] = ((slots >> (_BITS * colour)) & 15) + 1
        memory[row + 1] = state.payment_rank[payment]
        memory[row + 2] = state.payment_cows[payment]
        row += DUE_SIZE


@bare
def _write_queue(state: StateRecord, memory: Bytes, at: int) -> None:
    """The full pastures that wait to pay."""
    row = at + QUEUE
    for index in range(state.queue_next, state.queue_length):
        memory[row] = state.queue_pasture[index] + 1
        row += 1


@bare
def write_private(
    setup: SetupRecord,
    state: StateRecord,
    table: TableRecord,
    seat: int,
    memory: Bytes,
    at: int,
) -> None:
    """Writes what a seat knows alone: its hand, and its own part of the running decision. …, int8[n], filled."""
    owns = table.group_of[seat] != NONE
    hand = int(state.hands[seat]) if owns else 0
    # From the end on, as a word of eight bytes reaches into what comes next.
    put(memory, at + PRIVATE - 8, 0)
    put_set(memory, at + HAND + 8, hand >> 8)
    put_set(memory, at + HAND, hand)
    if table.half:
        memory[at + OWN_PAIR] = table.choices[seat, 0] + 1
        memory[at + OWN_PAIR + 1] = table.choices[seat, 1] + 1
    if table.bonus_laid and to_act(setup, state) == seat:
        for index in range(table.bonus_laid):
            memory[at + OWN_BONUS + index] = table.bonus_on[index] + 1
    if table.stage == SETTLE:
        group = int(table.group_of[seat]) if owns else seat
        for card in range(3):
            memory[at + DEALT + card] = table.dealt[group, card] + 1


assert MAX_BONUS == DEALT - OWN_BONUS
assert MAX_PASTURES == PUBLIC - QUEUE
