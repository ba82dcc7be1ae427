"""Zoff as a turn-based game with perfect information, in OpenSpiel's interface, for its MCTS.

A round's simultaneous choices become turns: the searching seat comes first, so that it never sees the others' choices,
then the others, pair by pair. Everything else is a turn anyway. The state is that of our kernels, so that the bot isn't
needlessly slow.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, Self

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import Choices, SetupRecord, StateRecord
from stampede.kernels.zoff.options import lays_one
from stampede.kernels.zoff.playouts import playout
from stampede.kernels.zoff.records import copy_record
from stampede.kernels.zoff.resolve import count_cows, reveal, run_on, to_act
from stampede.search.zoff.max_n import apply_option, option_count

__all__ = [
    "MAX_ACTIONS",
    "TURNS",
    "KernelRollouts",
    "Turns",
    "TurnsRecord",
    "ZoffTurns",
    "actions",
    "move",
    "mover",
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
def _each(setup: SetupRecord, turns: TurnsRecord) -> int:
    """How many pairs a seat lays. … → int64."""
    return 1 if lays_one(setup, turns.state) else 2


@kernel
def mover(setup: SetupRecord, turns: TurnsRecord) -> int:
    """Who is to move. … → int64."""
    if turns.state.phase == at.CHOOSE:
        turn = int(turns.first_seat) + int(turns.pair_count) // _each(setup, turns)
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
    if int(turns.pair_count) % _each(setup, turns):
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
    seat, each = mover(setup, turns), _each(setup, turns)
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


class ZoffTurns:
    """The parts of OpenSpiel's game interface that its MCTS bot calls."""

    def get_type(self) -> Any:
        """Terminal rewards, one player at a time."""
        import pyspiel  # noqa: PLC0415 - only where OpenSpiel is installed

        return pyspiel.load_game("tic_tac_toe").get_type()

    def max_utility(self) -> float:
        """The bound that its solver compares with; never reached."""
        return 2.0


class Turns:
    """A state with one seat to move, in OpenSpiel's state interface."""

    __slots__ = ("record", "room", "setup")

    def __init__(self, setup: SetupRecord, state: StateRecord, mover: Seat) -> None:
        self.setup = setup
        self.record: TurnsRecord = np.zeros(1, dtype=TURNS)[0]
        copy_record(self.record.state, state)
        self.record.choices[:] = at.NONE
        self.record.first_seat = mover
        self.room = np.zeros(MAX_ACTIONS, dtype=np.int64)

    def clone(self) -> Turns:
        """A copy."""
        copy = Turns.__new__(Turns)
        copy.setup, copy.record, copy.room = self.setup, self.record.copy(), self.room
        return copy

    def is_terminal(self) -> bool:
        """Whether it's over."""
        return bool(self.record.state.phase == at.OVER)

    def is_chance_node(self) -> bool:
        """There is no chance in Zoff once cards are dealt."""
        return False

    def current_player(self) -> Seat:
        """Who is to move."""
        return int(mover(self.setup, self.record))

    def legal_actions(self, player: Seat | None = None) -> list[int]:
        """A pair as pasture × 16 + card, or the number of an answer."""
        del player
        listed: list[int] = self.room[: actions(self.setup, self.record, self.room)].tolist()
        return listed

    def apply_action(self, action: int) -> None:
        """Makes a move; the last pair of the last seat reveals all."""
        move(self.setup, self.record, action)

    def laid(self, seat: Seat) -> npt.NDArray[np.int16]:
        """The pairs that a seat has laid so far in this round, as a choice of the kernels."""
        laid: npt.NDArray[np.int16] = self.record.choices[seat]
        return laid

    def pairs_each(self) -> int:
        """How many pairs a seat lays."""
        return int(_each(self.setup, self.record))

    def returns(self) -> npt.NDArray[np.float64]:
        """Each seat's lead over the others' mean, and the victory, scaled."""
        values = np.zeros(int(self.setup.players))
        returns(self.setup, self.record, values)
        return values


class KernelRollouts:
    """An evaluator that is much faster than OpenSpiel's own: one random game from here, played by the kernels."""

    def __init__(self, rng: RngState) -> None:
        self.rng = rng

    def evaluate(self, state: Turns) -> npt.NDArray[np.float64]:
        """The returns of a random game."""
        end = state.clone()
        rollout(end.setup, end.record, self.rng)
        return end.returns()

    def prior(self, state: Turns) -> list[tuple[int, float]]:
        """All actions alike."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]
