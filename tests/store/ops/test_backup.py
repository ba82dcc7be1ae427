"""Backups are complete, can be taken while others write, and go from any database to any other."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.store import Append, Listing, Store
from stampede.store.ops.backup import backup, restore
from tests.store.chains import Chains
from tests.store.databases import sqlite_address
from tests.waiting import until


async def filled(address: str) -> None:
    store = await Store.open(address)
    for number in range(40):
        listing = Listing(f"t{number}", "zoff", "open", public=True, updated=1, summary="{}")
        await store.append(Append(f"t{number}", 1, ('"ä"', "2"), listing))
    await store.import_record("r", "zoff", "{}")
    await store.value("signing_key", "secret")
    await store.close()


async def content(address: str) -> object:
    store = await Store.open(address)
    tables = [table async for table in store.table_ids()]
    entries = [await store.read(table) for table in tables]
    listings = await store.listings(["open"])
    rest = (await store.find_imported("r"), await store.value("signing_key", "another"))
    await store.close()
    return tables, entries, listings, rest


def test_a_backup_restores_everything(address: str, tmp_path: Path) -> None:
    """From each database to a new SQLite file, and back into an empty one of its kind."""

    async def scenario() -> None:
        await filled(address)
        target = tmp_path / "copy.db"
        assert await backup(address, target) == 80
        assert target.stat().st_mode & 0o077 == 0, "it holds secrets"
        fresh = sqlite_address(tmp_path)
        assert await restore(target, fresh) == 80
        assert await content(fresh) == await content(address)

    asyncio.run(scenario())


def test_a_backup_goes_from_sqlite_into_postgresql(address: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        source = sqlite_address(tmp_path)
        await filled(source)
        await backup(source, tmp_path / "copy.db")
        await restore(tmp_path / "copy.db", address)
        assert await content(address) == await content(source)

    asyncio.run(scenario())


def test_a_backup_under_load_is_a_consistent_beginning(address: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(address)
        stop = asyncio.Event()
        written: Counter[str] = Counter()
        chains = Chains()

        async def writer(table: str) -> None:
            while not stop.is_set():
                await store.append(chains.following(table, "1"))
                written[table] += 1

        writers = [asyncio.create_task(writer(f"t{n}")) for n in range(8)]
        await until("all eight have written", lambda: len(written) == 8, lambda: written)
        await backup(address, tmp_path / "copy.db")
        stop.set()
        await asyncio.gather(*writers)
        copy = await Store.open(f"sqlite:///{tmp_path / 'copy.db'}")
        for number in range(8):
            kept = await copy.read(f"t{number}")
            assert kept == (await store.read(f"t{number}"))[: len(kept)]
            assert kept
        await copy.close()
        await store.close()

    asyncio.run(scenario())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    async def scenario() -> None:
        address = sqlite_address(tmp_path)
        await filled(address)
        await backup(address, tmp_path / "copy.db")
        with pytest.raises(InputError, match="expected no such file"):
            await backup(address, tmp_path / "copy.db")
        with pytest.raises(InputError, match="expected an empty database"):
            await restore(tmp_path / "copy.db", address)
        (tmp_path / "nonsense.db").write_text("not a database at all, but long enough " * 20)
        with pytest.raises(InputError, match="expected a backup"):
            await restore(tmp_path / "nonsense.db", sqlite_address(tmp_path))
        with pytest.raises(InputError, match="got no file"):
            await backup(sqlite_address(tmp_path), tmp_path / "other.db")

    asyncio.run(scenario())
