"""Account data: carry over a guest's seats, export games, delete the account."""

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
from stampede.store.accounts.my_tables import MyTables
from stampede.store.accounts.push import PushStore
from stampede.store.accounts.sessions import Session
from stampede.store.log.redaction import delete_chat, replace_entries

__all__ = ["AccountData"]

log = logging.getLogger("stampede.server")

MAX_MOVED: Final = 20
"""How many tables of a guest, the latest ones, move to the account at sign-in."""
LIVE_STATUS: Final = ("open", "running", "over")


@dataclass(frozen=True, slots=True)
class AccountData:
    """Carries over seats, exports games, and deletes accounts."""

    store: Store
    accounts: AccountStore
    registry: TableRegistry
    identities: Identities
    exports: RateLimiter
    now: Callable[[], int]

    # --- carrying over seats ---

    async def carry_over(self, guest: str | None, session: Session) -> None:
        """Moves a guest's seats and host rights to the account that they have signed in to."""
        if guest is None:
            return
        account_id = session.account_id
        listings = await self.store.listings_of(guest)
        tables = [AccountTable(item.table_id, guest) for item in listings]
        await self.accounts.add_tables(account_id, tables, self.now())
        await MyTables(self.store.engine).carry_over(guest, account_id)
        await PushStore(self.store.engine).carry_over(guest, account_id, session.session_id)
        for item in [item for item in listings if item.status in LIVE_STATUS][:MAX_MOVED]:
            try:
                async with self.registry.lease(item.table_id) as actor:
                    await self._move_seat(actor, guest, account_id)
            except (Problem, StampedeError) as error:
                # The account may sit at that table already. The seat's link still works.
                log.info("a seat stays with its link: %s", type(error).__name__)

    async def _move_seat(self, actor: TableActor, guest: str, account_id: str) -> None:
        async with actor.reading() as table:
            players = table.players_of(Caller(guest))
            chairs = table.state.chairs
        entries = [_read_entry(entry) for entry in await self.store.read(actor.table_id)]
        for player in players:
            token = self._seat_token(actor.table_id, entries, guest, chairs[player].digest)
            if token is None:
                continue
            caller = Caller(account_id, token, former=guest)
            key = f"along:{player}:{token[:8]}"
            fresh = self.identities.token("seat", actor.table_id, caller, key)
            await self.accounts.add_tables(
                account_id, [AccountTable(actor.table_id, account_id)], self.now()
            )
            await actor.command(MoveChair(player, digest_of(fresh)), caller, key)
        async with actor.reading() as table:
            is_host = table.state.host == guest
        if is_host:  # a seat would have carried the host rights over
            await self.accounts.add_tables(
                account_id, [AccountTable(actor.table_id, account_id)], self.now()
            )
            await actor.command(HandOver(account_id), Caller(guest), f"say:{account_id}")

    def _seat_token(
        self, table_id: str, entries: list[Entry], guest: str, digest: str
    ) -> str | None:
        """Derives the seat's token again from the command that made it; None if that can't be found."""
        for entry in reversed(entries):
            if getattr(entry.command, "digest", "") == digest != "":
                token = self.identities.token("seat", table_id, Caller(guest), entry.key)
                return token if digest_of(token) == digest else None
        return None

    # --- export ---

    async def export(self, account_id: str) -> AsyncIterator[str]:
        """Yields the records of every finished game that the account played, one a line."""
        guests: dict[str, set[str]] = {}
        for item in await self.accounts.tables(account_id):
            guests.setdefault(item.table_id, set()).add(item.guest)
        for table_id, mine in guests.items():
            entries = await self.store.read(table_id)
            if entries:
                for line in await asyncio.to_thread(_records, entries, mine):
                    yield line

    # --- deletion ---

    async def delete(self, account_id: str) -> None:
        """Deletes an account: leaves its tables and takes its name out of every log. Games stay, anonymous."""
        for item in await self.accounts.tables(account_id):
            await self._leave(item)
            await self._redact(item)
        await PushStore(self.store.engine).remove_all(account_id)
        await delete_chat(self.store.engine, f"guest:{account_id}", DELETED)
        await self.accounts.delete(account_id)

    async def _leave(self, item: AccountTable) -> None:
        try:
            async with self.registry.lease(item.table_id) as actor:
                caller = Caller(item.guest)
                async with actor.reading() as table:
                    players = () if table.state.phase is Phase.CLOSED else table.players_of(caller)
                    seq = table.seq
                for player in players:
                    await actor.command(Leave(player), caller, f"gone:{player}:{seq}")
        except (Problem, StampedeError) as error:
            log.info("can't leave a table: %s", type(error).__name__)

    async def _redact(self, item: AccountTable) -> None:
        entries = await self.store.read(item.table_id)
        changed = [(old, _without_name(_read_entry(old), f"guest:{item.guest}")) for old in entries]
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
        await replace_entries(self.store.engine, item.table_id, redacted, listing_of(table.state))
        await self.registry.signal(item.table_id, "reread")


def _read_entry(entry: LogEntry) -> Entry:
    return Entry.from_json(json.loads(entry.payload))


def _without_name(entry: Entry, who: str) -> Entry | None:
    """Returns the entry without this guest's name; None if it holds none."""
    command = entry.command
    if entry.who == who and isinstance(command, Claim | Rename) and command.name != DELETED:
        return entry._replace(command=replace(command, name=DELETED))
    return None


def _records(entries: list[LogEntry], guests: set[str]) -> list[str]:
    history = read_history(entries)
    return [
        history.table.log_record(game.match.number).dumps() + "\n"
        for game in history.games
        if game.match.ended_at is not None and not game.match.aborted and game.holders & guests
    ]
