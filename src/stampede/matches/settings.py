"""What is decided when a table opens: the game and its rules, chairs, clock, series. Checked once, then fixed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Annotated, Final, TypeAlias

from stampede.core.constraints import FreeJson, FreeObject, Length, Range, check_limits
from stampede.core.errors import InputError, RuleSetError
from stampede.core.game import AnyGame
from stampede.core.json import (
    Json,
    JsonObject,
    expect_object,
)
from stampede.core.playthrough import AnyPlaythrough
from stampede.core.reading import read_as
from stampede.core.record import RULES_KEYS, SETUP_KEYS, GameRecord
from stampede.core.replay import replay_steps
from stampede.core.series import REMATCH
from stampede.core.spec import GameSpec

__all__ = [
    "Catalogue",
    "ChairPlan",
    "Clock",
    "ClockKind",
    "Expiry",
    "TableSettings",
    "TableStart",
    "begin_from",
    "check_settings",
    "fill_settings",
]

SECOND: Final = 1_000
DAY: Final = 24 * 60 * 60 * SECOND
LONGEST: Final = 60 * DAY
RATED_PATIENCE: Final = 60 * 60 * SECOND
"""At a rated table nobody calls a bot sooner for a player who thinks."""
LONGEST_PACE: Final = 60 * SECOND
LONGEST_INCREMENT: Final = 300 * SECOND
MOST_LAPSES: Final = 5
MOST_STEPS: Final = 2_000
"""Steps of a start; the longest games of any kind have far fewer."""

Level: TypeAlias = Annotated[str, Length(1, 20)]
"""The name of a bot's level."""
Colour: TypeAlias = Annotated[str, Length(1, 20)]
"""The name of a player's colour."""


class ClockKind(Enum):
    """What a clock's limit is for."""

    NONE = "none"
    MOVE = "move"
    """Each decision, anew."""
    ROUND = "round"
    """All decisions of a player in one round together."""
    GAME = "game"
    """All decisions of a player in one game together; each brings the increment."""
    DAYS = "days"
    """Each decision, for days: a game by correspondence."""


class Expiry(Enum):
    """What happens when a player's time runs out."""

    FORFEIT = "forfeit"
    """The player loses. A game that doesn't end by that is finished by the weakest bot, and the player is last."""
    BOT = "bot"
    """A bot answers in the player's place: once, and after several lapses in a row until they are back."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A table's clock.

    Attributes:
        kind: What the limit is for.
        limit_ms: How much time a player has.
        expiry: What happens when it runs out; at a rated table the player loses.
        increment_ms: What each answered decision adds, with a limit for the game.
        lapses: After how many lapses in a row a bot stands in until the player is back.
        grace: Whether clocks wait while the players are shown what happened.
    """

    kind: ClockKind = ClockKind.NONE
    limit_ms: Annotated[int, Range(0, LONGEST)] = 0
    expiry: Expiry = Expiry.BOT
    increment_ms: Annotated[int, Range(0, LONGEST_INCREMENT)] = 0
    lapses: Annotated[int, Range(1, MOST_LAPSES)] = 2
    grace: bool = True

    def to_json(self) -> JsonObject:
        """The clock as JSON."""
        return {
            "kind": self.kind.value,
            "limit_ms": self.limit_ms,
            "expiry": self.expiry.value,
            "increment_ms": self.increment_ms,
            "lapses": self.lapses,
            "grace": self.grace,
        }


@dataclass(frozen=True, slots=True)
class ChairPlan:
    """What a chair is for when the table opens: for a person, or for a bot of a level; and its colour.

    Attributes:
        bot: The level of a bot; None for a person.
        colour: The colour that the chair's player has, in games with colours; None for one that is left.
    """

    bot: Level | None = None
    colour: Colour | None = None

    def to_json(self) -> JsonObject:
        """The plan as JSON: ``{"bot": level}``, or ``{}`` for an open chair; and ``colour`` where one was asked for."""
        plan: JsonObject = {"bot": self.bot, "colour": self.colour}
        return {key: value for key, value in plan.items() if value is not None}


@dataclass(frozen=True, slots=True)
class TableStart:
    """Where the games of a table begin: in the middle of a record, or in a position that a record can begin with.

    It may hold what is hidden while the game runs, such as the other hands: views say only that there is one.

    Attributes:
        setup: The record's keys that fix its beginning: ``start``, or ``deal`` and ``colours``.
        actions: The record's steps that count as played.
    """

    setup: FreeObject = field(default_factory=dict)
    actions: Annotated[tuple[FreeJson, ...], Length(0, MOST_STEPS)] = ()

    def to_json(self) -> JsonObject:
        """The start as JSON."""
        return {"setup": self.setup, "actions": list(self.actions)}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table is.

    Attributes:
        game: The game's name.
        rules: Its rule set, as in a record.
        chairs: One a player.
        clock: The clock.
        series: ``rematch``, or one of the game's own.
        substitute: The level of the bot that takes over a seat; empty for the game's usual one, at a rated table the
            weakest, which is the only one there.
        temperament: What the bots want, where their levels have temperaments; empty: each chair has one of its own.
        rated: Whether results count.
        public: Whether it is listed, and anyone may take an open chair; else they need the invitation.
        watch: Whether spectators may watch without the invitation.
        hot_seat: Whether one guest may hold several chairs.
        auto_start: Whether it begins as soon as every chair is taken; else when the host starts it.
        ready_check: Whether it begins only when everyone says that they are ready, once every chair is taken. Who takes
            the last chair is.
        undo: Whether moves may be taken back by agreement, in games that hide nothing; against bots alone in all games,
            as long as nothing hidden was revealed since.
        pace_ms: How long a bot seems to think.
        patience_ms: How long the others wait for a player, without a clock or in a pause, before they can go on.
        start: Where every game of the table begins, in place of a deal; only for one person against bots, and for
            games that don't count. Views tell that there is one, and nothing of it.
        coached: Whether its first game is for a newcomer to learn by: bots play so that the rules come up, from a start
            that was chosen for that. Only for one person against bots, who play as usual in later games.
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
    ready_check: bool = False
    undo: bool = True
    pace_ms: Annotated[int, Range(0, LONGEST_PACE)] = 0
    patience_ms: Annotated[int, Range(SECOND, LONGEST)] = DAY
    start: TableStart | None = None
    coached: bool = False
    temperament: Annotated[str, Length(0, 20)] = ""

    def to_json(self) -> JsonObject:
        """The settings as JSON, as the log keeps them."""
        plain: dict[str, Json] = {name: getattr(self, name) for name in _PLAIN}
        chairs = [chair.to_json() for chair in self.chairs]
        start = None if self.start is None else self.start.to_json()
        return {**plain, "clock": self.clock.to_json(), "chairs": chairs, "start": start}

    def to_view(self) -> JsonObject:
        """The settings as views show them: without what a start may hide."""
        start = None if self.start is None else TableStart().to_json()
        return {**self.to_json(), "start": start}

    @classmethod
    def from_json(cls, value: Json) -> TableSettings:
        """Reads settings; InputError when they can't be. `check_settings` tells whether the game allows them."""
        return read_as(cls, expect_object(value, "settings"))


_PLAIN: Final = tuple(
    item.name for item in fields(TableSettings) if item.name not in ("clock", "chairs", "start")
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The games on offer.

    Attributes:
        games: The games by name.
        levels: By game: the bots' levels that may sit at a table or take over a seat, weakest first.
        temperaments: By level: what its bots may want. Levels without a choice aren't there.
    """

    games: Mapping[str, GameSpec]
    levels: Mapping[str, tuple[str, ...]]
    temperaments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def game_named(self, name: str) -> GameSpec:
        """The game of that name; InputError when there is none."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise InputError(f"game: expected one of {known}, got {name[:40]!r}")
        return self.games[name]

    def weakest_level(self, game: str) -> str:
        """The strongest bot that stands in for a person in a rated game: nobody's result is the engine's."""
        return self.levels[game][0]

    def usual_level(self, game: str) -> str:
        """The bot that takes over a seat unless a table's settings say otherwise: neither weak nor slow."""
        levels = self.levels[game]
        return levels[(len(levels) - 1) // 2]

    def check_level(self, game: str, level: str | None, where: str) -> None:
        """Checks that there is a bot of this level; None, an open chair, is fine. InputError when there is none."""
        levels = self.levels[game]
        if level is not None and level not in levels:
            raise InputError(f"{where}: expected one of {', '.join(levels)}, got {level!r}")

    def temperaments_of(self, game: str) -> Mapping[str, tuple[str, ...]]:
        """By level of a game: what its bots may want."""
        return {
            level: self.temperaments[level]
            for level in self.levels[game]
            if level in self.temperaments
        }

    def check_temperament(self, game: str, temperament: str) -> None:
        """Checks that some level of a game has this temperament; empty, any, is fine. InputError when none has."""
        known = dict.fromkeys(one for some in self.temperaments_of(game).values() for one in some)
        if temperament and temperament not in known:
            expected = f"one of {', '.join(known)}, or nothing" if known else "nothing"
            raise InputError(f"temperament: expected {expected}, got {temperament!r}")


def fill_settings(catalogue: Catalogue, settings: TableSettings) -> TableSettings:
    """The settings with complete rules, and a rated table's substitute and time-out, which loses.

    Rules are completed with what the server knows and the log has to tell, such as the data of an edition.
    """
    if settings.game not in catalogue.games:
        return settings
    game = catalogue.games[settings.game].game
    complete = game.write_rules(game.read_rules(settings.rules))
    given = {key: settings.rules[key] for key in settings.rules if key not in RULES_KEYS}
    settings = replace(settings, rules={**given, **complete})
    if not settings.rated:
        return settings
    if not settings.substitute:
        settings = replace(settings, substitute=catalogue.weakest_level(settings.game))
    if settings.clock.kind is ClockKind.NONE:
        return settings
    return replace(settings, clock=replace(settings.clock, expiry=Expiry.FORFEIT))


def check_settings(catalogue: Catalogue, settings: TableSettings) -> None:
    """Checks whether a table can be opened so; InputError (RuleSetError for the rules) says what is wrong."""
    spec = catalogue.game_named(settings.game)
    game = spec.game
    rules = game.read_rules(settings.rules)
    names = (*game.write_rules(rules), *(option.name for option in spec.options))
    _check_rule_names(settings.rules, tuple(dict.fromkeys(names)))
    seats = game.seats(rules)
    if len(settings.chairs) != seats:
        raise InputError(f"chairs: expected {seats}, got {len(settings.chairs)}")
    for index, chair in enumerate(settings.chairs):
        catalogue.check_level(spec.name, chair.bot, f"chairs[{index}].bot")
    catalogue.check_level(spec.name, settings.substitute or None, "substitute")
    catalogue.check_temperament(spec.name, settings.temperament)
    # The deal is thrown away: it is drawn to see whether the colours can be had.
    game.draw_for(rules, random.Random(0), tuple(chair.colour for chair in settings.chairs))
    weakest = catalogue.weakest_level(spec.name)
    if settings.rated and settings.substitute not in ("", weakest):
        raise InputError(
            f"substitute: expected {weakest}, the weakest, at a rated table,"
            f" got {settings.substitute!r}"
        )
    known = [series.name for series in spec.series]
    if settings.series not in known:
        raise InputError(f"series: expected one of {', '.join(known)}, got {settings.series!r}")
    if settings.rated and settings.patience_ms < RATED_PATIENCE:
        raise InputError(
            f"patience_ms: expected at least {RATED_PATIENCE} at a rated table,"
            f" got {settings.patience_ms}"
        )
    if settings.rated and any(key in settings.rules for key in RULES_KEYS):
        raise InputError("rated: expected false, as only games of the shipped edition are rated")
    if settings.rated and settings.hot_seat:
        raise InputError("hot_seat: expected false at a rated table")
    check_limits(settings)
    _check_clock(spec, settings.clock, rated=settings.rated)
    if settings.start is not None:
        _check_start(game, settings, settings.start)
    if settings.coached:
        _check_one_person(settings, "coached")


def _check_start(game: AnyGame, settings: TableSettings, start: TableStart) -> None:
    """Checks that a table with a start is for one person, and that the game goes on from there."""
    check_limits(start, "start.")
    _check_one_person(settings, "start")
    if any(chair.colour is not None for chair in settings.chairs):
        raise InputError("colour: expected none, as the start tells who has which")
    for key in start.setup:
        if key not in SETUP_KEYS:
            known = ", ".join(SETUP_KEYS)
            raise InputError(f"start.setup: expected only {known}, got {key[:40]!r}")
    if begin_from(game, settings.rules, start).outcome is not None:
        raise InputError("start: expected a game that goes on, got its end")


def _check_one_person(settings: TableSettings, where: str) -> None:
    """Checks that one person plays against bots, and that nothing counts."""
    if settings.rated or settings.public:
        raise InputError(f"{where}: expected none at a rated or public table")
    if settings.series != REMATCH.name:
        raise InputError(f"{where}: expected none in a series, got {settings.series!r}")
    if sum(chair.bot is None for chair in settings.chairs) != 1:
        raise InputError(f"{where}: expected one person, and bots on all other chairs")


def begin_from(game: AnyGame, rules: JsonObject, start: TableStart) -> AnyPlaythrough:
    """Plays a start's steps; RecordError names the first wrong one."""
    record = GameRecord(game.name, rules, (), start.setup, start.actions)
    return replay_steps(game, record)


def _check_rule_names(given: JsonObject, known: Sequence[str]) -> None:
    """Refuses keys that the game doesn't read: the lobby lists rules as they are. Old logs may hold such keys."""
    for name in given:
        if name not in known:
            raise RuleSetError(f"rules: expected only {', '.join(known)}, got {name[:40]!r}")


def _check_clock(spec: GameSpec, clock: Clock, *, rated: bool) -> None:
    check_limits(clock, "clock.")
    if clock.kind is not ClockKind.GAME and clock.increment_ms:
        raise InputError(
            f"clock.increment_ms: expected 0 unless kind is game, got {clock.increment_ms}"
        )
    if clock.kind is ClockKind.NONE:
        return
    Range(SECOND, LONGEST).check(clock.limit_ms, "clock.limit_ms")
    if clock.kind.value not in spec.clock_kinds:
        known = ", ".join(spec.clock_kinds)
        raise InputError(
            f"clock.kind: expected one of {known} in {spec.name}, got {clock.kind.value!r}"
        )
    if rated and clock.expiry is not Expiry.FORFEIT:
        raise InputError("clock.expiry: expected forfeit at a rated table: a time-out loses")
