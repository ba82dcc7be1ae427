"""What belongs to somebody: seats that he had as a guest, his games to take along, and how he goes for good."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final

from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.matches.callers import Caller, digest_of
from stampede.matches.commands import Claim, HandOver, Leave, MoveChair, Rename
from stampede.matches.entries import Entry
from stampede.matches.state import Phase
from stampede.matches.table import Table
from stampede.server.accounts.names import DELETED
from stampede.server.http.identity import Identities
from stampede.server.http.limits import RateLimiter
from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.server.tables.game_history import read_history
from stampede.server.tables.listing import listing_of
from stampede.server.tables.registry import TableRegistry
from stampede.store import LogEntry, Store
from stampede.store.accounts.accounts import AccountStore, AccountTable
from stampede.store.log.redaction import delete_chat, replace_entries

__all__ = ["AccountData"]

log = logging.getLogger("stampede.server")

MOST_MOVED: Final = 20
"""So many tables of a guest come along when he signs in; the latest ones."""
LIVE: Final = ("open", "running", "over")


@dataclass(frozen=True, slots=True)
class AccountData:
    """Moves, hands out and forgets."""

    store: Store
    accounts: AccountStore
    registry: TableRegistry
    identities: Identities
    exports: RateLimiter
    now: Callable[[], int]

    # --- bringing seats along ---

    async def bring_along(self, guest: str | None, account_id: str) -> None:
        """A guest has signed in: his seats and his say are the account's from now on, as if on another device."""
        if guest is None:
            return
        listings = await self.store.listings_of(guest)
        sittings = [AccountTable(item.table_id, guest) for item in listings]
        await self.accounts.sat(account_id, sittings, self.now())
        for item in [item for item in listings if item.status in LIVE][:MOST_MOVED]:
            try:
                await self._move_seat(await self.registry.find(item.table_id), guest, account_id)
            except (Problem, StampedeError) as error:
                # The seat's link still opens it; an account may sit at that table already.
                log.info("a seat stays with its link: %s", type(error).__name__)

    async def _move_seat(self, actor: TableActor, guest: str, account_id: str) -> None:
        async with actor.looking() as table:
            players = table.players_of(Caller(guest))
            chairs = table.state.chairs
        entries = [_read(kept) for kept in await self.store.read(actor.table_id)]
        for player in players:
            token = self._seat_token(actor.table_id, entries, guest, chairs[player].digest)
            if token is None:
                continue
            caller = Caller(account_id, token)
            key = f"along:{player}:{token[:8]}"
            fresh = self.identities.token("seat", actor.table_id, caller, key)
            await self.accounts.sat(
                account_id, [AccountTable(actor.table_id, account_id)], self.now()
            )
            await actor.command(MoveChair(player, digest_of(fresh)), caller, key)
        async with actor.looking() as table:
            is_host = table.state.host == guest
        if is_host:  # and has no seat that would have taken his say along
            await self.accounts.sat(
                account_id, [AccountTable(actor.table_id, account_id)], self.now()
            )
            await actor.command(HandOver(account_id), Caller(guest), f"say:{account_id}")

    def _seat_token(
        self, table_id: str, entries: list[Entry], guest: str, digest: str
    ) -> str | None:
        """The seat's token, made again from the command that asked for it; None when that can't be found."""
        for entry in reversed(entries):
            if getattr(entry.command, "digest", "") == digest != "":
                token = self.identities.token("seat", table_id, Caller(guest), entry.key)
                return token if digest_of(token) == digest else None
        return None

    # --- games to take along ---

    async def export(self, account_id: str) -> AsyncIterator[str]:
        """The records of every finished game that somebody played, one a line. Running games aren't among them."""
        guests: dict[str, set[str]] = {}
        for sitting in await self.accounts.sittings(account_id):
            guests.setdefault(sitting.table_id, set()).add(sitting.guest)
        for table_id, mine in guests.items():
            entries = await self.store.read(table_id)
            if entries:
                for line in await asyncio.to_thread(_records, entries, mine):
                    yield line

    # --- going for good ---

    async def forget(self, account_id: str) -> None:
        """Deletes an account: it leaves its tables, and its name goes from every log. Games stay, anonymous."""
        for sitting in await self.accounts.sittings(account_id):
            await self._leave(sitting)
            await self._redact(sitting)
        await delete_chat(self.store.engine, f"guest:{account_id}", DELETED)
        await self.accounts.delete(account_id)

    async def _leave(self, sitting: AccountTable) -> None:
        try:
            actor = await self.registry.find(sitting.table_id)
            caller = Caller(sitting.guest)
            async with actor.looking() as table:
                players = () if table.state.phase is Phase.CLOSED else table.players_of(caller)
                seq = table.seq
            for player in players:
                await actor.command(Leave(player), caller, f"gone:{player}:{seq}")
        except (Problem, StampedeError) as error:
            log.info("a table couldn't be left: %s", type(error).__name__)

    async def _redact(self, sitting: AccountTable) -> None:
        entries = await self.store.read(sitting.table_id)
        changed = [(kept, _nameless(_read(kept), f"guest:{sitting.guest}")) for kept in entries]
        redacted = [
            LogEntry(kept.seq, canonical(entry.to_json()))
            for kept, entry in changed
            if entry is not None
        ]
        if not redacted:
            return
        texts = {kept.seq: kept for kept in redacted}
        table: Table = await asyncio.to_thread(
            lambda: read_history([texts.get(kept.seq, kept) for kept in entries]).table
        )
        await replace_entries(
            self.store.engine, sitting.table_id, redacted, listing_of(table.state)
        )
        await self.registry.signal(sitting.table_id, "reread")


def _read(kept: LogEntry) -> Entry:
    return Entry.from_json(json.loads(kept.payload))


def _nameless(entry: Entry, who: str) -> Entry | None:
    """The entry without the name, when it holds one of this guest's; else None."""
    command = entry.command
    if entry.who == who and isinstance(command, Claim | Rename) and command.name != DELETED:
        return entry._replace(command=replace(command, name=DELETED))
    return None


def _records(entries: list[LogEntry], guests: set[str]) -> list[str]:
    found = read_history(entries)
    return [
        found.table.log_record(game.match.number).dumps() + "\n"
        for game in found.games
        if game.match.ended_at is not None and not game.match.aborted and game.holders & guests
    ]
