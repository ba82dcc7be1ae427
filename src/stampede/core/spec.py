"""Everything that differs between games, as data: the server, the terminal and the client read it from here.

No code outside a game's own package and the registry (`stampede.games`) asks for a game by its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from stampede.core.game import AnyGame
from stampede.core.json import Json, JsonObject
from stampede.core.series import REMATCH, Series, SeriesSpec

__all__ = ["GameSpec", "OptionKind", "RatingBoard", "RuleOption"]


class OptionKind(Enum):
    """What kind of value a rule option takes."""

    FLAG = "flag"
    """True or false."""
    NUMBER = "number"
    """A whole number between a minimum and a maximum."""
    CHOICE = "choice"
    """One of a list of words."""
    SUBSET = "subset"
    """Some of a list of words, at most a maximum of them."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One key of a game's rule set.

    Attributes:
        name: The key in a record's ``rules``.
        kind: What kind of value it takes.
        default: The value of an ordinary game.
        text: What it does, in a sentence.
        clause: The rule behind it, such as ``Z11.1``; empty when there is none.
        minimum: The smallest number, for a number.
        maximum: The largest number, or the most words of a subset.
        choices: The words of a choice or a subset.
        handicap: Whether it makes the game easier for one side.
    """

    name: str
    kind: OptionKind
    default: Json
    text: str
    clause: str = ""
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    handicap: bool = False


@dataclass(frozen=True, slots=True)
class RatingBoard:
    """What a player is rated on: a pool of games that count together, and the side where sides differ.

    Attributes:
        name: Its id, such as ``zoff-4`` or ``buffalo-hunter-0``.
        game: The game's name.
        players: How many play.
        side: The name of the seat's side; None in games without sides.
        rung: The handicap of the pool's games; None in games without handicaps.
    """

    name: str
    game: str
    players: int
    side: str | None = None
    rung: int | None = None

    @property
    def pool(self) -> str:
        """The games that count together."""
        return self.name if self.rung is None else f"{self.game}-{self.rung}"


def _rate_nothing(rules: object) -> None:
    """The rating boards of a game that isn't rated."""
    del rules


@dataclass(frozen=True, slots=True)
class GameSpec:
    """A game: its rules, and all that the rest of the program needs to know about it.

    Attributes:
        game: The rules.
        title: Its name for people.
        seats: The numbers of seats that it can be played with.
        default_rules: The ordinary rule set for a number of players, as in a record.
        options: The keys of its rule set.
        series: The series that tables offer, the usual one first.
        sides: The names of its seats where these play different roles; empty where all seats are alike.
        open_information: Whether nothing is ever hidden. Then views differ in two keys only, ``viewer`` and ``legal``
            (null for viewers who aren't to act), and moves can be taken back. False is the safe default.
        round_of: The round of a state, for clocks by the round; None when the game has no rounds.
        changes: The keys of a spectator's view that an action changed, ``legal`` apart, from the states before and
            after, while the game goes on. Only for games of open information; None: views are compared.
        rating_boards: Every board that its players can be rated on.
        rating_boards_of: The boards of a game with these rules, by seat; None when such a game isn't rated.
        rules_type: The type of its rule sets, for the schema.
        view_type: The type of a view, for the schema.
        event_type: The union of its events, for the schema.
        action_type: The type of an action in JSON, for the schema.
    """

    game: AnyGame
    title: str
    seats: tuple[int, ...]
    default_rules: Callable[[int], JsonObject]
    options: tuple[RuleOption, ...] = ()
    series: tuple[SeriesSpec, ...] = (REMATCH,)
    sides: tuple[str, ...] = ()
    open_information: bool = False
    # Only the game itself knows the types of its states and rules.
    round_of: Callable[[Any], int] | None = None
    changes: Callable[[Any, Any], JsonObject] | None = None
    rating_boards: tuple[RatingBoard, ...] = ()
    rating_boards_of: Callable[[Any], tuple[RatingBoard, ...] | None] = _rate_nothing
    rules_type: object = field(kw_only=True)
    view_type: object = field(kw_only=True)
    event_type: object = field(kw_only=True)
    action_type: object = field(kw_only=True)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        """Takes the name from the rules."""
        object.__setattr__(self, "name", self.game.name)

    @property
    def variants(self) -> tuple[str, ...]:
        """The rule options that are switched on or off."""
        return tuple(option.name for option in self.options if option.kind is OptionKind.FLAG)

    @property
    def forfeits(self) -> frozenset[str]:
        """The reasons by which a game can end outside the rules, such as ``resigned``."""
        return self.game.forfeits

    @property
    def undo(self) -> bool:
        """Whether moves can be taken back: only where that tells no secret."""
        return self.open_information

    @property
    def rounds(self) -> bool:
        """Whether the game is played in rounds."""
        return self.round_of is not None

    @property
    def clock_kinds(self) -> tuple[str, ...]:
        """The kinds of clock that make sense."""
        return ("none", "move", "round", "days") if self.rounds else ("none", "move", "days")

    def begin_series(self, name: str, rules: JsonObject, players: int) -> Series:
        """Begins the series of that name; KeyError when the game has none of that name."""
        found = {spec.name: spec for spec in self.series}
        return found[name].begin(rules, players)
