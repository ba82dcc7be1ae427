"""The running parts of a server, put together and taken apart again."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from stampede.matches.callers import Caller
from stampede.server.cluster.membership import membership_for
from stampede.server.http.identity import Identities
from stampede.server.http.limits import RequestLimits
from stampede.server.http.signing import Signer, new_secret
from stampede.server.ops.health import Readiness
from stampede.server.ops.metrics import Metrics, ServerCollector, serve_metrics
from stampede.server.people import People, running_people
from stampede.server.settings import ServerSettings
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.context import TableContext
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.service import TableService
from stampede.store import Store

__all__ = ["OPENING_COST", "Services", "milliseconds", "running_services"]

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
    registry: TableRegistry
    tables: TableService
    identities: Identities
    limits: RequestLimits
    metrics: Metrics
    readiness: Readiness
    people: People

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Who asks: an account, a guest, a token's bearer, or nobody."""
        self.limits.count_connection(connection)
        return await self.people.sessions.caller(connection)

    def limit(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and of his address; TooManyRequests when there are too many."""
        self.limits.count_request(connection, caller, cost)


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
    registry = TableRegistry(
        TableContext(CATALOGUE, store, pool, now, cluster),
        most=settings.max_tables,
        idle_ms=int(settings.idle_timeout * 1000),
    )
    try:
        registry.start(
            await cluster.open(now, registry.receive_news, registry.on_membership_change)
        )
        async with running_people(settings, store, registry, identities, now) as people:
            limits = RequestLimits(settings, time.monotonic)
            metrics.register(ServerCollector(store, registry, pool, cluster, limits))
            ready = Readiness(store, cluster)
            with serve_metrics(metrics, settings):
                tables = TableService(registry, identities, people.moderation, metrics, entropy)
                yield Services(
                    settings, store, registry, tables, identities, limits, metrics, ready, people
                )
    finally:
        await registry.close()
        await cluster.close()
        await pool.close()
        await store.close()
