"""Whether a game's engine is compiled: on a new machine that takes a minute or two, and pages say so meanwhile."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from stampede.bots.preparation import tasks_of
from stampede.games import GAMES
from stampede.server.http.dependencies import AnyCaller, JsonResponse, RunningServices
from stampede.server.http.encode import encode
from stampede.server.http.models import ResponseModel
from stampede.server.http.problems import PROBLEMS, unknown

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)


class EngineAnswer(ResponseModel):
    """How much of a game's engine is compiled. Strong bots, analysis and reviews wait for all of it."""

    ready: bool = Field(description="Whether nothing is left to compile.")
    done: int = Field(description="How many parts are compiled.")
    parts: int = Field(description="How many parts there are.")


@router.get("/engines/{game}", responses={200: {"model": EngineAnswer}})
async def engine_of(
    request: Request, game: str, services: RunningServices, caller: AnyCaller
) -> Response:
    """Whether a game's engine is ready. After an installation the server compiles it, once on a machine."""
    services.limit(request, caller)
    if game not in GAMES:
        raise unknown("game")
    done, parts = await asyncio.to_thread(_count_compiled, game)
    return JsonResponse(encode({"ready": done == parts, "done": done, "parts": parts}))


def _count_compiled(game: str) -> tuple[int, int]:
    tasks = tasks_of(game)
    return sum(task.is_done for task in tasks), len(tasks)
