"""Series: several games in a row at one table, and how one game's result shapes the next.

A series is a value that a table asks before every game: who sits where, by which rules, and whether a player has
something to choose. Every game has the rematch; a game's package brings its own (`stampede.buffalo.series`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from stampede.core.errors import RuleSetError
from stampede.core.events import JsonFields
from stampede.core.game import Seat
from stampede.core.json import JsonObject

__all__ = ["REMATCH", "Player", "Rematch", "RematchStanding", "Series", "SeriesSpec"]

Player: TypeAlias = int
"""One of the people or bots at a table, counted from 0. Players may change seats between games, so a player isn't a
seat."""


class Series(Protocol):
    """The state of a series between two games. A value: `after` returns the series with one more result."""

    @property
    def seating(self) -> tuple[Player, ...]:
        """The next game's player for each seat."""

    @property
    def winner(self) -> Player | None:
        """The winner of the series; None while it goes on, or when it has none."""

    @property
    def chooser(self) -> Seat | None:
        """The seat whose player has to choose something before the next game; None when nothing is due."""

    def default_choice(self) -> tuple[str, ...]:
        """What a bot chooses."""

    def rules(self, choice: tuple[str, ...], /) -> JsonObject:
        """The next game's rule set, as in a record; RuleSetError when the choice isn't the one due."""

    def after(self, winners: tuple[Seat, ...], /) -> Series:
        """The series after one more game, won by these seats."""

    def standing(self) -> JsonFields:
        """The series as every viewer sees it: its name under ``series``, its standing, and the ``chooser``."""

    def to_json(self) -> JsonObject:
        """The series as records keep it: its name under ``series``, and its results."""


@dataclass(frozen=True, slots=True)
class SeriesSpec:
    """A kind of series that a game can be played in.

    Attributes:
        name: Its name in a table's settings.
        title: Its name for people.
        begin: Begins a series, from a table's rule set and its number of players.
        handicap: Whether results change the next game's rules.
        swaps_seats: Whether players change seats between games.
        choice: The rule option that a player may have to choose before a game; empty when there is none.
        standing_type: The type of its standing, for the schema.
    """

    name: str
    title: str
    begin: Callable[[JsonObject, int], Series]
    handicap: bool = False
    swaps_seats: bool = False
    choice: str = ""
    standing_type: object = None


@dataclass(frozen=True, slots=True)
class RematchStanding(JsonFields):
    """Where a rematch stands.

    Attributes:
        games: How many games have been played.
        chooser: None: there is nothing to choose.
    """

    series: Literal["rematch"] = field(default="rematch", kw_only=True)
    games: int
    chooser: Seat | None = None


@dataclass(frozen=True, slots=True)
class Rematch:
    """The same game again on the same seats, as often as the players like."""

    same: JsonObject
    players: int
    games: int = 0

    @property
    def seating(self) -> tuple[Player, ...]:
        """Players keep their seats."""
        return tuple(range(self.players))

    @property
    def winner(self) -> Player | None:
        """A rematch has no overall winner."""
        return None

    @property
    def chooser(self) -> Seat | None:
        """There is nothing to choose."""
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
        """Counts one more game."""
        del winners
        return Rematch(self.same, self.players, self.games + 1)

    def standing(self) -> RematchStanding:
        """The number of games played."""
        return RematchStanding(self.games)

    def to_json(self) -> JsonObject:
        """The number of games played."""
        return {"series": REMATCH.name, "games": self.games}


REMATCH: Final = SeriesSpec("rematch", "Rematch", Rematch, standing_type=RematchStanding)
"""The series that every game has."""
