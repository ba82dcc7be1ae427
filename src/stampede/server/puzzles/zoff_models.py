"""Requests and responses about puzzles of Zoff."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from stampede.proofs.puzzles.zoff_puzzle import GRADES, ZoffPuzzleKind
from stampede.proofs.puzzles.zoff_reasons import GainKind
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.schema import GameAction, GameEvents, GameView
from stampede.server.puzzles.models import PuzzleRatingAnswer

__all__ = [
    "ZoffAttemptAnswer",
    "ZoffAttemptRequest",
    "ZoffChoicesAnswer",
    "ZoffPuzzleAnswer",
    "ZoffPuzzleHintAnswer",
    "ZoffPuzzleQuery",
    "ZoffSolutionAnswer",
]


class ZoffPuzzleAnswer(ResponseModel):
    """A moment of the last round in which one choice is clearly best; which one isn't told."""

    number: int
    count: int = Field(description="How many puzzles of Zoff there are; they are numbered from 1.")
    players: int
    kind: ZoffPuzzleKind
    grade: int = Field(description="From 1, easy, to 7.")
    names: list[str] = Field(description="Who plays, by seat.")
    view: GameView = Field(description="What the solver's seat sees.")
    held: list[str] = Field(
        description="Before a choice: the cow cards of the other player, who has played all others."
    )


class ZoffPuzzleQuery(BaseModel):
    """Which puzzles to draw from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    players: Annotated[int, Field(ge=2, le=6)] | None = None
    kind: ZoffPuzzleKind | None = None
    grade: Annotated[int, Field(ge=GRADES[0], le=GRADES[-1])] | None = None
    seen: Annotated[str, StringConstraints(max_length=1600)] = Field(
        default="", description="Numbers of puzzles not to send again, with commas."
    )


class ZoffAttemptRequest(RequestModel):
    """The solver's choice."""

    action: dict[str, JsonValue]
    rated: bool = Field(
        default=False, description="Whether it counts: only for accounts, once a puzzle."
    )


class ZoffBrought(ResponseModel):
    """What a choice brings when everyone plays their best afterwards; after a secret one, against the best answer."""

    action: GameAction
    cows: list[int] = Field(description="On pastures in the end, by seat.")
    winners: list[int]


class ZoffDifference(ResponseModel):
    """Where a seat gets another number of cows after the best choice than after the tempting one."""

    kind: GainKind = Field(
        description="From a card, from the bonus of a pasture that fills, or from the final bonus of an open one."
    )
    pasture: str
    seat: int
    cows: int
    instead: int = Field(description="After the tempting choice.")


class ZoffSolutionAnswer(ResponseModel):
    """The solution of a puzzle: every choice, the best first, why, and how the game ends after the best."""

    choices: list[ZoffBrought]
    tempting: ZoffBrought = Field(description="The wrong choice that most would fall for.")
    difference: ZoffDifference | None = Field(
        description="What makes the most of the difference between the best choice and the tempting one."
    )
    events: GameEvents
    after: GameView


class ZoffAttemptAnswer(ResponseModel):
    """What becomes of a choice."""

    right: bool
    brought: ZoffBrought
    events: GameEvents = Field(description="What happens to the end of the game.")
    after: GameView = Field(description="The table in the end.")
    solution: ZoffSolutionAnswer | None = Field(description="If it is right.")
    rating: PuzzleRatingAnswer | None = Field(
        description="If this attempt counted: your rating after it."
    )


class ZoffHintPlace(ResponseModel):
    """Where the best choice gains on the tempting one."""

    kind: GainKind
    pasture: str


class ZoffPuzzleHintAnswer(ResponseModel):
    """A hint: how the game ends after the best choice, and where to look."""

    cows: list[int] = Field(description="On pastures, by seat.")
    winners: list[int]
    look: ZoffHintPlace | None = Field(
        description="The cards, the bonus or the final bonus that make the most of the difference."
    )


class ZoffChoicesAnswer(ResponseModel):
    """How many puzzles of Zoff there are of each kind."""

    count: int
    players: dict[str, int]
    kinds: dict[str, int]
    grades: dict[str, int]
