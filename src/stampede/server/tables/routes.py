"""Tables over HTTP: the lobby, opening, viewing, commands, records. All that a WebSocket can do, too."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from stampede.core.errors import StampedeError
from stampede.core.json import Json
from stampede.server.http.dependencies import AnyCaller, JsonResponse, KnownCaller, RunningServices
from stampede.server.http.encode import encode
from stampede.server.http.problems import PROBLEMS, problem_of, unknown
from stampede.server.services import OPENING_COST
from stampede.server.tables.actor import TableActor
from stampede.server.tables.answers import (
    AckAnswer,
    EventsAnswer,
    GuestAnswer,
    LobbyAnswer,
    OpenedAnswer,
    RecordAnswer,
    TableAnswer,
)
from stampede.server.tables.games import GameName, GamesAnswer, games_answer
from stampede.server.tables.service import check_may_view, choose_view
from stampede.server.tables.wire import CommandRequest, TableRequest

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

Status = Literal["open", "running", "over"]
PlayerQuery = Annotated[
    int | None,
    Query(ge=0, le=5, description="Through which own chair's eyes; the first if absent."),
]


async def get_table(
    services: RunningServices, table_id: Annotated[str, Path(description="The table's id.")]
) -> TableActor:
    """The table that the path names."""
    return await services.registry.find(table_id)


LiveTable = Annotated[TableActor, Depends(get_table)]


@router.get("/me", response_model=GuestAnswer)
async def me(request: Request, response: Response, services: RunningServices) -> dict[str, Json]:
    """Makes you a guest, if you aren't one yet: sets the cookie that all commands need."""
    caller = await services.caller(request)
    services.limit(request, caller)
    session = await services.sessions.find(request)
    guest = (
        services.identities.welcome(request, response) if session is None else session.account_id
    )
    mine = await services.store.listings_of(guest)
    return {"tables": [item.table_id for item in mine]}


@router.get("/games", response_model=GamesAnswer)
async def games(_: AnyCaller) -> GamesAnswer:
    """The games that can be played here, and all that differs between them."""
    return games_answer()


@router.get("/tables", responses={200: {"model": LobbyAnswer}})
async def lobby(
    services: RunningServices,
    caller: AnyCaller,
    status: Status = "open",
    game: GameName | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Response:
    """Public tables, the latest first; without those of people whom you don't meet."""
    listed = await services.store.listings([status], public=True, game=game, limit=limit)
    found = await services.moderation.visible(caller, listed)
    return JsonResponse('{"tables":[' + ",".join(item.summary for item in found) + "]}")


@router.get("/tables/mine", responses={200: {"model": LobbyAnswer}})
async def mine(services: RunningServices, caller: AnyCaller) -> Response:
    """The tables at which you sit, the latest first."""
    found = [] if caller.guest is None else await services.store.listings_of(caller.guest)
    return JsonResponse('{"tables":[' + ",".join(item.summary for item in found) + "]}")


@router.post("/tables", status_code=201, response_model=OpenedAnswer)
async def open_table(
    request: Request, body: TableRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Opens a table. The same key opens it only once."""
    services.limit(request, caller, OPENING_COST)
    actor, invite = await services.tables.open(body, caller)
    return {"table": actor.table_id, "invite": invite}


@router.get("/tables/{table_id}", responses={200: {"model": TableAnswer}})
async def look(actor: LiveTable, caller: AnyCaller, player: PlayerQuery = None) -> Response:
    """Where a table stands, as you may see it."""
    async with actor.reading() as table:
        viewer = choose_view(table, caller, player)
        answer = {
            "seq": table.seq,
            "player": viewer,
            "players": list(table.players_of(caller)),
            "view": table.snapshot(viewer),
        }
    return JsonResponse(encode(answer))


@router.get("/tables/{table_id}/events", responses={200: {"model": EventsAnswer}})
async def events(
    actor: LiveTable,
    caller: AnyCaller,
    after: Annotated[int, Query(ge=0, le=2**31, description="The last number you have seen.")] = 0,
    player: PlayerQuery = None,
) -> Response:
    """What happened after an entry, as you may still see it."""
    async with actor.reading() as table:
        viewer = choose_view(table, caller, player)
        messages = [message.to_json() for message in table.messages(viewer, after)]
        answer = {"seq": table.seq, "player": viewer, "messages": messages}
    return JsonResponse(encode(answer))


@router.post("/tables/{table_id}/commands", responses={200: {"model": AckAnswer}})
async def command(
    actor: LiveTable, body: CommandRequest, services: RunningServices, caller: KnownCaller
) -> Response:
    """Carries a command out, and answers when it is durable. The same key is carried out only once."""
    return JsonResponse(encode(await services.tables.command(actor, body, caller)))


@router.get("/tables/{table_id}/record", responses={200: {"model": RecordAnswer}})
async def record(
    actor: LiveTable,
    caller: AnyCaller,
    game: Annotated[
        int | None, Query(ge=1, le=10_000, description="Which game of the table.")
    ] = None,
) -> Response:
    """The record of a finished game (docs/record.md): the latest, if none is named."""
    await check_may_view(actor, caller)
    try:
        async with actor.reading() as table:
            return JsonResponse(table.record(game).dumps())
    except StampedeError as error:
        raise problem_of(error) from error


@router.get("/records/{record_id}", responses={200: {"model": RecordAnswer}})
async def imported(services: RunningServices, _: AnyCaller, record_id: str) -> Response:
    """A record that was brought in from elsewhere."""
    found = await services.store.find_imported(record_id) if record_id.isalnum() else None
    if found is None:
        raise unknown("record")
    return JsonResponse(found)
