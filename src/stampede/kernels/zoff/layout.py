"""The records that the kernels of Zoff work on.

**Setup**: what never changes once colours have owners (`SetupRecord`). **State**: what changes (`StateRecord`).
Pastures and colours have the numbers of the set-up, seats are seats, and a seat's cards have the numbers of its first
hand, lowest card first. A set of pastures, seats or cards is one number, with a bit for each member.

**Choice**: int16[4]: `PASTURE_1`, `CARD_1`, `PASTURE_2`, `CARD_2`; for two players the first pair is the first
colour's. The second pair is `NONE` when a single one is laid (Z3.3, Z10.5). The choices of a round are
int16[players, 4], by seat.

**Bonus**: one int64: for each cow, in order from the low end, 4 bits with the pasture's number + 1; 0 for no cow.

In the docstrings of kernels, … stands for the set-up and the state, "changed" and "filled" for what a kernel writes.

Not modelled: settling, bids and picks (Z10.2, Z11.1), which come before the first round, and sealed answers: a
round's choices are given all together. Bids count in the set-up.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Protocol, Self, get_args, get_type_hints

import numba
import numpy as np
import numpy.typing as npt

from stampede.kernels.zoff.quick_record import quick_record
from stampede.zoff import edition

__all__ = ["Choice", "Choices", "SetupRecord", "Setups", "StateRecord", "States"]

_IS_PLAIN: Final[Any] = numba.config.DISABLE_JIT  # type: ignore[attr-defined] # without types
Choice = npt.NDArray[np.int16]
Choices = npt.NDArray[np.int16]
Setups = npt.NDArray[Any]
"""Several set-ups: an array of `SETUP`."""
States = npt.NDArray[Any]
"""Several states: an array of `STATE`. A single one of them is a `StateRecord`."""

# --- bounds: what an edition may have at most ---

MAX_PASTURES: Final = edition.MAX_PASTURES
MAX_COLOURS: Final = edition.MAX_COLOURS
MAX_CARDS: Final = sum(edition.CARDS_OF_VALUE.values()) + len(edition.EXTRA_VALUES)
MAX_RANKS: Final = edition.MAX_RANKS
MAX_PAIRS: Final = 12
MAX_PAYMENTS: Final = MAX_RANKS + 1
"""A pasture pays each rank and, before them, the fair bonus."""
MAX_BONUS: Final = edition.MAX_BONUS
"""The largest bonus that an edition may pay."""
NONE: Final = -1
UNIT: Final = 10_000
"""Bids are counted in ten-thousandths of a cow (Z11.1)."""

# --- the parts of a choice ---

PASTURE_1: Final = 0
CARD_1: Final = 1
PASTURE_2: Final = 2
CARD_2: Final = 3

# --- phases, and why a game ended ---

CHOOSE: Final = 0
PLACE: Final = 1
PAY: Final = 2
OVER: Final = 3

BY_ROUNDS: Final = 1
BY_FULL: Final = 2
BY_EXHAUSTED: Final = 3

# --- records: a field's annotation says its shape ---

_Numbers = npt.NDArray[np.int16] | npt.NDArray[np.int32]
_ByPasture = Annotated[_Numbers, MAX_PASTURES]
_ByColour = Annotated[_Numbers, MAX_COLOURS]
_BySeat = Annotated[_Numbers, MAX_COLOURS]  # there are never more seats than colours
_ByPair = Annotated[_Numbers, MAX_PAIRS]
_ByPayment = Annotated[_Numbers, MAX_PAYMENTS]
_PastureColour = Annotated[_Numbers, (MAX_PASTURES, MAX_COLOURS)]
_PastureRank = Annotated[_Numbers, (MAX_PASTURES, MAX_RANKS)]
_SeatCard = Annotated[_Numbers, (MAX_COLOURS, MAX_CARDS)]
_SeatHalf = Annotated[_Numbers, (MAX_COLOURS, 2)]


class SetupRecord(Protocol):
    """What never changes once colours have owners: a record of `SETUP`, int32 throughout.

    Attributes:
        players: How many seats there are.
        colours: How many colours there are.
        pastures: How many pastures there are.
        rounds: After how many rounds the game ends.
        fair: 1 if the fair bonus is paid (Z11.2), else 0.
        must_place: 1 if a bonus must be used as far as it can be (Z5.2), else 0.
        last_cow_counts: 1 if the most cows win after a player's last cow (Z6.3), else 0: that player wins.
        one_last_card: 1 if two players lay one card for both colours on the last pasture (Z10.5), else 0.
        capacity: By pasture: its spaces.
        bonus: By pasture and rank: the cows that it pays (Z5.1).
        fair_cows: By pasture: its fair bonus.
        seat_of: By colour: its owner.
        colours_of: By seat: its two colours; the same one twice with three players and more.
        hand_sizes: By seat: how many cards the first hand had.
        card_values: By seat and card.
        card_precedence: By seat and card: lower goes first (Z4.2).
        bids: By seat, in `UNIT`s of a cow (Z11.1).
    """

    players: int
    colours: int
    pastures: int
    rounds: int
    fair: int
    must_place: int
    last_cow_counts: int
    one_last_card: int
    capacity: _ByPasture
    bonus: _PastureRank
    fair_cows: _ByPasture
    seat_of: _ByColour
    colours_of: _SeatHalf
    hand_sizes: _BySeat
    card_values: _SeatCard
    card_precedence: _SeatCard
    bids: _BySeat


class StateRecord(Protocol):
    """What changes: a record of `STATE`, int16 throughout.

    The pairs, the line, the payments and the queue are lists: a length, and what is beyond it means nothing. The first
    `…_next` entries of a list are done.

    Attributes:
        phase: `CHOOSE`, `PLACE`, `PAY` or `OVER`.
        round_number: The running round, from 1.
        open: The set of pastures with a free space.
        reason: Why the game ended: `BY_ROUNDS`, `BY_FULL`, `BY_EXHAUSTED`; 0 while it runs.
        winners: The set of seats that won.
        laid: How many pairs were laid in this round; 0 while choices are awaited.
        line_next: How many pairs of the line have had their turn.
        line_length: How many pairs there are on the pasture whose turn it is.
        payments_next: How many payments are done.
        payments_length: How many payments the paying pasture makes.
        paying_pasture: The full pasture that pays.
        queue_next: How many full pastures have paid or are paying.
        queue_length: How many pastures have become full.
        waiting: The set of pastures that have pairs and whose turn is still to come.
        herds: By pasture and colour: its cows there.
        free: By pasture: its free spaces.
        reserves: By colour: its cows not yet placed.
        hands: By seat: the set of its cards.
        pair_pasture: By pair: where it was laid.
        pair_colour: By pair: whose cows it places.
        pair_card: By pair: the card's number in its seat's first hand.
        pair_left: By pair: how many cows the card still allows; one card can stand for two pairs (Z10.5).
        line: The pairs on one pasture, by number, in order of precedence (Z4.2).
        payment_colour: By payment: which colour may place.
        payment_rank: By payment: for which rank, from 1; 0 for the fair bonus.
        payment_cows: By payment: how many cows.
        queue_pasture: The full pastures, in the order in which they pay (Z5.4).
        queue_colour: By place in the queue: the colour that covered the last space.
    """

    phase: int
    round_number: int
    open: int
    reason: int
    winners: int
    laid: int
    line_next: int
    line_length: int
    payments_next: int
    payments_length: int
    paying_pasture: int
    queue_next: int
    queue_length: int
    waiting: int
    herds: _PastureColour
    free: _ByPasture
    reserves: _ByColour
    hands: _BySeat
    pair_pasture: _ByPair
    pair_colour: _ByPair
    pair_card: _ByPair
    pair_left: _ByPair
    line: _ByPair
    payment_colour: _ByPayment
    payment_rank: _ByPayment
    payment_cows: _ByPayment
    queue_pasture: _ByPasture
    queue_colour: _ByPasture

    def copy(self) -> Self:
        """The same state in memory of its own; not for kernels."""

    def tobytes(self) -> bytes:
        """All of it, to compare; not for kernels."""


def _dtype(record: type, number: type[np.generic]) -> np.dtype[Any]:
    """The structured type that a record class declares, with all its numbers of one type."""
    fields: list[Any] = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        shape = () if hint is int else get_args(hint)[1]
        fields.append((name, number, shape))
    plain = np.dtype(fields, align=True)
    return np.dtype((quick_record(plain) if _IS_PLAIN else np.record, plain))


SETUP: Final = _dtype(SetupRecord, np.int32)
STATE: Final = _dtype(StateRecord, np.int16)
