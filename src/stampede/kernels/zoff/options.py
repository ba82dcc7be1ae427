"""Legal options: placements, ways to use a bonus, choices.

They are counted and numbered, so that one can be drawn, or all be tried, without a list of them.
"""

from __future__ import annotations

from stampede.kernels.bits import first, nth, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff.bonus_ways import Room, count_ways, most_placeable, nth_way
from stampede.kernels.zoff.layout import (
    CARD_1,
    CARD_2,
    MAX_COLOURS,
    NONE,
    PASTURE_1,
    PASTURE_2,
    Choice,
    SetupRecord,
    StateRecord,
)

__all__ = [
    "allowed",
    "bonus_count",
    "bonus_due",
    "bonus_room",
    "choice_count",
    "draw_choice",
    "lays_one",
    "nth_bonus",
    "nth_choice",
    "placements",
]


@kernel
def allowed(state: StateRecord, pasture: int, colour: int, most: int) -> int:
    """The numbers of cows from 1 to `most` that the law of herds allows, as a set (Z4.4). … → int64."""
    herds = state.herds[pasture]
    own = int(herds[colour])
    mask = (1 << (most + 1)) - 2  # bits 1 to most
    for other in range(MAX_COLOURS):  # a fixed number: the compiler unrolls it
        # So many cows would make both herds equal. Passing over an equal size is fine (Z4.4).
        above = int(herds[other]) - own
        if 0 < above <= most:
            mask &= ~(1 << above)
    return mask


@kernel
def placements(state: StateRecord) -> int:
    """What the first pair in line may place, as a set of numbers; always allowed and not in it: 0 (Z4.3). … → int64."""
    pair = int(state.line[state.line_next])
    pasture = int(state.pair_pasture[pair])
    colour = int(state.pair_colour[pair])
    most = min(int(state.pair_left[pair]), int(state.free[pasture]), int(state.reserves[colour]))
    return allowed(state, pasture, colour, most)


# --- bonuses (Z5.2, Z5.3) ---
#
# A bonus splits into parts on different pastures. The order matters only where two or more of them fill (Z5.4). So sets
# of pastures describe all ways (`Room`): those in `one`, `two`, `three`, `four` may take so many cows in the end (the
# law of herds is tested when the whole bonus stands, Z5.3), and `fill_1`, `fill_2`, `fill_3` are those of them that
# would be full. Up to three cows, as most editions pay, have closed formulas; `bonus_ways` numbers the ways of more.
# Where a bonus must be used as far as it can be, only the ways of the most cows count: `least` is that number (Z5.2).


@kernel
def bonus_due(state: StateRecord) -> tuple[int, int]:
    """The colour that the first bonus due is paid to, and how many cows it can place of it. … → int64 × 2."""
    payment = int(state.payments_next)
    colour = int(state.payment_colour[payment])
    return colour, min(int(state.payment_cows[payment]), int(state.reserves[colour]))


@kernel
def bonus_room(setup: SetupRecord, state: StateRecord) -> Room:
    """What tells the ways to use the first bonus due. … → int64 × 9."""
    colour, most = bonus_due(state)
    one, two, three, four, fill_1, fill_2, fill_3 = 0, 0, 0, 0, 0, 0, 0
    rest = int(state.open) if most > 0 else 0
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        free = int(state.free[pasture])
        mask = allowed(state, pasture, colour, min(most, free))
        bit = 1 << pasture
        if mask & 2:
            one |= bit
            if free == 1:
                fill_1 |= bit
        if mask & 4:
            two |= bit
            if free == 2:
                fill_2 |= bit
        if mask & 8:
            three |= bit
            if free == 3:
                fill_3 |= bit
        if mask & 16:
            four |= bit
    room = most, one, two, three, four, fill_1, fill_2, fill_3, 0
    if setup.must_place:
        return most, one, two, three, four, fill_1, fill_2, fill_3, most_placeable(room)
    return room


@kernel
def bonus_count(room: Room) -> int:
    """In how many ways the bonus can be used; none is one of them, unless it must be used. int64 × 9 → int64."""
    most, one, two, three, _, fill_1, fill_2, _, least = room
    if most > 3 or least:
        return count_ways(room)
    # The numbers of ways in the order of `nth_bonus`; a test compares them with the readable rules.
    n_one, n_fill = popcount(one), popcount(fill_1)
    count = 1 + n_one
    if most >= 2:
        count += popcount(two) + n_one * (n_one - 1) // 2 + n_fill * (n_fill - 1) // 2
    if most >= 3:
        count += popcount(three)
        count += n_one * popcount(two) - popcount(one & two) + n_fill * popcount(fill_2)
        count += n_one * (n_one - 1) * (n_one - 2) // 6
        count += n_fill * (n_fill - 1) // 2 * (n_one - n_fill)
        count += n_fill * (n_fill - 1) * (n_fill - 2) // 6 * 5
    return count


@kernel
def nth_bonus(room: Room, index: int) -> int:
    """The way with this number, from 0 (none) to `bonus_count` - 1. int64 × 9, int64 → int64, a bonus."""
    most, one, two, three, _, fill_1, fill_2, _, least = room
    if most > 3 or least:
        return nth_way(room, index)
    if index == 0:
        return 0
    index -= 1
    # The order of numbers is part of the search's signature: keep it.
    # 1. One cow, or several on one pasture. A factor of 0x11 or 0x111 repeats the pasture's 4 bits.
    n_one = popcount(one)
    if index < n_one:
        return nth(one, index) + 1
    index -= n_one
    if most < 2:
        return 0
    count = popcount(two)
    if index < count:
        return (nth(two, index) + 1) * 0x11
    index -= count
    if most >= 3:
        count = popcount(three)
        if index < count:
            return (nth(three, index) + 1) * 0x111
        index -= count
    # 2. One cow each on two pastures; once more the other way round where both fill.
    count = n_one * (n_one - 1) // 2
    if index < count:
        low, high = _two_of(one, index)
        return (low + 1) | (high + 1) << 4
    index -= count
    n_fill = popcount(fill_1)
    count = n_fill * (n_fill - 1) // 2
    if index < count:
        low, high = _two_of(fill_1, index)
        return (high + 1) | (low + 1) << 4
    index -= count
    # 3. Three cows on several pastures.
    return _nth_of_three(one, two, fill_1, fill_2, index)


@kernel
def _nth_of_three(one: int, two: int, fill_1: int, fill_2: int, index: int) -> int:
    """The ways with one cow here and two there, then those with one cow on each of three. int64 × 5 → int64."""
    rest = two
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        others = one & ~(1 << pasture)
        count = popcount(others)
        if index < count:
            return _one_and_two(nth(others, index), pasture, fill_1, fill_2)
        index -= count
    n_fill = popcount(fill_1)
    count = n_fill * popcount(fill_2)
    if index < count:
        # Both fill: the larger part first. The smaller part first is among those above.
        return (nth(fill_2, index // n_fill) + 1) * 0x11 | (nth(fill_1, index % n_fill) + 1) << 8
    index -= count
    rest = one
    while rest:
        pasture = first(rest)
        rest &= rest - 1
        n_rest = popcount(rest)
        pairs = n_rest * (n_rest - 1) // 2
        n_fill = popcount(rest & fill_1)
        fills = n_fill * (n_fill - 1) // 2
        own_fill = (fill_1 >> pasture) & 1
        # Orders of the three: 1, 2 with two filling, 6 with three filling.
        count = pairs + fills + (n_fill * (n_rest - n_fill) + 4 * fills if own_fill else 0)
        if index < count:
            return _ordered_three(pasture, rest, fill_1, index)
        index -= count
    return 0


@kernel
def _one_and_two(single: int, double: int, fill_1: int, fill_2: int) -> int:
    """One cow and two cows: those that don't fill first. int64 × 4 → int64."""
    fills_1, fills_2 = (fill_1 >> single) & 1, (fill_2 >> double) & 1
    if fills_1 and not fills_2:
        return (double + 1) * 0x11 | (single + 1) << 8
    return (single + 1) | (double + 1) * 0x110


@kernel
def _ordered_three(pasture: int, rest: int, fill_1: int, index: int) -> int:
    """Among the ways with one cow on this pasture and on two of the others. int64 × 4 → int64."""
    low = rest
    while low:
        second = first(low)
        low &= low - 1
        high = low
        while high:
            third = first(high)
            high &= high - 1
            filling = ((fill_1 >> pasture) & 1) + ((fill_1 >> second) & 1) + ((fill_1 >> third) & 1)
            orders = 6 if filling == 3 else filling if filling == 2 else 1
            if index < orders:
                return _order(pasture + 1, second + 1, third + 1, fill_1 << 1, index)
            index -= orders
    return 0


@kernel
def _order(one: int, two: int, three: int, fill_1: int, index: int) -> int:
    """One of the orders of three cows: a cow that doesn't fill goes first. int64 × 5 → int64."""
    if (fill_1 >> one) & (fill_1 >> two) & (fill_1 >> three) & 1:
        if index >= 4:
            one, three = three, one
        elif index >= 2:
            one, two = two, one
        if index & 1:
            two, three = three, two
        return one | two << 4 | three << 8
    if not (fill_1 >> two) & 1 and (fill_1 >> one) & 1:
        one, two = two, one
    elif not (fill_1 >> three) & 1 and (fill_1 >> one) & 1:
        one, three = three, one
    if index & 1:
        two, three = three, two
    return one | two << 4 | three << 8


@kernel
def _two_of(members: int, index: int) -> tuple[int, int]:
    """The pair with this number among the unordered pairs of a set. int64, int64 → int64 × 2, lower one first."""
    while True:
        low = first(members)
        members &= members - 1
        count = popcount(members)
        if index < count:
            return low, nth(members, index)
        index -= count


# --- choices (Z3, Z10.4, Z10.5) ---


@kernel
def lays_one(setup: SetupRecord, state: StateRecord) -> bool:
    """Whether each seat lays a single pair: on a single open pasture, two players by a house rule (Z3.3, Z10.5)."""
    if int(state.open) & (int(state.open) - 1):
        return False
    return bool(setup.players != 2 or setup.one_last_card)


@kernel
def choice_count(setup: SetupRecord, state: StateRecord, seat: int) -> int:
    """How many choices a seat has. … → int64."""
    pastures, cards = popcount(int(state.open)), popcount(int(state.hands[seat]))
    if pastures == 1:
        return cards if lays_one(setup, state) else cards * (cards - 1)
    # Ordered pairs of pastures for two players, whose pairs have colours; unordered ones otherwise.
    sets = pastures * (pastures - 1)
    return (sets if setup.players == 2 else sets // 2) * cards * (cards - 1)


@kernel
def nth_choice(
    setup: SetupRecord, state: StateRecord, seat: int, index: int, choice: Choice
) -> None:
    """Writes the choice with this number, from 0 to `choice_count` - 1. …, int64, int16[4], filled."""
    pastures, hand = int(state.open), int(state.hands[seat])
    n_open, n_cards = popcount(pastures), popcount(hand)
    two = setup.players == 2
    if lays_one(setup, state):
        choice[PASTURE_1], choice[CARD_1], choice[PASTURE_2], choice[CARD_2] = (
            first(pastures),
            nth(hand, index),
            NONE,
            NONE,
        )
        return
    cards = index % (n_cards * (n_cards - 1))
    index //= n_cards * (n_cards - 1)
    card = cards // (n_cards - 1)
    other = cards % (n_cards - 1)
    choice[CARD_1], choice[CARD_2] = nth(hand, card), nth(hand, other + (other >= card))
    if n_open == 1:
        choice[PASTURE_1], choice[PASTURE_2] = first(pastures), first(pastures)
    elif two:
        here, there = index // (n_open - 1), index % (n_open - 1)
        choice[PASTURE_1], choice[PASTURE_2] = (
            nth(pastures, here),
            nth(pastures, there + (there >= here)),
        )
    else:
        choice[PASTURE_1], choice[PASTURE_2] = _two_of(pastures, index)


@kernel
def draw_choice(
    setup: SetupRecord, state: StateRecord, seat: int, rng: RngState, choice: Choice
) -> None:
    """Writes a random choice, every one equally likely. …, uint64[1], changed, int16[4], filled."""
    pastures, hand = int(state.open), int(state.hands[seat])
    n_open, n_cards = popcount(pastures), popcount(hand)
    card = nth(hand, below(rng, n_cards))
    choice[CARD_1] = card
    if n_open == 1:
        choice[PASTURE_1] = first(pastures)
        if lays_one(setup, state):
            choice[PASTURE_2], choice[CARD_2] = NONE, NONE
            return
        choice[PASTURE_2] = choice[PASTURE_1]
    else:
        here = nth(pastures, below(rng, n_open))
        choice[PASTURE_1] = here
        choice[PASTURE_2] = nth(pastures & ~(1 << here), below(rng, n_open - 1))
    choice[CARD_2] = nth(hand & ~(1 << card), below(rng, n_cards - 1))
