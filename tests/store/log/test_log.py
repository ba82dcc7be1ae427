"""The log keeps what it acknowledged, in order, once; on SQLite and on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from stampede.core.errors import InputError
from stampede.store import Append, Listing, LogEntry, SequenceTaken, Store, StoreBusy, StoreError
from tests.store.chains import Chains


@asynccontextmanager
async def opened(address: str, capacity: int = 4096) -> AsyncIterator[Store]:
    store = await Store.open(address, capacity=capacity)
    try:
        yield store
    finally:
        await store.close()


def test_what_was_appended_is_read_back_by_another_process_s_store(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            chains = Chains()
            await store.append(chains.following("a", '{"deal":"ä"}', "{}"))
            await store.append(chains.following("b", "[]"))
            await store.append(chains.following("a", "3"))
        async with opened(address) as store:
            assert await store.read("a") == [
                LogEntry(1, '{"deal":"ä"}'),
                LogEntry(2, "{}"),
                LogEntry(3, "3"),
            ]
            assert await store.read("a", after=2) == [LogEntry(3, "3")]
            assert await store.read("nobody's") == []
            assert [table async for table in store.table_ids()] == ["a", "b"]

    asyncio.run(scenario())


def test_of_many_writers_of_one_entry_exactly_one_wins(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as one, opened(address) as other:
            results = await asyncio.gather(
                *(
                    store.append(Append("a", 1, (f'"{number}"',)))
                    for number, store in enumerate([one, other] * 10)
                ),
                return_exceptions=True,
            )
            winners = [number for number, result in enumerate(results) if result is None]
            assert len(winners) == 1
            losers = [result for result in results if result is not None]
            assert all(isinstance(loser, SequenceTaken) for loser in losers)
            assert await one.read("a") == [LogEntry(1, f'"{winners[0]}"')]

    asyncio.run(scenario())


def test_entries_that_belong_together_are_written_all_or_none(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            chains = Chains()
            await store.append(first := chains.following("a", "1"))
            await store.append(chains.following("a", "2"))
            with pytest.raises(SequenceTaken):
                await store.append(Append("a", 2, ("another 2", "3"), previous=first.chains[-1]))
            assert await store.read("a") == [LogEntry(1, "1"), LogEntry(2, "2")]

    asyncio.run(scenario())


def test_a_caller_who_puts_an_append_is_told_later_and_a_failure_is_theirs_alone(
    address: str,
) -> None:
    async def scenario() -> None:
        told: list[StoreError | None] = []

        def fails(_: StoreError | None) -> None:
            raise ValueError("not the store's affair")

        async with opened(address) as store:
            await store.append(Append("a", 1, ("1",)))
            for append in (Append("b", 1, ("1",)), Append("a", 1, ("other",))):
                store.put(append, told.append)
            store.put(Append("c", 1, ("1",)), fails)
            assert told == [], "never at once"
            await store.append(Append("d", 1, ("1",)))
        assert told[0] is None
        assert isinstance(told[1], SequenceTaken)
        async with opened(address) as store:
            assert await store.read("c") == [LogEntry(1, "1")]

    asyncio.run(scenario())


def test_a_refused_append_doesn_t_harm_the_others_of_its_group(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            await store.append(Append("a", 1, ("1",)))
            appends = [Append(f"t{number}", 1, ("1",)) for number in range(20)]
            appends.insert(10, Append("a", 1, ("other",)))
            before = store.writer.groups
            results = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
            assert [type(result) for result in results if result] == [SequenceTaken]
            assert store.writer.groups - before < len(appends), "they share transactions"
            assert len([table async for table in store.table_ids()]) == 21

    asyncio.run(scenario())


def test_an_append_whose_commit_was_cut_off_knows_its_own_entry_again(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            append = Append("a", 1, ("1",))
            await store.append(append)
            await store.append(append)  # as the writer does that doesn't know how its commit ended
            assert await store.read("a") == [LogEntry(1, "1")]

    asyncio.run(scenario())


def test_more_than_the_capacity_is_refused_and_nothing_else_is_lost(address: str) -> None:
    async def scenario() -> None:
        async with opened(address, capacity=10) as store:
            results = await asyncio.gather(
                *(store.append(Append(f"t{n:02}", 1, ("1",))) for n in range(30)),
                return_exceptions=True,
            )
            kept = [f"t{n:02}" for n, result in enumerate(results) if result is None]
            assert [type(r) for r in results if r is not None] == [StoreBusy] * 20
            assert [table async for table in store.table_ids()] == kept

    asyncio.run(scenario())


def test_closing_writes_what_waits(address: str) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        tasks = [asyncio.create_task(store.append(Append(f"t{n}", 1, ("1",)))) for n in range(9)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*tasks)
        with pytest.raises(StoreError):
            await store.append(Append("late", 1, ("1",)))
        async with opened(address) as again:
            assert len([table async for table in again.table_ids()]) == 9

    asyncio.run(scenario())


def test_listings_follow_the_log_and_find_a_guest_s_tables(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            chains = Chains()
            for number in range(3):
                listing = Listing(
                    f"t{number}", "zoff", "open", number != 1, number, "{}", ("ann", f"g{number}")
                )
                await store.append(chains.following(f"t{number}", "{}", listing=listing))
            moved = Listing("t2", "zoff", "running", public=True, updated=9, summary='{"x":1}')
            await store.append(chains.following("t2", "{}", listing=moved))
            assert [item.table_id for item in await store.listings(["open"])] == ["t1", "t0"]
            assert [i.table_id for i in await store.listings(["open"], public=True)] == ["t0"]
            assert await store.listings(["running"], game="zoff") == [moved]
            assert await store.listings(["running"], game="buffalo") == []
            assert [item.table_id for item in await store.listings_of("ann")] == ["t1", "t0"]
            assert await store.ids_by_status("open", 1) == ["t1"]

    asyncio.run(scenario())


def test_a_value_is_kept_from_the_first_asking_on(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            values = await asyncio.gather(*(store.value("signing", f"v{n}") for n in range(5)))
        async with opened(address) as store:
            assert {*values, await store.value("signing", "another")} == {values[0]}

    asyncio.run(scenario())


def test_records_from_elsewhere_are_kept_once(address: str) -> None:
    async def scenario() -> None:
        async with opened(address) as store:
            assert await store.import_record("r1", "zoff", '{"a":1}')
            assert not await store.import_record("r1", "zoff", '{"a":2}')
            assert await store.find_imported("r1") == '{"a":1}'
            assert await store.find_imported("r2") is None
            assert await store.imported_ids() == ["r1"]

    asyncio.run(scenario())


@pytest.mark.parametrize("text", ["", "mysql://x/y", "sqlite://", "sqlite:///:memory:", "nonsense"])
def test_an_address_that_is_no_database_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="database: expected"):
        asyncio.run(Store.open(text))
