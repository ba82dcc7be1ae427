"""Chat at a table: phrases by their codes, and free text once all players there agree.

Only those who sit at the table read and write it, and no one sees messages of a player with whom there is a block.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.state import Chair, ChairKind, TableState
from stampede.server.http.encode import encode
from stampede.server.http.limits import RateLimiter
from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.server.tables.registry import TableRegistry
from stampede.store.community.chat import ChatMessage, ChatStore
from stampede.store.community.moderation import ModerationStore

__all__ = ["PHRASES", "Chat", "clean_text", "identify_player"]

PHRASES: Final = (
    "hello",
    "good_luck",
    "have_fun",
    "thanks",
    "you_are_welcome",
    "nice_move",
    "well_played",
    "good_game",
    "oops",
    "sorry",
    "wow",
    "close_one",
    "one_moment",
    "thinking",
    "your_turn",
    "yes",
    "no",
    "rematch",
    "one_more",
    "bye",
)
"""Messages that need no consent; clients translate them."""
MAX_TEXT: Final = 200
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def clean_text(text: str, longest: int) -> str:
    """Removes invisible and direction-changing characters; raises a Problem if the rest is empty or too long."""
    normal = unicodedata.normalize("NFC", text)
    spaced = "".join(
        " " if letter in "\t\r\n" else letter
        for letter in normal
        if letter in "\t\r\n" or unicodedata.category(letter) not in INVISIBLE
    )
    plain = " ".join(spaced.split())
    if not 1 <= len(plain) <= longest:
        raise Problem(422, "invalid", f"text: expected 1 to {longest} characters, got {len(plain)}")
    return plain


def identify_player(chair: Chair) -> str:
    """Returns the id by which moderation knows the player on a chair; empty if there is none."""
    if chair.holder is not None:
        return f"guest:{chair.holder}"
    return f"seat:{chair.digest[:40]}" if chair.is_person else ""


@dataclass(frozen=True, slots=True)
class Chat:
    """Sends and reads messages, and keeps consent to free text."""

    store: ChatStore
    moderation: ModerationStore
    registry: TableRegistry
    limiter: RateLimiter
    now: Callable[[], int]

    async def messages(self, actor: TableActor, caller: Caller, after: int) -> JsonObject:
        """Returns the messages after a number that the caller may read, and who agrees to free text."""
        agreed = await self.store.consents(actor.table_id)
        blocked = await self._find_blocked(caller.guest)
        said = await self.store.messages(actor.table_id)
        async with actor.reading() as table:  # asked last: what was read is from before
            state, own = table.state, table.players_of(caller)
            _own_player(own, None)
        people = _persons(state)
        first = _first_text({identify_player(state.chairs[player]) for player in own}, said, agreed)
        messages: list[Json] = [
            _message_json(message)
            for message in said
            if message.number > after
            and message.who not in blocked
            and (message.kind != "text" or message.number >= first)
        ]
        return {
            "messages": messages,
            "open": _is_open(state, agreed),
            "agreed": [
                player for player in people if identify_player(state.chairs[player]) in agreed
            ],
            "asked": list(people),
        }

    async def say(
        self, actor: TableActor, caller: Caller, player: Player | None, kind: str, text: str
    ) -> JsonObject:
        """Sends a phrase or free text; returns the message."""
        async with actor.reading() as table:
            state = table.state
            own = _own_player(table.players_of(caller), player)
        who = identify_player(state.chairs[own])
        self.limiter.take(f"chat:{who}")
        if kind == "text":
            text = clean_text(text, MAX_TEXT)
            if not _is_open(state, await self.store.consents(actor.table_id)):
                raise Problem(
                    403, "not_agreed", "expected all players at the table to agree to free text"
                )
        return await self._send(actor, ChatMessage(0, self.now(), who, own, kind, text))

    async def agree(
        self, actor: TableActor, caller: Caller, player: Player | None, *, agree: bool
    ) -> JsonObject:
        """Agrees to free text at a table, or withdraws that; returns the message to the table."""
        async with actor.reading() as table:
            own = _own_player(table.players_of(caller), player)
            who = identify_player(table.state.chairs[own])
        self.limiter.take(f"chat:{who}")
        await self.store.set_consent(actor.table_id, who, agree=agree)
        kind = "agree" if agree else "decline"
        return await self._send(actor, ChatMessage(0, self.now(), who, own, kind, ""))

    async def _send(self, actor: TableActor, message: ChatMessage) -> JsonObject:
        stored = await self.store.add(actor.table_id, message)
        await self.registry.signal(actor.table_id, "talk", stored.number)
        return _message_json(stored)

    async def deliver(self, actor: TableActor, number: int) -> None:
        """Sends a message to the viewers who sit at the table; every worker calls it."""
        for message in await self.store.messages(actor.table_id, number - 1):
            if message.number != number:
                continue
            blocked = await self._find_blocked(message.who.removeprefix("guest:"))
            frame = encode({"type": "chat", **_message_json(message)})
            # Read on first: another worker may have moved a seat, and who sat there hears no more.
            async with actor.reading():
                for viewer in tuple(actor.broadcaster.viewers):
                    if viewer.player is not None and f"guest:{viewer.caller.guest}" not in blocked:
                        viewer.send(frame)

    async def _find_blocked(self, guest: str | None) -> set[str]:
        if guest is None:
            return set()
        return {f"guest:{other}" for other in await self.moderation.blocked_with(guest)}


def _own_player(players: tuple[Player, ...], asked: Player | None) -> Player:
    if not players or (asked is not None and asked not in players):
        raise Problem(403, "forbidden", "expected a player at the table")
    return players[0] if asked is None else asked


def _persons(state: TableState) -> tuple[Player, ...]:
    """Returns the players whose consent free text needs; programs don't read it."""
    return tuple(
        player for player, chair in enumerate(state.chairs) if chair.kind is ChairKind.HUMAN
    )


def _is_open(state: TableState, agreed: set[str]) -> bool:
    return all(identify_player(state.chairs[player]) in agreed for player in _persons(state))


def _first_text(mine: set[str], said: list[ChatMessage], agreed: set[str]) -> float:
    """Returns the number from which a player may read free text: what was said before they agreed isn't for them."""
    ahead = [item.number for item in said if item.kind == "agree" and item.who in mine]
    if ahead:
        return ahead[0]
    return 0 if mine & agreed else math.inf  # they agreed long ago, or never


def _message_json(message: ChatMessage) -> dict[str, Json]:
    return {
        "number": message.number,
        "at": message.at,
        "player": message.player,
        "kind": message.kind,
        "text": message.text,
    }
