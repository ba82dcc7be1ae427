"""The state of a game: a position, how it began, and how far an opening turn has got."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.buffalo.actions import LegalMoves, Move
from stampede.buffalo.pieces import Side
from stampede.buffalo.position import Position
from stampede.buffalo.rules import BuffaloRules
from stampede.core.errors import RuleSetError
from stampede.core.events import JsonFields
from stampede.core.game import Outcome

__all__ = ["BuffaloState", "Opening"]


@dataclass(frozen=True, slots=True)
class Opening(JsonFields):
    """An opening turn of several steps that is under way (B4.3).

    Attributes:
        left: How many steps are still to be made.
        stepped: The files whose buffaloes have stepped, in the order of the steps.
    """

    left: int
    stepped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class BuffaloState:
    """All there is to know of a game in progress.

    Attributes:
        rules: Its rule set.
        start: The position in which it began.
        position: The position now.
        opening: The opening turn while it is under way; None in all ordinary turns.
        last_move: The move that led here.
        outcome: How it ended; None while it runs.
    """

    rules: BuffaloRules
    start: Position
    position: Position
    opening: Opening | None = None
    last_move: Move | None = None
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        return f"<BuffaloState: {self.position!r}>"

    @classmethod
    def begin(cls, rules: BuffaloRules, start: Position) -> BuffaloState:
        """The state before the first move; RuleSetError when start and rule set don't fit together."""
        present = [file for file in rules.removed if file in start.files]
        if present:
            files = ", ".join(present)
            raise RuleSetError(
                f"expected a start without the removed buffaloes, got one on {files}"
            )
        if rules.opening_moves == 1:
            return cls(rules, start, start, outcome=start.outcome())
        if start.turn is Side.HUNTER:
            raise RuleSetError(
                f"expected the buffalo side to move in a start with {rules.opening_moves} opening"
                " moves (B4.3), got the hunter"
            )
        return cls(rules, start, start, Opening(rules.opening_moves), outcome=start.outcome())

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; in an opening turn only those of buffaloes that haven't stepped in it."""
        moves = self.position.legal_moves
        if self.opening is None:
            return moves
        stepped = self.opening.stepped
        return LegalMoves(
            [move for move in moves if move.from_square.file_name not in stepped],
            self.position,
            stepped,
        )

    @property
    def captured(self) -> tuple[str, ...]:
        """The files whose buffaloes have been captured."""
        if len(self.position.buffaloes) == len(self.start.buffaloes):
            return ()
        present = self.position.files
        return tuple(file for file in self.start.files if file not in present)
