"""Tables as clients use them: opening one, carrying a command out, finding out which view a caller gets."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.core.series import Player
from stampede.matches.callers import Caller, digest_of
from stampede.matches.commands import Command, Invite, Open, Rename, TokenCommand
from stampede.matches.entries import Ack
from stampede.matches.errors import Conflict
from stampede.matches.state import TableState
from stampede.matches.table import Table
from stampede.server.community.moderation import Moderation
from stampede.server.http.identity import Identities
from stampede.server.http.problems import Problem, problem_of, unknown
from stampede.server.ops.metrics import Metrics
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import may_view
from stampede.server.tables.context import TaskGroup, resolve, short_id
from stampede.server.tables.editions import Editions
from stampede.server.tables.memory import Holder
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.wire import ClientCommand, CommandRequest, TableRequest

__all__ = ["CommandReply", "TableService", "choose_view", "read_record", "read_state"]

log = logging.getLogger("stampede.server")

SECRET_BYTES: Final = 32
"""Bytes of a table's secret, the source of its deals."""
MODERATED: Final = frozenset({"claim", "rename", "move_chair"})
"""Commands that blocks, names or ratings may forbid."""

CommandReply: TypeAlias = Callable[[JsonObject | Exception], None]
"""Called once with the acknowledgement as JSON, or with a `Problem`; any other exception is a bug."""


class _Pending(NamedTuple):
    """A client's command that isn't answered yet."""

    actor: TableActor
    request: CommandRequest
    caller: Caller
    reply: CommandReply
    token: str | None
    since: float


@dataclass(frozen=True, slots=True)
class TableService:
    """Carries out what clients ask of tables."""

    registry: TableRegistry
    identities: Identities
    moderation: Moderation
    metrics: Metrics
    entropy: Callable[[int], bytes]
    most_per_guest: int
    editions: Editions
    _tasks: TaskGroup = field(default_factory=TaskGroup)

    async def open(self, request: TableRequest, caller: Caller, address: str) -> tuple[str, str]:
        """Opens a table; returns its id and the invitation's token."""
        caller = _told_apart(caller, request.secret)
        table_id = self.identities.table_id(caller, request.key)
        invite = self.identities.token("invite", table_id, caller, request.key)
        try:
            self.moderation.check_opening(caller, rated=request.rated)
            await self._check_count(caller, table_id)
            secret = self.entropy(SECRET_BYTES).hex()
            settings = request.settings()
            self.editions.check_own(settings)
            command = Open(table_id, settings, caller.guest, secret, digest_of(invite))
            await self.registry.open(command, caller, request.key, Holder(address, caller.guest))
        except StampedeError as error:
            raise problem_of(error) from error
        return table_id, invite

    async def _check_count(self, caller: Caller, table_id: str) -> None:
        """Raises a Problem when a guest has too many other tables that aren't over."""
        if caller.guest is None:
            return
        if await self.registry.count_unfinished(caller.guest, table_id) >= self.most_per_guest:
            text = f"expected at most {self.most_per_guest} tables of yours that aren't over"
            raise Problem(429, "too_many_tables", f"{text}; finish or close one first")

    def submit(
        self, actor: TableActor, request: CommandRequest, caller: Caller, reply: CommandReply
    ) -> None:
        """Carries a client's command out: the one path for WebSockets and HTTP.

        `reply` is called when the command is durable or refused, perhaps before this returns. A caller who goes away
        doesn't stop it.
        """
        kind, token = request.command.type, None
        if isinstance(request.command, TokenCommand):
            caller = _told_apart(caller, request.secret)
            scope = "invite" if isinstance(request.command, Invite) else "seat"
            token = self.identities.token(scope, actor.table_id, caller, request.key)
        pending = _Pending(actor, request, caller, reply, token, time.perf_counter())
        command = _with_digest(request.command, token)
        if kind in MODERATED:
            self._tasks.spawn(self._submit_moderated(pending, command))
        else:
            actor.submit(command, caller, request.key, partial(self._answer, pending))

    async def command(
        self, actor: TableActor, request: CommandRequest, caller: Caller
    ) -> JsonObject:
        """Does the same as `submit`; returns the acknowledgement, or raises why there is none."""
        answered: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self.submit(actor, request, caller, partial(resolve, answered))
        try:
            return await answered
        finally:
            del answered  # else an error, its traceback and this frame would be a reference cycle

    async def close(self) -> None:
        """Waits for commands under way."""
        await self._tasks.finish()

    async def _submit_moderated(self, pending: _Pending, command: Command) -> None:
        actor, caller = pending.actor, pending.caller
        try:
            command = await self.moderation.prepare(actor, command, caller)
            ack = await actor.command(command, caller, pending.request.key)
        except Exception as error:  # noqa: BLE001 - the reply tells expected errors from bugs
            self._answer(pending, error)
            return
        try:
            if not isinstance(command, Rename):
                await self.moderation.remove_again(actor, caller, ack)
            await self.moderation.remember_table(actor, caller)
        except Exception:  # the command is durable, whatever happens to what follows from it
            log.exception("table %s: can't note who has sat down", short_id(actor.table_id))
        self._answer(pending, ack)

    def _answer(self, pending: _Pending, answer: Ack | Exception) -> None:
        if isinstance(answer, Ack):
            self.metrics.observe_command("ack", time.perf_counter() - pending.since)
            ack = answer.to_json()
            pending.reply(ack if pending.token is None else {**ack, "token": pending.token})
        elif isinstance(answer, Conflict):
            self._tasks.spawn(self._answer_conflict(pending, answer))
        else:
            self._refuse(pending, answer)

    async def _answer_conflict(self, pending: _Pending, conflict: Conflict) -> None:
        """Refuses a command that doesn't fit the present state, and sends that along."""
        problem = problem_of(conflict)
        player: Player | None = getattr(pending.request.command, "player", None)
        try:
            problem.details["view"] = await self._view(pending.actor, pending.caller, player)
        except Exception as error:  # noqa: BLE001 - the reply tells expected errors from bugs
            self._refuse(pending, error)
            return
        self._refuse(pending, problem)

    def _refuse(self, pending: _Pending, error: Exception) -> None:
        if isinstance(error, StampedeError):
            error = problem_of(error)
        is_refusal = isinstance(error, Problem) and error.status < 500
        outcome = "refused" if is_refusal else "failed"
        self.metrics.observe_command(outcome, time.perf_counter() - pending.since)
        pending.reply(error)

    async def _view(self, actor: TableActor, caller: Caller, player: Player | None) -> Json:
        async with actor.reading() as table:
            if player is not None and may_view(table, caller, player):
                return table.snapshot(player)
            return table.snapshot(None) if table.may_watch(caller) else None


def _told_apart(caller: Caller, secret: str | None) -> Caller:
    """The caller with the secret that tells them from other bearers of their token; a cookie does that already."""
    return caller if secret is None else replace(caller, secret=secret)


def _with_digest(command: ClientCommand, token: str | None) -> Command:
    """The command with the digest of its new token, if it makes one."""
    if isinstance(command, TokenCommand) and token is not None:
        return replace(command, digest=digest_of(token))
    return command


def choose_view(table: Table, caller: Caller, asked: Player | None) -> Player | None:
    """Whose view a caller gets: the chair asked for, else their first chair, else a spectator's (None).

    Raises:
        Problem: The chair isn't theirs, or they may not watch.
    """
    own = table.players_of(caller)
    if asked is not None and asked not in own:
        raise Problem(403, "forbidden", f"expected an own chair, got player {asked}")
    player = asked if asked is not None else next(iter(own), None)
    if player is None and not table.may_watch(caller):
        raise unknown("table")
    return player


async def read_state(actor: TableActor, caller: Caller) -> TableState:
    """The table's state; raises a Problem when the caller may see nothing of it."""
    async with actor.reading() as table:
        choose_view(table, caller, None)
        return table.state


async def read_record(actor: TableActor, caller: Caller, game: int | None) -> GameRecord:
    """The record of a finished game, by default of the latest; raises a Problem when the caller may not see it."""
    async with actor.reading() as table:
        choose_view(table, caller, None)
        try:
            return table.record(game)
        except StampedeError as error:
            raise problem_of(error) from error
