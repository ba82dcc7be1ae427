"""What the terminal knows about a game, beside its rules and its `GameSpec`.

A `GameTerminal` shows views, never states: it prints what the seat in front of the screen may know, nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from rich.console import RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from stampede.core.events import Event
from stampede.core.game import Game, Outcome, Seat
from stampede.core.json import JsonObject
from stampede.core.playthrough import AnyPlaythrough
from stampede.core.series import Series
from stampede.core.spec import GameSpec

__all__ = ["AnyGameTerminal", "AnyPlaythrough", "GameTerminal", "Names", "bare_table", "heading"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")
V = TypeVar("V")

Names: TypeAlias = Sequence[str]
"""The players' names, by seat."""


class GameTerminal(ABC, Generic[R, S, A, D, V]):
    """One game in a terminal: shows its views and events, and reads typed answers."""

    spec: GameSpec
    game: Game[R, S, A, D]
    tablebase_levels: ClassVar[frozenset[str]] = frozenset()
    """The bots that use tablebases, which a game builds in the background while it runs."""
    easier: ClassVar[str] = ""
    """How a game against the weakest level becomes easier, in a sentence."""

    @abstractmethod
    def with_deal(self, deal: D) -> Game[R, S, A, D]:
        """Returns the game with this deal in place of a drawn one."""

    @abstractmethod
    def titles(self, rules: R) -> tuple[str, ...]:
        """Returns what each seat is called when its player has no name."""

    def rule_set(self, players: int, switches: JsonObject) -> JsonObject:
        """Returns the rule set of a new game for a number of players with these variants, as in a record."""
        return self.spec.new_rules(players, switches)

    # --- secrets ---

    def is_secret(self, view: V) -> bool:
        """Returns whether the awaited answers are sealed."""
        del view
        return False

    def sealed_seats(self, view: V) -> tuple[Seat, ...]:
        """Returns the seats whose sealed answers are still hidden; a record doesn't hold those yet."""
        del view
        return ()

    def take_back(self) -> A | None:
        """Returns the action that reopens one's own sealed answer; None if the game has none."""
        return None

    # --- showing ---

    @abstractmethod
    def screen(self, view: V, names: Names, width: int) -> RenderableType:
        """Draws the table or board as the viewer sees it."""

    @abstractmethod
    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """Tells what happened in short: a line or two for each thing that matters."""

    @abstractmethod
    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """Tells what happened with all reasons and clauses."""

    @abstractmethod
    def summary(self, view: V, outcome: Outcome, names: Names) -> RenderableType:
        """Shows the result of a finished game."""

    # --- asking ---

    @abstractmethod
    def question(self, view: V, names: Names) -> Text:
        """Asks the viewer for an answer, with an example."""

    @abstractmethod
    def moves(self, view: V) -> RenderableType:
        """Lists the viewer's legal answers, and how to type them."""

    @abstractmethod
    def parse(self, view: V, text: str) -> A:
        """Reads the action that the viewer typed; ParseError if it is none or ambiguous."""

    @abstractmethod
    def echo(self, action: A) -> str:
        """Puts an action into words, for the player to confirm before it is sealed."""

    # --- series ---

    def standing(self, series: Series, players: Names) -> str:
        """Tells how a series stands after a game."""
        del series, players
        return "The next game of the series."

    def ask_choice(self, series: Series) -> str:
        """Asks what a player has to choose before the next game of a series."""
        del series
        return "your choice for the next game?"

    def parse_choice(self, text: str) -> tuple[str, ...]:
        """Reads the answer to `ask_choice`; the series checks it."""
        return tuple(text.lower().replace(",", " ").split())


AnyGameTerminal: TypeAlias = GameTerminal[Any, Any, Any, Any, Any]
"""The terminal of a game whose types the caller doesn't know."""


def heading(title: str) -> Rule:
    """Returns a line across the screen with a title."""
    return Rule(Text(title, "bold"), align="left", style="dim")


def bare_table(*, gap: int = 2) -> Table:
    """Returns a table without a frame and a header: rows of words below each other."""
    return Table(box=None, show_header=False, padding=(0, gap, 0, 0), pad_edge=False)
