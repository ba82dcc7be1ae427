"""What can be asked of a table: one type a kind of command, each with its JSON form.

An accepted command is what the log keeps (`stampede.matches.entries`), so nothing here may hold a token: callers hand
in a token's digest (`stampede.matches.callers.digest_of`). Commands about one chair name its player first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import ClassVar, Final, TypeAlias

from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_bool,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.core.series import Player
from stampede.matches.settings import TableSettings

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
    "Remove",
    "Rename",
    "Resign",
    "Return",
    "SeatLink",
    "SetChair",
    "Start",
    "Vote",
    "VoteTopic",
    "read_command",
]


class VoteTopic(Enum):
    """What people can agree on."""

    ABORT = "abort"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    NEXT = "next"
    """The next game: a rematch, or the series' next rung."""

    def to_json(self) -> str:
        """The matter's word."""
        return self.value


@dataclass(frozen=True, slots=True)
class _Command:
    """JSON by the names of the fields, under the command's ``type``."""

    kind: ClassVar[str]

    def to_json(self) -> JsonObject:
        """The command as JSON."""
        names: tuple[str, ...] = self.__match_args__
        return {"type": self.kind, **{name: _write(getattr(self, name)) for name in names}}


@dataclass(frozen=True, slots=True)
class Open(_Command):
    """Opens the table: the first command of every log.

    Attributes:
        table: The table's id.
        settings: What it is.
        host: The guest who opened it; None when nobody is to be asked.
        secret: 32 random bytes in hexadecimal digits: every seed comes from it. Never shown.
        invite: The digest of the invitation's token; empty when there is none.
    """

    kind: ClassVar[str] = "open"
    table: str
    settings: TableSettings
    host: str | None
    secret: str
    invite: str = ""


@dataclass(frozen=True, slots=True)
class Claim(_Command):
    """Takes an open chair.

    Attributes:
        player: Which one; None for the first that is open.
        name: How the others are to call him.
        digest: The digest of the seat's token.
        program: Whether a program plays, by the token.
        salt: The player's own contribution to the deal's randomness; may be empty.
    """

    kind: ClassVar[str] = "claim"
    player: Player | None
    name: str
    digest: str
    program: bool = False
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Leave(_Command):
    """Leaves for good. In a running game a bot takes over, or the game is resigned where it can be."""

    kind: ClassVar[str] = "leave"
    player: Player


@dataclass(frozen=True, slots=True)
class Remove(_Command):
    """The host sends somebody away. In a running game a bot takes over; it isn't resigned for him."""

    kind: ClassVar[str] = "remove"
    player: Player


@dataclass(frozen=True, slots=True)
class MoveChair(_Command):
    """Moves a seat to the caller's device: shows the seat's token, and makes a new one."""

    kind: ClassVar[str] = "move_chair"
    player: Player
    digest: str


@dataclass(frozen=True, slots=True)
class SeatLink(_Command):
    """Makes a new token for an own seat, so that it can be moved by link; the old one is void."""

    kind: ClassVar[str] = "seat_link"
    player: Player
    digest: str


@dataclass(frozen=True, slots=True)
class Rename(_Command):
    """Changes the name of an own chair, between games."""

    kind: ClassVar[str] = "rename"
    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class SetChair(_Command):
    """The host gives a chair to a bot, or opens it (level None); whoever sat there has to go.

    In a running game only chairs whose people have left can be opened.
    """

    kind: ClassVar[str] = "set_chair"
    player: Player
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Invite(_Command):
    """The host makes a new invitation; the old link is void."""

    kind: ClassVar[str] = "invite"
    digest: str


@dataclass(frozen=True, slots=True)
class HandOver(_Command):
    """The host gives his say to another guest: to himself, under the name that he keeps from now on."""

    kind: ClassVar[str] = "hand_over"
    host: str | None


@dataclass(frozen=True, slots=True)
class Start(_Command):
    """The host begins the first game; open chairs are filled with bots of the level, if one is given."""

    kind: ClassVar[str] = "start"
    fill: str | None = None


@dataclass(frozen=True, slots=True)
class Act(_Command):
    """Answers a decision of the game.

    Attributes:
        decision: The id of the decision that it answers.
        action: The action, as the game writes it.
    """

    kind: ClassVar[str] = "act"
    player: Player
    decision: str
    action: Json

    def to_json(self) -> JsonObject:
        """The command as JSON; nine of ten commands are these."""
        return {
            "type": "act",
            "player": self.player,
            "decision": self.decision,
            "action": self.action,
        }


@dataclass(frozen=True, slots=True)
class Vote(_Command):
    """Agrees to something, or declines it. What all agree on is done.

    Attributes:
        decision: The id of the present decision; needed for an undo, which stands for this one only.
        choice: What the next game in a series asks of this player.
    """

    kind: ClassVar[str] = "vote"
    player: Player
    on: VoteTopic
    agree: bool = True
    decision: str = ""
    choice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resign(_Command):
    """Gives the game up, where a game can be."""

    kind: ClassVar[str] = "resign"
    player: Player


@dataclass(frozen=True, slots=True)
class Return(_Command):
    """Takes an own seat back from the bot that stood in."""

    kind: ClassVar[str] = "return"
    player: Player


@dataclass(frozen=True, slots=True)
class CallBot(_Command):
    """Lets a bot stand in for somebody who has kept the table waiting longer than its patience."""

    kind: ClassVar[str] = "call_bot"
    player: Player
    missing: Player


@dataclass(frozen=True, slots=True)
class Expire(_Command):
    """The system: the time of these players has run out."""

    kind: ClassVar[str] = "expire"
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Downtime(_Command):
    """The system: the server was down since then, so clocks stood still."""

    kind: ClassVar[str] = "downtime"
    since: int


@dataclass(frozen=True, slots=True)
class Close(_Command):
    """The host, or the system: the table is done with."""

    kind: ClassVar[str] = "close"


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
    | Act
    | Vote
    | Resign
    | Return
    | CallBot
    | Expire
    | Downtime
    | Close
)


# --- JSON ---


def read_command(value: Json) -> Command:
    """Reads what ``to_json`` wrote; InputError when it can't be."""
    data = expect_object(value, "command")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"type: expected one of {', '.join(_KINDS)}, got {canonical(kind)[:80]}")
    make, names = _KINDS[kind]
    return make(**{name: _READERS[name](data.get(name), name) for name in names})


def _write(value: object) -> Json:
    match value:
        case TableSettings() | VoteTopic():
            return value.to_json()
        case tuple():
            return list(value)
        case _:
            # Everything else is JSON already: texts, numbers, the game's own action.
            plain: Json = value  # type: ignore[assignment]
            return plain


def _read_matter(value: Json, where: str) -> VoteTopic:
    words = [matter.value for matter in VoteTopic]
    if value not in words:
        raise InputError(
            f"{where}: expected one of {', '.join(words)}, got {canonical(value)[:80]}"
        )
    return VoteTopic(value)


def _optional_str(value: Json, where: str) -> str | None:
    return None if value is None else expect_str(value, where)


def _read_settings(value: Json, where: str) -> TableSettings:
    del where
    return TableSettings.from_json(value)


def _names(value: Json, where: str) -> tuple[str, ...]:
    return tuple(expect_str(item, where) for item in expect_list(value, where))


def _numbers(value: Json, where: str) -> tuple[int, ...]:
    return tuple(expect_int(item, where) for item in expect_list(value, where))


def _as_is(value: Json, where: str) -> Json:
    del where
    return value


_READERS: Final[Mapping[str, Callable[[Json, str], object]]] = {
    "action": _as_is,
    "agree": expect_bool,
    "choice": _names,
    "decision": expect_str,
    "digest": expect_str,
    "fill": _optional_str,
    "host": _optional_str,
    "invite": expect_str,
    "level": _optional_str,
    "missing": expect_int,
    "name": expect_str,
    "on": _read_matter,
    "player": expect_int,
    "players": _numbers,
    "program": expect_bool,
    "salt": expect_str,
    "secret": expect_str,
    "settings": _read_settings,
    "since": expect_int,
    "table": expect_str,
}
_TYPES: Final[tuple[type[Command], ...]] = (
    Open,
    Claim,
    Leave,
    Remove,
    MoveChair,
    SeatLink,
    Rename,
    SetChair,
    Invite,
    HandOver,
    Start,
    Act,
    Vote,
    Resign,
    Return,
    CallBot,
    Expire,
    Downtime,
    Close,
)
_KINDS: Final[Mapping[str, tuple[Callable[..., Command], tuple[str, ...]]]] = {
    kind.kind: (kind, tuple(item.name for item in fields(kind))) for kind in _TYPES
}
