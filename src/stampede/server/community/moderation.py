"""Moderation: blocks, reports and removals, and who may sit down with which name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import canonical
from stampede.core.series import Player
from stampede.matches.callers import SYSTEM, Caller, is_host
from stampede.matches.commands import Claim, Command, MoveChair, Remove, Rename
from stampede.matches.entries import Ack
from stampede.matches.errors import MatchError
from stampede.matches.state import Chair, TableState
from stampede.server.accounts.names import fold_name
from stampede.server.accounts.sessions import is_account
from stampede.server.community.chat import clean_text, identify_player
from stampede.server.http.limits import RateLimiter
from stampede.server.http.problems import Problem
from stampede.server.runtime import new_text
from stampede.server.tables.actor import TableActor
from stampede.store import Listing
from stampede.store.accounts.accounts import AccountStore, AccountTable
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore, PlayerBlock, PlayerReport

__all__ = ["REASONS", "Moderation"]

REASONS: Final = ("abuse", "cheating", "name", "spam", "stalling", "other")
MAX_NOTE: Final = 500
MAX_BLOCKS: Final = 500
EVIDENCE: Final = 20
"""How many of the reported player's latest messages a report contains."""


@dataclass(frozen=True, slots=True)
class Moderation:
    """Checks who may sit down, and stores blocks and reports."""

    store: ModerationStore
    accounts: AccountStore
    chat: ChatStore
    limiter: RateLimiter
    now: Callable[[], int]
    entropy: Callable[[int], bytes]

    # --- sitting down ---

    def check_opening(self, caller: Caller, *, rated: bool) -> None:
        """Raises a Problem if a caller without an account opens a rated table."""
        if rated and not is_account(caller.guest):
            raise _account_needed()

    async def prepare(self, actor: TableActor, command: Command, caller: Caller) -> Command:
        """Returns the command with the caller's account name; raises a Problem if it isn't allowed."""
        if not isinstance(command, Claim | Rename | MoveChair):
            return command
        async with actor.reading() as table:
            state = table.state
        if isinstance(command, Rename):
            name = await self._choose_name(caller, command.name, program=False)
            return replace(command, name=name)
        await self._check_blocks(state, caller)
        if state.settings.rated:
            _check_rated(state, command, caller)
        if isinstance(command, MoveChair):
            return command
        name = await self._choose_name(caller, command.name, program=command.program)
        return replace(command, name=name)

    async def remember_table(self, actor: TableActor, caller: Caller) -> None:
        """Remembers that an account has sat down. Idempotent, as retries come here again."""
        if caller.guest is not None and is_account(caller.guest):
            table = AccountTable(actor.table_id, caller.guest)
            await self.accounts.add_tables(caller.guest, [table], self.now())

    async def _choose_name(self, caller: Caller, asked: str, *, program: bool) -> str:
        """Returns the account's own name; raises a Problem if another account has the wanted one."""
        owner = await self.accounts.find_by_name(fold_name(asked))
        if is_account(caller.guest) and caller.guest is not None and not program:
            mine = await self.accounts.find(caller.guest)
            return asked if mine is None else mine.name
        if owner is not None and owner.account_id != caller.guest:
            raise Problem(
                409, "name_taken", "expected a free name, but another account has this one"
            )
        return asked

    async def _check_blocks(self, state: TableState, caller: Caller) -> None:
        """Raises a Problem because of a block or a removal; it doesn't say which."""
        removed = await self.store.is_removed(state.table, {caller.who})
        blocked = set() if caller.guest is None else await self.store.blocked_with(caller.guest)
        present = {chair.holder for chair in state.chairs} | {state.host}
        if removed or blocked & present:
            raise Problem(
                403, "not_welcome", "expected another guest: this table isn't open to you"
            )

    async def visible(self, caller: Caller, listings: list[Listing]) -> list[Listing]:
        """Returns the listings without tables of players with whom the caller has a block."""
        blocked = set() if caller.guest is None else await self.store.blocked_with(caller.guest)
        if not blocked:
            return listings
        hidden = await self.store.tables_of(blocked, [item.table_id for item in listings])
        return [item for item in listings if item.table_id not in hidden]

    # --- the host ---

    async def remove(self, actor: TableActor, caller: Caller, player: Player, key: str) -> None:
        """Removes a player for good; only the host may."""
        async with actor.reading() as table:
            state = table.state
        may_remove = is_host(state, caller) and player < len(state.chairs)
        sitting = identify_player(state.chairs[player]) if may_remove else ""
        # Before they lose the chair: a claim of theirs that is under way finds it when it is acknowledged.
        is_new = bool(sitting) and await self.store.add_removal(actor.table_id, sitting)
        try:
            ack = await actor.command(Remove(player), caller, key)
        except (InputError, MatchError, Problem):
            if is_new:
                await self.store.delete_removal(actor.table_id, sitting)
            raise
        # By the log, as another may sit there by now, or when this is sent again.
        before = await actor.state_before(ack.seq)
        who = identify_player(before.chairs[player])
        if is_new and who != sitting:
            await self.store.delete_removal(actor.table_id, sitting)
        if who and who != sitting:
            await self.store.add_removal(actor.table_id, who)

    async def remove_again(self, actor: TableActor, caller: Caller, ack: Ack) -> None:
        """Takes the chair from a caller who was removed while they sat down."""
        if not await self.store.is_removed(actor.table_id, {caller.who}):
            return
        async with actor.reading() as table:
            players = table.players_of(caller)
        for player in players:
            await actor.command(Remove(player), SYSTEM, f"removed:{ack.seq}:{player}")

    # --- blocks ---

    async def block(self, actor: TableActor, caller: Caller, player: Player) -> PlayerBlock:
        """Blocks the player on a chair."""
        chair = await _find_chair(actor, caller, player)
        if chair.holder is None:
            raise Problem(
                422, "invalid", "player: expected a guest, got a bot, a link or an open chair"
            )
        return await self._block(caller, chair.holder, chair.name)

    async def block_by_name(self, caller: Caller, name: str) -> PlayerBlock:
        """Blocks an account by its name."""
        account = await self.accounts.find_by_name(fold_name(name))
        if account is None:
            raise Problem(404, "unknown_player", "there is no account of that name")
        return await self._block(caller, account.account_id, account.name)

    async def _block(self, caller: Caller, whom: str, name: str) -> PlayerBlock:
        mine = _guest(caller)
        if whom == mine:
            raise Problem(422, "invalid", "player: expected another player, got yourself")
        known = await self.store.blocks(mine)
        for block in known:
            if block.blocked == whom:
                return block
        if len(known) >= MAX_BLOCKS:
            raise Problem(409, "too_many", f"expected at most {MAX_BLOCKS} blocks")
        block = PlayerBlock(mine, whom, new_text(self.entropy, 12), name, self.now())
        await self.store.add_block(block)
        return block

    # --- reports ---

    async def report(
        self, actor: TableActor, caller: Caller, player: Player, reason: str, note: str
    ) -> str:
        """Reports the player on a chair to the operator; returns the report's id."""
        self.limiter.take(f"report:{caller.who}")
        chair = await _find_chair(actor, caller, player)
        who = identify_player(chair)
        if not who:
            raise Problem(422, "invalid", "player: expected a person, got a bot or an open chair")
        messages = [item for item in await self.chat.messages(actor.table_id) if item.who == who]
        report = PlayerReport(
            report_id=self.entropy(8).hex(),
            at=self.now(),
            status="open",
            reporter=caller.who,
            reported=who,
            table_id=actor.table_id,
            player=player,
            name=chair.name,
            reason=reason,
            note=clean_text(note, MAX_NOTE) if note else "",
            chat=canonical([[item.at, item.kind, item.text] for item in messages[-EVIDENCE:]]),
        )
        await self.store.add_report(report)
        return report.report_id


async def _find_chair(actor: TableActor, caller: Caller, player: Player) -> Chair:
    async with actor.reading() as table:
        if not table.may_watch(caller) or player >= len(table.state.chairs):
            raise Problem(404, "unknown_player", "there is no such player here")
        return table.state.chairs[player]


def _guest(caller: Caller) -> str:
    if caller.guest is None:
        raise Problem(401, "unknown_guest", "expected a guest's cookie: GET /api/me gives one")
    return caller.guest


def _check_rated(state: TableState, command: Claim | MoveChair, caller: Caller) -> None:
    if not is_account(caller.guest):
        raise _account_needed()
    if isinstance(command, Claim) and command.program:
        raise Problem(403, "forbidden", "expected a person: programs don't play rated games")
    if isinstance(command, MoveChair):
        chairs = state.chairs
        holder = chairs[command.player].holder if command.player < len(chairs) else None
        if holder != caller.guest:
            raise Problem(403, "forbidden", "expected the same person: sign in on this device")


def _account_needed() -> Problem:
    return Problem(403, "name_needed", "expected an account: it's a rated table")


def read_chat(report: PlayerReport) -> list[list[str | int]]:
    """Returns the reported player's messages: time, kind, text."""
    messages: list[list[str | int]] = json.loads(report.chat)
    return messages
