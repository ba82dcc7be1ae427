"""The log's entries: accepted commands, numbered and dated. Plain JSON with a version; the log is the truth."""

from __future__ import annotations

import hashlib
import json
from typing import Final, NamedTuple, TypeAlias

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical, expect_int, expect_object, expect_str
from stampede.core.series import Player
from stampede.matches.commands import Command, read_command

__all__ = ["VERSION", "Ack", "Decided", "Entry", "IdempotencyKey", "fingerprint_of"]

VERSION: Final = 1
_SORTED: Final = json.JSONEncoder(sort_keys=True)

IdempotencyKey: TypeAlias = str
"""Chosen by the client, new for every command. A retry sends it again, and is answered without being done twice."""


class Entry(NamedTuple):
    """One line of a table's log.

    Attributes:
        seq: Its number, from 1, without gaps.
        at: When, in milliseconds; never earlier than the entry before.
        who: The sender (`Caller.who`).
        key: The sender's idempotency key.
        fingerprint: Tells the command, as it was sent, from any other under the same key (`fingerprint_of`).
        command: What was accepted.
    """

    seq: int
    at: int
    who: str
    key: IdempotencyKey
    fingerprint: str
    command: Command

    def to_json(self) -> JsonObject:
        """The entry for the log. It holds secrets: it is for the log alone."""
        return {
            "v": VERSION,
            "seq": self.seq,
            "at": self.at,
            "who": self.who,
            "key": self.key,
            "mark": self.fingerprint,
            "command": self.command.to_json(),
        }

    @classmethod
    def from_json(cls, value: Json) -> Entry:
        """Reads an entry; InputError when it can't be read, or is of another version."""
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
    """The answer to an accepted command. A retry gets the same, and it reveals nothing of what was answered.

    Attributes:
        key: The command's idempotency key.
        seq: The number of the command's entry. Send the answer when the log is durable up to here.
        player: The chair that a claim got, or whose command it was; None when it was about none.
    """

    key: IdempotencyKey
    seq: int
    player: Player | None = None

    def to_json(self) -> JsonObject:
        """The acknowledgement as JSON."""
        return {"key": self.key, "seq": self.seq, "player": self.player}


class Decided(NamedTuple):
    """The result of deciding: entries to append (none for a retry), and the answer to give when they are durable."""

    entries: tuple[Entry, ...]
    ack: Ack


def fingerprint_of(command: Command) -> str:
    """A digest of a command in sixteen hexadecimal digits; InputError when it isn't JSON."""
    try:
        text = _SORTED.encode(command.to_json())
    except (RecursionError, TypeError) as error:
        raise InputError(f"expected a command in JSON, not too deep, but {error}") from error
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
