"""What clients send: pydantic reads it into the domain's dataclasses and checks the form, the authority the sense.

The fields, limits and texts of a command stand in `stampede.matches.commands` only. On the wire a command lacks the
fields that the server sets, unknown keys are refused, and nothing is coerced. Tokens never travel inside commands: a
caller shows theirs in the ``Authorization`` header, and new ones come back with the acknowledgement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
)
from pydantic_core import CoreSchema

from stampede.core.constraints import FreeObject, Length, Range, server_only_fields
from stampede.core.json import JsonObject
from stampede.games import GAMES
from stampede.lessons.coached import coached_start
from stampede.matches.commands import (
    Act,
    CallBot,
    Claim,
    Close,
    Invite,
    Leave,
    MoveChair,
    NameOrNone,
    PlayerNumber,
    Ready,
    Rename,
    Resign,
    Return,
    SeatLink,
    SetChair,
    Start,
    Vote,
)
from stampede.matches.settings import LONGEST_PACE, TableSettings, TableStart
from stampede.server.http.models import RequestModel
from stampede.server.http.schema import read_docstring

__all__ = ["ClientCommand", "CommandRequest", "Key", "PlayerNumber", "TableId", "TableRequest"]

Key: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$"),
    Field(description="Chosen by the client, new for every command; a retry uses it again."),
]
Secret: TypeAlias = Annotated[
    str | None,
    StringConstraints(min_length=16, max_length=64, pattern=r"^[!-~]+$"),
    Field(
        description="Without a cookie: random characters of your own, the same in a retry. They tell you from other"
        " bearers of your token."
    ),
]
TableId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{22}$")]


class FromDomain:
    """Adapts pydantic's schema of domain dataclasses to the wire."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Hides what the server sets, lets null be left out, and takes JSON's lists, words and objects as they come."""
        schema = handler(source)
        adapt_schema(schema, handler)
        return schema

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describes the commands as they travel: ``type`` is required, and the server's fields don't exist."""
        described = handler(schema)
        for choice in described["oneOf"]:
            command = handler.resolve_ref_schema(choice)
            (kind,) = (cls for cls in CLIENT_COMMANDS if cls.__name__ == command["title"])
            describe_fields(command, kind)
            command["required"] = ["type", *command.get("required", ())]
        return described


def adapt_schema(schema: Any, handler: GetCoreSchemaHandler) -> None:
    """Adapts a core schema, and all schemas in it, in place."""
    schema = handler.resolve_ref_schema(schema)
    if schema["type"] in ("dataclass", "enum", "tuple"):
        # Strict means "an instance" to pydantic; in JSON there are none. What is inside stays strict.
        schema["strict"] = False
    if schema["type"] == "dataclass":
        hidden = server_only_fields(schema["cls"])
        for item in schema["schema"]["fields"]:
            if item["name"] in hidden:
                item["init"] = False
            elif item["schema"]["type"] == "nullable":
                item["schema"] = {"type": "default", "schema": item["schema"], "default": None}
    for inner in _inner_schemas(schema):
        adapt_schema(inner, handler)


def _inner_schemas(schema: dict[str, Any]) -> Iterator[Any]:
    match schema["type"]:
        case "dataclass" | "nullable" | "default" | "function-after" | "function-wrap":
            yield schema["schema"]
        case "dataclass-args":
            yield from (item["schema"] for item in schema["fields"])
        case "tuple":
            yield from schema["items_schema"]
        case "tagged-union":
            yield from schema["choices"].values()
        case _:
            pass


def describe_fields(described: dict[str, Any], kind: type) -> None:
    """Puts a dataclass's docstring where readers of the OpenAPI expect it, and hides what the server sets."""
    described["description"], texts = read_docstring(kind)
    for hidden in server_only_fields(kind):
        described["properties"].pop(hidden, None)
    for name, item in described["properties"].items():
        if name in texts:
            item["description"] = texts[name]


CLIENT_COMMANDS = (
    Act,
    Claim,
    Leave,
    MoveChair,
    SeatLink,
    Rename,
    SetChair,
    Invite,
    Start,
    Ready,
    Vote,
    Resign,
    Return,
    CallBot,
    Close,
)

ClientCommand: TypeAlias = Annotated[
    Act
    | Claim
    | Leave
    | MoveChair
    | SeatLink
    | Rename
    | SetChair
    | Invite
    | Start
    | Ready
    | Vote
    | Resign
    | Return
    | CallBot
    | Close,
    Field(discriminator="type"),
    FromDomain(),
]
"""What clients may ask of a table. The other commands are the system's."""


class CommandRequest(RequestModel):
    """A command with its key."""

    key: Key
    secret: Secret = None
    command: ClientCommand


PACE_FOR_PEOPLE: Final = 600


@dataclass(frozen=True, slots=True)
class Sitting:
    """A chair that the opener takes at once.

    Attributes:
        player: Which chair.
        name: Who sits there; without one, the server gives a name.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", strict=True)

    player: PlayerNumber
    name: NameOrNone = ""


@dataclass(frozen=True, slots=True)
class TableRequest(TableSettings):
    """A table to be opened.

    Attributes:
        rules: As in a record; what is missing has its ordinary value.
        pace_ms: How long a bot seems to think; without it 600, so that people can follow, and 0 where all chairs are
            for bots.
        sit: The chairs that you take in the same request; the answer then says where the table stands.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", strict=True)

    rules: FreeObject = field(default_factory=dict, kw_only=True)
    pace_ms: Annotated[int, Range(0, LONGEST_PACE)] | None = field(  # type: ignore[assignment]
        default=None, kw_only=True
    )
    key: Key = field(kw_only=True)
    secret: Secret = field(default=None, kw_only=True)
    sit: Annotated[tuple[Sitting, ...], Length(0, 6)] = field(default=(), kw_only=True)

    def claims(self) -> Iterator[CommandRequest]:
        """The commands that take these chairs. Their keys come from the request's: a retry claims nothing twice."""
        for one in self.sit:
            key = sha256(f"sit {one.player} {self.key}".encode()).hexdigest()[:32]
            claim = Claim(one.player, one.name)
            yield CommandRequest(key=key, secret=self.secret, command=claim)

    def settings(self) -> TableSettings:
        """The settings, with the ordinary rules where the request says nothing."""
        rules: JsonObject = self.rules
        if self.game in GAMES:
            rules = GAMES[self.game].new_rules(len(self.chairs), rules)
        values = {item.name: getattr(self, item.name) for item in fields(TableSettings)}
        if self.pace_ms is None:
            people = any(chair.bot is None for chair in self.chairs)
            values["pace_ms"] = PACE_FOR_PEOPLE if people else 0
        if self.coached and self.start is None and self.game in GAMES:
            values["start"] = self._coached_start(rules)
        return TableSettings(**{**values, "rules": rules})

    def _coached_start(self, rules: JsonObject) -> TableStart | None:
        """Where a coached game begins, for the only person at the table."""
        people = [player for player, chair in enumerate(self.chairs) if chair.bot is None]
        found = coached_start(GAMES[self.game], rules, people[0]) if len(people) == 1 else None
        return None if found is None else TableStart(found.setup, found.steps)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Reads JSON's lists, words and objects as they come."""
        schema = handler(source)
        adapt_schema(schema, handler)
        return schema

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describes the settings by the domain's docstrings."""
        described = handler(schema)
        inner = handler.resolve_ref_schema(described)
        describe_fields(inner, TableSettings)
        describe_fields(inner, cls)
        return described
