"""Each statement of the log's writers and of the store fails once, before or after it was carried out.

Nothing that was acknowledged is missing, nothing is there twice, and the log stays sound.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine.url import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store import Append, Listing, SequenceTaken, Store, StoreError
from stampede.store.asyncpg_connection import AsyncpgConnection
from stampede.store.asyncpg_connection import connect as connect_postgres
from stampede.store.backends import Backends
from stampede.store.files.mark import mark_path, read_mark
from stampede.store.files.side_files import connect as connect_sqlite
from stampede.store.files.side_files import side_files
from stampede.store.log.postgres import PostgresLog
from stampede.store.log.sqlite import SqliteLog
from stampede.store.ops.file_check import check_file
from tests.store.chains import Chains
from tests.store.databases import PostgresServer, sqlite_address

MOST = 80
"""More statements than a scenario has: the test ends at the first number that nothing reaches."""


class Fault:
    """Fails the statement of a number, once.

    Attributes:
        after: Whether the statement is carried out before it fails: its acknowledgement is lost.
        done: Whether it has failed.
    """

    def __init__(self, number: int, make: Callable[[], Exception], *, after: bool) -> None:
        self._left = number
        self._make = make
        self.after = after
        self.done = False

    def is_due(self) -> bool:
        """Counts a statement; returns whether it is the one."""
        self._left -= 1
        if self.done or self._left != 0:
            return False
        self.done = True
        return True

    def error(self) -> Exception:
        """Returns what is raised."""
        return self._make()


def busy() -> Exception:
    return with_code(sqlite3.OperationalError("database is locked"), sqlite3.SQLITE_BUSY)


def broken() -> Exception:
    return with_code(sqlite3.OperationalError("disk I/O error"), sqlite3.SQLITE_IOERR)


def full() -> Exception:
    return with_code(sqlite3.OperationalError("database or disk is full"), sqlite3.SQLITE_FULL)


def with_code(error: sqlite3.OperationalError, code: int) -> sqlite3.OperationalError:
    error.sqlite_errorcode = code
    return error


class FaultySqlite:
    """A connection to a real file, on which one statement fails."""

    def __init__(self, inner: sqlite3.Connection, fault: Fault) -> None:
        self._inner = inner
        self._fault = fault

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self._run(lambda: self._inner.execute(statement, values))

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> sqlite3.Cursor:
        return self._run(lambda: self._inner.executemany(statement, rows))

    def _run(self, work: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        if not self._fault.is_due():
            return work()
        if self._fault.after:
            work()
        raise self._fault.error()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


async def play(store: Store, *tables: str) -> dict[str, list[str]]:
    """Writes to several tables as their actors do, conflicts included; returns what was acknowledged."""
    chains, acknowledged = Chains(), dict[str, list[str]]()
    for number in range(2):
        appends = []
        for table in tables:
            listing = Listing(table, "zoff", "open", True, number, "{}", ("ann",), number)
            follows = listing if table == tables[0] else None
            appends.append(chains.following(table, f"{table}{number}", listing=follows))
        if number == 1:
            appends.append(Append(tables[0], 1, ("another",)))
        results = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
        for append, result in zip(appends, results, strict=True):
            if result is None:
                acknowledged.setdefault(append.table_id, []).extend(append.payloads)
            else:
                assert isinstance(result, StoreError)
        failed = {
            append.table_id
            for append, result in zip(appends, results, strict=True)
            if result is not None and not isinstance(result, SequenceTaken)
        }
        if failed:  # an actor reads its log before it goes on; here the game ends
            break
    return acknowledged


async def make_empty(address: str) -> None:
    await (await Store.open(address)).close()


async def check(address: str, acknowledged: dict[str, list[str]]) -> None:
    store = await Store.open(address)
    for table in acknowledged:
        kept = [entry.payload for entry in await store.read(table)]  # verifies the chain
        wanted = acknowledged.get(table, [])
        assert kept[: len(wanted)] == wanted
        assert len(kept) == len(set(kept)) <= 2
        assert "another" not in kept
    await store.close()


@pytest.mark.parametrize(("make", "after"), [(busy, False), (broken, True), (full, False)])
def test_a_statement_of_sqlite_fails_once(
    tmp_path: Path, make: Callable[[], Exception], after: bool
) -> None:
    template = tmp_path / "template.db"

    async def scenario(number: int) -> bool:
        address, fault = sqlite_address(tmp_path), Fault(number, make, after=after)
        path = Path(address.removeprefix("sqlite:///"))
        shutil.copy(template, path)
        shutil.copy(mark_path(template), mark_path(path))

        def make_log(_: URL, engine: AsyncEngine, busy: float) -> SqliteLog:
            def connect(path: Path, mode: str, timeout: float) -> Any:
                return FaultySqlite(connect_sqlite(path, mode, timeout), fault)

            return SqliteLog(path, busy=busy, side=side_files(engine), connect=connect)

        store = await Store.open(address, timeout=30, backends=Backends(make_log=make_log))
        acknowledged = await play(store, "a", "b")
        log = store.writer._backend
        assert isinstance(log, SqliteLog)
        if fault.done and log._open is not None:
            (pages,) = log._open.execute("PRAGMA wal_autocheckpoint").fetchone()
            assert pages == 0, "a connection whose set-up failed isn't used"
        if make is not full and fault.done:
            assert acknowledged == {"a": ["a0", "a1"], "b": ["b0", "b1"]}
        mark = read_mark(path)
        assert mark is not None
        assert mark.counts is not None
        assert mark.counts.entries >= sum(map(len, acknowledged.values()))
        await store.close()
        await check(address, acknowledged)
        assert check_file(path).problems == []
        return fault.done

    asyncio.run(make_empty(f"sqlite:///{template}"))
    count = next(number for number in range(1, MOST) if not asyncio.run(scenario(number))) - 1
    assert count >= 15, "pragmas, begin, insert, listings, commit, and the same singly"


class FaultyPostgres:
    """A connection to a real PostgreSQL, on which one statement fails."""

    def __init__(self, inner: AsyncpgConnection, fault: Fault) -> None:
        self._inner = inner
        self._fault = fault

    async def execute(self, query: str, *values: object) -> object:
        return await self._run(self._inner.execute, query, *values)

    async def fetch(self, query: str, *values: object) -> object:
        return await self._run(self._inner.fetch, query, *values)

    async def _run(self, work: Any, *arguments: object) -> object:
        if not self._fault.is_due():
            return await work(*arguments)
        if self._fault.after:
            await work(*arguments)
        self._inner.terminate()
        raise self._fault.error()

    def transaction(self) -> AbstractAsyncContextManager[object]:
        return self._inner.transaction()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_statement_of_postgresql_fails_once(postgres: PostgresServer, after: bool) -> None:
    address = postgres.new_database()
    asyncio.run(make_empty(address))

    async def scenario(number: int) -> bool:
        fault = Fault(number, lambda: ConnectionResetError("cut"), after=after)

        async def connect(engine: AsyncEngine) -> Any:
            return FaultyPostgres(await connect_postgres(engine), fault)

        def make_log(_: URL, engine: AsyncEngine, __: float) -> PostgresLog:
            return PostgresLog(engine, connect)

        store = await Store.open(address, timeout=30, backends=Backends(make_log=make_log))
        tables = f"a{number}.", f"b{number}."
        acknowledged = await play(store, *tables)
        assert acknowledged == {table: [f"{table}0", f"{table}1"] for table in tables}
        await store.close()
        await check(address, acknowledged)
        return fault.done

    count = next(number for number in range(1, MOST) if not asyncio.run(scenario(number))) - 1
    assert count >= 8


@pytest.mark.parametrize("when", ["before_cursor_execute", "after_cursor_execute"])
def test_a_statement_of_the_store_fails_once(tmp_path: Path, when: str) -> None:
    """Reads and other writes raise StoreError, and are as if they had not been asked, or were done whole."""

    async def scenario(store: Store, number: int) -> bool:
        chains, table, record = Chains(), f"t{number}", f"r{number}"
        await store.append(chains.following(table, "1"))
        await store.set_value("name", "old")
        fault = Fault(number, lambda: ConnectionResetError("cut"), after=False)

        def fail(*_: object) -> None:
            if fault.is_due():
                raise fault.error()

        event.listen(store.engine.sync_engine, when, fail)
        steps: list[Callable[[], Any]] = [
            lambda: store.read(table),
            lambda: store.set_value("name", "new"),
            lambda: store.value(record, "first"),
            lambda: store.import_record(record, "zoff", "{}"),
            lambda: store.listings(["open"]),
            lambda: store.last_seqs([table]),
            store.probe,
        ]
        failed = 0
        for step in steps:
            try:
                await step()
            except StoreError:
                failed += 1
        assert failed == fault.done
        event.remove(store.engine.sync_engine, when, fail)
        assert [entry.payload for entry in await store.read(table)] == ["1"]
        assert await store.value("name", "") in ("old", "new")
        await store.set_value("name", "newest")
        assert await store.value("name", "") == "newest"
        await store.append(chains.following(table, "2"))
        return fault.done

    async def run() -> int:
        store = await Store.open(sqlite_address(tmp_path))
        number = 1
        while await scenario(store, number):
            number += 1
        await store.close()
        return number - 1

    assert asyncio.run(run()) >= 10
