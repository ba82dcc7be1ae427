"""The running parts of a server, put together and taken apart again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import HTTPConnection

from stampede.matches.callers import Caller
from stampede.matches.settings import Catalogue
from stampede.server.accounts.account_data import AccountData
from stampede.server.accounts.devices import Devices
from stampede.server.accounts.passkeys import Passkeys
from stampede.server.accounts.passphrases import Passphrases
from stampede.server.accounts.service import Accounts
from stampede.server.accounts.session_watch import SessionWatch
from stampede.server.accounts.sessions import Sessions
from stampede.server.clock import start_clock
from stampede.server.cluster.membership import membership_for
from stampede.server.community.chat import Chat
from stampede.server.community.exhibition import Exhibitions
from stampede.server.community.moderation import Moderation
from stampede.server.http.identity import Identities, Signer
from stampede.server.http.limits import RateLimiter, RequestLimits, make_slow_limiter
from stampede.server.notices.delivery import Delivery
from stampede.server.notices.encryption import ServerKey
from stampede.server.notices.notices import Notices
from stampede.server.ops.health import Readiness
from stampede.server.ops.metrics import Metrics, ServerCollector, serve_metrics
from stampede.server.ratings.service import RatingService
from stampede.server.runtime import Runtime
from stampede.server.settings import ServerSettings
from stampede.server.sharing.pictures import Pictures
from stampede.server.study.running_games import RunningGames
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.context import TableContext, interpreting
from stampede.server.tables.editions import Editions
from stampede.server.tables.memory import TableLimits
from stampede.server.tables.my_tables import MyTablesService
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.service import TableService
from stampede.store import Store
from stampede.store.accounts.accounts import AccountStore
from stampede.store.accounts.my_tables import MyTables
from stampede.store.accounts.push import PushStore
from stampede.store.accounts.sessions import PasskeyStore, SessionStore
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import RatingStore

__all__ = ["OPENING_COST", "Services", "running_services"]

OPENING_COST: Final = 5.0
"""How many requests opening a table counts as."""


@dataclass(frozen=True, slots=True)
class Services:
    """The running parts of a server."""

    settings: ServerSettings
    runtime: Runtime
    store: Store
    registry: TableRegistry
    tables: TableService
    my_tables: MyTablesService
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
    exhibitions: Exhibitions
    editions: Editions
    notices: Notices
    running_games: RunningGames
    pictures: Pictures = field(default_factory=Pictures)

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Identifies the caller: an account, a guest, a token's bearer, or an anonymous one."""
        self.limits.count_connection(connection)
        return await self.sessions.caller(connection)

    def limit(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and their address; raises TooManyRequests."""
        self.limits.count_request(connection, caller, cost)


@asynccontextmanager
async def running_services(
    settings: ServerSettings, metrics: Metrics, runtime: Runtime
) -> AsyncIterator[Services]:
    """Opens the store, restores running tables, and closes everything in the end."""
    async with AsyncExitStack() as stack:
        store = await _open_store(settings, runtime)
        stack.push_async_callback(store.close)
        key = await store.value("signing_key", runtime.entropy(32).hex())
        if settings.secret is not None:
            key = settings.secret.get_secret_value()
        identities = Identities(Signer(key.encode()), settings.secure_cookies, runtime.entropy)
        pool = BotPool(settings.bot_threads, settings.bot_queue)
        stack.push_async_callback(pool.close)
        cluster = membership_for(store, runtime.entropy)
        stack.push_async_callback(cluster.close)
        clock = await start_clock(store, runtime)
        editions = Editions.load(settings)
        notices = await _make_notices(settings, store, runtime)
        entropy, on_entry = runtime.entropy, notices.note
        context = TableContext(editions.catalogue, store, pool, clock, cluster, entropy, on_entry)
        context = stack.enter_context(interpreting(context)) if runtime.interprets else context
        registry = _make_registry(settings, context)
        stack.push_async_callback(registry.close)
        registry.start(
            await cluster.open(clock, registry.receive_news, registry.on_membership_change)
        )
        parts = _Parts(settings, store, registry, identities, runtime)
        passphrases = Passphrases(entropy=runtime.entropy, cost=runtime.hashing)
        stack.push_async_callback(passphrases.close)
        limits = RequestLimits(settings, runtime.monotonic)
        moderation, sessions = parts.moderation(), parts.sessions()
        most = settings.max_tables_per_guest
        tables = TableService(
            registry, identities, moderation, metrics, runtime.entropy, most, editions
        )
        stack.push_async_callback(tables.close)
        services = Services(
            settings=settings,
            runtime=runtime,
            store=store,
            registry=registry,
            tables=tables,
            my_tables=MyTablesService(MyTables(store.engine), registry, clock),
            identities=identities,
            limits=limits,
            metrics=metrics,
            readiness=Readiness(store, cluster, runtime.monotonic),
            sessions=sessions,
            accounts=parts.accounts(sessions, passphrases),
            account_data=parts.account_data(),
            ratings=RatingService(store, RatingStore(store.engine), Leaderboard(store.engine)),
            moderation=moderation,
            chat=parts.chat(),
            exhibitions=parts.exhibitions(editions.catalogue, clock),
            editions=editions,
            notices=notices,
            running_games=RunningGames(store, registry, editions.catalogue, clock),
        )
        registry.on_chat = services.chat.deliver
        watch = SessionWatch(sessions.store, registry)
        registry.on_gap = watch.ask
        if not store.shared:
            registry.on_quiet = lambda: clock.catch_up(runtime.wall())
            await stack.enter_async_context(_background(clock.keep_ticking(store)))
        metrics.register(ServerCollector(store, registry, pool, cluster, limits))
        stack.enter_context(serve_metrics(metrics, settings))
        background = services.ratings.run(), sessions.delete_unused(), watch.run(), notices.run()
        for work in background:
            await stack.enter_async_context(_background(work))
        yield services


async def _open_store(settings: ServerSettings, runtime: Runtime) -> Store:
    return await Store.open(
        settings.database_url,
        timeout=settings.write_timeout,
        backends=runtime.backends,
        exclusive=True,
    )


def _make_registry(settings: ServerSettings, context: TableContext) -> TableRegistry:
    return TableRegistry(
        context,
        limits=TableLimits(
            settings.max_tables,
            settings.max_tables_per_address,
            settings.max_tables_in_use_per_guest,
        ),
        idle_ms=int(settings.idle_timeout * 1000),
    )


async def _make_notices(settings: ServerSettings, store: Store, runtime: Runtime) -> Notices:
    """Notices with the server's key, which is made at the first start and kept in the database."""
    key = ServerKey.read(await store.value("push_key", ServerKey.generate(runtime.entropy)))
    delivery = Delivery(allow_private=settings.push_private)
    found = PushStore(store.engine)
    entropy, subject = runtime.entropy, settings.push_subject
    return Notices(found, key, delivery, runtime.wall, entropy=entropy, subject=subject)


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
    runtime: Runtime

    def sessions(self) -> Sessions:
        return Sessions(
            SessionStore(self.store.engine),
            self.identities,
            self.runtime.wall,
            self.runtime.entropy,
        )

    def accounts(self, sessions: Sessions, passphrases: Passphrases) -> Accounts:
        engine, limiter = self.store.engine, self._limiter("attempts")
        passkeys = Passkeys(PasskeyStore(engine), self.runtime.wall, self.runtime.entropy)
        return Accounts(
            AccountStore(engine),
            sessions,
            passkeys,
            passphrases,
            Devices(self.identities),
            limiter,
            self.runtime.wall,
        )

    def account_data(self) -> AccountData:
        accounts = AccountStore(self.store.engine)
        limiter = self._limiter("exports")
        return AccountData(
            self.store, accounts, self.registry, self.identities, limiter, self.runtime.wall
        )

    def moderation(self) -> Moderation:
        engine, limiter = self.store.engine, self._limiter("reports")
        stores = ModerationStore(engine), AccountStore(engine), ChatStore(engine)
        return Moderation(*stores, limiter, self.runtime.wall, self.runtime.entropy)

    def chat(self) -> Chat:
        engine, limiter = self.store.engine, self._limiter("chat")
        return Chat(
            ChatStore(engine), ModerationStore(engine), self.registry, limiter, self.runtime.wall
        )

    def exhibitions(self, catalogue: Catalogue, now: Callable[[], int]) -> Exhibitions:
        return Exhibitions(
            self.registry,
            self.store,
            self.identities,
            catalogue,
            now,
            self.runtime.entropy,
            self.settings.max_sockets,
        )

    def _limiter(self, action: str) -> RateLimiter:
        return make_slow_limiter(self.settings, action, self.runtime.monotonic)
