"""What is decided when a table opens: the game and its rules, chairs, clock, series. Checked once, then fixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Annotated, Final, TypeAlias

from stampede.core.constraints import FreeObject, Length, Range, check_limits
from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    JsonObject,
    expect_object,
)
from stampede.core.reading import read_as
from stampede.core.series import REMATCH
from stampede.core.spec import GameSpec

__all__ = [
    "Catalogue",
    "ChairPlan",
    "Clock",
    "ClockKind",
    "Expiry",
    "TableSettings",
    "check_settings",
]

SECOND: Final = 1_000
DAY: Final = 24 * 60 * 60 * SECOND
LONGEST: Final = 60 * DAY
LONGEST_PACE: Final = 60 * SECOND

Level: TypeAlias = Annotated[str, Length(1, 20)]
"""The name of a bot's level."""


class ClockKind(Enum):
    """What a clock's limit is for."""

    NONE = "none"
    MOVE = "move"
    """Each decision, anew."""
    ROUND = "round"
    """All decisions of a player in one round together."""
    DAYS = "days"
    """Each decision, for days: a game by correspondence."""


class Expiry(Enum):
    """What happens when a player's time runs out."""

    FORFEIT = "forfeit"
    """The game is lost; only in games that can be forfeited."""
    BOT = "bot"
    """A bot answers in the player's place until they are back."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A table's clock."""

    kind: ClockKind = ClockKind.NONE
    limit_ms: Annotated[int, Range(0, LONGEST)] = 0
    expiry: Expiry = Expiry.BOT

    def to_json(self) -> JsonObject:
        """The clock as JSON."""
        return {
            "kind": self.kind.value,
            "limit_ms": self.limit_ms,
            "expiry": self.expiry.value,
        }


@dataclass(frozen=True, slots=True)
class ChairPlan:
    """What a chair is for when the table opens: for a person, or for a bot of a level."""

    bot: Level | None = None

    def to_json(self) -> JsonObject:
        """The plan as JSON: ``{"bot": level}``, or ``{}`` for an open chair."""
        return {} if self.bot is None else {"bot": self.bot}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is.

    Attributes:
        game: The game's name.
        rules: Its rule set, as in a record.
        chairs: One a player.
        clock: The clock.
        series: ``rematch``, or one of the game's own.
        substitute: The level of the bot that takes over a seat; empty for the game's usual one.
        rated: Whether results count.
        public: Whether it is listed, and anyone may take an open chair; else they need the invitation.
        watch: Whether spectators may watch without the invitation.
        hot_seat: Whether one guest may hold several chairs.
        auto_start: Whether it begins as soon as every chair is taken; else when the host starts it.
        undo: Whether moves may be taken back by agreement, in games that hide nothing.
        pace_ms: How long a bot seems to think.
        patience_ms: How long the others wait for a player, without a clock or in a pause, before they can go on.
    """

    game: str
    rules: FreeObject
    chairs: Annotated[tuple[ChairPlan, ...], Length(2, 6)]
    clock: Clock = field(default_factory=Clock)
    series: Annotated[str, Length(0, 20)] = REMATCH.name
    substitute: Annotated[str, Length(0, 20)] = ""
    rated: bool = False
    public: bool = False
    watch: bool = True
    hot_seat: bool = False
    auto_start: bool = True
    undo: bool = True
    pace_ms: Annotated[int, Range(0, LONGEST_PACE)] = 0
    patience_ms: Annotated[int, Range(SECOND, LONGEST)] = DAY

    def to_json(self) -> JsonObject:
        """The settings as JSON; there is nothing secret among them."""
        plain: dict[str, Json] = {name: getattr(self, name) for name in _PLAIN}
        chairs = [chair.to_json() for chair in self.chairs]
        return {**plain, "clock": self.clock.to_json(), "chairs": chairs}

    @classmethod
    def from_json(cls, value: Json) -> TableSettings:
        """Reads settings; InputError when they can't be. `check_settings` tells whether the game allows them."""
        return read_as(cls, expect_object(value, "settings"))


_PLAIN: Final = tuple(
    item.name for item in fields(TableSettings) if item.name not in ("clock", "chairs")
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The games on offer.

    Attributes:
        games: The games by name.
        levels: By game: the bots' levels that may sit at a table or take over a seat, weakest first.
    """

    games: Mapping[str, GameSpec]
    levels: Mapping[str, tuple[str, ...]]

    def game_named(self, name: str) -> GameSpec:
        """The game of that name; InputError when there is none."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise InputError(f"game: expected one of {known}, got {name[:40]!r}")
        return self.games[name]

    def usual_level(self, game: str) -> str:
        """The bot that takes over a seat unless a table's settings say otherwise: neither weak nor slow."""
        levels = self.levels[game]
        return levels[(len(levels) - 1) // 2]

    def check_level(self, game: str, level: str | None, where: str) -> None:
        """Checks that there is a bot of this level; None, an open chair, is fine. InputError when there is none."""
        levels = self.levels[game]
        if level is not None and level not in levels:
            raise InputError(f"{where}: expected one of {', '.join(levels)}, got {level!r}")


def check_settings(catalogue: Catalogue, settings: TableSettings) -> None:
    """Checks whether a table can be opened so; InputError (RuleSetError for the rules) says what is wrong."""
    spec = catalogue.game_named(settings.game)
    game = spec.game
    seats = game.seats(game.read_rules(settings.rules))
    if len(settings.chairs) != seats:
        raise InputError(f"chairs: expected {seats}, got {len(settings.chairs)}")
    for index, chair in enumerate(settings.chairs):
        catalogue.check_level(spec.name, chair.bot, f"chairs[{index}].bot")
    catalogue.check_level(spec.name, settings.substitute or None, "substitute")
    known = [series.name for series in spec.series]
    if settings.series not in known:
        raise InputError(f"series: expected one of {', '.join(known)}, got {settings.series!r}")
    if settings.rated and settings.hot_seat:
        raise InputError("hot_seat: expected false at a rated table")
    check_limits(settings)
    _check_clock(spec, settings.clock)


def _check_clock(spec: GameSpec, clock: Clock) -> None:
    if clock.kind is ClockKind.NONE:
        return
    Range(SECOND, LONGEST).check(clock.limit_ms, "clock.limit_ms")
    if clock.kind.value not in spec.clock_kinds:
        raise InputError(f"clock.kind: expected move or days, as {spec.name} has no rounds")
    if clock.expiry is Expiry.FORFEIT and "time" not in spec.forfeits:
        raise InputError(f"clock.expiry: expected bot, as a game of {spec.name} can't be forfeited")
