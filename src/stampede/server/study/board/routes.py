"""Routes of the analysis board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from stampede.buffalo import Position
from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.server.http.dependencies import AnyCaller, JsonResponse, KnownCaller, RunningServices
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, problem_of
from stampede.server.services import Services
from stampede.server.study.analysis import MAX_WAITING, check_finished
from stampede.server.study.board.advice import AdviceQuestion, Adviser
from stampede.server.study.board.explorer import OpeningExplorer
from stampede.server.study.board.models import (
    AdviceAnswer,
    AdviceRequest,
    ExplorerAnswer,
    PlayOnAnswer,
    PlayOnRequest,
    PositionAnswer,
    PositionRequest,
)
from stampede.server.study.board.positions import position_json
from stampede.server.study.board.starts import start_json
from stampede.server.study.models import RecordRequest
from stampede.server.study.routes import ANALYSIS_COST, REPLAY_COST
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.memory import Holder
from stampede.server.tables.service import read_record

__all__ = ["router"]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    app.state.explorer = OpeningExplorer(services.store, services.runtime.wall)
    pool = BotPool(threads=1, capacity=MAX_WAITING)
    app.state.adviser = Adviser(pool)
    try:
        yield
    finally:
        await pool.close()


router = APIRouter(prefix="/api", responses=PROBLEMS, lifespan=_lifespan)


@router.post("/buffalo/position", responses={200: {"model": PositionAnswer}})
async def position(
    request: Request, body: PositionRequest, services: RunningServices, caller: AnyCaller
) -> Response:
    """What the rules say about a position of Buffalo: what is wrong with it, or who can go where."""
    services.limit(request, caller)
    return JsonResponse(canonical(position_json(body.fen, body.moves)))


@router.post("/buffalo/explorer", responses={200: {"model": ExplorerAnswer}})
async def explorer(
    request: Request, body: PositionRequest, services: RunningServices, caller: AnyCaller
) -> Response:
    """What the engine, the proofs and the public games of this server say about the first moves of Buffalo.

    Only openings are known here, which are free in running games, too.
    """
    services.limit(request, caller)
    try:
        place = Position.from_fen(body.fen)
        for move in body.moves:
            place = place.play(move)
    except StampedeError as error:
        raise problem_of(error) from error
    opening: OpeningExplorer = request.app.state.explorer
    return JsonResponse(canonical(await opening.answer(place)))


@router.post("/zoff/advice", responses={200: {"model": AdviceAnswer}})
async def advice(
    request: Request, body: AdviceRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """What to choose at a moment of a finished game of Zoff, with its herds and hands or with changed ones.

    Never for a state close to one that people are playing here.
    """
    services.limit(request, caller, ANALYSIS_COST)
    address = address_of(request)
    record = await _finished_record(services, caller, address, body.table, body.game, body.record)
    running = await services.running_games.traces(record.game)
    adviser: Adviser = request.app.state.adviser
    question = AdviceQuestion(body.turn, body.seat, body.herds, body.hands)
    found = await adviser.advise(caller, address, record, question, running)
    return JsonResponse(canonical(found))


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
