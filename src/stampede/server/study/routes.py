"""Routes of replays, analysis and reviews."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, FastAPI, Query, Request
from starlette.responses import Response

from stampede.buffalo.tables import reach
from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.matches.records import match_numbered
from stampede.server.http.dependencies import (
    AnyCaller,
    JsonResponse,
    KnownCaller,
    RunningServices,
)
from stampede.server.http.encode import encode
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, problem_of
from stampede.server.services import Services
from stampede.server.study.analysis import (
    MAX_WAITING,
    Analyst,
    check_finished,
    check_hint_allowed,
    position_record,
)
from stampede.server.study.fair_play import LONG_OPENING, OPENING, check_not_running
from stampede.server.study.hints import ask_for_hint
from stampede.server.study.models import (
    AnalysisAnswer,
    AnalysisRequest,
    HintAnswer,
    HintRequest,
    ReachAnswer,
    RecordRequest,
    ReplayAnswer,
    ReviewLine,
    ReviewRequest,
)
from stampede.server.study.replays import replay_json
from stampede.server.study.reviews import LineStream, Reviewer, as_lines
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.memory import Holder
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.service import choose_view, read_record
from stampede.store.study.reviews import ReviewStore

if TYPE_CHECKING:
    from stampede.search.review import ReviewPlan

__all__ = ["router"]

REPLAY_COST: Final = 3.0
ANALYSIS_COST: Final = 5.0
REVIEW_COST: Final = 10.0
"""How many requests a replay, an analysis and a review count as."""
REACH_AGE: Final = 86_400
"""Seconds for which browsers keep the squares within reach."""
REVIEW_THREADS: Final = 2
NDJSON: Final = "application/x-ndjson"


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    analysis = BotPool(threads=1, capacity=MAX_WAITING)
    reviews = BotPool(threads=REVIEW_THREADS, capacity=MAX_WAITING)
    app.state.analyst = Analyst(analysis)
    services: Services = app.state.services
    kept = ReviewStore(services.store.engine)
    reviewer = Reviewer(reviews, _plan_review, kept, services.runtime.wall)
    app.state.reviewer = reviewer
    try:
        yield
    finally:
        await reviewer.close()
        await analysis.close()
        await reviews.close()


def _plan_review(record: GameRecord) -> ReviewPlan:
    from stampede.oracle.reviews import plan_quick_review  # noqa: PLC0415 - loads compiled code

    return plan_quick_review(record)


router = APIRouter(prefix="/api", responses=PROBLEMS, lifespan=_lifespan)


# --- replays ---

GameNumber = Annotated[int | None, Query(ge=1, le=10_000, description="Which game of the table.")]


@router.get("/tables/{table_id}/replay", responses={200: {"model": ReplayAnswer}})
async def table_replay(
    request: Request,
    actor: LiveTable,
    services: RunningServices,
    caller: AnyCaller,
    game: GameNumber = None,
) -> Response:
    """A game of a table, step by step: the latest, if none is named. Needs the same permission as its record."""
    services.limit(request, caller, REPLAY_COST)
    return await _replay(await read_record(actor, caller, game))


@router.post("/replay", responses={200: {"model": ReplayAnswer}})
async def file_replay(
    request: Request, body: RecordRequest, services: RunningServices, caller: AnyCaller
) -> Response:
    """A record from elsewhere, step by step. The server doesn't store it."""
    services.limit(request, caller, REPLAY_COST)
    return await _replay(body.record())


async def _replay(record: GameRecord) -> Response:
    # In a thread: a long game takes a tenth of a second, which would block the event loop.
    return JsonResponse(await asyncio.to_thread(lambda: canonical(replay_json(record))))


# --- analysis ---


@router.post("/analyse", responses={200: {"model": AnalysisAnswer}})
async def analyse(
    request: Request, body: AnalysisRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """The best moves of a position of Buffalo, and the threats.

    For games that are over, and positions set up by hand. For a running game only if it is unrated and you are its only
    person, against bots. Never for a position close to one that people are playing here.
    """
    services.limit(request, caller, ANALYSIS_COST)
    if body.fen is not None:
        record = position_record(body.fen)
    elif body.record is not None:
        record = check_finished(body.record.record())
    else:
        record = await _table_record(services, body, caller, address_of(request))
    analyst: Analyst = request.app.state.analyst
    address = address_of(request)
    running = await services.running_games.traces(record.game)
    found = await analyst.analyse(caller, address, record, body, running)
    return JsonResponse(canonical(found))


@router.post("/hints", responses={200: {"model": HintAnswer}})
async def hint(
    request: Request, body: HintRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """What a coach would consider in your place, and why: in unrated games of Zoff against bots only.

    It is made from what your seat may know. The same decision always gets the same hint.
    """
    services.limit(request, caller, ANALYSIS_COST)
    address = address_of(request)
    lease = services.registry.lease(body.table, Holder(address, caller.guest))
    async with lease as actor, actor.reading() as table:
        choose_view(table, caller, None)
        try:
            question = ask_for_hint(table, caller)
        except StampedeError as error:
            raise problem_of(error) from error
    running = await services.running_games.traces(question.game)
    check_not_running(question.game, question.state, running)
    analyst: Analyst = request.app.state.analyst
    return JsonResponse(canonical(await analyst.ask(caller, address, question.answer)))


async def _table_record(
    services: RunningServices, body: AnalysisRequest, caller: Caller, address: str
) -> GameRecord:
    lease = services.registry.lease(body.table or "", Holder(address, caller.guest))
    async with lease as actor, actor.reading() as table:
        choose_view(table, caller, None)
        try:
            if match_numbered(table.state, body.game).ended_at is None:
                check_hint_allowed(table, caller)
            return table.record(body.game)
        except StampedeError as error:
            raise problem_of(error) from error


# --- moves ahead ---


@router.get("/buffalo/reach", responses={200: {"model": ReachAnswer}})
async def buffalo_reach(_: AnyCaller) -> Response:
    """Where Buffalo's pieces could go on an empty board. It never changes: keep it."""
    answer = JsonResponse(encode({"reach": reach()}))
    answer.headers["Cache-Control"] = f"public, max-age={REACH_AGE}"
    return answer


# --- reviews ---


@router.post("/reviews", responses={200: {"model": ReviewLine, "content": {NDJSON: {}}}})
async def review(
    request: Request, body: ReviewRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """The review of a finished game, as JSON Lines that come as they are computed.

    A request for a review that is under way joins it. It stops a few seconds after its last reader has left.
    """
    services.limit(request, caller, REVIEW_COST)
    address = address_of(request)
    reviewer: Reviewer = request.app.state.reviewer
    if body.record is None:
        holder = Holder(address, caller.guest)
        async with services.registry.lease(body.table or "", holder) as actor:
            record, free = check_finished(await read_record(actor, caller, body.game)), LONG_OPENING
    else:
        record, free = check_finished(body.record.record()), OPENING
    reviewer.check_room(caller, address, record)
    running = await services.running_games.traces(record.game)
    await reviewer.check_not_played_here(address, record, running, free)
    return LineStream(as_lines(reviewer.review(caller, address, record)), media_type=NDJSON)
