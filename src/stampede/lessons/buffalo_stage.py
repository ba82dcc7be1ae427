"""Lessons of Buffalo: a position by its FEN; every legal move is an answer.

Keys of a step: ``fen``; ``moves``, played before the learner's; ``opening_moves`` (B4.3). Beside events, predicates
know ``wins_in = n`` (the learner forces the win within n moves, this one included), ``holds = n`` (the other side
can't force its own within n moves), and ``piece``.
"""

from __future__ import annotations

from typing import Final

from stampede.buffalo import BuffaloGame, BuffaloRules, BuffaloState, Move, Position, Side
from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_int, expect_list, expect_str
from stampede.lessons.forced_win import ForcedWin
from stampede.lessons.stage import LessonOutcome, Stage

__all__ = ["BuffaloStage"]

GAME: Final = BuffaloGame()
DEPTH: Final = 3
"""How many moves of the other side are looked ahead for the reply to a wrong answer."""


class BuffaloStage(Stage):
    """A step of a lesson of Buffalo."""

    def __init__(self, position: JsonObject) -> None:
        rules = BuffaloRules(
            opening_moves=expect_int(position.get("opening_moves", 1), "opening_moves")
        )
        start = Position.from_fen(expect_str(position.get("fen"), "fen"))
        self._state = BuffaloState.begin(rules, start)
        self._before: list[JsonObject] = []
        self._wins = ForcedWin()
        for text in expect_list(position.get("moves", []), "moves"):
            self._state, events = GAME.apply(
                self._state, self.seat, Move.parse(expect_str(text, "moves"))
            )
            self._before.extend(event.to_json() for event in events)

    @property
    def seat(self) -> int:
        """The learner's seat: the one to move."""
        return self._state.position.turn.value

    def view(self) -> JsonObject:
        """The learner's view."""
        return GAME.view(self._state, self.seat).to_json()

    def before(self) -> tuple[JsonObject, ...]:
        """The moves that led here."""
        return tuple(self._before)

    def cast(self) -> list[str]:
        """Nobody: the sides have names."""
        return []

    def outcomes(self) -> list[LessonOutcome]:
        """Every legal move."""
        found = []
        for move in self._state.legal_moves:
            after, events = GAME.apply(self._state, self.seat, move)
            view = GAME.view(after, None).to_json()
            told = tuple(event.to_json() for event in events)
            found.append(LessonOutcome(str(move), told, view))
        return found

    def holds(self, fact: str, value: Json, outcome: LessonOutcome) -> bool:
        """Whether a fact that no event tells is true of a move."""
        move = Move.parse(str(outcome.action))
        if fact == "piece":
            return str(self._state.position.piece_at(move.from_square)) == value
        moves = expect_int(value, fact)
        after = self._after(move)
        if fact == "wins_in":
            if after.is_over:
                return after.winner is self._state.position.turn
            return self._wins.against_all(after, moves - 1) is not None
        if fact == "holds":
            return after.is_over or self._wins.line(after, moves) is None
        raise InputError(f"expected event, refused, piece, wins_in or holds, got {fact}")

    def refute(self, outcome: LessonOutcome) -> tuple[str, ...]:
        """The line that wins for the other side; else a reply that takes or stops what the move began."""
        move = Move.parse(str(outcome.action))
        after = self._after(move)
        if after.is_over or after.turn is self._state.position.turn:
            return ()
        for moves in range(1, (DEPTH if after.turn is Side.BUFFALO else 1) + 1):
            line = self._wins.line(after, moves)
            if line is not None:
                return tuple(str(step) for step in line)
        replies = list(after.legal_moves)
        safe = [one for one in replies if self._wins.line(after.after(one), DEPTH - 1) is None]
        return (str(max(safe or replies, key=lambda one: _force(after, one))),)

    def _after(self, move: Move) -> Position:
        return GAME.apply(self._state, self.seat, move).state.position


def _force(position: Position, reply: Move) -> int:
    """How strongly a reply meets the other side: it takes, it blocks, or, as a buffalo, it is close to the far bank."""
    if position.turn is Side.BUFFALO:
        return -reply.to_square.rank
    if position.is_capture(reply):
        return 2
    return int(reply.to_square in {square - len(FILES) for square in position.buffaloes})
