"""Routes of what is proven about Buffalo, and of games against the proofs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Final

from fastapi import APIRouter, FastAPI, Path, Request
from starlette.responses import FileResponse, Response

from stampede.buffalo import BuffaloGame
from stampede.core.json import canonical
from stampede.proofs.certificates.shipped import SHIPPED, shipped_files
from stampede.server.http.cached_body import CachedBody
from stampede.server.http.dependencies import (
    AnyCaller,
    JsonResponse,
    KnownCaller,
    RunningServices,
)
from stampede.server.http.encode import encode
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, TooManyRequests, unknown
from stampede.server.solved.challenge import challenge_json
from stampede.server.solved.ladder import find_start, solved_json
from stampede.server.solved.models import ChallengeAnswer, ChallengeRequest, SolvedAnswer
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting

__all__ = ["router"]

PLAY_COST: Final = 3.0
"""How many requests an answer of a proof counts as."""
MAX_WAITING: Final = 3
"""Requests from one address that may wait for an answer."""
CERTIFICATE: Final = "application/octet-stream"


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    pool = BotPool(threads=1, capacity=MAX_WAITING)
    app.state.proofs = pool
    try:
        yield
    finally:
        await pool.close()


router = APIRouter(prefix="/api/solved", responses=PROBLEMS, lifespan=_lifespan)


@cache
def _make_body() -> CachedBody:
    return CachedBody.make(encode(solved_json()), "application/json")


@router.get("", responses={200: {"model": SolvedAnswer}})
async def solved(request: Request, _: AnyCaller) -> Response:
    """What is proven about Buffalo, from verified certificates only."""
    body = await asyncio.to_thread(_make_body)
    return body.respond(request.headers, "no-cache")


@router.get(
    "/certificates/{name}",
    response_class=FileResponse,
    responses={200: {"content": {CERTIFICATE: {}}}},
)
async def certificate(
    _: AnyCaller, name: Annotated[str, Path(min_length=1, max_length=40)]
) -> Response:
    """A certificate; `stampede solve verify` checks it. docs/certificates.md describes the format."""
    if name not in {path.stem for path in shipped_files()}:
        raise unknown("certificate")
    return FileResponse(SHIPPED / f"{name}.cert", media_type=CERTIFICATE, filename=f"{name}.cert")


@router.post("/play", responses={200: {"model": ChallengeAnswer}})
async def challenge(
    request: Request, body: ChallengeRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """The next position of a game against a proof. The server stores nothing: send all moves each time."""
    services.limit(request, caller, PLAY_COST)
    start = find_start(body.start)
    if start is None:
        raise unknown("start")
    running = await services.running_games.traces(BuffaloGame.name)
    pool: BotPool = request.app.state.proofs
    try:
        found = await pool.think(
            lambda: challenge_json(start, body.moves, running), owner=address_of(request)
        )
    except TooManyWaiting as error:
        raise TooManyRequests(2) from error
    return JsonResponse(canonical(found))
