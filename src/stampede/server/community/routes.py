"""Routes of exhibitions, chat, blocks, reports and removals. Chat also goes to the sockets of the players."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.server.accounts.models import DoneAnswer
from stampede.server.community.chat import PHRASES
from stampede.server.community.models import (
    AgreeRequest,
    BlockAnswer,
    BlockRequest,
    BlocksAnswer,
    ChatAnswer,
    ExhibitionAnswer,
    RemoveRequest,
    ReportAnswer,
    ReportRequest,
    SaidAnswer,
    SayRequest,
    WordsAnswer,
)
from stampede.server.community.moderation import REASONS
from stampede.server.http.dependencies import AnyCaller, KnownCaller, RunningServices
from stampede.server.http.limits import address_of
from stampede.server.http.problems import PROBLEMS, Problem, problem_of, unknown
from stampede.server.tables.games import GameName
from stampede.server.tables.memory import Holder
from stampede.server.tables.routes import LiveTable

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/words", response_model=WordsAnswer)
async def words(_: AnyCaller) -> dict[str, Json]:
    """The codes of phrases and of reasons for a report."""
    return {"phrases": list(PHRASES), "reasons": list(REASONS)}


@router.get("/exhibition", response_model=ExhibitionAnswer)
async def exhibition(services: RunningServices, _: AnyCaller, game: GameName) -> dict[str, Json]:
    """A table at which bots play while you watch. 404 when the server has enough to do."""
    return {"table": await services.exhibitions.find(game)}


@router.get("/tables/{table_id}/chat", response_model=ChatAnswer)
async def chat(
    actor: LiveTable,
    services: RunningServices,
    caller: AnyCaller,
    after: Annotated[int, Query(ge=0, le=2**31, description="The last number you know.")] = 0,
) -> JsonObject:
    """The chat, for those who sit at the table."""
    return await services.chat.messages(actor, caller, after)


@router.post("/tables/{table_id}/chat", status_code=201, response_model=SaidAnswer)
async def say(
    actor: LiveTable, body: SayRequest, services: RunningServices, caller: KnownCaller
) -> JsonObject:
    """Sends a message to those who sit at the table."""
    if (body.phrase is None) == (body.text is None):
        raise Problem(422, "invalid", "expected a phrase or a text, one of the two")
    kind = "text" if body.phrase is None else "phrase"
    text = body.text if body.phrase is None else body.phrase
    return await services.chat.say(actor, caller, body.player, kind, text or "")


@router.post("/tables/{table_id}/chat/agree", response_model=SaidAnswer)
async def agree(
    actor: LiveTable, body: AgreeRequest, services: RunningServices, caller: KnownCaller
) -> JsonObject:
    """Agrees to free text at this table, or withdraws that."""
    return await services.chat.agree(actor, caller, body.player, agree=body.agree)


@router.post("/tables/{table_id}/reports", status_code=201, response_model=ReportAnswer)
async def report(
    actor: LiveTable, body: ReportRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Reports a player to the operator."""
    moderation = services.moderation
    found = await moderation.report(actor, caller, body.player, body.reason, body.note)
    return {"report": found}


@router.post("/tables/{table_id}/remove", response_model=DoneAnswer)
async def remove(
    actor: LiveTable, body: RemoveRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Removes a player from the table for good; only the host may. In a running game a bot plays on."""
    try:
        await services.moderation.remove(actor, caller, body.player, body.key)
    except StampedeError as error:
        raise problem_of(error) from error
    return {"done": True}


@router.get("/blocks", response_model=BlocksAnswer)
async def blocks(services: RunningServices, caller: AnyCaller) -> dict[str, Json]:
    """The players whom you have blocked."""
    mine = [] if caller.guest is None else await services.moderation.store.blocks(caller.guest)
    return {"blocks": [{"id": item.block_id, "name": item.name, "at": item.at} for item in mine]}


@router.post("/blocks", status_code=201, response_model=BlockAnswer)
async def block(
    request: Request, body: BlockRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Blocks a player: neither of you sees the other's tables and messages, or can sit down at their tables."""
    if body.table is not None and body.player is not None and body.name is None:
        holder = Holder(address_of(request), caller.guest)
        async with services.registry.lease(body.table, holder) as actor:
            made = await services.moderation.block(actor, caller, body.player)
    elif body.name is not None and body.table is None and body.player is None:
        made = await services.moderation.block_by_name(caller, body.name)
    else:
        raise Problem(422, "invalid", "expected a table and a player, or a name")
    return {"id": made.block_id, "name": made.name, "at": made.at}


@router.delete("/blocks/{block_id}", response_model=DoneAnswer)
async def unblock(services: RunningServices, caller: KnownCaller, block_id: str) -> dict[str, Json]:
    """Lifts one of your blocks."""
    mine = caller.guest
    if mine is None or not await services.moderation.store.unblock(mine, block_id):
        raise unknown("block")
    return {"done": True}
