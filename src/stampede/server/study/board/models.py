"""Requests and responses of the analysis board."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, JsonValue, model_validator

from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.study.models import (
    MAX_STEPS,
    BuffaloSide,
    FenText,
    MoveText,
    RecordRequest,
    SayingAnswer,
    expect_one_game,
)
from stampede.server.tables.games import GameName
from stampede.server.tables.wire import TableId

__all__ = ["PlayOnAnswer", "PlayOnRequest", "PositionAnswer", "PositionRequest"]


class PlayOnRequest(RequestModel):
    """From which point of a finished game another one is to go on."""

    table: TableId | None = Field(None, description="A table; or else send a record.")
    game: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="Which game of the table; the latest if absent."
    )
    record: RecordRequest | None = Field(None, description="A finished game from elsewhere.")
    turn: Annotated[int, Field(ge=0, le=MAX_STEPS)] = Field(
        description="After how many steps of its replay. A sealed decision begins anew."
    )

    @model_validator(mode="after")
    def _check_one_game(self) -> Self:
        expect_one_game(self.table, self.record)
        return self


class PlayOnPoint(ResponseModel):
    """Where a game begins: the `start` of a table's settings."""

    setup: dict[str, JsonValue]
    actions: list[JsonValue]


class PlayOnAnswer(ResponseModel):
    """What `POST /api/tables` needs for a table that goes on from there."""

    game: GameName
    rules: dict[str, JsonValue]
    start: PlayOnPoint
    seats: int


# --- positions ---


class PositionRequest(RequestModel):
    """A position of Buffalo, and moves to play from there."""

    fen: FenText
    moves: Annotated[list[MoveText], Field(max_length=MAX_STEPS)] = Field(default_factory=list)


class PositionAnswer(ResponseModel):
    """What the rules say about a position."""

    fen: str | None = Field(description="The position after the moves; None when it can't be.")
    turn: BuffaloSide
    legal: dict[str, list[str]] = Field(description="Where the pieces can go, by their squares.")
    winner: BuffaloSide | None = Field(description="Who has won, if the game is over there.")
    problem: SayingAnswer | None = Field(description="What is wrong with the FEN.")
