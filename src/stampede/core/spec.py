"""Everything that differs between games, as data: the server, the terminal and the client read it from here.

No code outside a game's own package and the registry (`stampede.games`) asks for a game by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from stampede.core.drawing import Drawing
from stampede.core.errors import RuleSetError
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
        default: The value of a new game, where the option matters.
        text: What it does, in a sentence.
        clause: The rule behind it, such as ``Z11.1``; empty when there is none.
        minimum: The smallest number, for a number.
        maximum: The largest number, or the most words of a subset.
        choices: The words of a choice or a subset.
        handicap: Whether it makes the game easier for one side.
        house: Whether it is a house rule: a flag that says how a table reads a clause on which the sources disagree. A
            rule set names it only where it is on.
        needs: The flag without which a house rule does nothing; empty when there is none.
        players: The numbers of players for which a house rule matters; empty for all.
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
    house: bool = False
    needs: str = ""
    players: tuple[int, ...] = ()

    def matters(self, rules: JsonObject, players: int) -> bool:
        """Whether a house rule changes anything in a game by these rules with so many players."""
        fits = not self.players or players in self.players
        return fits and (not self.needs or rules.get(self.needs) is True)

    def read(self, value: object) -> Json:
        """Checks a value that a person gave; RuleSetError says what is expected.

        A subset may be a text: ``"f"``, ``"f, g"`` and ``["f", "g"]`` are alike.
        """
        match self.kind:
            case OptionKind.FLAG if isinstance(value, bool):
                return value
            case OptionKind.NUMBER if isinstance(value, int) and not isinstance(value, bool):
                if (
                    (self.minimum or 0)
                    <= value
                    <= (value if self.maximum is None else self.maximum)
                ):
                    return value
            case OptionKind.CHOICE if isinstance(value, str) and value in self.choices:
                return value
            case OptionKind.SUBSET if isinstance(value, Iterable):
                words = value.replace(",", " ").split() if isinstance(value, str) else list(value)
                if set(words) <= set(self.choices):
                    return words
        raise RuleSetError(f"{self.name}: expected {self.expected}, got {value!r}")

    @property
    def expected(self) -> str:
        """The values that it takes, in words."""
        match self.kind:
            case OptionKind.FLAG:
                return "True or False"
            case OptionKind.NUMBER:
                return f"a whole number from {self.minimum} to {self.maximum}"
            case OptionKind.CHOICE:
                return " or ".join(self.choices)
            case OptionKind.SUBSET:
                return f"some of {', '.join(self.choices)}"


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


def _no_colours(players: int) -> tuple[str, ...]:
    """The colours of a game that has none."""
    del players
    return ()


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
        sealed: Whether the answers to a state's decision stay hidden until all have answered; None: in every state,
            unless all information is open.
        round_of: The round of a state, for clocks by the round; None when the game has no rounds.
        story_ms: How long clients take to tell these events, at their usual pace: clocks wait as long. It may depend on
            nothing that is hidden from a seat. None when nothing is told.
        changes: The keys of a spectator's view that an action changed, ``legal`` apart, from the states before and
            after, while the game goes on. Only for games of open information; None: views are compared.
        with_editions: Takes editions of the printed data, or reads them from files; returns the game that knows
            them, and their ids. None when the game has no editions.
        colours: The colours that a player may ask for, by the number of players; none in games without colours.
        setup_options: The keys of a record that fix the start in place of chance, for `stampede.new_game`.
        draw: Draws a view, without words; None when the game has no picture.
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
    story_ms: Callable[[tuple[Any, ...]], int] | None = None
    sealed: Callable[[Any], bool] | None = None
    changes: Callable[[Any, Any], JsonObject] | None = None
    with_editions: Callable[[Iterable[Any]], tuple[AnyGame, tuple[str, ...]]] | None = None
    colours: Callable[[int], tuple[str, ...]] = _no_colours
    setup_options: tuple[str, ...] = ()
    draw: Callable[[Any], Drawing] | None = None
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

    def is_secret(self, state: Any) -> bool:
        """Whether an answer to a state's decision stays hidden from the others until all have answered."""
        if self.sealed is None:
            return not self.open_information
        return self.sealed(state)

    @property
    def usual_seats(self) -> int:
        """The number of seats that the options have by default."""
        defaults = (option.default for option in self.options if option.name == "players")
        return next((n for n in defaults if isinstance(n, int)), self.seats[0])

    def with_choice(self, name: str, choice: str) -> GameSpec:
        """The same game with one more choice of an option."""
        return replace(
            self,
            options=tuple(
                replace(option, choices=(*option.choices, choice))
                if option.name == name
                else option
                for option in self.options
            ),
        )

    @property
    def variants(self) -> tuple[str, ...]:
        """The rule options that are switched on or off, house rules apart."""
        flags = (option for option in self.options if option.kind is OptionKind.FLAG)
        return tuple(option.name for option in flags if not option.house)

    @property
    def house_rules(self) -> tuple[str, ...]:
        """The house rules."""
        return tuple(option.name for option in self.options if option.house)

    def new_rules(self, players: int, given: JsonObject) -> JsonObject:
        """The rule set of a new game: what is given, and the usual values of all else.

        A house rule that is usual for new games is on here, where it matters, and not in `default_rules`: a rule set
        that doesn't name it, such as one of an old record or log, means the game without it.
        """
        rules = {**self.default_rules(players), **given}
        for option in self.options:
            if option.house and option.name not in given and option.default is True:
                rules[option.name] = option.matters(rules, players)
        return {
            name: value
            for name, value in rules.items()
            if name not in self.house_rules or value is not False
        }

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
        rounds = ("round",) if self.rounds else ()
        return ("none", "move", *rounds, "game", "days")

    @property
    def expiries(self) -> tuple[str, ...]:
        """What can happen when a player's time runs out, the usual outcome first.

        Every game can be lost by time: where ``forfeits`` has no ``time``, a bot finishes it for the player.
        """
        return ("forfeit", "bot") if "time" in self.forfeits else ("bot", "forfeit")

    def begin_series(self, name: str, rules: JsonObject, players: int) -> Series:
        """Begins the series of that name; KeyError when the game has none of that name."""
        found = {spec.name: spec for spec in self.series}
        return found[name].begin(rules, players)
