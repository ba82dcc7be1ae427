"""The running parts of a server, put together and taken apart again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import HTTPConnection

from stampede.matches.callers import Caller
from stampede.server.accounts.account_data import AccountData
from stampede.server.accounts.passkeys import Passkeys
from stampede.server.accounts.passphrases import Passphrases
from stampede.server.accounts.service import Accounts
from stampede.server.accounts.sessions import Sessions
from stampede.server.cluster.membership import membership_for
from stampede.server.community.chat import Chat
from stampede.server.community.moderation import Moderation
from stampede.server.http.identity import Identities, Signer, new_secret
from stampede.server.http.limits import RequestLimits, make_slow_limiter
from stampede.server.ops.health import Readiness
from stampede.server.ops.metrics import Metrics, ServerCollector, serve_metrics
from stampede.server.ratings.service import RatingService
from stampede.server.settings import ServerSettings
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.context import TableContext
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.service import TableService
from stampede.store import Store
from stampede.store.accounts.accounts import AccountStore
from stampede.store.accounts.sessions import PasskeyStore, SessionStore
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import RatingStore

__all__ = ["OPENING_COST", "Services", "milliseconds", "running_services"]

OPENING_COST: Final = 5.0
"""How many requests opening a table counts as."""


def milliseconds() -> int:
    """Returns the time in milliseconds since 1970."""
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
    sessions: Sessions
    accounts: Accounts
    account_data: AccountData
    ratings: RatingService
    moderation: Moderation
    chat: Chat

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Identifies the caller: an account, a guest, a token's bearer, or an anonymous one."""
        self.limits.count_connection(connection)
        return await self.sessions.caller(connection)

    def limit(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and their address; raises TooManyRequests."""
        self.limits.count_request(connection, caller, cost)


@asynccontextmanager
async def running_services(
    settings: ServerSettings,
    metrics: Metrics,
    now: Callable[[], int],
    entropy: Callable[[], str],
) -> AsyncIterator[Services]:
    """Opens the store, restores running tables, and closes everything in the end."""
    async with AsyncExitStack() as stack:
        store = await Store.open(settings.database_url, timeout=settings.write_timeout)
        stack.push_async_callback(store.close)
        key = await store.value("signing_key", new_secret())
        if settings.secret is not None:
            key = settings.secret.get_secret_value()
        identities = Identities(Signer(key.encode()), settings.secure_cookies)
        pool = BotPool(settings.bot_threads, settings.bot_queue)
        stack.push_async_callback(pool.close)
        cluster = membership_for(store)
        stack.push_async_callback(cluster.close)
        registry = TableRegistry(
            TableContext(CATALOGUE, store, pool, now, cluster),
            most=settings.max_tables,
            idle_ms=int(settings.idle_timeout * 1000),
        )
        stack.push_async_callback(registry.close)
        registry.start(
            await cluster.open(now, registry.receive_news, registry.on_membership_change)
        )
        parts = _Parts(settings, store, registry, identities, now)
        passphrases = Passphrases()
        stack.push_async_callback(passphrases.close)
        limits = RequestLimits(settings, time.monotonic)
        moderation, sessions = parts.moderation(), parts.sessions()
        tables = TableService(registry, identities, moderation, metrics, entropy)
        stack.push_async_callback(tables.close)
        services = Services(
            settings=settings,
            store=store,
            registry=registry,
            tables=tables,
            identities=identities,
            limits=limits,
            metrics=metrics,
            readiness=Readiness(store, cluster),
            sessions=sessions,
            accounts=parts.accounts(sessions, passphrases),
            account_data=parts.account_data(),
            ratings=RatingService(store, RatingStore(store.engine), Leaderboard(store.engine)),
            moderation=moderation,
            chat=parts.chat(),
        )
        registry.on_chat = services.chat.deliver
        metrics.register(ServerCollector(store, registry, pool, cluster, limits))
        stack.enter_context(serve_metrics(metrics, settings))
        for work in (services.ratings.run(), services.sessions.delete_unused()):
            await stack.enter_async_context(_background(work))
        yield services


@asynccontextmanager
async def _background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs work in a task while the block runs."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Makes the parts that know accounts and players, from what they share."""

    settings: ServerSettings
    store: Store
    registry: TableRegistry
    identities: Identities
    now: Callable[[], int]

    def sessions(self) -> Sessions:
        return Sessions(SessionStore(self.store.engine), self.identities, self.now)

    def accounts(self, sessions: Sessions, passphrases: Passphrases) -> Accounts:
        engine, limiter = self.store.engine, make_slow_limiter(self.settings, "attempts")
        passkeys = Passkeys(PasskeyStore(engine), self.now)
        return Accounts(AccountStore(engine), sessions, passkeys, passphrases, limiter, self.now)

    def account_data(self) -> AccountData:
        accounts = AccountStore(self.store.engine)
        limiter = make_slow_limiter(self.settings, "exports")
        return AccountData(self.store, accounts, self.registry, self.identities, limiter, self.now)

    def moderation(self) -> Moderation:
        engine, limiter = self.store.engine, make_slow_limiter(self.settings, "reports")
        stores = ModerationStore(engine), AccountStore(engine), ChatStore(engine)
        return Moderation(*stores, limiter, self.now)

    def chat(self) -> Chat:
        engine, limiter = self.store.engine, make_slow_limiter(self.settings, "chat")
        return Chat(ChatStore(engine), ModerationStore(engine), self.registry, limiter, self.now)
