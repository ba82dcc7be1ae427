"""What a seat or a spectator sees. Buffalo hides nothing; only the legal moves are for the seat to move alone."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.buffalo.actions import LegalMoves
from stampede.buffalo.records import write_result, write_rules
from stampede.buffalo.state import BuffaloState, Opening
from stampede.core.game import Seat, Viewer
from stampede.core.json import Json, JsonObject

__all__ = ["BuffaloView", "view_changes"]


@dataclass(frozen=True, slots=True)
class BuffaloView:
    """A state as one viewer sees it.

    Attributes:
        viewer: Whose view it is: a seat, or None for a spectator.
        state: The state; nothing of it is secret.
    """

    viewer: Viewer
    state: BuffaloState

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seat to move; none when the game is over."""
        state = self.state
        return () if state.outcome is not None else (state.position.turn.value,)

    @property
    def legal_moves(self) -> LegalMoves | None:
        """The viewer's legal moves; None when it isn't the viewer's turn."""
        return self.state.legal_moves if self.viewer in self.to_act else None

    @property
    def legal(self) -> LegalMoves:
        """The viewer's legal moves; none when it isn't the viewer's turn."""
        return self.legal_moves or LegalMoves([])

    def to_json(self) -> JsonObject:
        """The view as plain JSON."""
        state, legal = self.state, self.legal_moves
        opening, outcome = state.opening, state.outcome
        return {
            "game": "buffalo",
            "viewer": self.viewer,
            "rules": write_rules(state.rules),
            "fen": state.position.fen(),
            "to_act": list(self.to_act),
            "legal": None if legal is None else legal.to_json(),
            "opening": _opening(opening),
            "last_move": None if state.last_move is None else str(state.last_move),
            "captured": list(state.captured),
            "result": None if outcome is None else write_result(outcome),
        }


def view_changes(before: BuffaloState, after: BuffaloState) -> JsonObject:
    """What a move has changed in a view's JSON, legal moves apart, in a game that goes on.

    Args:
        before: The state in which the move was made.
        after: The state that it has led to.
    """
    turn = after.position.turn
    new: dict[str, Json] = {"fen": after.position.fen()}
    if turn is not before.position.turn:
        new["to_act"] = [turn.value]
    if before.opening is not None:
        new["opening"] = _opening(after.opening)
    new["last_move"] = str(after.last_move)
    if len(after.position.buffaloes) != len(before.position.buffaloes):
        new["captured"] = list(after.captured)
    return new


def _opening(opening: Opening | None) -> Json:
    return None if opening is None else {"left": opening.left, "stepped": list(opening.stepped)}
