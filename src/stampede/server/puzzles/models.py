"""Requests and responses about puzzles."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from stampede.proofs.puzzles.puzzle import THEMES
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.puzzles.lookup import IsoDay
from stampede.server.tables.games import GameName

__all__ = [
    "AttemptAnswer",
    "AttemptRequest",
    "ChoicesAnswer",
    "DaysAnswer",
    "DaysRequest",
    "PuzzleAnswer",
    "PuzzleHintAnswer",
    "PuzzleKind",
    "PuzzleRatingAnswer",
    "SolutionAnswer",
]

BuffaloSide = Literal["buffalo", "hunter"]
MoveText = Annotated[str, StringConstraints(min_length=4, max_length=4)]


class PuzzleAnswer(ResponseModel):
    """A position of Buffalo in which one move wins; the solution isn't told."""

    number: int
    count: int = Field(description="How many puzzles there are; they are numbered from 1.")
    fen: str
    turn: BuffaloSide = Field(description="The side to move, which wins.")
    grade: int = Field(description="From 1, easy, to 8.")
    moves: dict[str, list[str]] = Field(description="The legal moves: targets by square.")


def _check_theme(theme: str) -> str:
    if theme not in THEMES:
        raise ValueError(f"expected one of {', '.join(THEMES)}")
    return theme


class PuzzleKind(BaseModel):
    """Which puzzles to draw from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Annotated[str, AfterValidator(_check_theme)] | None = None
    grade: Annotated[int, Field(ge=1, le=8)] | None = None
    side: BuffaloSide | None = None
    seen: Annotated[str, StringConstraints(max_length=1600)] = Field(
        default="", description="Numbers of puzzles not to send again, with commas."
    )


class AttemptRequest(RequestModel):
    """The solver's moves so far, from the puzzle's position on; the server plays the other side."""

    moves: Annotated[list[MoveText], Field(min_length=1, max_length=40)]
    rated: bool = Field(
        default=False, description="Whether it counts: only for accounts, once a puzzle."
    )


class SolutionAnswer(ResponseModel):
    """How a puzzle is solved."""

    theme: str
    line: list[str] = Field(description="The solution, against the longest defence, to the end.")
    moves_to_win: int = Field(description="The most moves that the solver needs.")


class PuzzleRatingAnswer(ResponseModel):
    """A player's rating in puzzles, in points, with its 95 % interval."""

    rating: int
    low: int
    high: int
    provisional: bool
    games: int = Field(description="How many rated puzzles were tried.")
    wins: int = Field(description="How many were solved.")
    change: int = Field(description="By the latest one.")
    puzzle: int | None = Field(description="The rating of the puzzle that was tried.")


class AttemptAnswer(ResponseModel):
    """What becomes of the solver's latest move."""

    right: bool = Field(description="Whether it wins.")
    over: bool = Field(description="Whether the game is over: the puzzle is solved.")
    fen: str = Field(description="After the defender's answer; after a wrong move, without one.")
    played: list[str] = Field(description="All moves of both sides.")
    moves: dict[str, list[str]] = Field(description="The solver's next moves: targets by square.")
    refutation: list[str] = Field(description="After a wrong move: the answer, and what follows.")
    solution: SolutionAnswer | None
    rating: PuzzleRatingAnswer | None = Field(
        description="If this attempt counted: your rating after it."
    )


class PuzzleHintAnswer(ResponseModel):
    """A hint: what to look for, and which piece moves."""

    theme: str
    square: str = Field(description="Where the piece stands that moves first.")


class ChoicesAnswer(ResponseModel):
    """How many puzzles there are of each kind."""

    count: int
    themes: dict[str, int]
    grades: dict[str, int]
    sides: dict[str, int]


DayResult = Literal["solved", "helped"]
"""Solved at the first try, or with a wrong move, a hint, or the solution."""
MAX_DAYS: Final = 500


class DaysAnswer(ResponseModel):
    """What became of daily puzzles, by game and day."""

    days: dict[GameName, dict[str, DayResult]]


class DaysRequest(RequestModel):
    """Daily puzzles that you have tried, to be added to your account's."""

    days: dict[GameName, Annotated[dict[IsoDay, DayResult], Field(max_length=MAX_DAYS)]]
