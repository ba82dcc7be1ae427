"""A database that is busy, gone, full or killed: no false acknowledgement, nothing acknowledged is lost."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from stampede.store import Append, Store, StoreError, StoreFull, StoreUnavailable
from stampede.store.log.sqlite import SqliteLog
from tests.store.chains import Chains
from tests.store.databases import PostgresServer, running_postgres, sqlite_address
from tests.waiting import PATIENCE, until

WRITER = """
import asyncio, sys
from stampede.store import Append, Store

async def client(store, table):
    chain = ""
    for number in range(1, 100_000):
        append = Append(table, number, (f'"{table} {number}"',), previous=chain)
        await store.append(append)
        chain = append.chains[-1]
        print(table, number, flush=True)

async def main():
    store = await Store.open(sys.argv[1])
    await asyncio.gather(*(client(store, f"t{n}") for n in range(20)))

asyncio.run(main())
"""


def acknowledged_until_killed(address: str, lines: int) -> dict[str, int]:
    """Starts a writing process, reads some acknowledgements, kills it; returns the last of each table."""
    command = [sys.executable, "-c", WRITER, address]
    last: dict[str, int] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            for _ in range(lines):
                table, number = process.stdout.readline().split()
                last[table] = int(number)
        finally:  # whatever goes wrong: nobody else would end it
            process.kill()
        for line in process.stdout:  # what it had still said
            if line.endswith("\n"):
                table, number = line.split()
                last[table] = int(number)
    return last


@pytest.mark.parametrize("lines", [1, 57, 500])
def test_what_a_killed_process_acknowledged_is_there(address: str, lines: int) -> None:
    last = acknowledged_until_killed(address, lines)

    async def scenario() -> None:
        store = await Store.open(address)
        for table, number in last.items():
            entries = await store.read(table)
            assert len(entries) >= number
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert [e.payload for e in entries] == [f'"{table} {e.seq}"' for e in entries]
        await store.close()

    asyncio.run(scenario())


def locked(address: str) -> sqlite3.Connection:
    """Holds the write lock of a SQLite file."""
    other = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_database_that_is_busy_for_a_while_is_waited_for(tmp_path: Path) -> None:
    async def scenario() -> None:
        address = sqlite_address(tmp_path)
        store = await Store.open(address, timeout=PATIENCE, busy=0.01)
        other = locked(address)
        writing = asyncio.create_task(store.append(Append("a", 1, ("1",))))
        await asyncio.sleep(0.3)  # not for anything: it would be enough for a false acknowledgement
        assert not writing.done(), "nothing is acknowledged before it is durable"
        other.rollback()
        other.close()
        await writing
        assert len(await store.read("a")) == 1
        await store.close()

    asyncio.run(scenario())


def test_a_database_that_stays_busy_is_told_and_writes_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        address = sqlite_address(tmp_path)
        store = await Store.open(address, timeout=0.2, busy=0.01)
        other = locked(address)
        with pytest.raises(StoreUnavailable, match=r"within 0\.2 s, got: database is locked"):
            await store.append(Append("a", 1, ("1",)))
        other.rollback()
        other.close()
        assert await store.read("a") == []
        await store.append(Append("a", 1, ("2",)))
        assert [entry.payload for entry in await store.read("a")] == ["2"]
        await store.close()

    asyncio.run(scenario())


def test_a_file_that_is_away_for_a_while_is_found_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        address = sqlite_address(tmp_path)
        path = Path(address.removeprefix("sqlite:///"))
        await (await Store.open(address)).close()
        sink = SqliteLog(path)
        aside = path.with_suffix(".aside")
        shutil.move(path, aside)
        with pytest.raises(Exception, match="unable to open"):
            await sink.commit([Append("a", 1, ("1",))])
        assert not path.exists(), "an empty log in its place would look like a loss"
        shutil.move(aside, path)
        assert await sink.commit([Append("a", 1, ("1",))]) == [None]
        await sink.close()

    asyncio.run(scenario())


def test_a_full_disk_is_told_and_nothing_is_acknowledged(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(sqlite_address(tmp_path))
        chains = Chains()
        await store.append(chains.following("a", "small"))
        sink = store.writer._backend
        assert isinstance(sink, SqliteLog)
        # SQLite's own limit gives the very error of a full disk, without filling one.
        pages = sink._connection().execute("PRAGMA page_count").fetchone()[0]
        sink._connection().execute(f"PRAGMA max_page_count={pages}")
        results = await asyncio.gather(
            *(store.append(Append(f"b{n}", 1, ("x" * 100_000,))) for n in range(5)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [StoreFull] * 5
        assert [table async for table in store.table_ids()] == ["a"]
        sink._connection().execute("PRAGMA max_page_count=100000")
        await store.append(chains.following("a", "x" * 100_000))
        assert len(await store.read("a")) == 2
        await store.close()

    asyncio.run(scenario())


def test_what_nobody_foresaw_is_told_and_the_writer_lives_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(sqlite_address(tmp_path), timeout=1)
        with pytest.raises(StoreUnavailable, match="UnicodeEncodeError"):
            await store.append(Append("a", 1, ("\ud800",)))
        await store.append(Append("a", 1, ("fine",)))
        assert [entry.payload for entry in await store.read("a")] == ["fine"]
        await store.close()

    asyncio.run(scenario())


def test_a_postgresql_that_is_away_for_seconds_loses_nothing() -> None:
    with running_postgres() as server:
        asyncio.run(_postgres_goes_and_comes(server))


async def _postgres_goes_and_comes(server: PostgresServer) -> None:
    store = await Store.open(server.new_database(), timeout=PATIENCE)
    acknowledged = []
    chains = Chains()

    async def client(table: str) -> None:
        for number in range(1, 31):
            await store.append(chains.following(table, f"{number}"))
            acknowledged.append((table, number))
            await asyncio.sleep(0.02)

    clients = [asyncio.create_task(client(f"t{n}")) for n in range(5)]
    await until("20 are there", lambda: len(acknowledged) >= 20, lambda: acknowledged)
    await asyncio.to_thread(server.stop)
    with pytest.raises(StoreError):
        await store.read("t0")
    await asyncio.to_thread(server.start)
    await asyncio.gather(*clients)
    for number in range(5):
        entries = await store.read(f"t{number}")
        assert [entry.payload for entry in entries] == [str(n) for n in range(1, 31)]
    await store.close()
