"""Requests and responses of the analysis board."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.schema import GameAction
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

__all__ = [
    "AdviceAnswer",
    "AdviceRequest",
    "ExplorerAnswer",
    "PlayOnAnswer",
    "PlayOnRequest",
    "PositionAnswer",
    "PositionRequest",
]


CardText = Annotated[str, StringConstraints(min_length=1, max_length=4)]


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


# --- the opening explorer ---


class ExploredMoveAnswer(ResponseModel):
    """What is known about a first move."""

    move: str
    score: int | None = Field(description="The engine's, for the side to move, in hundredths.")
    plies_to_end: int | None = Field(description="Proven: in how many moves; negative for a loss.")
    source: str = Field(description="The certificate that proves it; empty for a search.")
    games: int = Field(description="How often it was played in the public games counted here.")
    buffalo_wins: int = Field(description="In how many of them the buffalo side won.")


class ExplorerAnswer(ResponseModel):
    """What is known about the moves of a position, the engine's best first."""

    fen: str
    turn: BuffaloSide
    nodes: int = Field(description="Positions searched for each move.")
    games: int = Field(description="How many public games of this server were counted.")
    moves: list[ExploredMoveAnswer]


# --- advice before a choice ---

Herds = Annotated[dict[str, Annotated[int, Field(ge=0, le=60)]], Field(max_length=8)]


class AdviceRequest(PlayOnRequest):
    """A moment of a finished game of Zoff before a choice, and what is to be changed there."""

    seat: Annotated[int, Field(ge=0, le=5)] = Field(description="Whose choice.")
    herds: Annotated[dict[str, Herds], Field(max_length=16)] = Field(
        default_factory=dict, description="Other herds, by pasture and colour."
    )
    hands: Annotated[
        dict[Annotated[str, StringConstraints(pattern="^[0-5]$")], list[CardText]],
        Field(max_length=6),
    ] = Field(default_factory=dict, description="Other hands, by seat: as many cards as before.")


class LikelyAnswer(ResponseModel):
    """A choice and how often it is made."""

    action: GameAction
    share: float
    value: float | None = Field(description="Its worth in cows of lead, where that is known.")


class AdvicePasture(ResponseModel):
    """A pasture and its herds by colour."""

    name: str
    capacity: int
    herds: dict[str, int]


class AdvisedSeat(ResponseModel):
    """What a seat can expect, and what it is likely to choose."""

    cows: float = Field(description="Expected at the end.")
    chance: float = Field(description="To win.")
    likely: list[LikelyAnswer] = Field(description="Empty for the seat that is advised.")


class AdviceAnswer(ResponseModel):
    """What to choose, and what the others are likely to choose."""

    round: int
    colours: list[str]
    pastures: list[AdvicePasture]
    hands: list[list[str]] = Field(description="By seat: the cards that it holds.")
    cards: list[list[str]] = Field(description="By seat: all cards that it began with.")
    mixture: list[LikelyAnswer] = Field(description="What to choose, the likeliest first.")
    seats: list[AdvisedSeat]
    problem: SayingAnswer | None = Field(description="Why the changes can't be.")
