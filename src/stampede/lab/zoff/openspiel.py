"""Zoff as a turn-based game with perfect information, in OpenSpiel's interface, for its MCTS.

A round's simultaneous choices become turns: the searching seat comes first, so that it never sees the others' choices,
then the others, pair by pair. Everything else is a turn anyway. The state is that of our kernels
(`stampede.search.zoff.rivals.turns`), so that the bot isn't needlessly slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.kernels.rng import RngState
from stampede.kernels.zoff import layout as at
from stampede.kernels.zoff.layout import SetupRecord, StateRecord
from stampede.kernels.zoff.records import copy_record
from stampede.search.zoff.rivals.turns import (
    MAX_ACTIONS,
    TURNS,
    TurnsRecord,
    actions,
    move,
    mover,
    pairs_each,
    returns,
    rollout,
)

__all__ = ["KernelRollouts", "Turns", "ZoffTurns"]


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
        return int(pairs_each(self.setup, self.record))

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
