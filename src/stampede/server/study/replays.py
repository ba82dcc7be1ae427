"""Finished games, step by step: what a replay page shows. The steps come from a record, and a record only.

So a replay tells no more than the record does, and whoever may have the one may have the other.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue
from starlette.responses import Response

from stampede.core.constraints import check_depth
from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.server.http.dependencies import AnyCaller, JsonResponse, RunningServices
from stampede.server.http.models import ResponseModel
from stampede.server.http.problems import PROBLEMS, Problem, problem_of
from stampede.server.http.schema import GameAction, GameEvents, GameView
from stampede.server.tables.games import GameName
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.service import choose_view

__all__ = ["RecordRequest", "played_again", "router"]

REPLAY_COST = 3.0
"""A replay counts as so many requests."""
MOST_STEPS = 2000
"""More than the longest game of either kind has by far."""

router = APIRouter(prefix="/api", responses=PROBLEMS)

GameNumber = Annotated[int | None, Query(ge=1, le=10_000, description="Which game of the table.")]
Values = Annotated[dict[str, JsonValue], AfterValidator(check_depth)]
Step = Annotated[JsonValue, AfterValidator(check_depth)]


class RecordRequest(BaseModel):
    """A game record from a file; docs/record.md. Keys that nobody knows are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    format: Literal["stampede-record/1"]
    game: GameName
    rules: Values
    start: JsonValue = None
    deal: Values | None = None
    colours: Annotated[JsonValue, AfterValidator(check_depth)] = None
    seats: Annotated[list[Values], Field(max_length=6)]
    actions: Annotated[list[Step], Field(max_length=MOST_STEPS)]
    result: Values | None = None
    meta: Values = Field(default_factory=dict)

    def record(self) -> GameRecord:
        """The record; a Problem when it is none."""
        data: dict[str, Json] = self.model_dump(mode="json")
        try:
            return GameRecord.from_json({k: v for k, v in data.items() if v is not None})
        except InputError as error:
            raise Problem(422, "wrong_record", str(error)) from error


class StepAnswer(ResponseModel):
    """One step of a game, and where it led."""

    seat: int
    action: GameAction
    events: GameEvents
    view: GameView = Field(description="As a spectator sees it.")


class SeatAnswer(ResponseModel):
    """Who sat in a seat."""

    name: str
    kind: Literal["human", "bot"]
    bot: str | int | None = None


class ReplayAnswer(ResponseModel):
    """A game from its start to its end."""

    game: GameName
    rules: dict[str, JsonValue]
    seats: list[SeatAnswer]
    start: GameView = Field(description="A spectator's view before the first step.")
    steps: list[StepAnswer]
    result: dict[str, JsonValue] | None
    meta: dict[str, JsonValue]


@router.get("/tables/{table_id}/replay", responses={200: {"model": ReplayAnswer}})
async def table_replay(
    request: Request,
    actor: LiveTable,
    services: RunningServices,
    caller: AnyCaller,
    game: GameNumber = None,
) -> Response:
    """A game of a table, step by step: the latest, if none is named. For whoever may have its record."""
    services.limit(request, caller, REPLAY_COST)
    await choose_view(actor, caller, None)
    try:
        async with actor.looking() as table:
            record = table.record(game)
    except StampedeError as error:
        raise problem_of(error) from error
    return await _answer(record)


@router.post("/replay", responses={200: {"model": ReplayAnswer}})
async def file_replay(
    request: Request, body: RecordRequest, services: RunningServices, caller: AnyCaller
) -> Response:
    """A record from elsewhere, step by step. Nothing of it is kept."""
    services.limit(request, caller, REPLAY_COST)
    return await _answer(body.record())


async def _answer(record: GameRecord) -> Response:
    # A long game takes a tenth of a second: long enough to keep others waiting.
    return JsonResponse(await asyncio.to_thread(lambda: canonical(replay_json(record))))


def played_again(record: GameRecord) -> Playthrough[Any, Any, Any, Any]:
    """The game that a record tells; a Problem that names the first wrong step when it tells none."""
    try:
        return replay(game_named(record.game).game, record)
    except RecordError as error:
        raise Problem(422, "wrong_record", str(error)) from error


def replay_json(record: GameRecord) -> JsonObject:
    """A record's game for the replay page."""
    played = played_again(record)
    game = played.game
    return {
        "game": record.game,
        "rules": record.rules,
        "seats": [seat.to_json() for seat in record.seats],
        "start": game.view(played.start, None).to_json(),
        "steps": [
            {
                "seat": turn.seat,
                "action": game.write_action(turn.action),
                "events": [event.to_json() for event in turn.events],
                "view": game.view(turn.state, None).to_json(),
            }
            for turn in played.turns
        ],
        "result": record.result,
        "meta": {key: value for key, value in record.meta.items() if key != "check"},
    }
