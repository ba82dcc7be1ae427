"""Zoff as OpenSpiel's MCTS sees it: turn by turn, one action a turn, complete information.

A round's secret choices become turns: the seat that thinks comes first, so that it never sees the others' choices, then
the others, pair by pair. Everything else is a turn anyway. The state runs on our kernels, so that the bot isn't
needlessly slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.kernels.bits import first, popcount
from stampede.kernels.jit import kernel
from stampede.kernels.rng import RngState, below
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import State as Words
from stampede.kernels.zoff.layout import Table
from stampede.kernels.zoff.playouts import playout
from stampede.kernels.zoff.resolve import placed, reveal, run_on, to_act
from stampede.search.zoff.lookahead import apply_option, option_count

__all__ = [
    "CELLS",
    "MAX_ACTIONS",
    "KernelRollouts",
    "Turns",
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

CHOICES = at.STATE_SIZE
PAIRS = CHOICES + 4 * at.MAX_COLOURS
FIRST = PAIRS + 1
CELLS = FIRST + 1
"""A kernel state, the pairs laid so far in this round, how many they are, and who lays first."""
MAX_ACTIONS = 1024


@kernel
def _each(table: Table, cells: Words) -> int:
    """How many pairs a seat lays. … → int64."""
    single = popcount(int(cells[at.OPEN])) == 1
    return 1 if single and table[at.PLAYERS] > 2 else 2


@kernel
def mover(table: Table, cells: Words) -> int:
    """Who is to move. … → int64."""
    if cells[at.PHASE] == at.CHOOSE:
        turn = int(cells[FIRST]) + int(cells[PAIRS]) // _each(table, cells)
        return turn % int(table[at.PLAYERS])
    return int(to_act(table, cells))


@kernel
def actions(table: Table, cells: Words, found: npt.NDArray[np.int64]) -> int:
    """Fills in what may be done: pairs as pasture × 16 + card, or numbers of answers. …, int64[n] → int64, how many."""
    if cells[at.PHASE] != at.CHOOSE:
        count = int(option_count(table, cells))
        for index in range(count):
            found[index] = index
        return count
    seat = mover(table, cells)
    hand, fields = int(cells[at.HANDS + seat]), int(cells[at.OPEN])
    if int(cells[PAIRS]) % _each(table, cells):
        hand &= ~(1 << int(cells[CHOICES + 4 * seat + 1]))
        if popcount(fields) > 1:
            fields &= ~(1 << int(cells[CHOICES + 4 * seat]))
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
def move(table: Table, cells: Words, action: int) -> None:
    """Makes a move; the last pair of the last seat reveals all. …, changed, int64."""
    if cells[at.PHASE] != at.CHOOSE:
        apply_option(table, cells, action)
        return
    seat, each = mover(table, cells), _each(table, cells)
    spot = CHOICES + 4 * seat + 2 * (int(cells[PAIRS]) % each)
    cells[spot], cells[spot + 1] = action // 16, action % 16
    cells[PAIRS] += 1
    if cells[PAIRS] == each * int(table[at.PLAYERS]):
        choices = cells[CHOICES:PAIRS].copy().reshape(at.MAX_COLOURS, 4)
        reveal(table, cells, choices)
        run_on(table, cells)
        cells[CHOICES:PAIRS] = at.NONE
        cells[PAIRS] = 0


@kernel
def returns(table: Table, cells: Words, values: npt.NDArray[np.float64]) -> None:
    """Fills in each seat's lead over the others' mean, and the victory, scaled. …, float64[6]."""
    players = int(table[at.PLAYERS])
    total = 0
    for seat in range(players):
        total += int(placed(table, cells, seat))
    for seat in range(players):
        lead = (int(placed(table, cells, seat)) * players - total) / (players - 1)
        won = float((int(cells[at.WINNERS]) >> seat) & 1)
        values[seat] = (lead + WIN * (won - 1.0 / players)) / SCALE


@kernel
def rollout(table: Table, cells: Words, rng: RngState) -> None:
    """Plays a random game to its end, every action of a turn equally likely. …, changed, uint64[1], changed."""
    room = np.empty(MAX_ACTIONS, dtype=np.int64)
    while cells[PAIRS] > 0:
        count = int(actions(table, cells, room))
        move(table, cells, int(room[below(rng, count)]))
    playout(table, cells, rng, np.empty((at.MAX_COLOURS, 4), dtype=np.int16))


class ZoffTurns:
    """What OpenSpiel's bot wants to know of a game."""

    def get_type(self) -> Any:
        """Terminal rewards, one player at a time."""
        import pyspiel  # noqa: PLC0415 - only where OpenSpiel is installed

        return pyspiel.load_game("tic_tac_toe").get_type()

    def max_utility(self) -> float:
        """The bound that its solver compares with; never reached."""
        return 2.0


class Turns:
    """A state with one seat to move, in OpenSpiel's manner."""

    __slots__ = ("cells", "room", "table")

    def __init__(self, table: Table, words: Words, mover: Seat) -> None:
        self.table = table
        self.cells = np.full(CELLS, at.NONE, dtype=np.int16)
        self.cells[:CHOICES] = words
        self.cells[PAIRS] = 0
        self.cells[FIRST] = mover
        self.room = np.zeros(MAX_ACTIONS, dtype=np.int64)

    def clone(self) -> Turns:
        """A copy."""
        copy = Turns.__new__(Turns)
        copy.table, copy.cells, copy.room = self.table, self.cells.copy(), self.room
        return copy

    def is_terminal(self) -> bool:
        """Whether it's over."""
        return bool(self.cells[at.PHASE] == at.OVER)

    def is_chance_node(self) -> bool:
        """There is no chance in Zoff once cards are dealt."""
        return False

    def current_player(self) -> Seat:
        """Who is to move."""
        return int(mover(self.table, self.cells))

    def legal_actions(self, player: Seat | None = None) -> list[int]:
        """A pair as pasture × 16 + card, or the number of an answer."""
        del player
        listed: list[int] = self.room[: actions(self.table, self.cells, self.room)].tolist()
        return listed

    def apply_action(self, action: int) -> None:
        """Makes a move; the last pair of the last seat reveals all."""
        move(self.table, self.cells, action)

    def laid(self, seat: Seat) -> npt.NDArray[np.int16]:
        """The pairs that a seat has laid so far in this round, as a choice of the kernels."""
        return self.cells[CHOICES + 4 * seat : CHOICES + 4 * seat + 4]

    def pairs_each(self) -> int:
        """How many pairs a seat lays."""
        return int(_each(self.table, self.cells))

    def returns(self) -> npt.NDArray[np.float64]:
        """Each seat's lead over the others' mean, and the victory, scaled."""
        values = np.zeros(int(self.table[at.PLAYERS]))
        returns(self.table, self.cells, values)
        return values


class KernelRollouts:
    """An evaluator that is much faster than OpenSpiel's own: one random game from here, played by the kernels."""

    def __init__(self, rng: RngState) -> None:
        self.rng = rng

    def evaluate(self, state: Turns) -> npt.NDArray[np.float64]:
        """The returns of a random game."""
        end = state.clone()
        rollout(end.table, end.cells, self.rng)
        return end.returns()

    def prior(self, state: Turns) -> list[tuple[int, float]]:
        """All actions alike."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]
