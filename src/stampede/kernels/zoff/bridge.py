"""Converts set-ups, states and actions between the readable rules and the kernels. Nothing else knows both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stampede.core.game import Seat
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import Choice, SetupRecord, StateRecord
from stampede.kernels.zoff.records import new_setup, new_state
from stampede.zoff.actions import Choose, Pair, PlaceBonus
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusKind
from stampede.zoff.rules import FAIR_TWO_COWS_FROM
from stampede.zoff.setup import Group, Setup
from stampede.zoff.state import Filling, LaidPair, Payment, State, ZoffPhase

__all__ = [
    "decode",
    "decode_bonus",
    "decode_choice",
    "encode",
    "encode_bonus",
    "encode_choice",
    "encode_setup",
]

_PHASES = {
    ZoffPhase.CHOOSE: at.CHOOSE,
    ZoffPhase.PLACE: at.PLACE,
    ZoffPhase.BONUS: at.PAY,
    ZoffPhase.OVER: at.OVER,
}
_REASONS = {"rounds": at.BY_ROUNDS, "full": at.BY_FULL, "exhausted": at.BY_EXHAUSTED}


def encode_setup(state: State) -> SetupRecord:
    """What doesn't change any more: a record of `SETUP`. The state must be past settling and auction.

    Raises:
        ValueError: Settling or the auction isn't over.
    """
    setup = state.setup
    if state.phase not in _PHASES:
        raise ValueError(f"expected a state after the auction, got {state.phase.value}")
    record = new_setup()
    record.players = setup.rules.players
    record.colours = len(setup.colours)
    record.pastures = len(setup.pastures)
    record.rounds = setup.rules.rounds
    record.fair = setup.rules.fair
    record.must_place = setup.rules.must_place
    record.last_cow_counts = setup.rules.last_cow_counts
    record.one_last_card = setup.rules.one_last_card
    for index, pasture in enumerate(setup.pastures):
        record.capacity[index] = pasture.capacity
        record.fair_cows[index] = 2 if pasture.capacity >= FAIR_TWO_COWS_FROM else 1
        for rank, cows in enumerate(pasture.bonus):
            record.bonus[index, rank] = cows
    for seat in range(setup.rules.players):
        _encode_seat(record, state, seat)
    return record


def _group(state: State, seat: Seat) -> Group:
    return state.setup.groups[state.owners.index(seat)]


def _encode_seat(record: SetupRecord, state: State, seat: Seat) -> None:
    group, bid = _group(state, seat), state.bids[seat]
    record.colours_of[seat, 0] = group.colours[0]
    record.colours_of[seat, 1] = group.colours[-1]
    record.hand_sizes[seat] = len(group.hand)
    record.bids[seat] = 0 if bid is None else bid.units
    for colour in group.colours:
        record.seat_of[colour] = seat
    for index, card in enumerate(group.hand):
        record.card_values[seat, index] = card.value
        record.card_precedence[seat, index] = card.value * 32 + ord(card.letter) - ord("A")


def encode(state: State) -> StateRecord:
    """What changes: a record of `STATE`. Sealed choices of a running round are left out."""
    record = new_state()
    record.phase = _PHASES[state.phase]
    record.round_number = state.round
    record.open = sum(1 << pasture for pasture in state.open_pastures())
    for pasture, herds in enumerate(state.herds):
        record.herds[pasture, : len(herds)] = herds
    record.free[: len(state.free)] = state.free
    record.reserves[: len(state.reserves)] = state.reserves
    for seat in range(state.setup.rules.players):
        first, hand = _group(state, seat).hand, state.hands[state.owners.index(seat)]
        record.hands[seat] = sum(1 << first.index(card) for card in hand)
    _encode_pairs(record, state)
    _encode_bonuses(record, state)
    if state.ending is not None:
        record.reason = _REASONS[state.ending.reason]
        record.winners = sum(1 << seat for seat in state.ending.winners)
    return record


def _encode_pairs(record: StateRecord, state: State) -> None:
    record.laid = len(state.laid)
    for index, pair in enumerate(state.laid):
        hand = state.setup.groups[state.setup.group_of[pair.colour]].hand
        record.pair_pasture[index] = pair.pasture
        record.pair_colour[index] = pair.colour
        record.pair_card[index] = hand.index(pair.card)
        record.pair_left[index] = pair.left
    record.waiting = sum(1 << pasture for pasture in {pair.pasture for pair in state.waiting})
    record.line_length = len(state.line)
    places = [(pair.pasture, pair.colour) for pair in state.laid]
    for index, pair in enumerate(state.line):
        record.line[index] = at_line = places.index((pair.pasture, pair.colour))
        record.pair_left[at_line] = pair.left


def _encode_bonuses(record: StateRecord, state: State) -> None:
    record.payments_length = len(state.payments)
    for index, payment in enumerate(state.payments):
        record.paying_pasture = payment.pasture
        record.payment_colour[index] = payment.colour
        record.payment_rank[index] = payment.rank
        record.payment_cows[index] = payment.cows
    record.queue_length = len(state.queue)
    for index, filling in enumerate(state.queue):
        record.queue_pasture[index] = filling.pasture
        record.queue_colour[index] = filling.colour


def decode(record: StateRecord, before: State) -> State:
    """The readable state of a running game; `before` is any state of it past the auction.

    The kernels don't keep the order in which cards were played: discards come lowest first.
    """
    setup = before.setup
    if record.phase == at.OVER:
        raise ValueError("expected a running game: what the final bonus paid isn't kept")
    phase = next(phase for phase, number in _PHASES.items() if number == record.phase)
    herds = tuple(
        tuple(int(record.herds[p, c]) for c in range(len(setup.colours)))
        for p in range(len(setup.pastures))
    )
    laid = tuple(_pair(record, setup, index) for index in range(record.laid))
    hands = tuple(_hand(record, before, group) for group in range(len(setup.groups)))
    played = tuple(
        {pair.card for pair in laid if setup.group_of[pair.colour] == group}
        for group in range(len(setup.groups))
    )
    return replace(
        before,
        phase=phase,
        round=int(record.round_number),
        herds=herds,
        free=tuple(int(free) for free in record.free[: len(setup.pastures)]),
        reserves=tuple(int(cows) for cows in record.reserves[: len(setup.colours)]),
        hands=hands,
        discards=tuple(
            tuple(card for card in group.hand if card not in hand and card not in now)
            for group, hand, now in zip(setup.groups, hands, played, strict=True)
        ),
        sealed=(None,) * setup.rules.players,
        laid=laid,
        waiting=tuple(
            sorted(
                (pair for pair in laid if record.waiting >> pair.pasture & 1),
                key=lambda pair: pair.pasture,
            )
        ),
        line=tuple(
            laid[pair]._replace(left=int(record.pair_left[pair]))
            for pair in record.line[record.line_next : record.line_length]
        ),
        payments=tuple(
            _payment(record, index) for index in range(record.payments_next, record.payments_length)
        ),
        queue=tuple(
            Filling(int(record.queue_pasture[index]), int(record.queue_colour[index]))
            for index in range(record.queue_next, record.queue_length)
        ),
        ending=None,
    )


def _hand(record: StateRecord, before: State, group: int) -> tuple[CowCard, ...]:
    seat = before.owners[group]
    assert seat is not None, "colours have owners once cows are placed"
    held = int(record.hands[seat])
    return tuple(
        card for index, card in enumerate(before.setup.groups[group].hand) if held >> index & 1
    )


def _pair(record: StateRecord, setup: Setup, index: int) -> LaidPair:
    colour = int(record.pair_colour[index])
    card = setup.groups[setup.group_of[colour]].hand[record.pair_card[index]]
    return LaidPair(int(record.pair_pasture[index]), colour, card, card.value)


def _payment(record: StateRecord, index: int) -> Payment:
    rank = int(record.payment_rank[index])
    kind: BonusKind = "rank" if rank else "fair"
    colour, cows = int(record.payment_colour[index]), int(record.payment_cows[index])
    return Payment(int(record.paying_pasture), colour, kind, rank, cows)


# --- actions ---


def encode_choice(state: State, seat: Seat, choose: Choose) -> Choice:
    """A choice as int16[4]; with two players the first colour's pair first."""
    group = _group(state, seat)
    choice = np.full(4, at.NONE, dtype=np.int16)
    for index, pair in enumerate(choose.pairs):
        half = index
        if pair.colour is not None:
            half = group.colours.index(state.setup.colour_index(pair.colour))
        choice[2 * half] = state.setup.pasture_index(pair.pasture)
        choice[2 * half + 1] = group.hand.index(pair.card)
    return choice


def decode_choice(state: State, seat: Seat, choice: Choice) -> Choose:
    """A choice of the kernels, in the form that the rules list: smaller pasture first, or first colour first."""
    setup, group = state.setup, _group(state, seat)
    halves = [half for half in range(2) if choice[2 * half] != at.NONE]
    two = setup.rules.players == 2 and len(halves) == 2  # one card stands for both colours (Z10.5)
    if not two:
        halves.sort(key=lambda half: int(choice[2 * half]))
    return Choose(
        tuple(
            Pair(
                setup.pastures[choice[2 * half]].name,
                group.hand[choice[2 * half + 1]],
                setup.colours[group.colours[half]] if two else None,
            )
            for half in halves
        )
    )


def encode_bonus(state: State, action: PlaceBonus) -> int:
    """A bonus's pastures in one number."""
    return sum(
        (state.setup.pasture_index(name) + 1) << (4 * place) for place, name in enumerate(action.on)
    )


def decode_bonus(state: State, bonus: int) -> PlaceBonus:
    """A bonus of the kernels, in the form that the rules list: what fills comes last where its order counts."""
    on = []
    while bonus:
        on.append((int(bonus) & 15) - 1)
        bonus >>= 4
    filling = [p for p in dict.fromkeys(on) if on.count(p) == state.free[p]]
    if len(filling) < 2:
        on.sort()
    else:
        calm = sorted(pasture for pasture in on if pasture not in filling)
        on = calm + [p for pasture in filling for p in [pasture] * on.count(pasture)]
    return PlaceBonus(tuple(state.setup.pastures[pasture].name for pasture in on))
