"""What clients get: the shapes of all answers, for the OpenAPI description. Tests compare them with what is sent.

A game's own view and events are told in docs/protocol.md; here they are open objects.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from stampede.bots import bot_names
from stampede.core.json import Json
from stampede.server.tables.catalogue import PLAYABLE
from stampede.server.tables.views import TableViewAnswer

__all__ = [
    "PROBLEMS",
    "AckAnswer",
    "EventsAnswer",
    "GamesAnswer",
    "GuestAnswer",
    "LobbyAnswer",
    "OpenedAnswer",
    "ProblemAnswer",
    "RecordAnswer",
    "ServerFrame",
    "TableAnswer",
    "extend_openapi",
    "games_answer",
]


class Answer(BaseModel):
    """The base of all answers."""

    model_config = ConfigDict(extra="forbid")


class ProblemAnswer(BaseModel):
    """Why something wasn't done. Nothing was changed."""

    error: str = Field(description="A word for programs.")
    message: str = Field(description="A sentence for people: what was expected, and what was got.")
    clause: str | None = Field(None, description="422: the rule that refuses it, such as Z4.4.")
    phase: str | None = Field(None, description="409: the table's phase.")
    decision: str | None = Field(None, description="409: the decision that is present.")
    awaited: list[int] | None = Field(None, description="409: the players whose answer is awaited.")
    view: TableViewAnswer | None = Field(None, description="409: where the table stands.")
    fields: list[str] | None = Field(None, description="422: the places that can't be read.")
    retry_after: int | None = Field(None, description="429: in how many seconds to come back.")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": text}
    for status, text in {
        400: "It isn't JSON.",
        401: "Nobody is known by that: GET /api/me first, or show a token.",
        403: "This caller may not do that.",
        404: "There is no such thing, or it isn't shown to this caller.",
        409: "It doesn't fit the present state, which comes along.",
        413: "The body is too large.",
        422: "The rules refuse it, or it can't be read.",
        429: "Too many requests; Retry-After says when to come back.",
        503: "The database is busy or away; the same key can be sent again.",
        507: "The disk is full.",
    }.items()
}


class GuestAnswer(Answer):
    """You are a guest now; the cookie says so."""

    tables: list[str] = Field(description="The tables at which you sit, the latest first.")


class LobbyPlayer(Answer):
    """A chair."""

    kind: Literal["open", "human", "program", "bot"]
    name: str
    level: str | None


class LobbyTable(Answer):
    """A table's line in the lobby."""

    table: str
    game: str
    status: Literal["open", "running", "over", "closed"]
    phase: str
    rules: dict[str, JsonValue]
    series: str
    clock: dict[str, JsonValue]
    rated: bool
    public: bool
    watch: bool
    games: int
    updated: int
    players: list[LobbyPlayer]


class LobbyAnswer(Answer):
    """Tables."""

    tables: list[LobbyTable]


class OpenedAnswer(Answer):
    """A table is open."""

    table: str
    invite: str = Field(description="The invitation's token: part of the link for your friends.")


class MessageAnswer(Answer):
    """What one entry of the log was, as the viewer may see it."""

    seq: int
    at: int
    kind: str
    player: int | None
    data: dict[str, JsonValue]
    events: list[dict[str, JsonValue]]
    phase: str
    decision: str | None
    awaited: list[int]


class TableAnswer(Answer):
    """Where a table stands."""

    seq: int
    player: int | None = Field(description="Through whose eyes; null for a spectator.")
    players: list[int] = Field(description="Your chairs.")
    view: TableViewAnswer


class EventsAnswer(Answer):
    """What happened."""

    seq: int
    player: int | None
    messages: list[MessageAnswer]


class AckAnswer(Answer):
    """A command was carried out, durably."""

    key: str
    seq: int
    player: int | None
    token: str | None = Field(None, description="The new token, after commands that make one.")


class RecordAnswer(BaseModel):
    """A game record; docs/record.md."""

    format: Literal["stampede-record/1"]
    game: str
    rules: dict[str, JsonValue]
    seats: list[dict[str, JsonValue]]
    actions: list[JsonValue]
    result: dict[str, JsonValue] | None = None
    meta: dict[str, JsonValue]


class GameAnswer(Answer):
    """A game that can be played."""

    name: str
    title: str
    players: list[int]
    variants: list[str]
    series: list[str]
    bots: list[str]


class GamesAnswer(Answer):
    """The games."""

    games: list[GameAnswer]


def games_answer() -> dict[str, Json]:
    """What can be played here."""
    return {
        "games": [
            {
                "name": name,
                "title": playable.spec.title,
                "players": list(playable.spec.seats),
                "variants": list(playable.spec.variants),
                "series": ["rematch", *playable.series],
                "bots": list(bot_names(name)),
            }
            for name, playable in PLAYABLE.items()
        ]
    }


# --- the WebSocket's messages ---


class WelcomeFrame(TableAnswer):
    """The first message: where things stand, and what was missed since the number that was asked for."""

    type: Literal["welcome"]
    messages: list[MessageAnswer]


class UpdateFrame(Answer):
    """Something happened."""

    type: Literal["update"]
    seq: int
    messages: list[MessageAnswer]
    view: TableViewAnswer | None = Field(None, description="The view now; absent with changes.")
    changes: dict[str, JsonValue] | None = Field(
        None,
        description="With ?changes=true: the parts of the view that are new, of its part view only those that are.",
    )


class AckFrame(AckAnswer):
    """A command was carried out, durably."""

    type: Literal["ack"]


class ErrorFrame(ProblemAnswer):
    """A command wasn't carried out; ``key`` is the command's, null when it couldn't be read."""

    type: Literal["error"]
    key: str | None
    status: int


class ChatFrame(Answer):
    """Something was said; only for those who sit at the table."""

    type: Literal["chat"]
    number: int
    at: int
    player: int
    kind: Literal["phrase", "text", "agree", "decline"]
    text: str


class BeatFrame(Answer):
    """A sign of life; answer a ping by a pong."""

    type: Literal["ping", "pong"]


ServerFrame = Annotated[
    WelcomeFrame | UpdateFrame | AckFrame | ErrorFrame | ChatFrame | BeatFrame,
    Field(discriminator="type"),
]


def extend_openapi(app: FastAPI) -> None:
    """Adds the WebSocket's messages to the description, so that clients can generate their types, too."""
    from stampede.server.tables.socket import ClientFrame  # noqa: PLC0415 - it needs this module

    plain = app.openapi

    def described() -> dict[str, Any]:
        schema = plain()
        components = schema.setdefault("components", {}).setdefault("schemas", {})
        for name, frame in (("ServerFrame", ServerFrame), ("ClientFrame", ClientFrame)):
            adapter: TypeAdapter[Any] = TypeAdapter(frame)  # type: ignore[arg-type]
            found = adapter.json_schema(ref_template="#/components/schemas/{model}")
            for inner, definition in found.pop("$defs", {}).items():
                components.setdefault(inner, definition)
            components[name] = found
        return schema

    app.openapi = described  # type: ignore[method-assign]
