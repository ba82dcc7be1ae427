"""Talk, blocks, reports and removals over HTTP. What is said also comes over the sockets of those who sit there."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field, StringConstraints

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.server.accounts.models import DoneAnswer
from stampede.server.community.chat import PHRASES
from stampede.server.community.moderation import REASONS
from stampede.server.http.dependencies import AnyCaller, KnownCaller, RunningServices
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.problems import PROBLEMS, Problem, problem_of, unknown
from stampede.server.tables.routes import LiveTable
from stampede.server.tables.wire import Key, PlayerNumber, TableId

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=PROBLEMS)

Phrase = Literal[*PHRASES]  # type: ignore[valid-type] # a tuple of texts
Reason = Literal[*REASONS]  # type: ignore[valid-type]


class SayRequest(RequestModel):
    """Something to be said: a phrase by its code, or free text once all have agreed."""

    player: PlayerNumber | None = Field(None, description="Your chair, if you have several.")
    phrase: Phrase | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=400)] | None = None


class AgreeRequest(RequestModel):
    """Whether you agree to free text at this table."""

    player: PlayerNumber | None = Field(None, description="Your chair, if you have several.")
    agree: bool


class ReportRequest(RequestModel):
    """KnownCaller at the table whom the operator should know of."""

    player: PlayerNumber
    reason: Reason
    note: Annotated[str, StringConstraints(max_length=1000)] = ""


class BlockRequest(RequestModel):
    """Whom you don't want to meet: somebody at a table, or somebody who keeps a name."""

    table: TableId | None = None
    player: PlayerNumber | None = None
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None


class RemoveRequest(RequestModel):
    """Whom the host sends away."""

    key: Key
    player: PlayerNumber


class SaidAnswer(ResponseModel):
    """Something that was said."""

    number: int = Field(description="Counted at the table, from 1.")
    at: int
    player: int
    kind: Literal["phrase", "text", "agree", "decline"]
    text: str = Field(description="The phrase's code, or the words; empty for the other kinds.")


class ChatAnswer(ResponseModel):
    """What was said at a table, and who agrees to free text."""

    messages: list[SaidAnswer]
    open: bool = Field(description="Whether free text can be said: all who are asked have agreed.")
    agreed: list[int]
    asked: list[int]


class WordsAnswer(ResponseModel):
    """What can be said and reported, by code."""

    phrases: list[str]
    reasons: list[str]


class BlockAnswer(ResponseModel):
    """KnownCaller whom you don't meet."""

    id: str
    name: str
    at: int


class BlocksAnswer(ResponseModel):
    """Whom you don't meet, the latest first."""

    blocks: list[BlockAnswer]


class ReportAnswer(ResponseModel):
    """The report is kept."""

    report: str


@router.get("/words", response_model=WordsAnswer)
async def words(_: AnyCaller) -> dict[str, Json]:
    """The codes of quick phrases, and of reasons for a report."""
    return {"phrases": list(PHRASES), "reasons": list(REASONS)}


@router.get("/tables/{table_id}/chat", response_model=ChatAnswer)
async def heard(
    actor: LiveTable,
    services: RunningServices,
    caller: AnyCaller,
    after: Annotated[int, Query(ge=0, le=2**31, description="The last number you know.")] = 0,
) -> JsonObject:
    """What was said, for those who sit at the table."""
    return await services.chat.state(actor, caller, after)


@router.post("/tables/{table_id}/chat", status_code=201, response_model=SaidAnswer)
async def say(
    actor: LiveTable, body: SayRequest, services: RunningServices, caller: KnownCaller
) -> JsonObject:
    """Says something to those who sit at the table."""
    if (body.phrase is None) == (body.text is None):
        raise Problem(422, "invalid", "expected a phrase or a text, one of the two")
    kind = "text" if body.phrase is None else "phrase"
    said = body.text if body.phrase is None else body.phrase
    return await services.chat.say(actor, caller, body.player, kind, said or "")


@router.post("/tables/{table_id}/chat/agree", response_model=SaidAnswer)
async def agree(
    actor: LiveTable, body: AgreeRequest, services: RunningServices, caller: KnownCaller
) -> JsonObject:
    """Agrees to free text at this table, or doesn't any more."""
    return await services.chat.agree(actor, caller, body.player, agree=body.agree)


@router.post("/tables/{table_id}/reports", status_code=201, response_model=ReportAnswer)
async def report(
    actor: LiveTable, body: ReportRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Reports somebody to whoever runs the server."""
    moderation = services.moderation
    found = await moderation.report(actor, caller, body.player, body.reason, body.note)
    return {"report": found}


@router.post("/tables/{table_id}/remove", response_model=DoneAnswer)
async def remove(
    actor: LiveTable, body: RemoveRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """The host sends somebody away, who can't sit down here again. In a running game a bot plays on."""
    try:
        await services.moderation.remove(actor, caller, body.player, body.key)
    except StampedeError as error:
        raise problem_of(error) from error
    return {"done": True}


@router.get("/blocks", response_model=BlocksAnswer)
async def blocks(services: RunningServices, caller: AnyCaller) -> dict[str, Json]:
    """Whom you don't meet."""
    mine = [] if caller.guest is None else await services.moderation.store.blocks(caller.guest)
    return {"blocks": [{"id": item.block_id, "name": item.name, "at": item.at} for item in mine]}


@router.post("/blocks", status_code=201, response_model=BlockAnswer)
async def block(
    body: BlockRequest, services: RunningServices, caller: KnownCaller
) -> dict[str, Json]:
    """Blocks somebody: neither of you finds the other's tables, sits down there, or hears the other."""
    if body.table is not None and body.player is not None and body.name is None:
        actor = await services.registry.find(body.table)
        made = await services.moderation.block(actor, caller, body.player)
    elif body.name is not None and body.table is None and body.player is None:
        made = await services.moderation.block_named(caller, body.name)
    else:
        raise Problem(422, "invalid", "expected a table and a player, or a name")
    return {"id": made.block_id, "name": made.name, "at": made.at}


@router.delete("/blocks/{block_id}", response_model=DoneAnswer)
async def unblock(services: RunningServices, caller: KnownCaller, block_id: str) -> dict[str, Json]:
    """Lifts a block of yours."""
    mine = caller.guest
    if mine is None or not await services.moderation.store.unblock(mine, block_id):
        raise unknown("block")
    return {"done": True}
