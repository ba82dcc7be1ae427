"""What a seat or a spectator sees. Buffalo hides nothing; the legal moves go to the seat to move only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from stampede.buffalo import svg
from stampede.buffalo.actions import BuffaloLegal, LegalMoves, Move
from stampede.buffalo.pieces import Side
from stampede.buffalo.position import Position
from stampede.buffalo.result import BuffaloResult
from stampede.buffalo.rules import BuffaloRules
from stampede.buffalo.state import BuffaloState, Opening
from stampede.core.events import JsonFields, plain
from stampede.core.game import Seat, Viewer
from stampede.core.json import Json, JsonObject, JsonType

__all__ = ["BuffaloView", "view_changes", "view_of"]


@dataclass(frozen=True, slots=True, repr=False)
class BuffaloView(JsonFields):
    """A game of Buffalo as one viewer sees it. ``print`` shows it as text, a notebook draws it.

    Attributes:
        viewer: Whose view it is: a seat, or None for a spectator.
        rules: The rule set.
        position: The position, in JSON a FEN under ``fen``.
        to_act: The seat to move; none when the game is over.
        legal: The viewer's legal moves; null in JSON, and empty here, when it isn't the viewer's turn.
        opening: The opening turn while it is under way (B4.3).
        last_move: The move that led here.
        captured: The files whose buffaloes have been captured.
        result: How it ended; None while it runs.
    """

    game: Literal["buffalo"] = field(default="buffalo", kw_only=True, repr=False, compare=False)
    viewer: Viewer
    rules: BuffaloRules
    position: Position = field(metadata={"alias": "fen"})
    to_act: tuple[Seat, ...]
    legal: Annotated[LegalMoves, JsonType(BuffaloLegal | None)]
    opening: Opening | None
    last_move: Move | None
    captured: tuple[str, ...]
    result: BuffaloResult | None

    def __repr__(self) -> str:
        viewer = "a spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"<BuffaloView of {viewer}: {self.position!r}>"

    def __str__(self) -> str:
        """The board as text, and whose turn it is."""
        if self.result is not None:
            end = f"{Side(self.result.winner)} has won: {self.result.reason}"
        else:
            end = f"{self.position.turn} is to move"
        return f"{self.position}\n\nMove {self.position.number}: {end}"

    def _repr_svg_(self) -> str:
        """The board as a picture with the last move marked, for notebooks."""
        return svg.board(self.position, last_move=self.last_move)

    def to_json(self) -> JsonObject:
        """Returns the view as plain JSON."""
        legal = self.legal.to_json() if self.legal else None
        return {
            "game": "buffalo",
            "viewer": self.viewer,
            "rules": self.rules.to_json(),
            "fen": self.position.fen(),
            "to_act": list(self.to_act),
            "legal": legal,
            "opening": plain(self.opening),
            "last_move": None if self.last_move is None else str(self.last_move),
            "captured": list(self.captured),
            "result": plain(self.result),
        }


NO_MOVES: Final = LegalMoves([])


def view_of(state: BuffaloState, viewer: Viewer) -> BuffaloView:
    """Returns what a seat, or a spectator (None), sees."""
    outcome = state.outcome
    to_act = () if outcome is not None else (state.position.turn.value,)
    return BuffaloView(
        viewer,
        state.rules,
        state.position,
        to_act,
        state.legal_moves if viewer in to_act else NO_MOVES,
        state.opening,
        state.last_move,
        state.captured,
        None if outcome is None else BuffaloResult.of(outcome),
    )


def view_changes(before: BuffaloState, after: BuffaloState) -> JsonObject:
    """Returns what a move has changed in a view's JSON, legal moves apart, in a game that goes on.

    Args:
        before: The state in which the move was made.
        after: The state that it has led to.
    """
    turn = after.position.turn
    new: dict[str, Json] = {"fen": after.position.fen()}
    if turn is not before.position.turn:
        new["to_act"] = [turn.value]
    if before.opening is not None:
        new["opening"] = plain(after.opening)
    new["last_move"] = str(after.last_move)
    if len(after.position.buffaloes) != len(before.position.buffaloes):
        new["captured"] = list(after.captured)
    return new
