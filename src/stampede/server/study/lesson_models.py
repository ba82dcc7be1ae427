"""Requests and responses of lessons."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints

from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.schema import GameAction, GameEvents, GameView
from stampede.server.tables.games import GameName

__all__ = ["LessonAnswer", "LessonList", "ProgressAnswer", "ProgressRequest"]

LessonAddress = Annotated[str, StringConstraints(pattern=r"^[a-z]+/[a-z0-9-]{1,40}$")]
MAX_LESSONS = 200
"""More lessons than there are; a limit for requests."""


class LessonEntry(ResponseModel):
    """A lesson in the list."""

    game: GameName
    name: str
    number: int
    steps: int


class LessonList(ResponseModel):
    """Every lesson, by game, in the order in which they are taught."""

    lessons: list[LessonEntry]


class LessonTry(ResponseModel):
    """An answer, and what it leads to."""

    action: GameAction
    verdict: Literal["right", "wrong", "refused"]
    events: GameEvents = Field(description="What happens; empty if the rules refuse the answer.")
    after: GameView | None = Field(description="The view in the end; null if it is refused.")
    reply: list[str] = Field(description="How the other side makes a wrong move fail.")
    remark: str | None = Field(description="The name of the text about this wrong answer, if any.")
    refusal: dict[str, JsonValue] | None = Field(
        description="Why the rules refuse it: a clause, and in most cases a reason's code and values."
    )


class LessonStepAnswer(ResponseModel):
    """A task."""

    clause: str
    view: GameView
    cast: list[str] = Field(description="The names of the other seats, where they have names.")
    show: list[str] = Field(description="The pastures that matter.")
    lit: list[str] = Field(description="The pastures or squares to look at.")
    before: GameEvents = Field(description="What has just happened.")
    answers: list[LessonTry]


class LessonAnswer(ResponseModel):
    """A lesson with every answer to every task."""

    game: GameName
    name: str
    number: int
    steps: list[LessonStepAnswer]


class ProgressAnswer(ResponseModel):
    """The lessons that your account has finished, as game and name: ``zoff/filling``."""

    lessons: list[str]


class ProgressRequest(RequestModel):
    """Lessons that you have finished, to be added to your account's."""

    lessons: Annotated[list[LessonAddress], Field(max_length=MAX_LESSONS)]
