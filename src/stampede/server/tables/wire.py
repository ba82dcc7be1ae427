"""What clients send: the commands, as they travel. Pydantic checks their form, the authority their sense.

Tokens never travel inside commands: a caller shows his own in the ``Authorization`` header, and new ones come back with
the acknowledgement.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from stampede.core.json import Json
from stampede.games import GAMES
from stampede.server.http.models import RequestModel, plain_json

__all__ = [
    "ActCommand",
    "AnyCommand",
    "ClaimCommand",
    "CommandRequest",
    "Key",
    "Name",
    "TableId",
    "TableRequest",
]

Key: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=64, pattern=r"^[!-~]+$"),
    Field(description="Chosen by the client, new for every command; a retry uses it again."),
]
Name: TypeAlias = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)
]
TableId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{22}$")]
Chair: TypeAlias = Annotated[int, Field(ge=0, le=5, description="A player: a chair at the table.")]
Level: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=20)]
Value: TypeAlias = Annotated[JsonValue, AfterValidator(plain_json)]


class ActCommand(RequestModel):
    """Answers a decision."""

    type: Literal["act"]
    player: Chair
    decision: Annotated[str, StringConstraints(max_length=40)]
    action: Annotated[Value, Field(description="As the game writes it: docs/protocol.md.")]


class ClaimCommand(RequestModel):
    """Takes an open chair, the first one if none is named. The answer brings the seat's token."""

    type: Literal["claim"]
    player: Chair | None = None
    name: Name
    program: bool = False
    salt: Annotated[str, StringConstraints(max_length=64)] = ""


class LeaveCommand(RequestModel):
    """Leaves for good."""

    type: Literal["leave"]
    player: Chair


class MoveChairCommand(RequestModel):
    """Moves a seat to this device; show the seat's token. The answer brings a new one."""

    type: Literal["move_chair"]
    player: Chair


class SeatLinkCommand(RequestModel):
    """Makes a new token for an own seat; the old one is void."""

    type: Literal["seat_link"]
    player: Chair


class RenameCommand(RequestModel):
    """Changes the name of an own chair, between games."""

    type: Literal["rename"]
    player: Chair
    name: Name


class SetChairCommand(RequestModel):
    """The host gives a chair to a bot, or opens it."""

    type: Literal["set_chair"]
    player: Chair
    level: Level | None = None


class InviteCommand(RequestModel):
    """The host makes a new invitation; the old link is void. The answer brings its token."""

    type: Literal["invite"]


class StartCommand(RequestModel):
    """The host begins; open chairs are filled with bots of the level, if one is given."""

    type: Literal["start"]
    fill: Level | None = None


class VoteCommand(RequestModel):
    """Agrees to something, or declines it."""

    type: Literal["vote"]
    player: Chair
    on: Literal["abort", "undo", "pause", "resume", "next"]
    agree: bool = True
    decision: Annotated[str, StringConstraints(max_length=40)] = ""
    choice: Annotated[
        list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=11)
    ] = Field(default_factory=list)


class ResignCommand(RequestModel):
    """Gives the game up."""

    type: Literal["resign"]
    player: Chair


class ReturnCommand(RequestModel):
    """Takes an own seat back from the bot that stood in."""

    type: Literal["return"]
    player: Chair


class CallBotCommand(RequestModel):
    """Lets a bot stand in for somebody who keeps the table waiting."""

    type: Literal["call_bot"]
    player: Chair
    missing: Chair


class CloseCommand(RequestModel):
    """The host closes the table."""

    type: Literal["close"]


AnyCommand: TypeAlias = Annotated[
    ActCommand
    | ClaimCommand
    | LeaveCommand
    | MoveChairCommand
    | SeatLinkCommand
    | RenameCommand
    | SetChairCommand
    | InviteCommand
    | StartCommand
    | VoteCommand
    | ResignCommand
    | ReturnCommand
    | CallBotCommand
    | CloseCommand,
    Field(discriminator="type"),
]


class CommandRequest(RequestModel):
    """A command with its key."""

    key: Key
    command: AnyCommand


class ClockRequest(RequestModel):
    """A table's clock."""

    kind: Literal["none", "move", "round", "days"] = "none"
    limit_ms: Annotated[int, Field(ge=0, le=60 * 24 * 3600 * 1000)] = 0
    expiry: Literal["forfeit", "bot"] = "bot"


class ChairRequest(RequestModel):
    """A chair: for a bot of a level, or open."""

    bot: Level | None = None


class TableRequest(RequestModel):
    """A table to be opened."""

    key: Key
    game: Literal["zoff", "buffalo"]
    rules: Annotated[dict[str, Value], Field(max_length=12)] = Field(
        default_factory=dict, description="As in a record; what is missing is the usual."
    )
    chairs: Annotated[list[ChairRequest], Field(min_length=2, max_length=6)]
    clock: ClockRequest = Field(default_factory=ClockRequest)
    series: Annotated[str, StringConstraints(max_length=20)] = "rematch"
    substitute: Annotated[str, StringConstraints(max_length=20)] = ""
    rated: bool = False
    public: bool = False
    watch: bool = True
    hot_seat: bool = False
    auto_start: bool = True
    undo: bool = True
    pace_ms: Annotated[int, Field(ge=0, le=60_000)] = 600
    patience_ms: Annotated[int, Field(ge=1000, le=60 * 24 * 3600 * 1000)] = 24 * 3600 * 1000

    def settings_json(self) -> dict[str, Json]:
        """The settings as the authority reads them."""
        data: dict[str, Json] = self.model_dump(mode="json", exclude={"key"})
        data["chairs"] = [chair.model_dump(exclude_none=True) for chair in self.chairs]
        usual = GAMES[self.game].default_rules(len(self.chairs))
        data["rules"] = {**usual, **self.rules}
        return data
