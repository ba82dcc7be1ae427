"""A store that is open for reading changes nothing; values and imported records are stored once."""

import asyncio

import pytest

from stampede.core.errors import InputError
from stampede.store import Append, Listing, LogEntry, Store, StoreError, StoreUnavailable
from tests.store.opened import with_store


def test_a_store_for_reading_reads_and_refuses_to_write(address: str) -> None:
    async def write(store: Store) -> None:
        await store.append(Append("a", 1, ("{}",)))

    with_store(address, write)

    async def read() -> None:
        store = await Store.open_for_reading(address)
        try:
            assert await store.read("a") == [LogEntry(1, "{}")]
            with pytest.raises(StoreUnavailable, match="expected a store for writing"):
                await store.append(Append("a", 2, ("{}",)))
            assert await store.read("a") == [LogEntry(1, "{}")]
        finally:
            await store.close()

    asyncio.run(read())


def test_a_database_without_our_schema_is_not_made_by_reading(address: str) -> None:
    """SQLite: there is no file. PostgreSQL: the database is empty."""
    with pytest.raises((InputError, StoreError), match="expected a database"):
        asyncio.run(Store.open_for_reading(address))


def test_the_first_value_of_a_name_stays_until_it_is_set(address: str) -> None:
    async def scenario(store: Store) -> None:
        assert (
            await asyncio.gather(*(store.value("key", "first") for _ in range(4))) == ["first"] * 4
        )
        assert await store.value("key", "second") == "first"
        await store.set_value("key", "third")
        await store.set_value("other", "new")
        assert await store.value("key", "first") == "third"
        assert await store.value("other", "") == "new"
        await store.probe()

    with_store(address, scenario)


def test_an_imported_record_is_stored_once(address: str) -> None:
    async def scenario(store: Store) -> None:
        assert await store.import_record("r2", "zoff", "{2}")
        assert await store.import_record("r1", "zoff", "{1}")
        assert not await store.import_record("r1", "zoff", "{other}")
        assert await store.imported_ids() == ["r1", "r2"]
        assert await store.find_imported("r1") == "{1}"
        assert await store.find_imported("r3") is None

    with_store(address, scenario)


def test_unfinished_tables_of_a_guest_are_counted(address: str) -> None:
    async def scenario(store: Store) -> None:
        for table, status in (("t1", "open"), ("t2", "running"), ("t3", "over")):
            listing = Listing(table, "zoff", status, True, 1, "{}", ("g1",))
            await store.append(Append(table, 1, ("{}",), listing))
        assert await store.count_unfinished("g1") == 2
        assert await store.count_unfinished("g1", but="t1") == 1
        assert await store.count_unfinished("g2") == 0
        assert await store.count_unfinished("g1", since=1) == 2
        assert await store.count_unfinished("g1", since=2) == 0, "abandoned tables"

    with_store(address, scenario)
