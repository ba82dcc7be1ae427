"""What can be asked of a table: one type for each kind of command, which is its JSON and its schema at once.

The log keeps accepted commands (`stampede.matches.entries`), so none of them may hold a token: callers hand in a
token's digest (`stampede.matches.callers.digest_of`). Commands about one chair name its player first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Final, Literal, TypeAlias, get_args

from stampede.core.constraints import FreeJson, Length, Range, ServerOnly
from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical, expect_object
from stampede.core.reading import read_as
from stampede.core.series import Player
from stampede.matches.settings import Level, TableSettings

__all__ = [
    "Act",
    "CallBot",
    "Claim",
    "Close",
    "Command",
    "Downtime",
    "Expire",
    "HandOver",
    "Invite",
    "Leave",
    "MoveChair",
    "Open",
    "Ready",
    "Remove",
    "Rename",
    "Resign",
    "Return",
    "SeatLink",
    "SetChair",
    "Start",
    "TokenCommand",
    "Vote",
    "VoteTopic",
    "read_command",
]


PlayerNumber: TypeAlias = Annotated[Player, Range(0, 5)]
"""A chair at the table."""
Name: TypeAlias = Annotated[str, Length(1, 40, strip=True)]
NameOrNone: TypeAlias = Annotated[str, Length(0, 40, strip=True)]
"""A name; empty for a caller who brings none."""
DecisionId: TypeAlias = Annotated[str, Length(0, 40)]
TokenDigest: TypeAlias = Annotated[str, ServerOnly()]
"""The digest of a token that the server makes."""


class VoteTopic(Enum):
    """What players can agree on."""

    ABORT = "abort"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    NEXT = "next"
    """The next game: a rematch, or the series' next rung."""

    def to_json(self) -> str:
        """The topic's word."""
        return self.value


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: its JSON has its fields by name, and its ``type``."""

    type: str = field(kw_only=True, repr=False)

    def to_json(self) -> JsonObject:
        """The command as JSON."""
        data: dict[str, Json] = {"type": self.type}
        names: tuple[str, ...] = self.__match_args__
        for name in names:
            value = getattr(self, name)
            # Nearly all values are texts and numbers, which are JSON already.
            data[name] = value if type(value) in _PLAIN else _write(value)
        return data


@dataclass(frozen=True, slots=True)
class _SeatChange(_Command):
    """A command that may give a seat another holder.

    Attributes:
        voids: Whether it makes the seat's sealed answer void: the next holder answers anew and never sees it. Logs from
            before this rule don't say so, and fold as they did.
    """

    voids: Annotated[bool, ServerOnly()] = field(default=False, kw_only=True)

    def to_json(self) -> JsonObject:
        """The command as JSON. What it always was when it voids nothing, so that retries are recognised."""
        data = _Command.to_json(self)
        return {**data, "voids": True} if self.voids else data


@dataclass(frozen=True, slots=True)
class Open(_Command):
    """Opens the table: the first command of every log.

    Attributes:
        table: The table's id.
        settings: What it is.
        host: The guest who opened it; None for a table whose players are all hosts.
        secret: 32 random bytes in hexadecimal digits: every seed comes from it. Never shown.
        invite: The digest of the invitation's token; empty when there is none.
    """

    type: Literal["open"] = field(default="open", kw_only=True, repr=False)
    table: str
    settings: TableSettings
    host: str | None
    secret: str
    invite: str = ""


@dataclass(frozen=True, slots=True)
class Claim(_SeatChange):
    """Takes an open chair. The answer brings the seat's token.

    Attributes:
        player: Which one; null for the first that is open.
        name: What the others call the player. When it is empty, or only means "you", the player gets a name.
        digest: The digest of the seat's token.
        program: Whether a program plays, by the token.
        salt: The player's own contribution to the deal's randomness; may be empty.
    """

    type: Literal["claim"] = field(default="claim", kw_only=True, repr=False)
    player: PlayerNumber | None
    name: NameOrNone = ""
    digest: TokenDigest = ""
    program: bool = False
    salt: Annotated[str, Length(0, 64)] = ""


@dataclass(frozen=True, slots=True)
class Leave(_SeatChange):
    """Leaves for good. In a running game a bot takes over, or the player resigns in games that allow it."""

    type: Literal["leave"] = field(default="leave", kw_only=True, repr=False)
    player: PlayerNumber


@dataclass(frozen=True, slots=True)
class Remove(_SeatChange):
    """The host removes a player. In a running game a bot takes over; the game isn't resigned."""

    type: Literal["remove"] = field(default="remove", kw_only=True, repr=False)
    player: PlayerNumber


@dataclass(frozen=True, slots=True)
class MoveChair(_SeatChange):
    """Moves a seat to the caller's device. The caller shows the seat's token; the answer brings a new one.

    A sealed answer is void unless the same guest holds the seat afterwards.
    """

    type: Literal["move_chair"] = field(default="move_chair", kw_only=True, repr=False)
    player: PlayerNumber
    digest: TokenDigest = ""


@dataclass(frozen=True, slots=True)
class SeatLink(_Command):
    """Makes a new token for an own seat, so that a link can move it; the old token is void."""

    type: Literal["seat_link"] = field(default="seat_link", kw_only=True, repr=False)
    player: PlayerNumber
    digest: TokenDigest = ""


@dataclass(frozen=True, slots=True)
class Rename(_Command):
    """Changes the name of an own chair, between games."""

    type: Literal["rename"] = field(default="rename", kw_only=True, repr=False)
    player: PlayerNumber
    name: Name


@dataclass(frozen=True, slots=True)
class SetChair(_Command):
    """The host gives a chair to a bot, or opens it (level null). A player who sits there is removed.

    In a running game only chairs whose players have left can be opened.
    """

    type: Literal["set_chair"] = field(default="set_chair", kw_only=True, repr=False)
    player: PlayerNumber
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Invite(_Command):
    """The host makes a new invitation; the old link is void. The answer brings its token."""

    type: Literal["invite"] = field(default="invite", kw_only=True, repr=False)
    digest: TokenDigest = ""


@dataclass(frozen=True, slots=True)
class HandOver(_Command):
    """Makes another guest the host: the same person, under the account that they use from now on."""

    type: Literal["hand_over"] = field(default="hand_over", kw_only=True, repr=False)
    host: str | None


@dataclass(frozen=True, slots=True)
class Start(_Command):
    """The host begins the first game; open chairs are filled with bots of the level, if one is given."""

    type: Literal["start"] = field(default="start", kw_only=True, repr=False)
    fill: Level | None = None


@dataclass(frozen=True, slots=True)
class Ready(_Command):
    """Says that a player is ready, or no longer so, at a full table that asks for it before the first game."""

    type: Literal["ready"] = field(default="ready", kw_only=True, repr=False)
    player: PlayerNumber
    ready: bool = True


@dataclass(frozen=True, slots=True)
class Act(_Command):
    """Answers a decision of the game.

    Attributes:
        decision: The id of the decision that it answers.
        action: The action, as the game writes it: docs/protocol.md.
    """

    type: Literal["act"] = field(default="act", kw_only=True, repr=False)
    player: PlayerNumber
    decision: DecisionId
    action: FreeJson

    def to_json(self) -> JsonObject:
        """The action as JSON; a server writes it twice for every action."""
        return {
            "type": "act",
            "player": self.player,
            "decision": self.decision,
            "action": self.action,
        }


@dataclass(frozen=True, slots=True)
class Vote(_Command):
    """Agrees to a proposal, makes one, or declines it. What everyone asked agrees on is done.

    Attributes:
        decision: The id of the present decision; needed for an undo, which is about this one only.
        choice: What the next game in a series asks of this player.
    """

    type: Literal["vote"] = field(default="vote", kw_only=True, repr=False)
    player: PlayerNumber
    on: VoteTopic
    agree: bool = True
    decision: DecisionId = ""
    choice: Annotated[tuple[Annotated[str, Length(0, 40)], ...], Length(0, 11)] = ()


@dataclass(frozen=True, slots=True)
class Resign(_Command):
    """Resigns, in games that allow it."""

    type: Literal["resign"] = field(default="resign", kw_only=True, repr=False)
    player: PlayerNumber


@dataclass(frozen=True, slots=True)
class Return(_Command):
    """Takes an own seat back from the bot that stands in."""

    type: Literal["return"] = field(default="return", kw_only=True, repr=False)
    player: PlayerNumber


@dataclass(frozen=True, slots=True)
class CallBot(_Command):
    """Lets a bot stand in for a player who keeps the table waiting longer than its patience."""

    type: Literal["call_bot"] = field(default="call_bot", kw_only=True, repr=False)
    player: PlayerNumber
    missing: PlayerNumber


@dataclass(frozen=True, slots=True)
class Expire(_Command):
    """The system: these players' time has run out."""

    type: Literal["expire"] = field(default="expire", kw_only=True, repr=False)
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Downtime(_Command):
    """The system: the server was down since then, so clocks stood still."""

    type: Literal["downtime"] = field(default="downtime", kw_only=True, repr=False)
    since: int


@dataclass(frozen=True, slots=True)
class Close(_Command):
    """The host, or the system, closes the table."""

    type: Literal["close"] = field(default="close", kw_only=True, repr=False)


Command: TypeAlias = (
    Open
    | Claim
    | Leave
    | Remove
    | MoveChair
    | SeatLink
    | Rename
    | SetChair
    | Invite
    | HandOver
    | Start
    | Ready
    | Act
    | Vote
    | Resign
    | Return
    | CallBot
    | Expire
    | Downtime
    | Close
)
TokenCommand: TypeAlias = Claim | MoveChair | SeatLink | Invite
"""A command whose answer brings a new token."""


# --- JSON ---

_PLAIN: Final = frozenset({type(None), bool, int, str})

_TYPES: Final[Mapping[str, type[Command]]] = {
    str(kind.__dataclass_fields__["type"].default): kind for kind in get_args(Command)
}


def read_command(value: Json) -> Command:
    """Reads what ``to_json`` wrote; InputError when it can't be read."""
    kind = expect_object(value, "command").get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise InputError(f"type: expected one of {', '.join(_TYPES)}, got {canonical(kind)[:80]}")
    return read_as(_TYPES[kind], _complete_open(value) if kind == "open" else value)


def _complete_open(value: Json) -> Json:
    """Completes the entry of a table that was opened when clocks knew neither grace nor a second lapse."""
    data = expect_object(value, "command")
    settings = data.get("settings")
    clock = settings.get("clock") if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or (isinstance(clock, dict) and "lapses" in clock):
        return value
    before = {"lapses": 1, "grace": False, **(clock if isinstance(clock, dict) else {})}
    return {**data, "settings": {**settings, "clock": before}}


def _write(value: object) -> Json:
    if isinstance(value, VoteTopic | TableSettings):
        return value.to_json()
    # Beside tuples of texts and numbers only the game's own action is left, which is JSON already.
    plain: Json = list(value) if isinstance(value, tuple) else value  # type: ignore[assignment]
    return plain
