"""Buffalo in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from stampede.buffalo import BuffaloGame, BuffaloRules, BuffaloState, BuffaloView, Move, Position
from stampede.buffalo.describe import describe
from stampede.buffalo.events import Blocked, Moved
from stampede.buffalo.pieces import Side
from stampede.cli.terminal.base import GameTerminal, Names, heading
from stampede.cli.terminal.buffalo_board import board
from stampede.cli.terminal.buffalo_input import parse_move
from stampede.core.events import Event
from stampede.core.game import Outcome, Seat, Viewer

__all__ = ["BuffaloTerminal"]

ENDS = {
    "crossed": "a buffalo has crossed the prairie (B3.1)",
    "no_move": "no buffalo can move (B3.2)",
    "resigned": "the other side has resigned",
    "time": "time is up",
}


class BuffaloTerminal(GameTerminal[BuffaloRules, BuffaloState, Move, Position, BuffaloView]):
    """Buffalo in a terminal: one board for both."""

    name: ClassVar[str] = BuffaloGame.name
    can_undo: ClassVar[bool] = True

    def __init__(self) -> None:
        self.game: BuffaloGame = BuffaloGame()

    def view(self, state: BuffaloState, viewer: Viewer) -> BuffaloView:
        """The view of a seat or a spectator; nothing is hidden."""
        return self.game.view(state, viewer)

    def titles(self, rules: BuffaloRules) -> tuple[str, ...]:
        """The two sides."""
        del rules
        return ("Buffalo side", "Hunter")

    def is_secret(self, state: BuffaloState) -> bool:
        """Never: everything is open."""
        del state
        return False

    def sealed_seats(self, state: BuffaloState) -> tuple[Seat, ...]:
        """None ever."""
        del state
        return ()

    def take_back(self) -> None:
        """Nothing is sealed; `undo` takes moves back."""

    def screen(self, view: BuffaloView, names: Names, width: int) -> RenderableType:
        """The board, and what has been captured."""
        del names, width
        state = view.state
        parts: list[RenderableType] = [
            heading("The board"),
            board(state.position, state.last_move),
        ]
        if state.captured:
            parts.append(Text(f"Captured: the buffaloes of {', '.join(state.captured)}", "dim"))
        return Group(*parts)

    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """Every move with what followed."""
        lines: list[RenderableType] = []
        for event in events:
            if isinstance(event, Moved):
                lines.append(Text(f"{names[event.seat]}: {event.move}"))
            elif not isinstance(event, Blocked):
                lines.append(Text(f"  {describe(event)}"))
        return lines

    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, with all reasons and clauses."""
        del names
        return [describe(event) for event in events]

    def question(self, view: BuffaloView, names: Names) -> Text:
        """Whose move it is, with an example."""
        assert view.viewer is not None, "a player is asked"
        text = Text.assemble((f"{names[view.viewer]}: ", "bold"))
        opening = view.state.opening
        if opening is not None:
            text.append(f"{opening.left} opening steps to make, each by another buffalo (B4.3). ")
        first = next(iter(view.state.legal_moves))
        like = first.from_square.file_name if view.viewer == Side.BUFFALO else str(first)
        return text.append("your move? Such as: ").append(like, "bold")

    def moves(self, view: BuffaloView, width: int) -> RenderableType:
        """The legal moves, piece by piece."""
        del width
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        position = view.state.position
        for start, ends in view.state.legal_moves.destinations().items():
            rows.add_row(f"{position.piece_at(start)} {start}", " ".join(map(str, ends)))
        return rows

    def parse(self, view: BuffaloView, text: str) -> Move:
        """The move that the viewer typed."""
        return parse_move(view.state.position, view.state.legal_moves, text)

    def echo(self, action: Move) -> str:
        """The move's text."""
        return str(action)

    def summary(self, view: BuffaloView, outcome: Outcome, names: Names) -> RenderableType:
        """Who has won, and why."""
        del view
        return Text(f"{names[outcome.winners[0]]} wins: {ENDS[outcome.reason]}.", "bold")
