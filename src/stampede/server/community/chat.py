"""Talk at a table: phrases by their codes, and free text once everybody there agrees to it.

Only those who sit at the table say and hear something, and nobody hears whom he has blocked.
"""

from __future__ import annotations

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

__all__ = ["PHRASES", "Chat", "cleaned", "who_sits"]

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
"""What can be said without anybody's consent; clients know the words in their languages."""
LONGEST: Final = 200
UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def cleaned(text: str, longest: int) -> str:
    """Free text without what can't be seen or turns the page around; a Problem when nothing or too much is left."""
    usual = unicodedata.normalize("NFC", text)
    spaced = "".join(
        " " if letter in "\t\r\n" else letter
        for letter in usual
        if letter in "\t\r\n" or unicodedata.category(letter) not in UNSEEN
    )
    plain = " ".join(spaced.split())
    if not 1 <= len(plain) <= longest:
        raise Problem(422, "invalid", f"text: expected 1 to {longest} characters, got {len(plain)}")
    return plain


def who_sits(chair: Chair) -> str:
    """Whoever sits on a chair, as moderation knows him; empty for nobody."""
    if chair.holder is not None:
        return f"guest:{chair.holder}"
    return f"seat:{chair.digest[:40]}" if chair.is_person else ""


@dataclass(frozen=True, slots=True)
class Chat:
    """Says, hears and agrees."""

    store: ChatStore
    moderation: ModerationStore
    registry: TableRegistry
    limiter: RateLimiter
    now: Callable[[], int]

    async def state(self, actor: TableActor, caller: Caller, after: int) -> JsonObject:
        """What was said behind a number, as this caller hears it, and who agrees to free text."""
        async with actor.looking() as table:
            state = table.state
            _own(table.players_of(caller), None)
        agreed = await self.store.agreed(actor.table_id)
        apart = await self._apart(caller.guest)
        people = _people(state)
        messages: list[Json] = [
            _told(said)
            for said in await self.store.heard(actor.table_id, after)
            if said.who not in apart
        ]
        return {
            "messages": messages,
            "open": _is_open(state, agreed),
            "agreed": [player for player in people if who_sits(state.chairs[player]) in agreed],
            "asked": list(people),
        }

    async def say(
        self, actor: TableActor, caller: Caller, player: Player | None, kind: str, text: str
    ) -> JsonObject:
        """Says a phrase, or free text; returns what was said."""
        async with actor.looking() as table:
            state = table.state
            own = _own(table.players_of(caller), player)
        who = who_sits(state.chairs[own])
        self.limiter.take(f"chat:{who}")
        if kind == "text":
            text = cleaned(text, LONGEST)
            if not _is_open(state, await self.store.agreed(actor.table_id)):
                raise Problem(
                    403, "not_agreed", "expected everybody at the table to agree to free text"
                )
        return await self._said(actor, ChatMessage(0, self.now(), who, own, kind, text))

    async def agree(
        self, actor: TableActor, caller: Caller, player: Player | None, *, agree: bool
    ) -> JsonObject:
        """Agrees to free text at a table, or doesn't any more; returns what the table is told."""
        async with actor.looking() as table:
            own = _own(table.players_of(caller), player)
            who = who_sits(table.state.chairs[own])
        self.limiter.take(f"chat:{who}")
        await self.store.agree(actor.table_id, who, agree=agree)
        kind = "agree" if agree else "decline"
        return await self._said(actor, ChatMessage(0, self.now(), who, own, kind, ""))

    async def _said(self, actor: TableActor, said: ChatMessage) -> JsonObject:
        kept = await self.store.say(actor.table_id, said)
        await self.registry.signal(actor.table_id, "talk", kept.number)
        return _told(kept)

    async def deliver(self, actor: TableActor, number: int) -> None:
        """Tells those who look on from the table's chairs what was said; called at every worker."""
        for said in await self.store.heard(actor.table_id, number - 1):
            if said.number != number:
                continue
            apart = await self._apart(said.who.removeprefix("guest:"))
            frame = encode({"type": "chat", **_told(said)})
            for viewer in tuple(actor.broadcaster.viewers):
                if viewer.player is not None and f"guest:{viewer.caller.guest}" not in apart:
                    viewer.send(frame)

    async def _apart(self, guest: str | None) -> set[str]:
        if guest is None:
            return set()
        return {f"guest:{other}" for other in await self.moderation.apart_from(guest)}


def _own(players: tuple[Player, ...], asked: Player | None) -> Player:
    if not players or (asked is not None and asked not in players):
        raise Problem(403, "forbidden", "expected somebody who sits at the table")
    return players[0] if asked is None else asked


def _people(state: TableState) -> tuple[Player, ...]:
    """Whose consent free text needs; programs don't read it."""
    return tuple(
        player for player, chair in enumerate(state.chairs) if chair.kind is ChairKind.HUMAN
    )


def _is_open(state: TableState, agreed: set[str]) -> bool:
    return all(who_sits(state.chairs[player]) in agreed for player in _people(state))


def _told(said: ChatMessage) -> dict[str, Json]:
    return {
        "number": said.number,
        "at": said.at,
        "player": said.player,
        "kind": said.kind,
        "text": said.text,
    }
