"""Atoms, the record of a table, and where things stand in an observation.

**Atom**: a part of an action, as one number of 240 that means the same in every rule set. A choice is laid pair by
pair, its second pasture larger than its first (two players: the first pair is the first colour's). A bonus is used cow
by cow, in any order. So every answer is one atom or a few, and a mask can say exactly which are legal.

    0–143     a pair: pasture × 12 + card, a card by its number in its colour's first hand
    144–149   a placement of 0 to 5 cows
    150–161   a bonus cow on a pasture
    162       stop: no further cow of the bonus
    163–168   a pick: the group of this number
    169–174   a settlement (Z10.2): bits 0 to 2 of 1 to 6 say which of the three pastures get the second colour
    175–238   a bid: the number in the grid, in steps of a tenth of a cow
    239       nothing: for a seat that isn't asked

**Table**: what a game needs besides `SetupRecord` and `StateRecord`: the time before the first round, and the parts of
answers that were given so far.

**Observation**: int8 throughout. The public part is the same for all seats, or, on request, rotated: the viewer
is seat 0 and its colours come first. The private part is what one seat knows alone. Numbers of pastures, cards,
colours, seats and bids are one higher than elsewhere, so that 0 is "none".
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from stampede.kernels.zoff.layout import (
    MAX_BONUS,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_PASTURES,
    MAX_PAYMENTS,
    UNIT,
)

__all__ = ["Numbers", "Options", "TableRecord", "Tables"]

Tables = npt.NDArray[Any]
"""Several tables: an array of `TABLE`."""
Options = npt.NDArray[np.int64]
"""What stays the same for all tables: int64[11], by the indices below."""
Numbers = npt.NDArray[np.int16]

# --- atoms ---

PAIRS: Final = 0
COWS: Final = PAIRS + MAX_PASTURES * MAX_CARDS
BONUS: Final = COWS + 6
STOP: Final = BONUS + MAX_PASTURES
PICKS: Final = STOP + 1
SETTLES: Final = PICKS + MAX_COLOURS
BIDS: Final = SETTLES + 6
BID_COUNT: Final = 64
NOTHING: Final = BIDS + BID_COUNT
ATOMS: Final = NOTHING + 1
BID_STEP: Final = UNIT // 10
"""Bids of the grid, in ten-thousandths of a cow: 0, 0.1, … 6.3."""

# --- options ---

AUCTION: Final = 0
REBID_AMONG_TIED: Final = 1
SHARE: Final = 2
"""How many pastures each group is dealt."""
SEES_ALL: Final = 3
"""1 if all cards that were ever played are shown: by the rules (Z6.1), or to a perfect memory."""
ROTATE: Final = 4
REWARD: Final = 5
AUTORESET: Final = 6
FLAT: Final = 7
"""1 if actions are numbers of whole answers instead of atoms."""
PUBLIC_ROWS: Final = 8
"""How many public observations a table has: one, or one a seat."""
CHECK: Final = 9
"""1 if an illegal action ends its game; without it all actions must be legal."""
VIEWER: Final = 10
"""The seat of the first rotated observation."""
OPTIONS: Final = 11

WIN_SHARE: Final = 0
LEAD: Final = 1
SCORE: Final = 2

DISABLED: Final = 0
NEXT_STEP: Final = 1
SAME_STEP: Final = 2

# --- stages of a table, and phases as an observation shows them ---

ROUNDS: Final = 0
SETTLE: Final = 1
BID: Final = 2
PICK: Final = 3

FIRST_PHASE: Final = 4
"""Phases in an observation: 1 settle, 2 bid, 3 pick, as the stages; then 4 choose, 5 place, 6 bonus, 7 over."""


class TableRecord(Protocol):
    """The part of a game that the kernels' state doesn't have: a record of `TABLE`, int16 throughout.

    Attributes:
        stage: `SETTLE`, `BID` or `PICK`, then `ROUNDS`.
        over: 1 when the game has ended and waits for a new deal.
        illegal: The seat that gave an illegal atom, or -1.
        half: How many pairs every seat has laid of the running choice.
        cows: By colour: its cows, placed or not.
        shown: The seats whose mask has more than `NOTHING`, as a set.
        bonus_laid: How many cows of the running bonus were laid.
        bonus_on: Where.
        choices: The pairs of the running choice, by seat.
        dealt: By group: the pastures of its preliminary cows.
        group_of: By seat: its group, or -1.
        owner_of: By group: its seat, or -1.
        standing: By seat: the number of its bid in the grid, or -1.
        bid_round: The running round of bids, from 1.
        bidders: The seats that bid in it, as a set.
        places: By seat: how many others have bid more so far.
        picks: The seats in the order in which they pick.
        picks_next: How many have picked.
        tie_order: The seats in the order in which the deal ranks those that stay tied.
    """

    stage: int
    over: int
    illegal: int
    half: int
    cows: Numbers
    shown: int
    bonus_laid: int
    bonus_on: Numbers
    choices: Numbers
    dealt: Numbers
    group_of: Numbers
    owner_of: Numbers
    standing: Numbers
    bid_round: int
    bidders: int
    places: Numbers
    picks: Numbers
    picks_next: int
    tie_order: Numbers

    def tobytes(self) -> bytes:
        """All of it; not for kernels."""


_BY_SEAT: Final = (MAX_COLOURS,)
_SHAPES: Final[dict[str, tuple[int, ...]]] = {
    "stage": (),
    "over": (),
    "illegal": (),
    "half": (),
    "cows": _BY_SEAT,
    "shown": (),
    "bonus_laid": (),
    "bonus_on": (MAX_BONUS,),
    "choices": (MAX_COLOURS, 4),
    "dealt": (MAX_COLOURS, 3),
    "group_of": _BY_SEAT,
    "owner_of": _BY_SEAT,
    "standing": _BY_SEAT,
    "bid_round": (),
    "bidders": (),
    "places": _BY_SEAT,
    "picks": _BY_SEAT,
    "picks_next": (),
    "tie_order": _BY_SEAT,
}
TABLE: Final = np.dtype(
    (np.record, np.dtype([(n, np.int16, s) for n, s in _SHAPES.items()], align=True))
)

# --- the public part of an observation ---

PHASE: Final = 0
ROUND: Final = 1
BID_ROUND: Final = 2
HALF: Final = 3
PASTURES: Final = 4
FREE: Final = PASTURES + MAX_PASTURES * MAX_COLOURS
RESERVES: Final = FREE + MAX_PASTURES
OWNERS: Final = RESERVES + MAX_COLOURS
HELD: Final = OWNERS + MAX_COLOURS
STANDING: Final = HELD + MAX_COLOURS
SEEN: Final = STANDING + MAX_COLOURS
LAID: Final = SEEN + MAX_COLOURS * MAX_CARDS
PAIR_SIZE: Final = 4
"""A pair's pasture and card, the cows that are left, and when: 1 later, 2 on the pasture whose turn it is, 3 done."""
DUE: Final = LAID + MAX_COLOURS * 2 * PAIR_SIZE
DUE_SIZE: Final = 3
"""A bonus's colour, rank and cows."""
PAYING: Final = DUE + MAX_PAYMENTS * DUE_SIZE
QUEUE: Final = PAYING + 1
PUBLIC: Final = QUEUE + MAX_PASTURES

LATER: Final = 1
IN_LINE: Final = 2
DONE: Final = 3

# --- the private part ---

HAND: Final = 0
OWN_PAIR: Final = HAND + MAX_CARDS
OWN_BONUS: Final = OWN_PAIR + 2
DEALT: Final = OWN_BONUS + MAX_BONUS
PRIVATE: Final = DEALT + 3

assert ATOMS == 240
