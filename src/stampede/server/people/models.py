"""Requests and responses about people and the server's statistics."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.puzzles.models import PuzzleRatingAnswer
from stampede.server.ratings.models import RatingAnswer
from stampede.server.tables.games import GameName

__all__ = ["PersonPageAnswer", "ProfileRequest", "ShownAnswer", "StatisticsAnswer"]


class ProfileRequest(RequestModel):
    """What others may see of you; what is absent stays as it is."""

    shown: bool | None = Field(None, description="Your page, with what you have played.")
    ratings: bool | None = Field(
        None, description="Your ratings and their histories, and your name on leaderboards."
    )


class ShownAnswer(ResponseModel):
    """What others see of you."""

    shown: bool
    ratings: bool


class ResultsAnswer(ResponseModel):
    """Results of one kind of games."""

    game: str
    players: int
    side: str | None
    rung: int | None
    seat: int
    games: int
    wins: int


class OpponentAnswer(ResponseModel):
    """Who else played: a person's name, or a bot's level."""

    kind: Literal["human", "bot"]
    name: str


class OpponentResults(OpponentAnswer):
    """Results against, or beside, an opponent."""

    games: int
    wins: int


class OpeningAnswer(ResponseModel):
    """The first moves of games."""

    game: str
    side: str | None
    moves: str
    games: int
    wins: int


class LatestGame(ResponseModel):
    """A finished game."""

    table: str
    number: int
    game: str
    side: str | None
    won: bool
    ended: int
    opponents: list[OpponentAnswer]


class PlayedAnswer(ResponseModel):
    """What games add up to."""

    complete: bool = Field(description="Whether all games count; else those of the latest tables.")
    most_tables: int = Field(description="So many tables count, the latest ones.")
    games: int
    wins: int
    results: list[ResultsAnswer]
    opponents: list[OpponentResults]
    openings: list[OpeningAnswer]
    latest: list[LatestGame]


class PersonPageAnswer(ResponseModel):
    """A person's page. Ratings are public unless the person hides them; the rest only if the person shows it."""

    name: str
    you: bool
    shown: bool = Field(description="Whether others may see all of the page.")
    ratings_shown: bool = Field(description="Whether others may see the ratings.")
    ratings: list[RatingAnswer]
    puzzles: dict[GameName, PuzzleRatingAnswer] = Field(
        description="By game; without those whose rated puzzles weren't tried, empty if it isn't shown."
    )
    played: PlayedAnswer | None = Field(
        description="Null if it isn't shown. Others see games of tables that anyone may watch."
    )


class SeatResults(ResponseModel):
    """How often a seat has won."""

    seat: int
    side: str | None
    wins: int


class ColourResults(ResponseModel):
    """How often a colour has won. With two players each has two."""

    colour: str
    games: int
    wins: int


class GameResults(ResponseModel):
    """Results of a game with so many players."""

    game: str
    players: int
    games: int
    seats: list[SeatResults]
    colours: list[ColourResults] = Field(
        description="By colour; none in games without. Of tables of earlier versions the last game counts."
    )


class StatisticsAnswer(ResponseModel):
    """What was played here, at the latest tables where no game is under way; every game counts."""

    tables: int = Field(description="How many tables, at most 2,000.")
    games: dict[str, int] = Field(description="How many games were played, by name.")
    against: dict[str, int] = Field(description="How many tables had several people, one, or none.")
    results: list[GameResults]
