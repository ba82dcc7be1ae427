"""What people keep: their lists of tables, and the browsers that get notices."""

import asyncio

from stampede.store import Append, Listing, Store
from stampede.store.accounts.my_tables import MyTables
from stampede.store.accounts.push import MAX_PER_GUEST, PushStore, Subscription

NOW = 1_700_000_000_000


def browser(number: int) -> Subscription:
    return Subscription(f"https://push.example/{number}", "key", "auth", "en")


def test_a_removed_table_leaves_the_list_and_nothing_else(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        try:
            for number in (1, 2):
                name = f"t{number}"
                listing = Listing(name, "buffalo", "over", True, NOW + number, "{}", ("g1",), 1)
                await store.append(Append(name, 1, ("{}",), listing))
            mine = MyTables(store.engine)
            listed = await mine.listed("g1", 10, NOW + 9)
            assert [one.table_id for one in listed] == ["t2", "t1"]
            assert await mine.status("g1", "t1") == "over"
            assert await mine.status("g2", "t1") is None
            for _ in range(2):  # idempotent
                await mine.hide("g1", "t2", NOW)
            assert [one.table_id for one in await mine.listed("g1", 10, NOW + 9)] == ["t1"]
            assert await mine.status("g1", "t2") == "over"
            for _ in range(2):  # the second time there is nothing left
                await mine.carry_over("g1", "a1")
            listed = await mine.listed("g1", 10, NOW + 9)
            assert [one.table_id for one in listed] == ["t2", "t1"], "the account's now"
        finally:
            await store.close()

    asyncio.run(scenario())


def test_a_guest_keeps_the_latest_browsers_and_can_remove_them(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        try:
            push = PushStore(store.engine)
            for number in range(MAX_PER_GUEST + 2):
                await push.add("g1", browser(number), NOW + number)
            assert await push.count("g1") == MAX_PER_GUEST
            assert browser(0) not in await push.of("g1")
            last = browser(MAX_PER_GUEST + 1)
            await push.remove(last.digest, "g2")
            assert last in await push.of("g1"), "it isn't theirs"
            await push.remove(last.digest, "g1")
            assert last not in await push.of("g1")
            await push.remove_all("g1")
            assert await push.count("g1") == 0
        finally:
            await store.close()

    asyncio.run(scenario())
