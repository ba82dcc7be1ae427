"""What the terminal needs to know of a game, beside its rules.

A face shows views, never states: what it prints is what the seat in front of the screen may know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from stampede.core.events import Event
from stampede.core.game import Game, Outcome, Seat, Viewer
from stampede.core.playthrough import Playthrough

__all__ = ["AnyGameTerminal", "AnyPlaythrough", "GameTerminal", "Names", "heading"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")
V = TypeVar("V")

Names: TypeAlias = Sequence[str]
"""The players' names, by seat."""


class GameTerminal(ABC, Generic[R, S, A, D, V]):
    """One game in a terminal."""

    name: ClassVar[str]
    """The game's name."""
    game: Game[R, S, A, D]
    can_undo: ClassVar[bool]
    """Whether a move may be taken back: not where it would tell what was hidden."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """What a seat or a spectator may know."""

    @abstractmethod
    def titles(self, rules: R) -> tuple[str, ...]:
        """What each seat is called as long as nobody gives it a name."""

    @abstractmethod
    def is_secret(self, state: S) -> bool:
        """Whether the answers that are awaited now are sealed."""

    @abstractmethod
    def sealed_seats(self, state: S) -> tuple[Seat, ...]:
        """The seats whose sealed answers lie on the table: a record doesn't hold them yet."""

    @abstractmethod
    def take_back(self) -> A | None:
        """The action that opens an own sealed answer again; None when there is no such action."""

    @abstractmethod
    def screen(self, view: V, names: Names, width: int) -> RenderableType:
        """The table or board as the viewer sees it."""

    @abstractmethod
    def story(self, events: Sequence[Event], names: Names) -> list[RenderableType]:
        """What happened, in short: a line or two for each thing that matters."""

    @abstractmethod
    def explain(self, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, with all reasons and clauses."""

    @abstractmethod
    def question(self, view: V, names: Names) -> Text:
        """What the viewer is asked, with an example of an answer."""

    @abstractmethod
    def moves(self, view: V, width: int) -> RenderableType:
        """The viewer's legal answers, and how to type them."""

    @abstractmethod
    def parse(self, view: V, text: str) -> A:
        """The action that the viewer typed; ParseError when it is none, or isn't clear."""

    @abstractmethod
    def echo(self, action: A) -> str:
        """An action in words, to be confirmed before it is sealed."""

    @abstractmethod
    def summary(self, view: V, outcome: Outcome, names: Names) -> RenderableType:
        """The result of a game that is over."""


AnyGameTerminal: TypeAlias = GameTerminal[Any, Any, Any, Any, Any]
"""The face of a game whose types the caller doesn't know."""

AnyPlaythrough: TypeAlias = Playthrough[Any, Any, Any, Any]
"""A game in progress whose types the caller doesn't know."""


def heading(title: str) -> Rule:
    """A line across with a title, above a table, a board or a story."""
    return Rule(Text(title, "bold"), align="left", style="dim")
