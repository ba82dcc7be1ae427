"""The games that this server offers, with their bots, and the answer of ``GET /api/games``."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, JsonValue

from stampede.bots import bot_names, temperaments_of
from stampede.bots.characters import character_of
from stampede.core.spec import GameSpec
from stampede.games import GAMES
from stampede.matches.settings import Catalogue
from stampede.server.http.models import ResponseModel

__all__ = ["CATALOGUE", "GameName", "GamesAnswer", "games_answer"]

CATALOGUE: Final = Catalogue(
    GAMES,
    {name: bot_names(name) for name in GAMES},
    {
        level: found
        for name in GAMES
        for level in bot_names(name)
        if (found := temperaments_of(level))
    },
)
"""What tables can be opened for."""


def _check_game(name: str) -> str:
    if name not in GAMES:
        raise ValueError(f"expected one of {', '.join(GAMES)}")
    return name


GameName: TypeAlias = Annotated[
    str, AfterValidator(_check_game), Field(json_schema_extra={"enum": list(GAMES)})
]
"""The name of a game in a request or a response."""


class OptionAnswer(ResponseModel):
    """One key of a game's rule set."""

    name: str
    kind: Literal["flag", "number", "choice", "subset"]
    default: JsonValue = Field(description="The value of a new game, where the option matters.")
    text: str = Field(description="What it does, in a sentence.")
    clause: str = Field(description="The rule behind it; empty when there is none.")
    minimum: int | None = Field(description="The smallest number.")
    maximum: int | None = Field(description="The largest number, or the most words of a subset.")
    choices: list[str] = Field(description="The words of a choice or a subset.")
    handicap: bool = Field(description="Whether it makes the game easier for one side.")
    house: bool = Field(
        description="Whether it is a house rule: a flag that a rule set names only where it is on."
    )
    needs: str = Field(
        description="The flag without which a house rule does nothing; empty when there is none."
    )
    players: list[int] = Field(
        description="The numbers of players for which a house rule matters; empty for all."
    )


class SeriesAnswer(ResponseModel):
    """A kind of series."""

    name: str
    title: str
    handicap: bool = Field(description="Whether results change the next game's rules.")
    swaps_seats: bool = Field(description="Whether players change seats between games.")
    choice: str = Field(
        description="The rule option that a player may have to choose before a game; empty when there is none."
    )


class CharacterAnswer(ResponseModel):
    """A bot as a person at the table: clients keep its texts by its level."""

    level: str
    name: str = Field(description="Its English name.")
    mood: str = Field(description="How it talks: shy, merry, dry or proud.")


class GameAnswer(ResponseModel):
    """A game that can be played, and all that differs between it and others."""

    name: str
    title: str
    players: list[int] = Field(description="The numbers of seats that it can be played with.")
    variants: list[str] = Field(description="The options that are flags, house rules apart.")
    house_rules: list[str] = Field(description="The options that are house rules.")
    options: list[OptionAnswer]
    default_rules: dict[str, dict[str, JsonValue]] = Field(
        description="The ordinary rule set, by the number of players."
    )
    colours: dict[str, list[str]] = Field(
        description="The colours that a chair may ask for, by the number of players; empty in games without colours."
    )
    series: list[str] = Field(description="The names of its series, the usual one first.")
    series_formats: list[SeriesAnswer]
    sides: list[str] = Field(description="The names of its seats where these differ, else empty.")
    clock_kinds: list[Literal["none", "move", "round", "game", "days"]] = Field(
        description="The kinds of clock that a table can have."
    )
    expiries: list[Literal["forfeit", "bot"]] = Field(
        description="What can happen when a player's time runs out, the usual outcome first; at a rated table forfeit."
    )
    open_information: bool = Field(description="Whether nothing is ever hidden.")
    undo: bool = Field(description="Whether moves can be taken back by agreement.")
    forfeits: list[str] = Field(
        description="The reasons by which a game can end outside the rules."
    )
    rounds: bool = Field(description="Whether it is played in rounds.")
    bots: list[str] = Field(description="The bots' levels, weakest first.")
    characters: list[CharacterAnswer] = Field(description="Who the bots are, weakest first.")
    temperaments: dict[str, list[str]] = Field(
        description="By level: what its bots may want, the usual first; levels without a choice aren't there."
    )


class GamesAnswer(ResponseModel):
    """The games."""

    games: list[GameAnswer]


def games_answer(catalogue: Catalogue = CATALOGUE) -> GamesAnswer:
    """Describes every game on offer."""
    return GamesAnswer(games=[_describe(spec, catalogue) for spec in catalogue.games.values()])


def _describe(spec: GameSpec, catalogue: Catalogue) -> GameAnswer:
    levels = catalogue.levels[spec.name]
    return GameAnswer.model_validate(
        {
            "name": spec.name,
            "title": spec.title,
            "players": list(spec.seats),
            "variants": list(spec.variants),
            "house_rules": list(spec.house_rules),
            "options": [
                {name: getattr(option, name) for name in option.__match_args__}
                | {
                    "kind": option.kind.value,
                    "choices": list(option.choices),
                    "players": list(option.players),
                }
                for option in spec.options
            ],
            "default_rules": {str(count): spec.default_rules(count) for count in spec.seats},
            "colours": {
                str(count): list(found) for count in spec.seats if (found := spec.colours(count))
            },
            "series": [series.name for series in spec.series],
            "series_formats": [
                {name: getattr(series, name) for name in SeriesAnswer.model_fields}
                for series in spec.series
            ],
            "sides": list(spec.sides),
            "clock_kinds": list(spec.clock_kinds),
            "expiries": list(spec.expiries),
            "open_information": spec.open_information,
            "undo": spec.undo,
            "forfeits": sorted(spec.forfeits),
            "rounds": spec.rounds,
            "bots": list(levels),
            "characters": [
                {"level": level, "name": one.name, "mood": one.mood}
                for level in levels
                if (one := character_of(level)) is not None
            ],
            "temperaments": {
                level: list(known) for level, known in catalogue.temperaments_of(spec.name).items()
            },
        }
    )
