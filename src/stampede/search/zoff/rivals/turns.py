"""Zoff as a turn-based game, for tree search: simultaneous choices become turns, pair by pair.

The searching seat comes first, so that it never sees the others' choices; then the others. Everything else is a turn
anyway. The state is that of the kernels.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, Self

import numpy as np
import numpy.typing as npt

from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import Choices, SetupRecord, StateRecord
from stampede.kernels.zoff.options import lays_one
from stampede.kernels.zoff.playouts import playout
from stampede.kernels.zoff.resolve import count_cows, reveal, run_on, to_act
from stampede.search.zoff.max_n import apply_option, option_count

__all__ = [
    "MAX_ACTIONS",
    "TURNS",
    "TurnsRecord",
    "actions",
    "move",
    "mover",
    "pairs_each",
    "returns",
    "rollout",
]

WIN = 20.0
"""What a victory counts besides the lead, in cows: MCTS maximises the sum."""
SCALE = 60.0
"""Returns are divided by this: a clear victory is near 1/2."""

MAX_ACTIONS = 1024


class TurnsRecord(Protocol):
    """A state with the pairs that were laid so far in this round: a record of `TURNS`.

    Attributes:
        state: The kernels' state.
        choices: The choices of the seats that have laid both pairs, and the first pair of one that hasn't.
        pair_count: How many pairs were laid so far.
        first_seat: Who lays first.
    """

    state: StateRecord
    choices: Choices
    pair_count: int
    first_seat: int

    def copy(self) -> Self:
        """The same in memory of its own; not for kernels."""

    def tobytes(self) -> bytes:
        """All of it, to compare; not for kernels."""


_FIELDS: Final[list[Any]] = [
    ("state", at.STATE),
    ("choices", np.int16, (at.MAX_COLOURS, 4)),
    ("pair_count", np.int16),
    ("first_seat", np.int16),
]
TURNS: Final = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


@kernel
def pairs_each(setup: SetupRecord, turns: TurnsRecord) -> int:
    """How many pairs a seat lays. … → int64."""
    return 1 if lays_one(setup, turns.state) else 2


@kernel
def mover(setup: SetupRecord, turns: TurnsRecord) -> int:
    """Who is to move. … → int64."""
    if turns.state.phase == at.CHOOSE:
        turn = int(turns.first_seat) + int(turns.pair_count) // pairs_each(setup, turns)
        return turn % int(setup.players)
    return int(to_act(setup, turns.state))


@kernel
def actions(setup: SetupRecord, turns: TurnsRecord, found: npt.NDArray[np.int64]) -> int:
    """Fills in what may be done: pairs as pasture × 16 + card, or numbers of answers. …, int64[n] → int64, how many."""
    if turns.state.phase != at.CHOOSE:
        count = int(option_count(setup, turns.state))
        for index in range(count):
            found[index] = index
        return count
    seat = mover(setup, turns)
    hand, fields = int(turns.state.hands[seat]), int(turns.state.open)
    if int(turns.pair_count) % pairs_each(setup, turns):
        hand &= ~(1 << int(turns.choices[seat, 1]))
        if popcount(fields) > 1:
            fields &= ~(1 << int(turns.choices[seat, 0]))
    count = 0
    while fields:
        pasture = first(fields)
        fields &= fields - 1
        cards = hand
        while cards:
            found[count] = pasture * 16 + first(cards)
            cards &= cards - 1
            count += 1
    return count


@kernel
def move(setup: SetupRecord, turns: TurnsRecord, action: int) -> None:
    """Makes a move; the last pair of the last seat reveals all. …, changed, int64."""
    if turns.state.phase != at.CHOOSE:
        apply_option(setup, turns.state, action)
        return
    seat, each = mover(setup, turns), pairs_each(setup, turns)
    half = int(turns.pair_count) % each
    turns.choices[seat, 2 * half] = action // 16
    turns.choices[seat, 2 * half + 1] = action % 16
    turns.pair_count += 1
    if turns.pair_count == each * int(setup.players):
        reveal(setup, turns.state, turns.choices)
        run_on(setup, turns.state)
        turns.choices[:] = at.NONE
        turns.pair_count = 0


@kernel
def returns(setup: SetupRecord, turns: TurnsRecord, values: npt.NDArray[np.float64]) -> None:
    """Fills in each seat's lead over the others' mean, and the victory, scaled. …, float64[6]."""
    players = int(setup.players)
    total = 0
    for seat in range(players):
        total += int(count_cows(setup, turns.state, seat))
    for seat in range(players):
        lead = (int(count_cows(setup, turns.state, seat)) * players - total) / (players - 1)
        won = float((int(turns.state.winners) >> seat) & 1)
        values[seat] = (lead + WIN * (won - 1.0 / players)) / SCALE


@kernel
def rollout(setup: SetupRecord, turns: TurnsRecord, rng: RngState) -> None:
    """Plays a random game to its end, every action of a turn equally likely. …, changed, uint64[1], changed."""
    room = np.empty(MAX_ACTIONS, dtype=np.int64)
    while turns.pair_count > 0:
        count = int(actions(setup, turns, room))
        move(setup, turns, int(room[below(rng, count)]))
    playout(setup, turns.state, rng, np.empty((at.MAX_COLOURS, 4), dtype=np.int16))
