"""The only place where the readable rules of Zoff and the kernels meet: tables, states and actions, there and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stampede.core.errors import EditionError
from stampede.core.game import Seat
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import Choice, Table
from stampede.kernels.zoff.layout import State as Words
from stampede.zoff.actions import Choose, Pair, PlaceBonus
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusKind
from stampede.zoff.rules import FAIR_TWO_COWS_FROM
from stampede.zoff.setup import Group, Setup
from stampede.zoff.state import Filling, LaidPair, Payment, State, ZoffPhase

__all__ = [
    "check_bounds",
    "decode",
    "decode_bonus",
    "decode_choice",
    "encode",
    "encode_bonus",
    "encode_choice",
    "encode_table",
]

_PHASES = {
    ZoffPhase.CHOOSE: at.CHOOSE,
    ZoffPhase.PLACE: at.PLACE,
    ZoffPhase.BONUS: at.PAY,
    ZoffPhase.OVER: at.OVER,
}
_REASONS = {"rounds": at.BY_ROUNDS, "full": at.BY_FULL, "exhausted": at.BY_EXHAUSTED}


def check_bounds(setup: Setup) -> None:
    """Whether the kernels can play this edition; EditionError names what they can't."""
    for index, pasture in enumerate(setup.edition.pastures):
        for rank, cows in enumerate(pasture.bonus):
            if cows > at.MAX_BONUS:
                raise EditionError(
                    f"pasture[{index}].bonus[{rank}]",
                    f"expected up to {at.MAX_BONUS} for the kernels, got {cows}",
                )


def encode_table(state: State) -> Table:
    """What doesn't change any more: int32[TABLE_SIZE]. The state must be past settling and auction.

    Raises:
        EditionError: The edition breaks the kernels' bounds.
        ValueError: Settling or the auction isn't over.
    """
    setup = state.setup
    check_bounds(setup)
    if state.phase not in _PHASES:
        raise ValueError(f"expected a state after the auction, got {state.phase.value}")
    table = np.zeros(at.TABLE_SIZE, dtype=np.int32)
    table[at.PLAYERS] = setup.rules.players
    table[at.COLOURS] = len(setup.colours)
    table[at.PASTURES] = len(setup.pastures)
    table[at.ROUNDS] = setup.rules.rounds
    table[at.FAIR] = setup.rules.fair
    for index, pasture in enumerate(setup.pastures):
        table[at.CAPACITY + index] = pasture.capacity
        table[at.FAIR_COWS + index] = 2 if pasture.capacity >= FAIR_TWO_COWS_FROM else 1
        for rank, cows in enumerate(pasture.bonus):
            table[at.BONUS + index * at.MAX_RANKS + rank] = cows
    for seat in range(setup.rules.players):
        _encode_seat(table, state, seat)
    return table


def _group(state: State, seat: Seat) -> Group:
    return state.setup.groups[state.owners.index(seat)]


def _encode_seat(table: Table, state: State, seat: Seat) -> None:
    group, bid = _group(state, seat), state.bids[seat]
    table[at.OWN + 2 * seat] = group.colours[0]
    table[at.OWN + 2 * seat + 1] = group.colours[-1]
    table[at.CARDS + seat] = len(group.hand)
    table[at.BIDS + seat] = 0 if bid is None else bid.units
    for colour in group.colours:
        table[at.SEAT_OF + colour] = seat
    for index, card in enumerate(group.hand):
        table[at.VALUE + seat * at.MAX_CARDS + index] = card.value
        table[at.KEY + seat * at.MAX_CARDS + index] = card.value * 32 + ord(card.letter) - ord("A")


def encode(state: State) -> Words:
    """What changes: int16[STATE_SIZE]. Sealed choices of a running round are left out."""
    words = np.zeros(at.STATE_SIZE, dtype=np.int16)
    words[at.PHASE] = _PHASES[state.phase]
    words[at.ROUND] = state.round
    words[at.OPEN] = sum(1 << pasture for pasture in state.open_pastures())
    for pasture, herds in enumerate(state.herds):
        start = at.HERDS + pasture * at.MAX_COLOURS
        words[start : start + len(herds)] = herds
    words[at.FREE : at.FREE + len(state.free)] = state.free
    words[at.RESERVES : at.RESERVES + len(state.reserves)] = state.reserves
    for seat in range(state.setup.rules.players):
        first, hand = _group(state, seat).hand, state.hands[state.owners.index(seat)]
        words[at.HANDS + seat] = sum(1 << first.index(card) for card in hand)
    _encode_pairs(words, state)
    _encode_bonuses(words, state)
    if state.ending is not None:
        words[at.REASON] = _REASONS[state.ending.reason]
        words[at.WINNERS] = sum(1 << seat for seat in state.ending.winners)
    return words


def _encode_pairs(words: Words, state: State) -> None:
    words[at.LAID] = len(state.laid)
    for index, pair in enumerate(state.laid):
        hand = state.setup.groups[state.setup.group_of[pair.colour]].hand
        words[at.PAIR_PASTURE + index] = pair.pasture
        words[at.PAIR_COLOUR + index] = pair.colour
        words[at.PAIR_CARD + index] = hand.index(pair.card)
    words[at.WAITING] = sum(1 << pasture for pasture in {pair.pasture for pair in state.waiting})
    words[at.LINE_LEN] = len(state.line)
    for index, pair in enumerate(state.line):
        words[at.LINE + index] = state.laid.index(pair)


def _encode_bonuses(words: Words, state: State) -> None:
    words[at.PAY_LEN] = len(state.payments)
    for index, payment in enumerate(state.payments):
        words[at.PAY_FROM] = payment.pasture
        start = at.PAYMENTS + 3 * index
        words[start : start + 3] = payment.colour, payment.rank, payment.cows
    words[at.QUEUE_LEN] = len(state.queue)
    for index, filling in enumerate(state.queue):
        start = at.QUEUE + 2 * index
        words[start : start + 2] = filling.pasture, filling.colour


def decode(words: Words, before: State) -> State:
    """The readable state of a running game; `before` is any state of it past the auction.

    The kernels don't keep the order in which cards were played: discards come lowest first.
    """
    setup = before.setup
    if words[at.PHASE] == at.OVER:
        raise ValueError("expected a running game: what the final bonus paid isn't kept")
    phase = next(phase for phase, number in _PHASES.items() if number == words[at.PHASE])
    herds = tuple(
        tuple(int(words[at.HERDS + p * at.MAX_COLOURS + c]) for c in range(len(setup.colours)))
        for p in range(len(setup.pastures))
    )
    laid = tuple(_pair(words, setup, index) for index in range(words[at.LAID]))
    hands = tuple(_hand(words, before, group) for group in range(len(setup.groups)))
    played = tuple(
        {pair.card for pair in laid if setup.group_of[pair.colour] == group}
        for group in range(len(setup.groups))
    )
    return replace(
        before,
        phase=phase,
        round=int(words[at.ROUND]),
        herds=herds,
        free=tuple(int(free) for free in words[at.FREE : at.FREE + len(setup.pastures)]),
        reserves=tuple(int(cows) for cows in words[at.RESERVES : at.RESERVES + len(setup.colours)]),
        hands=hands,
        discards=tuple(
            tuple(card for card in group.hand if card not in hand and card not in now)
            for group, hand, now in zip(setup.groups, hands, played, strict=True)
        ),
        sealed=(None,) * setup.rules.players,
        laid=laid,
        waiting=tuple(
            sorted(
                (pair for pair in laid if words[at.WAITING] >> pair.pasture & 1),
                key=lambda pair: pair.pasture,
            )
        ),
        line=tuple(
            laid[words[at.LINE + index]] for index in range(words[at.LINE_AT], words[at.LINE_LEN])
        ),
        payments=tuple(
            _payment(words, index) for index in range(words[at.PAY_AT], words[at.PAY_LEN])
        ),
        queue=tuple(
            Filling(int(words[at.QUEUE + 2 * index]), int(words[at.QUEUE + 2 * index + 1]))
            for index in range(words[at.QUEUE_AT], words[at.QUEUE_LEN])
        ),
        ending=None,
    )


def _hand(words: Words, before: State, group: int) -> tuple[CowCard, ...]:
    seat = before.owners[group]
    assert seat is not None, "colours have owners once cows are placed"
    held = int(words[at.HANDS + seat])
    return tuple(
        card for index, card in enumerate(before.setup.groups[group].hand) if held >> index & 1
    )


def _pair(words: Words, setup: Setup, index: int) -> LaidPair:
    colour = int(words[at.PAIR_COLOUR + index])
    hand = setup.groups[setup.group_of[colour]].hand
    return LaidPair(int(words[at.PAIR_PASTURE + index]), colour, hand[words[at.PAIR_CARD + index]])


def _payment(words: Words, index: int) -> Payment:
    colour, rank, cows = (int(word) for word in words[at.PAYMENTS + 3 * index :][:3])
    kind: BonusKind = "rank" if rank else "fair"
    return Payment(int(words[at.PAY_FROM]), colour, kind, rank, cows)


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
    two = setup.rules.players == 2
    halves = [half for half in range(2) if choice[2 * half] != at.NONE]
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
