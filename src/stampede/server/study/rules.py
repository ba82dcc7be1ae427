"""The route of the rules: the same bytes for everyone, made once for each game and language."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Request
from pydantic import AfterValidator, Field
from starlette.responses import Response

from stampede.core.events import plain
from stampede.rulebook import LANGUAGES, Book, read_book
from stampede.server.http.cached_body import CachedBody
from stampede.server.http.dependencies import AnyCaller
from stampede.server.http.encode import encode
from stampede.server.http.problems import PROBLEMS
from stampede.server.tables.games import GameName

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)


def _check_language(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError(f"expected one of {', '.join(LANGUAGES)}")
    return code


Language: TypeAlias = Annotated[
    str, AfterValidator(_check_language), Field(json_schema_extra={"enum": list(LANGUAGES)})
]
"""The code of a language that the rules are written in."""


@cache
def _make_body(game: str, language: str) -> CachedBody:
    return CachedBody.make(encode(plain(read_book(game, language))), "application/json")


@router.get("/rules/{game}/{language}", responses={200: {"model": Book}})
async def rules(game: GameName, language: Language, request: Request, _: AnyCaller) -> Response:
    """The rules of a game in a language, clause by clause, with the positions that its pictures show."""
    body = await asyncio.to_thread(_make_body, game, language)
    return body.respond(request.headers, "no-cache")
