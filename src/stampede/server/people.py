"""Everything about people, put together: names, sessions, ratings, moderation, chat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from stampede.server.accounts.account_data import AccountData
from stampede.server.accounts.passkeys import Passkeys
from stampede.server.accounts.passphrases import Passphrases
from stampede.server.accounts.service import Accounts
from stampede.server.accounts.sessions import Sessions
from stampede.server.community.chat import Chat
from stampede.server.community.moderation import Moderation
from stampede.server.http.identity import Identities
from stampede.server.http.limits import RateLimiter
from stampede.server.ratings.service import RatingService
from stampede.server.settings import ServerSettings
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store
from stampede.store.accounts.accounts import AccountStore
from stampede.store.accounts.sessions import PasskeyStore, SessionStore
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore
from stampede.store.ratings.leaderboard import Leaderboard
from stampede.store.ratings.ratings import RatingStore

__all__ = ["People", "running_people"]

SLOWER: Final = {
    "attempts": (120, 6),
    "chat": (40, 12),
    "exports": (2400, 12),
    "reports": (12_000, 12),
}
"""How much slower than other requests these may come, lastingly and at once."""


@dataclass(frozen=True, slots=True)
class People:
    """The parts of the server that know people."""

    sessions: Sessions
    accounts: Accounts
    account_data: AccountData
    ratings: RatingService
    moderation: Moderation
    chat: Chat


def _limiter(settings: ServerSettings, kind: str) -> RateLimiter:
    slower, smaller = SLOWER[kind]
    return RateLimiter(settings.rate / slower, max(5, settings.burst // smaller), time.monotonic)


@asynccontextmanager
async def running_people(
    settings: ServerSettings,
    store: Store,
    registry: TableRegistry,
    identities: Identities,
    now: Callable[[], int],
) -> AsyncIterator[People]:
    """Puts the parts together, and counts rated games in the background."""
    engine = store.engine
    account_store, chat_store = AccountStore(engine), ChatStore(engine)
    moderation_store = ModerationStore(engine)
    passphrases = Passphrases()
    sessions = Sessions(SessionStore(engine), identities, now)
    chat = Chat(chat_store, moderation_store, registry, _limiter(settings, "chat"), now)
    people = People(
        sessions,
        Accounts(
            account_store,
            sessions,
            Passkeys(PasskeyStore(engine), now),
            passphrases,
            _limiter(settings, "attempts"),
            now,
        ),
        AccountData(store, account_store, registry, identities, _limiter(settings, "exports"), now),
        RatingService(store, RatingStore(engine), Leaderboard(engine)),
        Moderation(moderation_store, account_store, chat_store, _limiter(settings, "reports"), now),
        chat,
    )
    registry.on_chat = chat.tell
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(people.ratings.run()), loop.create_task(sessions.forget_unused())]
    try:
        yield people
    finally:
        registry.on_chat = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await passphrases.close()
