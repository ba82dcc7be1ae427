"""Tables as clients use them: opening one, carrying a command out, finding out which view a caller gets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller, digest_of
from stampede.matches.commands import Claim, Command, Invite, MoveChair, Open, SeatLink
from stampede.matches.entries import Ack
from stampede.matches.errors import Conflict
from stampede.server.community.moderation import Moderation
from stampede.server.http.identity import Identities
from stampede.server.http.problems import Problem, problem_of, unknown
from stampede.server.ops.metrics import Metrics
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import may_view
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.wire import ClientCommand, CommandRequest, TableRequest

__all__ = ["CommandReply", "TableService", "choose_view"]

TOKEN_SCOPES: Final = {
    "claim": "seat",
    "move_chair": "seat",
    "seat_link": "seat",
    "invite": "invite",
}
"""Commands whose answer brings a new token, and what that opens."""
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
    entropy: Callable[[], str]
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def open(self, request: TableRequest, caller: Caller) -> tuple[TableActor, str]:
        """Opens a table; returns it with the invitation's token."""
        table_id = self.identities.table_id(caller, request.key)
        invite = self.identities.token("invite", table_id, caller, request.key)
        try:
            self.moderation.check_opening(caller, rated=request.rated)
            command = Open(
                table_id, request.settings(), caller.guest, self.entropy(), digest_of(invite)
            )
            actor = await self.registry.open(command, caller, request.key)
        except StampedeError as error:
            raise problem_of(error) from error
        return actor, invite

    def submit(
        self, actor: TableActor, request: CommandRequest, caller: Caller, reply: CommandReply
    ) -> None:
        """Carries a client's command out: the one way for WebSockets and HTTP.

        `reply` is called when the command is durable or refused, perhaps before this returns. A caller who goes away
        doesn't stop it.
        """
        kind, token = request.command.type, None
        if kind in TOKEN_SCOPES:
            token = self.identities.token(TOKEN_SCOPES[kind], actor.table_id, caller, request.key)
        pending = _Pending(actor, request, caller, reply, token, time.perf_counter())
        command = _with_digest(request.command, token)
        if kind in MODERATED:
            self._spawn(self._submit_moderated(pending, command))
        else:
            actor.submit(command, caller, request.key, partial(self._answer, pending))

    async def command(
        self, actor: TableActor, request: CommandRequest, caller: Caller
    ) -> JsonObject:
        """Does the same as `submit`; returns the acknowledgement, or raises why there is none."""
        answered: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()

        def reply(answer: JsonObject | Exception) -> None:
            if answered.done():  # the client has gone
                return
            if isinstance(answer, Exception):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        self.submit(actor, request, caller, reply)
        return await answered

    async def _submit_moderated(self, pending: _Pending, command: Command) -> None:
        actor, caller = pending.actor, pending.caller
        answer: Ack | Exception
        try:
            command = await self.moderation.prepare(actor, command, caller)
            answer = await actor.command(command, caller, pending.request.key)
            await self.moderation.remember_table(actor, caller)
        except Exception as error:  # noqa: BLE001 - the reply tells expected errors from bugs
            answer = error
        self._answer(pending, answer)

    def _answer(self, pending: _Pending, answer: Ack | Exception) -> None:
        if isinstance(answer, Ack):
            self.metrics.observe_command("ack", time.perf_counter() - pending.since)
            ack = answer.to_json()
            pending.reply(ack if pending.token is None else {**ack, "token": pending.token})
        elif isinstance(answer, Conflict):
            self._spawn(self._answer_conflict(pending, answer))
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
        async with actor.looking() as table:
            if player is not None and may_view(table, caller, player):
                return table.snapshot(player)
            return table.snapshot(None) if table.may_watch(caller) else None

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _with_digest(command: ClientCommand, token: str | None) -> Command:
    """The command with the digest of its new token, if it makes one."""
    if isinstance(command, Claim | MoveChair | SeatLink | Invite) and token is not None:
        return replace(command, digest=digest_of(token))
    return command


async def choose_view(actor: TableActor, caller: Caller, asked: Player | None) -> Player | None:
    """Whose view a caller gets: the chair asked for, else their first chair, else a spectator's (None).

    Raises:
        Problem: The chair isn't theirs, or they may not look on.
    """
    async with actor.looking() as table:
        own = table.players_of(caller)
        if asked is not None and asked not in own:
            raise Problem(403, "forbidden", f"expected an own chair, got player {asked}")
        player = asked if asked is not None else next(iter(own), None)
        if player is None and not table.may_watch(caller):
            raise unknown("table")
        return player
