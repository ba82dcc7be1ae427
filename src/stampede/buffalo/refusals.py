"""Why a move isn't allowed: the sentence and the clause that a player gets to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stampede.buffalo.actions import Move
from stampede.buffalo.geometry import AHEAD, BETWEEN, BIT, STEPS, Square
from stampede.buffalo.pieces import Piece
from stampede.core.errors import ActionError, GameOver, IllegalAction
from stampede.core.game import Outcome

if TYPE_CHECKING:
    from stampede.buffalo.position import Position

__all__ = ["game_over", "refusal"]


def refusal(position: Position, move: Move) -> ActionError:
    """The error for a move that `Position.is_legal` has refused."""
    if (outcome := position.outcome()) is not None:
        return game_over(outcome)
    start, end = move.from_square, move.to_square
    piece = position.piece_at(start)
    if piece is None:
        return IllegalAction(f"there is no piece on {start} to move", "B2.1")
    if piece.side is not position.turn:
        return IllegalAction(
            f"it's the turn of {position.turn}, but {start} holds a {piece}", "B2.1"
        )
    if start == end:
        return IllegalAction(f"{start}{end} moves nothing, and nobody may pass", "B2.1")
    match piece:
        case Piece.BUFFALO:
            return _buffalo(position, start, end)
        case Piece.DOG:
            return _dog(position, start, end)
        case Piece.CHIEF:
            return _chief(start, end)


def game_over(outcome: Outcome) -> GameOver:
    """The error for any move after this end."""
    if outcome.reason == "crossed":
        return GameOver("the game has ended: a buffalo has reached rank 1", "B3.1")
    return GameOver("the game has ended: no buffalo can move", "B3.2")


def _buffalo(position: Position, start: Square, end: Square) -> IllegalAction:
    ahead = AHEAD[start]
    assert ahead is not None, "a buffalo on rank 1 has ended the game"
    if end != ahead:
        way = f"from {start} to {ahead}"
        return IllegalAction(
            f"a buffalo moves one square straight ahead, {way}, not to {end}", "B2.2"
        )
    blocker = position.piece_at(ahead)
    return IllegalAction(f"{start} is blocked by the {blocker} on {ahead}", "B2.5")


def _dog(position: Position, start: Square, end: Square) -> IllegalAction:
    if not end.in_prairie:
        return IllegalAction(
            f"a dog stays on the prairie, ranks 2 to 6, and {end} is outside", "B2.3"
        )
    between = BETWEEN[start].get(end)
    if between is None:
        return IllegalAction(
            f"a dog moves in a straight line, and {end} isn't in line with {start}", "B2.3"
        )
    for square, piece in position.pieces.items():
        if between & BIT[square]:
            return IllegalAction(
                f"a dog never jumps, and a {piece} stands between on {square}", "B2.3"
            )
    return IllegalAction(
        f"a dog never captures, and {end} holds a {position.piece_at(end)}", "B2.3"
    )


def _chief(start: Square, end: Square) -> IllegalAction:
    if not end.in_prairie:
        return IllegalAction(
            f"the chief stays on the prairie, ranks 2 to 6, and {end} is outside", "B2.4"
        )
    if end not in STEPS[start]:
        return IllegalAction(f"the chief moves one square, and {end} isn't next to {start}", "B2.4")
    return IllegalAction(f"the chief may not enter {end}: a dog stands there", "B2.4")
