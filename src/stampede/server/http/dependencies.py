"""FastAPI dependencies that the routes of all concerns share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import Response

from stampede.matches.callers import Caller
from stampede.server.http.identity import check_origin
from stampede.server.services import Services

__all__ = ["AnyCaller", "JsonResponse", "KnownCaller", "RunningServices"]


class JsonResponse(Response):
    """A response whose body is JSON text already."""

    media_type = "application/json"


async def get_services(request: Request) -> Services:
    """Returns the running parts of the server. Not a plain function: FastAPI would call that in a thread."""
    services: Services = request.app.state.services
    return services


RunningServices = Annotated[Services, Depends(get_services)]


async def get_caller(request: Request, services: RunningServices) -> Caller:
    """Identifies the caller and counts the request against the rate limits."""
    caller = await services.caller(request)
    services.limit(request, caller)
    return caller


AnyCaller = Annotated[Caller, Depends(get_caller)]


async def get_known_caller(
    request: Request, services: RunningServices, caller: AnyCaller
) -> Caller:
    """Like `get_caller`, for requests that change something: needs a cookie or token, and the same origin."""
    check_origin(request)
    return services.identities.known(caller)


KnownCaller = Annotated[Caller, Depends(get_known_caller)]
