"""Tables over HTTP: the lobby, opening, viewing, commands, records. All that a WebSocket can do, too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.names import name_guest
from stampede.server.accounts.models import DoneAnswer
from stampede.server.http.dependencies import AnyCaller, JsonResponse, KnownCaller, RunningServices
from stampede.server.http.encode import encode
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, unknown
from stampede.server.services import OPENING_COST
from stampede.server.study.board.starts import check_start_allowed
from stampede.server.tables.actor import TableActor
from stampede.server.tables.answers import (
    AckAnswer,
    EventsAnswer,
    GuestAnswer,
    LobbyAnswer,
    MyTablesAnswer,
    OpenedAnswer,
    RecordAnswer,
    TableAnswer,
)
from stampede.server.tables.editions import (
    EditionCheckAnswer,
    EditionCheckRequest,
    EditionsAnswer,
    check_edition,
)
from stampede.server.tables.games import GameName, GamesAnswer, games_answer
from stampede.server.tables.listing import join_summaries
from stampede.server.tables.memory import Holder
from stampede.server.tables.service import choose_view, read_record
from stampede.server.tables.wire import CommandRequest, TableRequest

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

MAX_EVENTS: Final = 500
"""Messages in one answer."""
Status = Literal["open", "running", "over"]
PlayerQuery = Annotated[
    int | None,
    Query(ge=0, le=5, description="Through which own chair's eyes; the first if absent."),
]


async def get_table(
    request: Request,
    services: RunningServices,
    caller: AnyCaller,  # counted before the table is read from the log: that costs most
    table_id: Annotated[str, Path(description="The table's id.")],
) -> AsyncIterator[TableActor]:
    """The table that the path names; it stays in memory until the answer is made."""
    async with services.registry.lease(
        table_id, Holder(address_of(request), caller.guest)
    ) as actor:
        yield actor


LiveTable = Annotated[TableActor, Depends(get_table, scope="function")]


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
    account = None if session is None else await services.accounts.store.find(guest)
    name = name_guest(Caller(guest).who) if account is None else account.name
    return {"tables": [item.table_id for item in mine], "name": name}


@router.get("/games", response_model=GamesAnswer)
async def games(services: RunningServices, _: AnyCaller) -> GamesAnswer:
    """The games that can be played here, and all that differs between them."""
    return games_answer(services.editions.catalogue)


@router.get("/editions", response_model=EditionsAnswer)
async def editions(services: RunningServices, _: AnyCaller) -> EditionsAnswer:
    """The editions that a table can be opened with by their id: values, and where each is known from."""
    return services.editions.answer()


@router.post("/editions/check", response_model=EditionCheckAnswer)
async def check(body: EditionCheckRequest, _: AnyCaller) -> EditionCheckAnswer:
    """Checks an owner's own edition, from a file's text or from its data. Keeps nothing."""
    return check_edition(body)


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
    return JsonResponse(f'{{"tables":{join_summaries(item.summary for item in found)}}}')


@router.get("/tables/mine", responses={200: {"model": MyTablesAnswer}})
async def mine(
    request: Request,
    services: RunningServices,
    caller: AnyCaller,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    before: Annotated[
        int, Query(ge=0, le=2**53, description="Only tables that last changed before this time.")
    ] = 2**53,
) -> Response:
    """The tables at which you sit, or have sat as an account, the latest first; without those that you removed."""
    tables, older = await services.my_tables.listed(caller, limit, before, address_of(request))
    answer = {"tables": tables, "before": older, "now": services.my_tables.now()}
    return JsonResponse(encode(answer))


@router.delete("/tables/mine/{table_id}", response_model=DoneAnswer)
async def remove_from_mine(
    services: RunningServices,
    caller: KnownCaller,
    table_id: Annotated[str, Path(description="The table's id.")],
) -> dict[str, Json]:
    """Removes a table that is over from your list. The table and its games stay."""
    await services.my_tables.remove(caller, table_id)
    return {"done": True}


@router.post("/tables", status_code=201, response_model=OpenedAnswer)
async def open_table(
    request: Request, body: TableRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Opens a table, and takes the chairs that you ask for. The same key opens it only once."""
    services.limit(request, caller, OPENING_COST)
    address = address_of(request)
    await check_start_allowed(services, body.settings())
    table_id, invite = await services.tables.open(body, caller, address)
    stands: Json = None
    if body.sit:
        async with services.registry.lease(table_id, Holder(address, caller.guest)) as actor:
            for claim in body.claims():
                await services.tables.command(actor, claim, caller)
            stands = await look_at(actor, caller, None)
    return {"table": table_id, "invite": invite, "stands": stands}


async def look_at(actor: TableActor, caller: Caller, player: Player | None) -> JsonObject:
    """Where a table stands, as a caller may see it."""
    async with actor.reading() as table:
        viewer = choose_view(table, caller, player)
        return {
            "seq": table.seq,
            "now": actor.now(),
            "player": viewer,
            "players": list(table.players_of(caller)),
            "view": table.snapshot(viewer),
        }


@router.get("/tables/{table_id}", responses={200: {"model": TableAnswer}})
async def look(actor: LiveTable, caller: AnyCaller, player: PlayerQuery = None) -> Response:
    """Where a table stands, as you may see it."""
    return JsonResponse(encode(await look_at(actor, caller, player)))


@router.get("/tables/{table_id}/events", responses={200: {"model": EventsAnswer}})
async def events(
    actor: LiveTable,
    caller: AnyCaller,
    after: Annotated[int, Query(ge=0, le=2**31, description="The last number you have seen.")] = 0,
    limit: Annotated[
        int, Query(ge=1, le=MAX_EVENTS, description="How many messages.")
    ] = MAX_EVENTS,
    player: PlayerQuery = None,
) -> Response:
    """What happened after an entry, as you may still see it, in pages: ask again while there is more."""
    async with actor.reading() as table:
        viewer = choose_view(table, caller, player)
        messages = [message.to_json() for message in table.messages(viewer, after, limit)]
        answer = {
            "seq": table.seq,
            "player": viewer,
            "messages": messages,
            "more": after + len(messages) < table.seq,
        }
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
    return JsonResponse((await read_record(actor, caller, game)).dumps())


@router.get("/records/{record_id}", responses={200: {"model": RecordAnswer}})
async def imported(services: RunningServices, _: AnyCaller, record_id: str) -> Response:
    """A record that was brought in from elsewhere."""
    found = await services.store.find_imported(record_id) if record_id.isalnum() else None
    if found is None:
        raise unknown("record")
    return JsonResponse(found)
