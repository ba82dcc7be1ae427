"""What clients get: the shapes of all answers, for the OpenAPI description. Tests compare them with what is sent."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal

from fastapi import FastAPI
from pydantic import BaseModel, Field, JsonValue

from stampede.server.http.models import ResponseModel
from stampede.server.http.problems import ProblemAnswer
from stampede.server.http.schema import GameAction, Message, TableChanges, TableView, schemas_of

__all__ = [
    "AckAnswer",
    "EventsAnswer",
    "GuestAnswer",
    "LobbyAnswer",
    "MyTablesAnswer",
    "OpenedAnswer",
    "RecordAnswer",
    "ServerFrame",
    "TableAnswer",
    "extend_openapi",
]


NOW: Final = "The server's time when this was sent: clocks run by it, not by yours."


class GuestAnswer(ResponseModel):
    """You are a guest now; the cookie says so."""

    tables: list[str] = Field(description="The tables at which you sit, the latest first.")
    name: str = Field(description="Your account's name, or the name that a guest like you gets.")


class LobbyPlayer(ResponseModel):
    """A chair."""

    kind: Literal["open", "human", "program", "bot"]
    name: str
    level: str | None


class LobbyResult(ResponseModel):
    """How the last game of a table ended."""

    game: int
    winners: list[int] = Field(description="The players who won; none when it was aborted.")
    reason: str
    aborted: bool
    stand_ins: list[int] = Field(
        default=[], description="By player: how many decisions a bot took for them."
    )
    out: list[int] = Field(
        default=[], description="The players who lost by time while the others played on."
    )


class TallyAnswer(ResponseModel):
    """What the games of a table add up to."""

    games: int = Field(description="How many have ended, without those that were broken off.")
    wins: list[int] = Field(description="By seat.")
    colours: dict[str, list[int]] = Field(
        description="By colour: how many games, and how many it won; empty in games without colours."
    )


class LobbyTable(ResponseModel):
    """A table's line in the lobby."""

    table: str
    game: str
    status: Literal["open", "running", "over", "closed"]
    phase: str
    rules: dict[str, JsonValue]
    edition_title: str | None = Field(
        None, description="The title of the edition; null for the one that ships."
    )
    series: str
    clock: dict[str, JsonValue]
    rated: bool
    public: bool
    watch: bool
    games: int
    updated: int
    players: list[LobbyPlayer]
    seats: list[int] = Field(
        default_factory=list,
        description="By player: the seat in the present or last game. Tables of earlier versions may lack it.",
    )
    result: LobbyResult | None = Field(
        None, description="How the last finished game ended; null before that."
    )
    colours: list[list[str]] | None = Field(
        None,
        description="By seat: the colours of a game that is over; null before, and in games without colours.",
    )
    tally: TallyAnswer | None = Field(
        None,
        description="All games of the table together; null while one is under way. Tables of earlier versions lack it.",
    )


class LobbyAnswer(ResponseModel):
    """Tables."""

    tables: list[LobbyTable]


class TurnAnswer(ResponseModel):
    """Where a running game stands."""

    players: list[int] = Field(description="Your chairs.")
    awaited: list[int] = Field(description="The players whose answer is awaited.")
    round: int | None = Field(description="The round, in games that have rounds.")
    since: int = Field(description="Since when the answer is awaited.")
    deadline: int | None = Field(description="When the next clock runs out; null when none runs.")


class MyTable(LobbyTable):
    """One of your tables."""

    turn: TurnAnswer | None = Field(
        description="Where the game stands; null unless it is running, or when there are too many to look."
    )


class MyTablesAnswer(ResponseModel):
    """Your tables."""

    tables: list[MyTable]
    before: int | None = Field(description="Ask again with this for older ones; null at the end.")
    now: int = Field(description="The server's time.")


class TableAnswer(ResponseModel):
    """Where a table stands."""

    seq: int
    now: int = Field(description=NOW)
    player: int | None = Field(description="Through whose eyes; null for a spectator.")
    players: list[int] = Field(description="Your chairs.")
    view: TableView


class OpenedAnswer(ResponseModel):
    """A table is open."""

    table: str
    invite: str = Field(description="The invitation's token: part of the link for your friends.")
    stands: TableAnswer | None = Field(
        None, description="Where the table stands, for an opener who took chairs with it."
    )


class EventsAnswer(ResponseModel):
    """What happened."""

    seq: int
    player: int | None
    messages: list[Message]
    more: bool = Field(description="Whether there is more: ask again after the last message.")


class AckAnswer(ResponseModel):
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
    edition_data: dict[str, JsonValue] | None = Field(
        None, description="The printed data, when it isn't the edition that ships."
    )
    seats: list[dict[str, JsonValue]]
    actions: list[JsonValue]
    result: dict[str, JsonValue] | None = None
    meta: dict[str, JsonValue]


# --- the WebSocket's messages ---


class WelcomeFrame(TableAnswer):
    """The first message: where things stand, and what was missed since the number that was asked for."""

    type: Literal["welcome"]
    messages: list[Message]


class UpdateFrame(ResponseModel):
    """Something happened."""

    type: Literal["update"]
    seq: int
    now: int = Field(description=NOW)
    messages: list[Message]
    view: TableView | None = Field(None, description="The view now; absent with changes.")
    changes: TableChanges | None = Field(
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


class ChatFrame(ResponseModel):
    """Something was said; only for those who sit at the table."""

    type: Literal["chat"]
    number: int
    at: int
    player: int
    kind: Literal["phrase", "text", "agree", "decline"]
    text: str


class BeatFrame(ResponseModel):
    """A sign of life; answer a ping by a pong."""

    type: Literal["ping", "pong"]
    now: int = Field(description=NOW)


ServerFrame = Annotated[
    WelcomeFrame | UpdateFrame | AckFrame | ErrorFrame | ChatFrame | BeatFrame,
    Field(discriminator="type"),
]


def extend_openapi(app: FastAPI) -> None:
    """Adds the WebSocket's messages and the games' actions to the description, and describes every field."""
    from stampede.server.tables.socket import ClientFrame  # noqa: PLC0415 - it needs this module

    plain = app.openapi

    @cache
    def described() -> dict[str, Any]:
        schema = plain()
        components: dict[str, Any] = schema.setdefault("components", {}).setdefault("schemas", {})
        for name, definition in schemas_of("ClientFrame", ClientFrame, "validation").items():
            components.setdefault(name, definition)
        components |= schemas_of("ServerFrame", ServerFrame, "serialization")
        components |= schemas_of("GameAction", GameAction, "serialization")
        components["Act"]["properties"]["action"] = {"$ref": "#/components/schemas/GameAction"}
        return schema

    app.openapi = described  # type: ignore[method-assign]
