"""The application factory: `create_app` is what uvicorn runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route

import stampede
from stampede.core.errors import StampedeError
from stampede.server.accounts import routes as account_routes
from stampede.server.community import routes as community_routes
from stampede.server.http.access_log import AccessLogMiddleware
from stampede.server.http.cached_body import CachedBody
from stampede.server.http.encode import encode
from stampede.server.http.examples import with_examples
from stampede.server.http.limits import AddressLimitMiddleware, BodyLimitMiddleware
from stampede.server.http.problems import Problem, problem_of
from stampede.server.http.security_headers import SecurityHeaders
from stampede.server.http.web_client import BUILT, add_pages, missing_page
from stampede.server.notices import routes as notice_routes
from stampede.server.ops import health
from stampede.server.ops.metrics import Metrics
from stampede.server.people import routes as people_routes
from stampede.server.puzzles import routes as puzzle_routes
from stampede.server.puzzles import zoff_routes as zoff_puzzle_routes
from stampede.server.ratings import routes as rating_routes
from stampede.server.runtime import Runtime
from stampede.server.services import Services, running_services
from stampede.server.settings import ServerSettings
from stampede.server.sharing import routes as sharing_routes
from stampede.server.solved import routes as solved_routes
from stampede.server.study import engines as engine_routes
from stampede.server.study import lesson_routes
from stampede.server.study import routes as study_routes
from stampede.server.study import rules as rules_routes
from stampede.server.study.board import routes as board_routes
from stampede.server.tables import routes as table_routes
from stampede.server.tables import socket
from stampede.server.tables.answers import extend_openapi

__all__ = ["create_app"]

OPENAPI_COST: Final = 5.0
"""How many requests the description of all requests counts as: it has 220 kB, 25 kB compressed."""
NAMES = {404: "unknown_page", 405: "wrong_method"}


def create_app(
    settings: ServerSettings | None = None,
    runtime: Runtime | None = None,
    client: Path = BUILT,
) -> FastAPI:
    """Makes the application.

    Args:
        settings: The settings; by default from the environment.
        runtime: Where time, chance and the database come from; by default the real ones.
        client: The folder of the built browser client.
    """
    chosen = settings if settings is not None else ServerSettings()
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running_services(chosen, metrics, runtime or Runtime()) as services:
            app.state.services = services
            yield

    app = FastAPI(
        title="Stampede",
        version=stampede.__version__,
        description="Tables for Zoff in Buffalo and Buffalo. The WebSocket is described in docs/protocol.md.",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts from another site
        redoc_url=None,
        openapi_url=None,  # `_add_openapi` serves it without making it anew for every request
    )
    app.include_router(table_routes.router)
    app.include_router(account_routes.router)
    app.include_router(rating_routes.router)
    app.include_router(community_routes.router)
    app.include_router(study_routes.router)
    app.include_router(engine_routes.router)
    app.include_router(board_routes.router)
    app.include_router(rules_routes.router)
    app.include_router(solved_routes.router)
    app.include_router(zoff_puzzle_routes.router)
    app.include_router(puzzle_routes.router)
    app.include_router(people_routes.router)
    app.include_router(sharing_routes.router)
    app.include_router(lesson_routes.router)
    app.include_router(notice_routes.router)
    app.include_router(socket.router)
    app.include_router(health.router)
    add_pages(app, client)
    _add_error_handlers(app)
    app.add_middleware(BodyLimitMiddleware, limit=chosen.max_body, timeout=chosen.request_timeout)
    app.add_middleware(AddressLimitMiddleware)
    app.add_middleware(AccessLogMiddleware, metrics=metrics)
    app.add_middleware(
        SecurityHeaders, secure=chosen.secure_cookies
    )  # the last one is the outermost
    extend_openapi(app)
    _add_openapi(app)
    return app


def _add_openapi(app: FastAPI) -> None:
    """Serves the description of all requests."""

    @cache
    def make_body() -> CachedBody:
        return CachedBody.make(encode(with_examples(app.openapi())), "application/json")

    async def describe(request: Request) -> Response:
        services: Services = request.app.state.services
        services.limit(request, await services.caller(request), OPENAPI_COST)
        body = await asyncio.to_thread(make_body)  # making it takes a while the first time
        return body.respond(request.headers, "no-cache")

    app.add_route("/api/openapi.json", describe, include_in_schema=False)


def _add_error_handlers(app: FastAPI) -> None:
    """Gives every error the one shape of problems; none repeats what was sent."""

    async def problem(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return error.response()

    async def known(_: Request, error: Exception) -> Response:
        assert isinstance(error, StampedeError)
        return problem_of(error).response()

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        fields = [".".join(str(part) for part in item["loc"]) for item in error.errors()]
        error.__traceback__ = error.__cause__ = error.__context__ = None  # breaks a reference cycle
        body = {"error": "invalid", "message": f"{place}: {first['msg']}", "fields": fields[:20]}
        return JSONResponse(body, 422)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and (page := missing_page(request)) is not None:
            return page
        code = NAMES.get(error.status_code, "refused")
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_allowed_methods(request))
        body = {"error": code, "message": str(error.detail)}
        return JSONResponse(body, error.status_code, headers)

    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(StampedeError, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


def _allowed_methods(request: Request) -> list[str]:
    """Returns all methods of a path; each of its routes knows only its own."""
    matching = [
        route
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    return sorted({method for route in matching for method in route.methods or ()})
