"""Buffalo in a terminal."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text

from stampede.buffalo import (
    BuffaloGame,
    BuffaloRules,
    BuffaloState,
    BuffaloView,
    LadderSeries,
    LegalMoves,
    Move,
    Piece,
    Position,
)
from stampede.buffalo.describe import describe
from stampede.buffalo.events import Blocked, Moved
from stampede.buffalo.geometry import FILES
from stampede.buffalo.pieces import Side
from stampede.buffalo.series import BuffaloSeries
from stampede.cli.terminal.base import GameTerminal, Names, bare_table, heading
from stampede.cli.terminal.buffalo_board import board
from stampede.core.errors import ParseError
from stampede.core.events import Event
from stampede.core.game import Outcome
from stampede.core.series import Series
from stampede.games import BUFFALO

__all__ = ["BuffaloTerminal", "parse_move"]

ENDS = {
    "crossed": "a buffalo has crossed the prairie (B3.1)",
    "no_move": "no buffalo can move (B3.2)",
    "resigned": "the other side has resigned",
    "time": "time is up",
}
FULL = re.compile(r"([a-k][1-7])\s*-?\s*([a-k][1-7])")
SHORT = re.compile(r"(?:(c|chief|d|dog)\s*)?([a-k][1-7])")
PIECES = {"c": Piece.CHIEF, "d": Piece.DOG}


class _DealtBuffalo(BuffaloGame):
    def __init__(self, start: Position) -> None:
        self.start = start

    def draw(self, rules: BuffaloRules, rng: random.Random) -> Position:
        del rules, rng
        return self.start


class BuffaloTerminal(GameTerminal[BuffaloRules, BuffaloState, Move, Position, BuffaloView]):
    """Buffalo in a terminal: one board for both sides."""

    spec = BUFFALO
    tablebase_levels: ClassVar[frozenset[str]] = frozenset({f"{BUFFALO.name}-10"})
    easier: ClassVar[str] = (
        "A head start helps: `--removed a` for the hunter, `--opening-moves 2` for the buffaloes."
    )

    def __init__(self) -> None:
        self.game: BuffaloGame = BuffaloGame()

    def with_deal(self, deal: Position) -> BuffaloGame:
        """Returns the game with this start."""
        return _DealtBuffalo(deal)

    def titles(self, rules: BuffaloRules) -> tuple[str, ...]:
        """Returns the two sides."""
        del rules
        return ("Buffalo side", "Hunter")

    # --- showing ---

    def screen(self, view: BuffaloView, names: Names, width: int) -> RenderableType:
        """Draws the board, and names what has been captured."""
        del names, width
        parts: list[RenderableType] = [heading("The board"), board(view.position, view.last_move)]
        if view.captured:
            parts.append(Text(f"Captured: the buffaloes of {', '.join(view.captured)}", "dim"))
        return Group(*parts)

    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """Tells every move and what followed."""
        return [
            Text(f"{names[event.seat]}: {event.move}")
            if isinstance(event, Moved)
            else Text(f"  {describe(event)}")
            for event in events
            if not isinstance(event, Blocked)
        ]

    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """Tells what happened with all reasons and clauses."""
        del names
        return [describe(event) for event in events]

    def summary(self, view: BuffaloView, outcome: Outcome, names: Names) -> RenderableType:
        """Names the winner, and why."""
        del view
        return Text(f"{names[outcome.winners[0]]} wins: {ENDS[outcome.reason]}.", "bold")

    # --- asking ---

    def question(self, view: BuffaloView, names: Names) -> Text:
        """Asks for a move, with an example."""
        assert view.viewer is not None, "a player is asked"
        text = Text.assemble((f"{names[view.viewer]}: ", "bold"))
        opening = view.opening
        if opening is not None:
            text.append(f"{opening.left} opening steps to make, each by another buffalo (B4.3). ")
        first = next(iter(view.legal))
        like = first.from_square.file_name if view.viewer == Side.BUFFALO else str(first)
        return text.append("your move? Such as: ").append(like, "bold")

    def moves(self, view: BuffaloView) -> RenderableType:
        """Lists the legal moves, piece by piece."""
        rows = bare_table()
        position = view.position
        for start, ends in view.legal.destinations().items():
            rows.add_row(f"{position.piece_at(start)} {start}", " ".join(map(str, ends)))
        return rows

    def parse(self, view: BuffaloView, text: str) -> Move:
        """Reads the move that the viewer typed."""
        return parse_move(view.position, view.legal, text)

    def echo(self, action: Move) -> str:
        """Returns the move's text."""
        return str(action)

    # --- series ---

    def standing(self, series: Series, players: Names) -> str:
        """Tells the next game's handicap or sides, or the winner of a match on both sides."""
        assert isinstance(series, BuffaloSeries), "a series of Buffalo"
        if series.winner is not None:
            return f"{players[series.winner]} has won on both sides, and the match (B4.4)."
        if not isinstance(series, LadderSeries):
            return f"Game {series.game_number}: the sides are swapped (B4.4)."
        rung = series.rung
        if rung > 0:
            fewer = f"{rung} {'buffalo' if rung == 1 else 'buffaloes'} fewer"
            return f"Rung {rung}: the next game has {fewer} (B4.2)."
        if rung < 0:
            return f"Rung {rung}: the buffalo side opens with {1 - rung} steps (B4.3)."
        return "Rung 0: the next game has no handicap (B4.1)."

    def ask_choice(self, series: Series) -> str:
        """Asks which buffaloes stay out (B4.2)."""
        assert isinstance(series, BuffaloSeries), "a series of Buffalo"
        return f"which {series.due} files start without a buffalo?"

    def parse_choice(self, text: str) -> tuple[str, ...]:
        """Reads files such as ``a,k`` or ``ak``."""
        files = super().parse_choice(text)
        return tuple(files[0]) if len(files) == 1 else files


def parse_move(position: Position, legal: LegalMoves, text: str) -> Move:
    """Reads a move: ``a7a6``, ``a`` for a buffalo's only step, ``e3`` or ``c e3`` where that is clear.

    A full move may be illegal: the rules say why.

    Raises:
        ParseError: The text is no move, or is ambiguous.
    """
    wanted = text.strip().lower()
    if found := FULL.fullmatch(wanted):
        return Move.parse(found[1] + found[2])
    if len(wanted) == 1 and wanted in FILES:
        return _step(position, legal, wanted)
    if found := SHORT.fullmatch(wanted):
        return _move_to(position, legal, found[1], found[2])
    raise ParseError(f"expected a move such as a7a6, or a word such as help, got {text!r}")


def _step(position: Position, legal: LegalMoves, file: str) -> Move:
    for square in position.buffaloes:
        if square.file_name == file:
            step = Move.parse(f"{square}{file}{max(square.rank - 1, 1)}")
            return next((move for move in legal if move.from_square == square), step)
    raise ParseError(f"expected a file with a buffalo ({position.files}), got {file!r}")


def _move_to(position: Position, legal: LegalMoves, piece: str | None, square: str) -> Move:
    moves = [move for move in legal if str(move.to_square) == square]
    if piece is not None:
        kind = PIECES[piece[0]]
        moves = [move for move in moves if position.piece_at(move.from_square) is kind]
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise ParseError(f"several pieces can go to {square}: {', '.join(map(str, moves))}")
    raise ParseError(f"nothing of yours can go to {square}; `moves` lists what can be done")
