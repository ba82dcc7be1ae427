"""Responses about ratings."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from stampede.server.http.models import ResponseModel

__all__ = [
    "BoardsAnswer",
    "ChangesAnswer",
    "HistoryAnswer",
    "LeaderboardAnswer",
    "PeopleAnswer",
    "RatingsAnswer",
]


class BoardAnswer(ResponseModel):
    """A rating board: a pool of games that count together, and the side where sides differ."""

    id: str
    game: str
    players: int
    side: str | None = Field(description="The seat's side, in games with sides.")
    rung: int | None = Field(description="The handicap, in games with handicaps: 0 for none.")


class RatingAnswer(ResponseModel):
    """A rating with its 95 % interval."""

    board: BoardAnswer
    rating: int
    low: int
    high: int
    provisional: bool = Field(description="The interval is still wide.")
    games: int
    wins: int
    updated: int


class RankedAnswer(ResponseModel):
    """A line of a leaderboard."""

    rank: int
    name: str = Field(description="Empty for a player who hides their ratings.")
    kind: Literal["human", "bot", "hidden"]
    rating: int
    low: int
    high: int
    provisional: bool
    games: int
    wins: int
    you: bool


class BoardCount(BoardAnswer):
    """A board, and how many accounts and bots are on it."""

    rated: int


class BoardsAnswer(ResponseModel):
    """The boards that aren't empty."""

    boards: list[BoardCount]


class LeaderboardAnswer(ResponseModel):
    """A leaderboard, ordered by the lower end of the interval, so that a lucky start doesn't lead."""

    board: BoardAnswer
    total: int
    lines: list[RankedAnswer]
    mine: RankedAnswer | None = Field(description="Your own line, wherever it is.")


class RatingsAnswer(ResponseModel):
    """A player's ratings."""

    name: str
    ratings: list[RatingAnswer]


class ChangeAnswer(ResponseModel):
    """The change of a player's rating by a game."""

    player: int
    board: str
    before: int
    after: int
    low: int
    high: int
    provisional: bool


class ChangesAnswer(ResponseModel):
    """The changes by a game; empty when it isn't rated."""

    game: int
    changes: list[ChangeAnswer]


class PointAnswer(ResponseModel):
    """A rating after a game, with its interval."""

    at: int = Field(description="When the game ended.")
    rating: int
    low: int
    high: int
    provisional: bool


class HistoryAnswer(ResponseModel):
    """The history of a rating, the oldest game first. It names neither tables nor opponents."""

    name: str
    board: BoardAnswer
    points: list[PointAnswer]


class PersonAnswer(ResponseModel):
    """The player on a chair."""

    player: int
    kept: bool = Field(description="Whether the player has an account, so that the name is theirs.")
    rating: RatingAnswer | None = Field(description="On the board of the chair's present seat.")
    blocked: bool = Field(description="Whether you have blocked this player.")


class PeopleAnswer(ResponseModel):
    """The players at a table."""

    people: list[PersonAnswer]
