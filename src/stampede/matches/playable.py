"""What the composition root hands in: a game that tables can be opened for, and its series.

The authority knows no game by name. Whatever differs between games and isn't in the contract of `stampede.core.game`
stands here as data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias

from stampede.core.errors import RuleSetError
from stampede.core.game import AnyGame, GameSpec, Seat
from stampede.core.json import JsonObject

__all__ = ["REMATCH", "Playable", "Player", "Rematch", "Series", "SeriesSpec"]

Player: TypeAlias = int
"""One of the people (or bots) at a table, counted from 0: a chair. In some series players change seats between games,
so a player isn't a seat."""

REMATCH: Final = "rematch"
"""The series that every game has: the same again."""


class Series(Protocol):
    """Where a series of games stands. A value: `after` returns the series with one more result."""

    @property
    def seating(self) -> tuple[Player, ...]:
        """By seat: who sits there in the next game."""

    @property
    def winner(self) -> Player | None:
        """Who has won the series; None while it goes on, or when it has no winner."""

    @property
    def chooser(self) -> Seat | None:
        """The seat whose player has something to choose before the next game; None when nothing is due."""

    def default_choice(self) -> tuple[str, ...]:
        """What a bot chooses there."""

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        """The next game's rule set, as in a record; RuleSetError when the choice isn't the one due."""

    def after(self, winners: tuple[Seat, ...], /) -> Series:
        """The series after one more game, won by these seats."""

    def to_json(self) -> JsonObject:
        """The series for everybody's eyes: its name under ``series``, and where it stands."""


SeriesSpec: TypeAlias = Callable[[JsonObject, int], Series]
"""Begins a series: from a table's rule set and its number of players."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The same game again, on the same seats, as often as people like."""

    same: JsonObject
    players: int
    games: int = 0

    @property
    def seating(self) -> tuple[Player, ...]:
        """Nobody changes seats."""
        return tuple(range(self.players))

    @property
    def winner(self) -> Player | None:
        """Nobody."""
        return None

    @property
    def chooser(self) -> Seat | None:
        """Nothing is to choose."""
        return None

    def default_choice(self) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        """The same rule set."""
        if choice:
            raise RuleSetError(f"choice: expected none in a rematch, got {', '.join(choice)}")
        return self.same

    def after(self, winners: tuple[Seat, ...], /) -> Rematch:
        """One game more."""
        del winners
        return Rematch(self.same, self.players, self.games + 1)

    def to_json(self) -> JsonObject:
        """The number of games played."""
        return {"series": REMATCH, "games": self.games}


@dataclass(frozen=True, slots=True)
class Playable:
    """A game as tables are opened for it.

    Attributes:
        spec: The registry's entry: the rules.
        levels: The bots' levels that may sit at a table, or take over a seat; the first is the usual substitute.
        series: The game's own series by name, beside the rematch.
        open_information: Whether nothing is ever hidden, so that an undo tells nobody a secret. False is the safe side.
            Views differ in two parts only: ``viewer``, and ``legal``, which is null for whoever isn't asked.
        round_of: The round that a state is in, for clocks by the round; None when the game has no rounds.
        changes: What an action has changed in a spectator's view in JSON, legal actions apart, when the game goes on:
            from the states before and after. For games of open information; None: views are compared.
        game: The rules.
    """

    spec: GameSpec
    levels: tuple[str, ...] = ("random",)
    series: Mapping[str, SeriesSpec] = field(default_factory=lambda: MappingProxyType({}))
    open_information: bool = False
    # A state's type is known to its game only.
    round_of: Callable[[Any], int] | None = None
    changes: Callable[[Any, Any], JsonObject] | None = None
    game: AnyGame = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Has the rules at hand."""
        object.__setattr__(self, "game", self.spec.game)

    def begin_series(self, name: str, rules: JsonObject, players: int) -> Series:
        """A new series of that name; KeyError when the game hasn't such a one."""
        return Rematch(rules, players) if name == REMATCH else self.series[name](rules, players)
