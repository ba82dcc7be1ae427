"""What routes and sockets share: who asks, how fast, and how a command is carried out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.matches.callers import Caller, digest_of
from stampede.matches.commands import Act, Claim, Command, Open, read_command
from stampede.matches.errors import Conflict
from stampede.matches.playable import Player
from stampede.matches.settings import TableSettings
from stampede.server.cluster.membership import membership_for
from stampede.server.http.identity import Identities
from stampede.server.http.limits import RequestLimits
from stampede.server.http.problems import Problem, problem_of, unknown
from stampede.server.http.signing import Signer, new_secret
from stampede.server.ops.health import Readiness
from stampede.server.ops.metrics import Metrics, ServerCollector, serve_metrics
from stampede.server.people import People, running_people
from stampede.server.settings import ServerSettings
from stampede.server.tables.asking import may_look
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.catalogue import PLAYABLE
from stampede.server.tables.registry import Hub
from stampede.server.tables.rooms import Room, Surroundings
from stampede.server.tables.wire import (
    ActCommand,
    AnyCommand,
    ClaimCommand,
    CommandRequest,
    TableRequest,
)
from stampede.store import Store

__all__ = ["Services", "milliseconds", "running_services", "viewer_of"]

MAKES_TOKEN: Final = {
    "claim": "seat",
    "move_chair": "seat",
    "seat_link": "seat",
    "invite": "invite",
}
"""Commands whose answer brings a token, and what it opens."""
ASKED_FIRST: Final = frozenset({"claim", "rename", "move_chair"})
"""Commands that blocks, names or ratings may forbid."""
OPENING_COST: Final = 5.0
"""Opening a table counts as so many requests."""


def milliseconds() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Services:
    """The running parts of a server."""

    settings: ServerSettings
    store: Store
    hub: Hub
    identities: Identities
    limits: RequestLimits
    metrics: Metrics
    readiness: Readiness
    entropy: Callable[[], str]
    people: People

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Who asks: an account, a guest, a token's bearer, or nobody."""
        self.limits.count_connection(connection)
        return await self.people.sessions.caller(connection)

    def limit(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and of his address; TooManyRequests when there are too many."""
        self.limits.count_request(connection, caller, cost)

    async def open_table(self, request: TableRequest, caller: Caller) -> tuple[Room, str]:
        """Opens a table; returns it with the invitation's token."""
        table_id = self.identities.table_id(caller, request.key)
        invite = self.identities.token("invite", table_id, caller, request.key)
        try:
            self.people.moderation.check_opening(caller, rated=request.rated)
            settings = TableSettings.from_json(request.settings_json())
            command = Open(table_id, settings, caller.guest, self.entropy(), digest_of(invite))
            room = await self.hub.open(command, caller, request.key)
        except StampedeError as error:
            raise problem_of(error) from error
        return room, invite

    async def command(
        self, room: Room, request: CommandRequest, caller: Caller, *, alone: bool = False
    ) -> JsonObject:
        """Carries a command out; returns the acknowledgement, or raises a Problem with the present view.

        Args:
            room: At which table.
            request: What is asked for.
            caller: By whom.
            alone: Whether this is a task of its own, which doesn't end when the caller goes away.
        """
        begin = time.perf_counter()
        outcome = "failed"
        try:
            ack = await self._command(room, request, caller, alone=alone)
            outcome = "ack"
        except Problem as problem:
            outcome = "failed" if problem.status >= 500 else "refused"
            raise
        finally:
            self.metrics.observe_command(outcome, time.perf_counter() - begin)
        return ack

    async def _command(
        self, room: Room, request: CommandRequest, caller: Caller, *, alone: bool
    ) -> JsonObject:
        key, kind = request.key, request.command.type
        token = None
        if kind in MAKES_TOKEN:
            token = self.identities.token(MAKES_TOKEN[kind], room.table_id, caller, key)
        try:
            command = _command(request.command, token)
            if kind in ASKED_FIRST:
                command = await self.people.moderation.prepared(room, command, caller)
            carry_out = room.carry_out if alone else room.command
            ack = await carry_out(command, caller, key)
            if kind in ASKED_FIRST:
                await self.people.moderation.seated(room, caller)
        except Conflict as error:
            problem = problem_of(error)
            player = getattr(request.command, "player", None)
            problem.details["view"] = await self._view(room, caller, player)
            raise problem from error
        except StampedeError as error:
            raise problem_of(error) from error
        return ack.to_json() if token is None else {**ack.to_json(), "token": token}

    async def _view(self, room: Room, caller: Caller, player: Player | None) -> Json:
        async with room.looking() as table:
            if player is not None and may_look(table, caller, player):
                return table.view_for(player).to_json()
            return table.view_for(None).to_json() if table.may_watch(caller) else None


def _command(sent: AnyCommand, token: str | None) -> Command:
    """The command as the authority takes it: a digest in place of a token."""
    digest = "" if token is None else digest_of(token)
    if isinstance(sent, ActCommand):
        return Act(sent.player, sent.decision, sent.action)
    if isinstance(sent, ClaimCommand):
        return Claim(sent.player, sent.name, digest, program=sent.program, salt=sent.salt)
    return read_command({**sent.model_dump(mode="json"), "digest": digest})


def eyes(table_players: tuple[Player, ...], asked: Player | None) -> Player | None:
    """Through whose eyes a caller looks: those he asks for, else his first chair's, else a spectator's."""
    if asked is None:
        return table_players[0] if table_players else None
    if asked not in table_players:
        raise Problem(403, "forbidden", f"expected an own chair, got player {asked}")
    return asked


async def viewer_of(room: Room, caller: Caller, asked: Player | None) -> Player | None:
    """Whose eyes a caller gets at a table; a Problem when he may not look at all."""
    async with room.looking() as table:
        player = eyes(table.players_of(caller), asked)
        if player is None and not table.may_watch(caller):
            raise unknown("table")
        return player


@asynccontextmanager
async def running_services(
    settings: ServerSettings,
    metrics: Metrics,
    now: Callable[[], int],
    entropy: Callable[[], str],
) -> AsyncIterator[Services]:
    """Opens the store, brings running tables back, and closes everything in the end."""
    store = await Store.open(settings.database_url, timeout=settings.write_timeout)
    key = await store.value("signing_key", new_secret())
    if settings.secret is not None:
        key = settings.secret.get_secret_value()
    identities = Identities(Signer(key.encode()), settings.secure_cookies)
    pool = BotPool(settings.bot_threads, settings.bot_queue)
    cluster = membership_for(store)
    hub = Hub(
        Surroundings(PLAYABLE, store, pool, now, cluster),
        most=settings.max_tables,
        idle_ms=int(settings.idle_timeout * 1000),
    )
    try:
        hub.start(await cluster.open(now, hub.heard, hub.changed))
        async with running_people(settings, store, hub, identities, now) as people:
            limits = RequestLimits(settings, time.monotonic)
            metrics.register(ServerCollector(store, hub, pool, cluster, limits))
            ready = Readiness(store, cluster)
            with serve_metrics(metrics, settings):
                yield Services(
                    settings, store, hub, identities, limits, metrics, ready, entropy, people
                )
    finally:
        await hub.close()
        await cluster.close()
        await pool.close()
        await store.close()
