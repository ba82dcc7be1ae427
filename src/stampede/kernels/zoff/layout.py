"""Where things stand in a table and in a state.

**Table**: what never changes once colours have owners, int32[`TABLE_SIZE`]. Pastures and colours have the numbers of
the set-up; seats are seats. A seat's cards have the numbers of its first hand, lowest card first.

**State**: what changes, int16[`STATE_SIZE`]. A batch of states is int16[n, `STATE_SIZE`].

**Choice**: int16[4]: pasture, card, pasture, card; for two players the first pair is the first colour's. The second
pasture is `NONE` when a single pair is laid (Z3.3). The choices of a round are int16[players, 4], by seat.

**Bonus**: one int64: for each cow, in order from the low end, 4 bits with the pasture's number + 1; 0 for no cow.

Not modelled: settling, bids and picks (Z10.2, Z11.1), which come before the first round, and sealed answers: a
round's choices are given all together. Bids count in the table.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["Choice", "Choices", "State", "Table"]

Table = npt.NDArray[np.int32]
State = npt.NDArray[np.int16]
Choice = npt.NDArray[np.int16]
Choices = npt.NDArray[np.int16]

# --- bounds ---

MAX_PASTURES: Final = 12
MAX_COLOURS: Final = 6
MAX_CARDS: Final = 12
MAX_RANKS: Final = 4
MAX_PAIRS: Final = 12
MAX_BONUS: Final = 3
"""A bonus of more cows has too many ways to be placed."""
NONE: Final = -1

# --- the table ---

PLAYERS: Final = 0
COLOURS: Final = 1
PASTURES: Final = 2
ROUNDS: Final = 3
FAIR: Final = 4
"""1 when the fair bonus is paid (Z11.2)."""
CAPACITY: Final = 8
BONUS: Final = CAPACITY + MAX_PASTURES
"""By pasture and rank."""
FAIR_COWS: Final = BONUS + MAX_PASTURES * MAX_RANKS
"""By pasture."""
SEAT_OF: Final = FAIR_COWS + MAX_PASTURES
"""By colour."""
OWN: Final = SEAT_OF + MAX_COLOURS
"""By seat, two places: its colours; the same one twice with three players and more."""
CARDS: Final = OWN + MAX_COLOURS * 2
"""By seat: how many cards the first hand had."""
VALUE: Final = CARDS + MAX_COLOURS
"""By seat and card."""
KEY: Final = VALUE + MAX_COLOURS * MAX_CARDS
"""By seat and card: what goes first is lower (Z4.2)."""
BIDS: Final = KEY + MAX_COLOURS * MAX_CARDS
"""By seat, in ten-thousandths of a cow (Z11.1)."""
TABLE_SIZE: Final = BIDS + MAX_COLOURS
UNIT: Final = 10_000

# --- the state ---

PHASE: Final = 0
ROUND: Final = 1
OPEN: Final = 2
"""The set of pastures with a free space, one bit each."""
REASON: Final = 3
WINNERS: Final = 4
"""The set of seats that won."""
LAID: Final = 5
"""How many pairs were laid in this round; 0 while choices are awaited."""
LINE_AT: Final = 6
"""How many pairs of the line have had their turn."""
LINE_LEN: Final = 7
PAY_AT: Final = 8
PAY_LEN: Final = 9
PAY_FROM: Final = 10
"""The pasture that pays."""
QUEUE_AT: Final = 11
QUEUE_LEN: Final = 12
WAITING: Final = 13
"""The set of pastures whose turn is still to come and that have pairs."""
HERDS: Final = 16
"""By pasture and colour."""
FREE: Final = HERDS + MAX_PASTURES * MAX_COLOURS
RESERVES: Final = FREE + MAX_PASTURES
HANDS: Final = RESERVES + MAX_COLOURS
"""By seat: the set of its cards."""
PAIR_PASTURE: Final = HANDS + MAX_COLOURS
PAIR_COLOUR: Final = PAIR_PASTURE + MAX_PAIRS
PAIR_CARD: Final = PAIR_COLOUR + MAX_PAIRS
LINE: Final = PAIR_CARD + MAX_PAIRS
"""Pairs, by number, in order of precedence."""
PAYMENTS: Final = LINE + MAX_PAIRS
"""Three numbers each: colour, rank (0 for the fair bonus), cows."""
QUEUE: Final = PAYMENTS + (MAX_RANKS + 1) * 3
"""Two numbers each: the full pasture, and the colour that covered its last space."""
STATE_SIZE: Final = QUEUE + MAX_PASTURES * 2

# --- phases and reasons ---

CHOOSE: Final = 0
PLACE: Final = 1
PAY: Final = 2
OVER: Final = 3

BY_ROUNDS: Final = 1
BY_FULL: Final = 2
BY_EXHAUSTED: Final = 3
