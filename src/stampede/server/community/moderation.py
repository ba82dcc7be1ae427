"""How people get along: blocks, reports, removed guests; and what a name or a rated table asks of who sits down."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from stampede.core.json import canonical
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.commands import Claim, Command, MoveChair, Remove, Rename
from stampede.matches.state import TableState
from stampede.server.accounts.names import folded
from stampede.server.accounts.sessions import is_account
from stampede.server.community.chat import cleaned, who_sits
from stampede.server.http.limits import RateLimiter
from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.store import Listing
from stampede.store.accounts.accounts import AccountStore, AccountTable
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock, PlayerReport

__all__ = ["REASONS", "Moderation"]

REASONS: Final = ("abuse", "cheating", "name", "spam", "stalling", "other")
LONGEST_NOTE: Final = 500
MOST_BLOCKS: Final = 500
EVIDENCE: Final = 20
"""So many of the reported one's latest words come with a report."""


@dataclass(frozen=True, slots=True)
class Moderation:
    """Checks who may sit down, and keeps blocks and reports."""

    store: ModerationStore
    accounts: AccountStore
    chat: ChatStore
    limiter: RateLimiter
    now: Callable[[], int]

    # --- sitting down ---

    def check_opening(self, caller: Caller, *, rated: bool) -> None:
        """A Problem when somebody without a name wants to open a rated table."""
        if rated and not is_account(caller.guest):
            raise _needs_name()

    async def prepared(self, actor: TableActor, command: Command, caller: Caller) -> Command:
        """The command as it is to be carried out: with the name that is the caller's; a Problem when it may not be."""
        if not isinstance(command, Claim | Rename | MoveChair):
            return command
        async with actor.looking() as table:
            state = table.state
        if isinstance(command, Rename):
            name = await self._name(caller, command.name, program=False)
            return replace(command, name=name)
        await self._check_company(state, caller)
        if state.settings.rated:
            _check_rated(state, command, caller)
        if isinstance(command, MoveChair):
            return command
        name = await self._name(caller, command.name, program=command.program)
        return replace(command, name=name)

    async def seated(self, actor: TableActor, caller: Caller) -> None:
        """Remembers that somebody who keeps a name has sat down. Once more does no harm: a retry comes here again."""
        if caller.guest is not None and is_account(caller.guest):
            sitting = AccountTable(actor.table_id, caller.guest)
            await self.accounts.sat(caller.guest, [sitting], self.now())

    async def _name(self, caller: Caller, asked: str, *, program: bool) -> str:
        """Who keeps a name sits down under it; nobody else does."""
        owner = await self.accounts.named(folded(asked))
        if is_account(caller.guest) and caller.guest is not None and not program:
            mine = await self.accounts.account(caller.guest)
            return asked if mine is None else mine.name
        if owner is not None and owner.account_id != caller.guest:
            raise Problem(409, "name_taken", "expected a free name, but somebody keeps this one")
        return asked

    async def _check_company(self, state: TableState, caller: Caller) -> None:
        """Blocks and removals. The answer doesn't tell whose block it is."""
        barred = await self.store.is_barred(state.table, {caller.who})
        apart = set() if caller.guest is None else await self.store.apart_from(caller.guest)
        present = {chair.holder for chair in state.chairs} | {state.host}
        if barred or apart & present:
            raise Problem(
                403, "not_welcome", "expected another guest: this table isn't open to you"
            )

    async def visible(self, caller: Caller, listings: list[Listing]) -> list[Listing]:
        """The lobby without tables of those whom the caller doesn't meet."""
        apart = set() if caller.guest is None else await self.store.apart_from(caller.guest)
        if not apart:
            return listings
        hidden = await self.store.tables_of(apart, [item.table_id for item in listings])
        return [item for item in listings if item.table_id not in hidden]

    # --- the host ---

    async def remove(self, actor: TableActor, caller: Caller, player: Player, key: str) -> None:
        """The host sends somebody away for good."""
        async with actor.looking() as table:
            chairs = table.state.chairs
            who = who_sits(chairs[player]) if player < len(chairs) else ""
        await actor.command(Remove(player), caller, key)
        if who:
            await self.store.bar(actor.table_id, who)

    # --- blocks ---

    async def block(self, actor: TableActor, caller: Caller, player: Player) -> PlayerBlock:
        """Blocks who sits on a chair."""
        async with actor.looking() as table:
            if not table.may_watch(caller) or player >= len(table.state.chairs):
                raise Problem(404, "unknown_player", "there is no such player here")
            chair = table.state.chairs[player]
        if chair.holder is None:
            raise Problem(422, "invalid", "player: expected a guest, got a bot, a link or nobody")
        return await self._block(caller, chair.holder, chair.name)

    async def block_named(self, caller: Caller, name: str) -> PlayerBlock:
        """Blocks who keeps a name."""
        account = await self.accounts.named(folded(name))
        if account is None:
            raise Problem(404, "unknown_player", "there is nobody who keeps that name")
        return await self._block(caller, account.account_id, account.name)

    async def _block(self, caller: Caller, whom: str, name: str) -> PlayerBlock:
        mine = _guest(caller)
        if whom == mine:
            raise Problem(422, "invalid", "player: expected somebody else, got yourself")
        known = await self.store.blocks(mine)
        for block in known:
            if block.blocked == whom:
                return block
        if len(known) >= MOST_BLOCKS:
            raise Problem(409, "too_many", f"expected at most {MOST_BLOCKS} blocks")
        block = PlayerBlock(mine, whom, secrets.token_urlsafe(12), name, self.now())
        await self.store.block(block)
        return block

    # --- reports ---

    async def report(
        self, actor: TableActor, caller: Caller, player: Player, reason: str, note: str
    ) -> str:
        """Reports who sits on a chair to whoever runs the server; returns the report's id."""
        self.limiter.take(f"report:{caller.who}")
        async with actor.looking() as table:
            if not table.may_watch(caller) or player >= len(table.state.chairs):
                raise Problem(404, "unknown_player", "there is no such player here")
            chair = table.state.chairs[player]
        who = who_sits(chair)
        if not who:
            raise Problem(422, "invalid", "player: expected somebody, got a bot or nobody")
        said = [item for item in await self.chat.heard(actor.table_id) if item.who == who]
        report = PlayerReport(
            report_id=secrets.token_hex(8),
            at=self.now(),
            status="open",
            reporter=caller.who,
            reported=who,
            table_id=actor.table_id,
            player=player,
            name=chair.name,
            reason=reason,
            note=cleaned(note, LONGEST_NOTE) if note else "",
            chat=canonical([[item.at, item.kind, item.text] for item in said[-EVIDENCE:]]),
        )
        await self.store.report(report)
        return report.report_id


def _guest(caller: Caller) -> str:
    if caller.guest is None:
        raise Problem(401, "unknown_guest", "expected a guest's cookie: GET /api/me gives one")
    return caller.guest


def _check_rated(state: TableState, command: Claim | MoveChair, caller: Caller) -> None:
    if not is_account(caller.guest):
        raise _needs_name()
    if isinstance(command, Claim) and command.program:
        raise Problem(403, "forbidden", "expected a person: programs don't play rated games")
    if isinstance(command, MoveChair):
        chairs = state.chairs
        holder = chairs[command.player].holder if command.player < len(chairs) else None
        if holder != caller.guest:
            raise Problem(403, "forbidden", "expected the same person: sign in on this device")


def _needs_name() -> Problem:
    return Problem(403, "name_needed", "expected somebody who keeps a name: it's a rated table")


def chat_of(report: PlayerReport) -> list[list[str | int]]:
    """What the reported one had said: time, kind, words."""
    said: list[list[str | int]] = json.loads(report.chat)
    return said
