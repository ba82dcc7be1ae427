"""The log's entries: accepted commands, numbered and dated. Plain JSON, versioned; the log is the truth."""

from __future__ import annotations

import hashlib
import json
from typing import Final, NamedTuple

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical, expect_int, expect_object, expect_str
from stampede.core.series import Player
from stampede.matches.commands import Act, Command, read_command

__all__ = ["VERSION", "Ack", "Decided", "Entry", "mark_of"]

VERSION: Final = 1
_SORTED: Final = json.JSONEncoder(sort_keys=True)
_quoted: Final = json.encoder.encode_basestring_ascii


class Entry(NamedTuple):
    """One line of a table's log.

    Attributes:
        seq: Its number, from 1, without gaps.
        at: When, in milliseconds; never earlier than the entry before.
        who: Whose command it was (`Caller.who`).
        key: The client's key: a retry with the same key changes nothing.
        mark: What tells the command, as it was asked, from any other under the same key (`mark_of`).
        command: What was accepted.
    """

    seq: int
    at: int
    who: str
    key: str
    mark: str
    command: Command

    def to_json(self) -> JsonObject:
        """The entry for the log. It holds secrets: it is for the log alone."""
        return {
            "v": VERSION,
            "seq": self.seq,
            "at": self.at,
            "who": self.who,
            "key": self.key,
            "mark": self.mark,
            "command": self.command.to_json(),
        }

    @classmethod
    def from_json(cls, value: Json) -> Entry:
        """Reads an entry; InputError when it can't be, or is of another version."""
        data = expect_object(value, "entry")
        if data.get("v") != VERSION:
            raise InputError(f"v: expected {VERSION}, got {canonical(data.get('v'))[:80]}")
        return cls(
            expect_int(data.get("seq"), "seq"),
            expect_int(data.get("at"), "at"),
            expect_str(data.get("who"), "who"),
            expect_str(data.get("key"), "key"),
            expect_str(data.get("mark"), "mark"),
            read_command(data.get("command")),
        )


class Ack(NamedTuple):
    """The answer to an accepted command. It is the same for a retry, and tells nothing of what was answered.

    Attributes:
        key: The client's key.
        seq: The number of the command's entry. Send the answer when the log is durable up to here.
        player: The chair that a claim got, or whose command it was; None when it was about none.
    """

    key: str
    seq: int
    player: Player | None = None

    def to_json(self) -> JsonObject:
        """The acknowledgement as JSON."""
        return {"key": self.key, "seq": self.seq, "player": self.player}


class Decided(NamedTuple):
    """What a command leads to: entries to append (none when it was done before), and the answer to give then."""

    entries: tuple[Entry, ...]
    ack: Ack


def mark_of(command: Command) -> str:
    """Sixteen hexadecimal digits that tell two commands apart; InputError when it is no JSON."""
    try:
        if isinstance(command, Act) and isinstance(command.action, str):
            # What follows would write the same, but this is what a busy server does all the time.
            action, decision = _quoted(command.action), _quoted(command.decision)
            text = f'{{"action": {action}, "decision": {decision}, "player": {command.player}, "type": "act"}}'
        else:
            text = _SORTED.encode(command.to_json())
    except (RecursionError, TypeError) as error:
        raise InputError(f"expected a command in JSON, not too deep, but {error}") from error
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
