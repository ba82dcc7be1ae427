"""Routes of pictures: a table now, a step of a finished game, a puzzle. All show what a spectator may see."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from stampede.core.errors import StampedeError
from stampede.core.record import GameRecord
from stampede.matches.callers import Caller
from stampede.proofs.puzzles.puzzle import daily
from stampede.server.http.dependencies import AnyCaller, RunningServices
from stampede.server.http.problems import PROBLEMS, problem_of, unknown
from stampede.server.puzzles.answers import find_puzzle
from stampede.server.services import Services
from stampede.server.sharing.cards import draw_card
from stampede.server.sharing.moments import (
    Moment,
    position_moment,
    puzzle_moment,
    record_moment,
    table_moment,
)
from stampede.server.sharing.previews import home_moment
from stampede.server.sharing.texts import language_of, texts_in
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.service import choose_view, read_record

__all__ = ["router"]

router = APIRouter(prefix="/api/pictures", responses=PROBLEMS)

PICTURE_COST: Final = 3.0
"""How many requests a picture counts as."""
BOARD_SIZE: Final = 1200
"""The width of a picture without words, in pixels."""
PUBLIC: Final = "public, max-age=60"
PRIVATE: Final = "private, no-store"

PICTURES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"image/png": {}, "image/svg+xml": {}}}
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture is wanted."""

    request: Request
    services: Services
    kind: str
    style: str
    lang: str | None

    async def answer(self, moment: Moment, *, is_public: bool = True) -> Response:
        """Draws a moment."""
        header = self.request.headers.get("accept-language")
        texts = texts_in(self.lang or language_of(header))
        svg = draw_card(moment, texts) if self.style == "card" else moment.drawing.svg(BOARD_SIZE)
        etag = f'"{hashlib.sha256(svg.encode()).hexdigest()[:32]}"'
        headers = {"Cache-Control": PUBLIC if is_public else PRIVATE, "ETag": etag}
        if self.lang is None:
            headers["Vary"] = "Accept-Language"
        if is_public:  # other sites may show it: it is the same without a cookie
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        if etag in self.request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        if self.kind == "svg":
            return Response(svg, 200, headers, "image/svg+xml")
        return Response(await self.services.pictures.png(svg), 200, headers, "image/png")


async def get_look(
    request: Request,
    services: RunningServices,
    caller: AnyCaller,
    kind: Annotated[Literal["png", "svg"], Path(description="png or svg.")],
    style: Annotated[
        Literal["card", "board"], Query(description="With title and players, or the board alone.")
    ] = "card",
    lang: Annotated[
        Literal["en", "fr", "de", "it", "nl"] | None, Query(description="Of a card's words.")
    ] = None,
) -> Look:
    """Reads how a picture is wanted, and counts it."""
    services.limit(request, caller, PICTURE_COST - 1)
    return Look(request, services, kind, style, lang)


Wanted = Annotated[Look, Depends(get_look)]


@router.get("/home.{kind}", response_class=Response, responses=PICTURES)
async def home_picture(look: Wanted) -> Response:
    """The picture of the start page, which private tables show, too."""
    return await look.answer(home_moment())


@router.get("/puzzles/daily.{kind}", response_class=Response, responses=PICTURES)
async def daily_picture(look: Wanted) -> Response:
    """The puzzle of today (UTC), without its solution."""
    today = datetime.fromtimestamp(look.services.runtime.wall() / 1000, UTC).date()
    return await look.answer(puzzle_moment(daily(today), is_daily=True))


@router.get("/puzzles/{number}.{kind}", response_class=Response, responses=PICTURES)
async def puzzle_picture(
    look: Wanted, number: Annotated[int, Path(ge=1, le=1_000_000)]
) -> Response:
    """A puzzle, without its solution."""
    return await look.answer(puzzle_moment(find_puzzle(number)))


@router.get("/buffalo.{kind}", response_class=Response, responses=PICTURES)
async def position_picture(
    look: Wanted, fen: Annotated[str, Query(max_length=200, description="The position.")]
) -> Response:
    """A position of Buffalo that was set up by hand: the board alone."""
    try:
        moment = position_moment(fen)
    except StampedeError as error:
        raise problem_of(error) from error
    return await replace(look, style="board").answer(moment)


@router.get("/tables/{table_id}.{kind}", response_class=Response, responses=PICTURES)
async def table_picture(
    look: Wanted,
    actor: LiveTable,
    caller: AnyCaller,
    game: Annotated[
        int | None, Query(ge=1, le=10_000, description="A game with a record; else the table now.")
    ] = None,
    step: Annotated[
        int | None, Query(ge=0, le=100_000, description="After how many actions; else the end.")
    ] = None,
) -> Response:
    """A table as its spectators see it, also for its players; or a step of a game that has a record."""
    async with actor.reading() as table:
        choose_view(table, caller, None)
        is_public = table.may_watch(Caller())
        moment = None if game is not None or step is not None else table_moment(table)
    if moment is None:
        record = await read_record(actor, caller, game)
        # In a thread: a long game takes a tenth of a second, which would block the event loop.
        moment = await asyncio.to_thread(record_moment, record, step)
    return await look.answer(moment, is_public=is_public)


@router.get("/records/{record_id}.{kind}", response_class=Response, responses=PICTURES)
async def kept_record_picture(
    look: Wanted,
    record_id: Annotated[str, Path(pattern="^[0-9a-f]{32}$")],
    step: Annotated[
        int | None, Query(ge=0, le=100_000, description="After how many actions; else the end.")
    ] = None,
) -> Response:
    """A step of a record that was brought in from elsewhere."""
    found = await look.services.store.find_imported(record_id)
    if found is None:
        raise unknown("record")
    record = GameRecord.loads(found)
    return await look.answer(await asyncio.to_thread(record_moment, record, step))
