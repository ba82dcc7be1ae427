"""Routes of the analysis board."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from stampede.core.json import canonical
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.server.http.dependencies import AnyCaller, JsonResponse, KnownCaller, RunningServices
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS
from stampede.server.services import Services
from stampede.server.study.analysis import check_finished
from stampede.server.study.board.models import (
    PlayOnAnswer,
    PlayOnRequest,
    PositionAnswer,
    PositionRequest,
)
from stampede.server.study.board.positions import position_json
from stampede.server.study.board.starts import start_json
from stampede.server.study.models import RecordRequest
from stampede.server.study.routes import REPLAY_COST
from stampede.server.tables.memory import Holder
from stampede.server.tables.service import read_record

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.post("/buffalo/position", responses={200: {"model": PositionAnswer}})
async def position(
    request: Request, body: PositionRequest, services: RunningServices, caller: AnyCaller
) -> Response:
    """What the rules say about a position of Buffalo: what is wrong with it, or who can go where."""
    services.limit(request, caller)
    return JsonResponse(canonical(position_json(body.fen, body.moves)))


@router.post("/starts", responses={200: {"model": PlayOnAnswer}})
async def start(
    request: Request, body: PlayOnRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """A point of a finished game, as `POST /api/tables` takes it to go on from there against bots."""
    services.limit(request, caller, REPLAY_COST)
    record = await _finished_record(
        services, caller, address_of(request), body.table, body.game, body.record
    )
    return JsonResponse(await asyncio.to_thread(lambda: canonical(start_json(record, body.turn))))


async def _finished_record(
    services: Services,
    caller: Caller,
    address: str,
    table: str | None,
    game: int | None,
    brought: RecordRequest | None,
) -> GameRecord:
    """The record of a finished game, of a table or brought along; raises a Problem when it isn't over."""
    if brought is not None:
        return check_finished(brought.record())
    async with services.registry.lease(table or "", Holder(address, caller.guest)) as actor:
        return check_finished(await read_record(actor, caller, game))
