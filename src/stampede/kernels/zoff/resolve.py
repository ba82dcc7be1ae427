"""Resolving a round: from the choices to the next decision, the next round, or the end (Z4–Z8, Z10, Z11.2)."""

from __future__ import annotations

from stampede.kernels.bits import first
from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import (
    BIDS,
    BONUS,
    BY_EXHAUSTED,
    BY_FULL,
    BY_ROUNDS,
    CHOOSE,
    FAIR,
    FAIR_COWS,
    FREE,
    HANDS,
    HERDS,
    KEY,
    LAID,
    LINE,
    LINE_AT,
    LINE_LEN,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_RANKS,
    NONE,
    OPEN,
    OVER,
    OWN,
    PAIR_CARD,
    PAIR_COLOUR,
    PAIR_PASTURE,
    PASTURES,
    PAY,
    PAY_AT,
    PAY_FROM,
    PAY_LEN,
    PAYMENTS,
    PHASE,
    PLACE,
    PLAYERS,
    QUEUE,
    QUEUE_AT,
    QUEUE_LEN,
    REASON,
    RESERVES,
    ROUND,
    ROUNDS,
    SEAT_OF,
    UNIT,
    WAITING,
    WINNERS,
    Choices,
    State,
    Table,
)
from stampede.kernels.zoff.options import allowed, placements

__all__ = ["place", "place_bonus", "placed", "reveal", "run_on", "to_act"]

_HERD_FIRST = 4096


@kernel
def to_act(table: Table, state: State) -> int:
    """The seat that decides on a placement or a bonus; -1 when all choose or it is over. … → int64."""
    if state[PHASE] == PLACE:
        return int(table[SEAT_OF + state[PAIR_COLOUR + state[LINE + state[LINE_AT]]]])
    if state[PHASE] == PAY:
        return int(table[SEAT_OF + state[PAYMENTS + state[PAY_AT] * 3]])
    return -1


@kernel
def placed(table: Table, state: State, seat: int) -> int:
    """A seat's cows on pastures. … → int64."""
    cows = 0
    for pasture in range(table[PASTURES]):
        herds = HERDS + pasture * MAX_COLOURS
        cows += int(state[herds + table[OWN + 2 * seat]])
        if table[PLAYERS] == 2:
            cows += int(state[herds + table[OWN + 2 * seat + 1]])
    return cows


@kernel
def reveal(table: Table, state: State, choices: Choices) -> None:
    """Turns all choices up and takes the cards out of the hands (Z3.4). …, changed, int16[6, 4]. Checks nothing."""
    laid = 0
    waiting = 0
    for seat in range(table[PLAYERS]):
        for half in range(2):
            pasture = int(choices[seat, 2 * half])
            if pasture == NONE:
                continue
            card = int(choices[seat, 2 * half + 1])
            state[PAIR_PASTURE + laid] = pasture
            state[PAIR_COLOUR + laid] = table[OWN + 2 * seat + half]
            state[PAIR_CARD + laid] = card
            state[HANDS + seat] &= ~(1 << card)
            waiting |= 1 << pasture
            laid += 1
    state[LAID] = laid
    state[WAITING] = waiting


@kernel
def run_on(table: Table, state: State) -> None:
    """Carries on until somebody has to decide, or all choose, or it's over. …, changed."""
    while state[PHASE] != OVER:
        if state[PAY_AT] < state[PAY_LEN]:
            # 1. A bonus that is due: nobody is asked who can't use it (Z4.6).
            if _bonus_is_useful(state):
                state[PHASE] = PAY
                return
            state[PAY_AT] += 1
        elif state[QUEUE_AT] < state[QUEUE_LEN]:
            # 2. A full pasture that waits.
            _open_payments(table, state)
        elif state[OPEN] == 0:
            _finish(table, state, BY_FULL, -1)
        elif state[LINE_AT] < state[LINE_LEN]:
            # 3. The next pair on this pasture; its card is wasted when the pasture is full (Z4.5).
            pasture = state[PAIR_PASTURE + state[LINE]]
            if state[FREE + pasture] > 0 and placements(table, state):
                state[PHASE] = PLACE
                return
            state[LINE_AT] += 1
        elif state[WAITING] != 0:
            # 4. The next pasture, the smallest first.
            _open_pasture(table, state)
        elif state[ROUND] == table[ROUNDS]:
            _finish(table, state, BY_ROUNDS, -1)
        else:
            # 5. The next round.
            state[ROUND] += 1
            state[LAID] = 0
            state[LINE_AT] = 0
            state[LINE_LEN] = 0
            state[PHASE] = CHOOSE
            return


@kernel
def _bonus_is_useful(state: State) -> bool:
    at = PAYMENTS + int(state[PAY_AT]) * 3
    colour = int(state[at])
    most = min(int(state[at + 2]), int(state[RESERVES + colour]))
    rest = int(state[OPEN])
    if most == 0:
        return False
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        if allowed(state, pasture, colour, min(most, int(state[FREE + pasture]))):
            return True
    return False


@kernel
def _open_pasture(table: Table, state: State) -> None:
    """Fixes the order of the pairs on the next pasture (Z4.2): larger herd, then lower card, then earlier letter."""
    waiting = int(state[WAITING])
    pasture = first(waiting)
    state[WAITING] = waiting & (waiting - 1)
    herds = HERDS + pasture * MAX_COLOURS
    length = 0
    for pair in range(state[LAID]):
        if state[PAIR_PASTURE + pair] != pasture:
            continue
        key = _precedence(table, state, herds, pair)
        at = length
        while at > 0 and _precedence(table, state, herds, int(state[LINE + at - 1])) > key:
            state[LINE + at] = state[LINE + at - 1]
            at -= 1
        state[LINE + at] = pair
        length += 1
    state[LINE_AT] = 0
    state[LINE_LEN] = length


@kernel
def _precedence(table: Table, state: State, herds: int, pair: int) -> int:
    colour = int(state[PAIR_COLOUR + pair])
    seat = int(table[SEAT_OF + colour])
    card = int(table[KEY + seat * MAX_CARDS + state[PAIR_CARD + pair]])
    return card - _HERD_FIRST * int(state[herds + colour])


@kernel
def place(table: Table, state: State, cows: int) -> None:
    """The first pair in line places so many cows; `run_on` comes next. …, changed, int64. Checks nothing."""
    pair = int(state[LINE + state[LINE_AT]])
    state[LINE_AT] += 1
    if cows:
        colour = int(state[PAIR_COLOUR + pair])
        _add_cows(state, int(state[PAIR_PASTURE + pair]), colour, cows)
        _end_if_exhausted(table, state, colour)


@kernel
def place_bonus(table: Table, state: State, bonus: int) -> None:
    """Uses the first bonus due; `run_on` comes next. …, changed, int64. Checks nothing."""
    colour = int(state[PAYMENTS + state[PAY_AT] * 3])
    state[PAY_AT] += 1
    if bonus:
        while bonus:
            _add_cows(state, (bonus & 15) - 1, colour, 1)
            bonus >>= 4
        _end_if_exhausted(table, state, colour)


@kernel
def _add_cows(state: State, pasture: int, colour: int, cows: int) -> None:
    """Moves cows from the reserve to a pasture; a full one joins the queue (Z5.4)."""
    state[HERDS + pasture * MAX_COLOURS + colour] += cows
    state[RESERVES + colour] -= cows
    state[FREE + pasture] -= cows
    if state[FREE + pasture] == 0:
        state[OPEN] &= ~(1 << pasture)
        length = int(state[QUEUE_LEN])
        state[QUEUE + 2 * length] = pasture
        state[QUEUE + 2 * length + 1] = colour
        state[QUEUE_LEN] = length + 1


@kernel
def _end_if_exhausted(table: Table, state: State, colour: int) -> None:
    """A player's last cow ends the game (Z6.3, Z10.8)."""
    seat = int(table[SEAT_OF + colour])
    if (
        state[RESERVES + table[OWN + 2 * seat]] == 0
        and state[RESERVES + table[OWN + 2 * seat + 1]] == 0
    ):
        _finish(table, state, BY_EXHAUSTED, seat)


@kernel
def _open_payments(table: Table, state: State) -> None:
    """The next full pasture pays: the fair bonus first (Z11.2), then rank by rank (Z5.1)."""
    at = int(state[QUEUE_AT])
    pasture, filler = int(state[QUEUE + 2 * at]), int(state[QUEUE + 2 * at + 1])
    state[QUEUE_AT] = at + 1
    state[PAY_AT] = 0
    state[PAY_FROM] = pasture
    length = 0
    if table[FAIR]:
        state[PAYMENTS] = filler
        state[PAYMENTS + 1] = 0
        state[PAYMENTS + 2] = table[FAIR_COWS + pasture]
        length = 1
    taken = 0
    for rank in range(MAX_RANKS):
        colour = _next_largest(state, pasture, taken)
        if colour == NONE:
            break
        taken |= 1 << colour
        cows = table[BONUS + pasture * MAX_RANKS + rank]
        if cows:
            state[PAYMENTS + 3 * length] = colour
            state[PAYMENTS + 3 * length + 1] = rank + 1
            state[PAYMENTS + 3 * length + 2] = cows
            length += 1
    state[PAY_LEN] = length


@kernel
def _next_largest(state: State, pasture: int, taken: int) -> int:
    """The colour with the largest herd there but for those taken; -1 when there is none."""
    best, colour = 0, NONE
    for other in range(MAX_COLOURS):
        herd = int(state[HERDS + pasture * MAX_COLOURS + other])
        if herd > best and not (taken >> other) & 1:
            best, colour = herd, other
    return colour


# --- the end (Z7, Z8) ---


@kernel
def _finish(table: Table, state: State, reason: int, exhausted_by: int) -> None:
    last = HERDS + (int(table[PASTURES]) - 1) * MAX_COLOURS
    tie_break = 0  # 8 bits a seat: its largest herd on the largest pasture, before the final bonus
    for seat in range(table[PLAYERS]):
        most = max(
            int(state[last + table[OWN + 2 * seat]]), int(state[last + table[OWN + 2 * seat + 1]])
        )
        tie_break |= most << (8 * seat)
    if reason == BY_ROUNDS:
        _pay_final(table, state)
    state[PHASE] = OVER
    state[REASON] = reason
    state[PAY_AT] = 0
    state[PAY_LEN] = 0
    state[QUEUE_AT] = 0
    state[QUEUE_LEN] = 0
    state[LINE_AT] = 0
    state[LINE_LEN] = 0
    state[WAITING] = 0
    if exhausted_by >= 0:
        state[WINNERS] = 1 << exhausted_by
        return
    best, winners = -(1 << 60), 0
    for seat in range(table[PLAYERS]):
        score = placed(table, state, seat) * UNIT - int(table[BIDS + seat])
        score = score * 256 + ((tie_break >> (8 * seat)) & 255)
        if score > best:
            best, winners = score, 1 << seat
        elif score == best:
            winners |= 1 << seat
    state[WINNERS] = winners


@kernel
def _pay_final(table: Table, state: State) -> None:
    """Every open pasture pays on itself, by the ranks before its payment (Z7.1). It triggers nothing."""
    rest = int(state[OPEN])
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        paid = 0  # 4 bits a colour, so that ranks stay those from before
        taken = 0
        for rank in range(MAX_RANKS):
            colour = _next_largest(state, pasture, taken)
            if colour == NONE:
                break
            taken |= 1 << colour
            paid |= int(table[BONUS + pasture * MAX_RANKS + rank]) << (4 * rank)
            paid |= colour << (16 + 4 * rank)
        rank = 0
        while taken and rank < MAX_RANKS:
            colour = (paid >> (16 + 4 * rank)) & 15
            if not (taken >> colour) & 1:
                break
            taken &= ~(1 << colour)
            free, reserve = int(state[FREE + pasture]), int(state[RESERVES + colour])
            cows = min((paid >> (4 * rank)) & 15, free, reserve)
            state[HERDS + pasture * MAX_COLOURS + colour] += cows
            state[RESERVES + colour] -= cows
            state[FREE + pasture] -= cows
            if state[FREE + pasture] == 0:
                state[OPEN] &= ~(1 << pasture)
            rank += 1
