"""Requests and responses of chat, blocks, reports and removals."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stampede.server.community.chat import PHRASES
from stampede.server.community.moderation import REASONS
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.tables.wire import Key, PlayerNumber, TableId

__all__ = [
    "AgreeRequest",
    "BlockAnswer",
    "BlockRequest",
    "BlocksAnswer",
    "ChatAnswer",
    "ExhibitionAnswer",
    "RemoveRequest",
    "ReportAnswer",
    "ReportRequest",
    "SaidAnswer",
    "SayRequest",
    "WordsAnswer",
]

Phrase = Literal[*PHRASES]  # type: ignore[valid-type] # a tuple of texts
Reason = Literal[*REASONS]  # type: ignore[valid-type]


class ExhibitionAnswer(ResponseModel):
    """A game among bots, to be watched."""

    table: TableId


class SayRequest(RequestModel):
    """A message: a phrase by its code, or free text once all players have agreed."""

    player: PlayerNumber | None = Field(None, description="Your chair, if you have several.")
    phrase: Phrase | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=400)] | None = None


class AgreeRequest(RequestModel):
    """Whether you agree to free text at this table."""

    player: PlayerNumber | None = Field(None, description="Your chair, if you have several.")
    agree: bool


class ReportRequest(RequestModel):
    """A report of a player at the table to the operator."""

    player: PlayerNumber
    reason: Reason
    note: Annotated[str, StringConstraints(max_length=1000)] = ""


class BlockRequest(RequestModel):
    """Whom to block: a player at a table, or an account by its name."""

    table: TableId | None = None
    player: PlayerNumber | None = None
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None


class RemoveRequest(RequestModel):
    """Whom the host removes."""

    key: Key
    player: PlayerNumber


class SaidAnswer(ResponseModel):
    """A chat message."""

    number: int = Field(description="Counted at the table from 1.")
    at: int
    player: int
    kind: Literal["phrase", "text", "agree", "decline"]
    text: str = Field(description="The phrase's code, or the words; empty for the other kinds.")


class ChatAnswer(ResponseModel):
    """The chat of a table, and who agrees to free text."""

    messages: list[SaidAnswer]
    open: bool = Field(description="Whether free text is allowed: all who are asked have agreed.")
    agreed: list[int]
    asked: list[int]


class WordsAnswer(ResponseModel):
    """The codes of phrases and of reasons for a report."""

    phrases: list[str]
    reasons: list[str]


class BlockAnswer(ResponseModel):
    """A player whom you have blocked."""

    id: str
    name: str
    at: int


class BlocksAnswer(ResponseModel):
    """The players whom you have blocked, the latest first."""

    blocks: list[BlockAnswer]


class ReportAnswer(ResponseModel):
    """The report is stored."""

    report: str
