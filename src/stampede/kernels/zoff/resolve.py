"""Resolving a round: from the choices to the next decision, the next round, or the end (Z4–Z8, Z10, Z11.2)."""

from __future__ import annotations

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    BY_EXHAUSTED,
    BY_FULL,
    BY_ROUNDS,
    CHOOSE,
    MAX_COLOURS,
    MAX_RANKS,
    NONE,
    OVER,
    PAY,
    PLACE,
    UNIT,
    Choices,
    SetupRecord,
    StateRecord,
)
from stampede.kernels.zoff.options import (
    allowed,
    bonus_count,
    bonus_due,
    bonus_room,
    lays_one,
    nth_bonus,
    placements,
)

__all__ = ["count_cows", "give_answer", "place", "place_bonus", "reveal", "run_on", "to_act"]

# Larger than any `card_precedence`, so that the herd decides first and the card only between equals.
_HERD_FIRST = 4096


@kernel
def to_act(setup: SetupRecord, state: StateRecord) -> int:
    """The seat that decides on a placement or a bonus; -1 when all choose or it is over. … → int64."""
    if state.phase == PLACE:
        return int(setup.seat_of[state.pair_colour[state.line[state.line_next]]])
    if state.phase == PAY:
        return int(setup.seat_of[state.payment_colour[state.payments_next]])
    return -1


@kernel
def count_cows(setup: SetupRecord, state: StateRecord, seat: int) -> int:
    """A seat's cows on pastures. … → int64."""
    cows = 0
    for pasture in range(setup.pastures):
        cows += int(state.herds[pasture, setup.colours_of[seat, 0]])
        if setup.players == 2:  # otherwise both colours are the same one
            cows += int(state.herds[pasture, setup.colours_of[seat, 1]])
    return cows


@kernel
def reveal(setup: SetupRecord, state: StateRecord, choices: Choices) -> None:
    """Turns all choices up and takes the cards out of the hands (Z3.4). …, changed, int16[6, 4]. Checks nothing."""
    laid = 0
    waiting = 0
    both = bool(setup.players == 2 and lays_one(setup, state))  # one card for two colours (Z10.5)
    for seat in range(setup.players):
        for half in range(2):
            part = 0 if both else 2 * half
            pasture = int(choices[seat, part])
            if pasture == NONE:
                continue
            card = int(choices[seat, part + 1])
            state.pair_pasture[laid] = pasture
            state.pair_colour[laid] = setup.colours_of[seat, half]
            state.pair_card[laid] = card
            state.pair_left[laid] = setup.card_values[seat, card]
            state.hands[seat] &= ~(1 << card)
            waiting |= 1 << pasture
            laid += 1
    state.laid = laid
    state.waiting = waiting


@kernel
def run_on(setup: SetupRecord, state: StateRecord) -> None:
    """Carries on until a seat has to decide, or all choose, or it's over. …, changed.

    The branches are in the order of the rules: what a placement triggers comes before the next placement.
    """
    while state.phase != OVER:
        if state.payments_next < state.payments_length:
            # 1. A bonus that is due: a seat without a choice isn't asked (Z4.6).
            if _bonus_is_asked(setup, state):
                state.phase = PAY
                return
        elif state.queue_next < state.queue_length:
            # 2. The next full pasture in the queue; bonuses may have filled further ones meanwhile (Z5.4).
            _open_payments(setup, state)
        elif state.open == 0:
            # Tested only now: the last pasture's bonuses come first (Z6.2).
            _finish(setup, state, BY_FULL, -1)
        elif state.line_next < state.line_length:
            # 3. The next pair on this pasture; its card is wasted when the pasture is full (Z4.5).
            pasture = state.pair_pasture[state.line[0]]
            if state.free[pasture] > 0 and placements(state):
                state.phase = PLACE
                return
            state.line_next += 1
        elif state.waiting != 0:
            # 4. The next pasture, the smallest first (Z4.1).
            _open_pasture(setup, state)
        elif state.round_number == setup.rounds:
            _finish(setup, state, BY_ROUNDS, -1)
        else:
            # 5. The next round. Payments and queue needn't be reset: their `…_next` has reached their length.
            state.round_number += 1
            state.laid = 0
            state.line_next = 0
            state.line_length = 0
            state.phase = CHOOSE
            return


@kernel
def _bonus_is_asked(setup: SetupRecord, state: StateRecord) -> bool:
    """Whether the first bonus due leaves a choice; if not, it is used in the one way there is (Z4.6). …, changed."""
    if not setup.must_place:
        if _bonus_is_useful(state):
            return True
        state.payments_next += 1
        return False
    room = bonus_room(setup, state)
    if bonus_count(room) > 1:
        return True
    place_bonus(setup, state, nth_bonus(room, 0))
    return False


@kernel
def _bonus_is_useful(state: StateRecord) -> bool:
    """Whether at least one cow of the first bonus due can be placed anywhere (Z5.3)."""
    colour, most = bonus_due(state)
    rest = int(state.open)
    if most == 0:
        return False
    while rest:
        pasture = first(rest)
        rest &= rest - 1  # drops the lowest member of the set
        if allowed(state, pasture, colour, min(most, int(state.free[pasture]))):
            return True
    return False


@kernel
def _open_pasture(setup: SetupRecord, state: StateRecord) -> None:
    """Fixes the order of the pairs on the next pasture (Z4.2): larger herd, then lower card, then earlier letter."""
    waiting = int(state.waiting)
    pasture = first(waiting)
    state.waiting = waiting & (waiting - 1)
    length = 0
    for pair in range(state.laid):
        if state.pair_pasture[pair] != pasture:
            continue
        # Insertion sort: there are rarely more than three pairs.
        key = _precedence(setup, state, pair)
        at = length
        while at > 0 and _precedence(setup, state, int(state.line[at - 1])) > key:
            state.line[at] = state.line[at - 1]
            at -= 1
        state.line[at] = pair
        length += 1
    state.line_next = 0
    state.line_length = length


@kernel
def _precedence(setup: SetupRecord, state: StateRecord, pair: int) -> int:
    """The number by which pairs on one pasture are sorted, lowest first. … → int64."""
    colour = int(state.pair_colour[pair])
    seat = int(setup.seat_of[colour])
    card = int(setup.card_precedence[seat, state.pair_card[pair]])
    return card - _HERD_FIRST * int(state.herds[state.pair_pasture[pair], colour])


@kernel
def place(setup: SetupRecord, state: StateRecord, cows: int) -> None:
    """The first pair in line places so many cows (Z4.3); `run_on` comes next. …, changed, int64. Checks nothing."""
    pair = int(state.line[state.line_next])
    state.line_next += 1
    if cows:
        colour = int(state.pair_colour[pair])
        if setup.one_last_card:
            _use_card(setup, state, pair, cows)
        _add_cows(state, int(state.pair_pasture[pair]), colour, cows)
        _end_if_exhausted(setup, state, colour)


@kernel
def _use_card(setup: SetupRecord, state: StateRecord, pair: int, cows: int) -> None:
    """Takes cows off what is left of a card that also stands for another pair in line (Z10.5)."""
    seat = setup.seat_of[state.pair_colour[pair]]
    for at in range(state.line_next, state.line_length):
        other = int(state.line[at])
        if (
            setup.seat_of[state.pair_colour[other]] == seat
            and state.pair_card[other] == state.pair_card[pair]
        ):
            state.pair_left[other] -= cows


@kernel
def place_bonus(setup: SetupRecord, state: StateRecord, bonus: int) -> None:
    """Uses the first bonus due (Z5.2); `run_on` comes next. …, changed, int64. Checks nothing."""
    colour = int(state.payment_colour[state.payments_next])
    state.payments_next += 1
    if bonus:
        while bonus:
            # Cow by cow, in the order that was named: it decides which pasture fills first.
            _add_cows(state, (bonus & 15) - 1, colour, 1)
            bonus >>= 4
        _end_if_exhausted(setup, state, colour)


@kernel
def give_answer(setup: SetupRecord, state: StateRecord, answer: int) -> None:
    """Places so many cows, or uses a bonus, as the phase asks, and runs on to the next decision. …, changed, int64."""
    if state.phase == PLACE:
        place(setup, state, answer)
    else:
        place_bonus(setup, state, answer)
    run_on(setup, state)


@kernel
def _add_cows(state: StateRecord, pasture: int, colour: int, cows: int) -> None:
    """Moves cows from the reserve to a pasture; a full one joins the queue (Z5.4)."""
    state.herds[pasture, colour] += cows
    state.reserves[colour] -= cows
    state.free[pasture] -= cows
    if state.free[pasture] == 0:
        state.open &= ~(1 << pasture)
        length = int(state.queue_length)
        state.queue_pasture[length] = pasture
        state.queue_colour[length] = colour
        state.queue_length = length + 1


@kernel
def _end_if_exhausted(setup: SetupRecord, state: StateRecord, colour: int) -> None:
    """A player's last cow ends the game (Z6.3, Z10.8)."""
    seat = int(setup.seat_of[colour])
    # With two players both reserves must be empty; otherwise this asks the same one twice.
    if (
        state.reserves[setup.colours_of[seat, 0]] == 0
        and state.reserves[setup.colours_of[seat, 1]] == 0
    ):
        _finish(setup, state, BY_EXHAUSTED, seat)


@kernel
def _open_payments(setup: SetupRecord, state: StateRecord) -> None:
    """The next full pasture pays: the fair bonus first (Z11.2), then rank by rank (Z5.1)."""
    at = int(state.queue_next)
    pasture, filler = int(state.queue_pasture[at]), int(state.queue_colour[at])
    state.queue_next = at + 1
    state.payments_next = 0
    state.paying_pasture = pasture
    length = 0
    if setup.fair:
        state.payment_colour[0] = filler
        state.payment_rank[0] = 0
        state.payment_cows[0] = setup.fair_cows[pasture]
        length = 1
    taken = 0
    for rank in range(MAX_RANKS):
        colour = _next_largest(state, pasture, taken)
        if colour == NONE:
            break
        taken |= 1 << colour
        cows = setup.bonus[pasture, rank]
        if cows:
            state.payment_colour[length] = colour
            state.payment_rank[length] = rank + 1
            state.payment_cows[length] = cows
            length += 1
    state.payments_length = length


@kernel
def _next_largest(state: StateRecord, pasture: int, taken: int) -> int:
    """The colour with the largest herd there but for those taken; -1 when there is none. … → int64.

    Herds on a pasture always differ in size (Z4.4), so the largest is unique.
    """
    best, colour = 0, NONE
    for other in range(MAX_COLOURS):
        herd = int(state.herds[pasture, other])
        if herd > best and not (taken >> other) & 1:
            best, colour = herd, other
    return colour


# --- the end (Z7, Z8) ---


@kernel
def _finish(setup: SetupRecord, state: StateRecord, reason: int, exhausted_by: int) -> None:
    """Ends the game: the final bonus, if rounds ran out, and the winners. …, changed, int64, int64: a seat, or -1."""
    last = int(setup.pastures) - 1
    # 8 bits a seat: its largest herd on the largest pasture, before the final bonus (Z8.1, Z10.7).
    tie_break = 0
    for seat in range(setup.players):
        most = max(
            int(state.herds[last, setup.colours_of[seat, 0]]),
            int(state.herds[last, setup.colours_of[seat, 1]]),
        )
        tie_break |= most << (8 * seat)
    if reason == BY_ROUNDS:
        _pay_final(setup, state)
    state.phase = OVER
    state.reason = reason
    state.payments_next = 0
    state.payments_length = 0
    state.queue_next = 0
    state.queue_length = 0
    state.line_next = 0
    state.line_length = 0
    state.waiting = 0
    if exhausted_by >= 0 and not setup.last_cow_counts:  # wins at once, alone (Z6.3)
        state.winners = 1 << exhausted_by
        return
    best, winners = -(1 << 60), 0
    for seat in range(setup.players):
        score = count_cows(setup, state, seat) * UNIT - int(setup.bids[seat])
        # Below the score, so that it decides between equal ones alone.
        score = score * 256 + ((tie_break >> (8 * seat)) & 255)
        if score > best:
            best, winners = score, 1 << seat
        elif score == best:
            winners |= 1 << seat
    state.winners = winners


@kernel
def _pay_final(setup: SetupRecord, state: StateRecord) -> None:
    """Every open pasture pays on itself, by the ranks before its payment (Z7.1). It triggers nothing."""
    rest = int(state.open)
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        # First find all ranks, then pay: a payment must not change the ranks of the next. By rank, `paid` holds its
        # bonus in 4 of the low 16 bits, and its colour in 4 of the high ones.
        paid = 0
        taken = 0
        for rank in range(MAX_RANKS):
            colour = _next_largest(state, pasture, taken)
            if colour == NONE:
                break
            taken |= 1 << colour
            paid |= int(setup.bonus[pasture, rank]) << (4 * rank)
            paid |= colour << (16 + 4 * rank)
        rank = 0
        while taken:
            colour = (paid >> (16 + 4 * rank)) & 15
            taken &= ~(1 << colour)
            free, reserve = int(state.free[pasture]), int(state.reserves[colour])
            cows = min((paid >> (4 * rank)) & 15, free, reserve)
            state.herds[pasture, colour] += cows
            state.reserves[colour] -= cows
            state.free[pasture] -= cows
            if state.free[pasture] == 0:
                state.open &= ~(1 << pasture)
            rank += 1
