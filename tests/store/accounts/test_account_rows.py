"""Finished lessons, and subscriptions to notices: both belong to an account, on both databases."""

import asyncio

from stampede.store import Store
from stampede.store.accounts.lessons import LessonProgress
from stampede.store.accounts.push import PushStore, Subscription
from stampede.store.accounts.sessions import SessionStore
from tests.store.accounts.test_sessions import NOW, add_people, session
from tests.store.opened import with_store


def test_lessons_that_two_browsers_finish_at_once_are_all_kept(address: str) -> None:
    async def scenario(store: Store) -> None:
        progress = LessonProgress(store.engine)
        sets = [[f"zoff/l{n}" for n in range(first, first + 6)] for first in range(8)]
        await asyncio.gather(*(progress.add("a1", lessons, NOW) for lessons in sets))
        assert await progress.finished("a1") == sorted({one for names in sets for one in names})

    with_store(address, scenario)


def test_a_subscription_lasts_as_long_as_its_session(address: str) -> None:
    def browser(name: str) -> Subscription:
        return Subscription(f"https://push.example/{name}", "key", "secret", "en")

    async def scenario(store: Store) -> None:
        await add_people(store)
        sessions, push = SessionStore(store.engine), PushStore(store.engine)
        await sessions.begin(session("d1"), None)
        await sessions.begin(session("d2"), None)
        await push.add("guest", browser("one"), NOW)
        await push.carry_over("guest", "a1", "s-d1")
        await push.add("a1", browser("two"), NOW + 1, "s-d2")
        await push.add("other guest", browser("three"), NOW)
        assert await push.of("a1") == [browser("one"), browser("two")]
        await sessions.end("a1", "s-d1")
        assert await push.of("a1") == [browser("two")]
        assert await push.count("a1") == 1
        await sessions.delete_unused(NOW + 1)
        assert await push.count("a1") == 0
        assert await push.count("other guest") == 1, "guests have no session"

    with_store(address, scenario)
