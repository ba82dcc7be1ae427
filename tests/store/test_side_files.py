"""The files beside a SQLite database: private, locked by one server, and a mark that tells of every loss."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.store import LogDamaged, Store, StoreUnavailable, UnknownSchema
from stampede.store.files import side_files as module
from stampede.store.files.mark import Mark, MarkFile, mark_path, read_mark
from stampede.store.files.side_files import accept, survey_pages
from stampede.store.files.wal import read_wal, wal_path
from tests.store.chains import Chains

SERVER = """
import asyncio, sys
from stampede.store import Store

async def main():
    await Store.open(sys.argv[1], exclusive=True)
    print("open", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def address_of(path: Path) -> str:
    return f"sqlite:///{path}"


async def write(path: Path, entries: int, *, close: bool = True, begin: int = 0) -> Store:
    """Writes entries of several tables, and values; closes the store or hands it out."""
    store = await Store.open(address_of(path))
    chains = Chains()
    for number in range(entries):
        await store.append(chains.following(f"t{begin + number % 7}", f'{{"n":{number}}}'))
    await store.set_value("name", f"value {entries}")
    if close:
        await store.close()
    return store


def rights(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def test_only_the_owner_may_read_the_files(path: Path) -> None:
    async def scenario() -> None:
        umask = os.umask(0)
        try:
            store = await Store.open(address_of(path), exclusive=True)
            await store.append(Chains().following("a", "1"))
        finally:
            os.umask(umask)
        names = {f"tables.db{end}" for end in ("", "-wal", "-shm", "-mark", "-lock")}
        assert rights(path.parent) == dict.fromkeys(names, 0o600)
        await store.close()
        path.chmod(0o644)  # as an earlier version left it
        await (await Store.open(address_of(path))).close()
        assert rights(path.parent)["tables.db"] == 0o600

    asyncio.run(scenario())


def test_a_second_server_is_told_who_serves_the_file_and_a_killed_one_leaves_no_lock(
    path: Path,
) -> None:
    async def open_exclusively() -> None:
        await (await Store.open(address_of(path), exclusive=True)).close()

    command = [sys.executable, "-c", SERVER, address_of(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "open\n"
            with pytest.raises(InputError, match=rf"but process {process.pid} serves it"):
                asyncio.run(open_exclusively())
            asyncio.run(write(path, 3))  # the operator's commands may run meanwhile
        finally:
            process.kill()
    asyncio.run(open_exclusively())


def unlink(path: Path) -> None:
    path.unlink()


def replace_by_copy(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.parametrize("remove", [unlink, replace_by_copy])
def test_nothing_is_acknowledged_once_the_file_is_unlinked_or_replaced(
    path: Path, remove: Callable[[Path], None]
) -> None:
    async def scenario() -> None:
        store = await write(path, 3, close=False)
        chains = Chains()
        await store.append(chains.following("a", "1"))
        await store.probe()
        remove(path)
        with pytest.raises(StoreUnavailable, match="expected the database"):
            await store.append(chains.following("a", "2"))
        with pytest.raises(StoreUnavailable, match="expected the database"):
            await store.set_value("name", "another")
        with pytest.raises(StoreUnavailable):
            await store.probe()
        await store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("remove", [unlink, replace_by_copy])
def test_nothing_is_acknowledged_once_the_write_ahead_log_is_gone_and_nothing_before_is_lost(
    path: Path, remove: Callable[[Path], None]
) -> None:
    async def scenario() -> None:
        store = await write(path, 3, close=False)
        remove(wal_path(path))
        with pytest.raises(StoreUnavailable, match="write-ahead log"):
            await store.append(Chains().following("a", "1"))
        with pytest.raises(StoreUnavailable, match="write-ahead log"):
            await store.set_value("name", "another")
        await store.close()

    asyncio.run(scenario())
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM entries").fetchone() == (3,)


def test_the_write_ahead_log_stays_when_all_other_connections_close(path: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(address_of(path))
        await store.engine.dispose()
        await store.append(Chains().following("a", "1"))
        await store.close()

    asyncio.run(scenario())


def test_a_backup_in_its_place_is_switched_to_a_write_ahead_log_and_stays_sound(path: Path) -> None:
    asyncio.run(write(path, 5))
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    accept(path)

    async def scenario() -> None:
        store = await Store.open(address_of(path))
        assert differing_pages(path) == set()
        await store.close()

    asyncio.run(scenario())
    assert differing_pages(path) == set()


def test_a_file_that_was_moved_away_and_back_is_used_again(path: Path) -> None:
    async def scenario() -> None:
        store = await Store.open(address_of(path))
        first = Chains().following("a", "1")
        path.rename(path.with_suffix(".aside"))
        with pytest.raises(StoreUnavailable):
            await store.append(first)
        path.with_suffix(".aside").rename(path)
        await store.append(first)
        await store.close()

    asyncio.run(scenario())


def test_a_store_writes_its_queue_even_when_its_files_can_t_be_held_while_it_closes(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    async def scenario() -> None:
        store = await write(path, 3, close=False)
        queued = asyncio.create_task(store.append(Chains().following("a", "1")))
        with monkeypatch.context() as patched:
            patched.setattr(module, "connect", refuse)
            await store.close()
        await queued

    asyncio.run(scenario())
    assert "can't hold the database" in caplog.text
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM entries").fetchone() == (4,)


def test_a_newer_schema_is_named(path: Path) -> None:
    asyncio.run(write(path, 1))
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '0999'")
        database.commit()
    with pytest.raises(UnknownSchema, match=r"schema 0\d{3} or older, got 0999"):
        asyncio.run(write(path, 1))


# --- the mark ---


def test_the_mark_says_what_is_there_and_digests_every_page(path: Path) -> None:
    asyncio.run(write(path, 40))
    mark = read_mark(path)
    assert mark is not None
    assert mark.counts is not None
    assert (mark.counts.entries, mark.damaged) == (40, False)
    record, digests = survey_pages(path)
    assert (record.pages, dict(enumerate(mark.digests, 1))) == (mark.record.pages, digests)
    assert not wal_path(path).exists()


def test_digests_hold_while_the_write_ahead_log_is_copied_and_begun_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever moment a process is killed at: a page is as its digest says, or newer and in the log."""
    monkeypatch.setattr(module, "CHECKPOINT_FRAMES", 20)

    async def scenario() -> None:
        store = await Store.open(address_of(path))
        chains = Chains()
        rounds, counted = set(), set()
        for number in range(300):
            await store.append(chains.following(f"t{number % 7}", "x" * (number % 5) * 300))
            if number % 3 == 0:
                await store.set_value("name", f"value {number}")
            mark, wal = read_mark(path), read_wal(path)
            assert mark is not None
            assert wal is not None
            rounds.add(wal.salts)
            counted.add(mark.record.frames)
            assert differing_pages(path) == set()
        assert min(len(rounds), len(counted)) >= 3
        await store.close()
        assert differing_pages(path) == set()

    asyncio.run(scenario())


def differing_pages(path: Path) -> set[int]:
    from stampede.store.ops.file_check import find_changed_pages  # noqa: PLC0415

    mark = read_mark(path)
    assert mark is not None
    return set(find_changed_pages(path, mark))


def test_a_deleted_write_ahead_log_is_noticed_before_anything_is_played(path: Path) -> None:
    async def scenario() -> None:
        store = await write(path, 5, close=False)
        for file in path.parent.iterdir():
            shutil.copy(file, path.parent.parent)  # as a killed process leaves them
        await store.close()

    asyncio.run(scenario())
    left = path.parent.parent / path.name
    wal_path(left).unlink()
    with pytest.raises(LogDamaged, match=r"at least 5 entries .* got 0"):
        asyncio.run(Store.open(address_of(left)))


def test_an_older_copy_a_missing_file_and_a_missing_mark_are_noticed(path: Path) -> None:
    asyncio.run(write(path, 5))
    shutil.copy(path, path.with_suffix(".old"))
    asyncio.run(write(path, 5, begin=100))
    shutil.copy(path, path.with_suffix(".new"))
    shutil.copy(path.with_suffix(".old"), path)
    with pytest.raises(LogDamaged, match=r"at least 10 entries and .* got 5 and"):
        asyncio.run(Store.open(address_of(path)))
    path.unlink()
    with pytest.raises(LogDamaged, match="got no data"):
        asyncio.run(Store.open(address_of(path)))
    assert not path.exists()
    shutil.copy(path.with_suffix(".new"), path)
    asyncio.run(write(path, 5, begin=200))
    mark_path(path).unlink()
    with pytest.raises(LogDamaged, match="its mark is missing"):
        asyncio.run(Store.open(address_of(path)))


def test_a_mark_is_never_ahead_of_the_commit(path: Path) -> None:
    async def scenario() -> None:
        store = await write(path, 3, close=False)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(store.append(Chains().following("a", "1")))
            await asyncio.sleep(0.1)  # not for anything: enough for a false mark
            mark = read_mark(path)
            assert mark is not None
            assert mark.counts is not None
            assert mark.counts.entries == 3
            other.execute("ROLLBACK")
        await writing
        mark = read_mark(path)
        assert mark is not None
        assert mark.counts is not None
        assert mark.counts.entries == 4
        await store.close()

    asyncio.run(scenario())


def test_a_first_start_that_was_interrupted_can_be_repeated(tmp_path: Path) -> None:
    """SQLite has written its first page, and the mark exists, but the schema was never committed."""
    path = tmp_path / "tables.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
    MarkFile(path).close()

    async def scenario() -> None:
        store = await Store.open(f"sqlite:///{path}")
        await store.close()

    asyncio.run(scenario())


def test_a_database_that_another_process_makes_meanwhile_is_not_taken_for_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the file and the look at its mark, another process makes both and writes."""

    async def write() -> None:
        store = await Store.open(f"sqlite:///{path}")
        await store.append(Chains().following("a", "1"))
        await store.set_value("key", "value")
        await store.close()

    def read_late(database: Path) -> Mark | None:
        monkeypatch.setattr(module, "read_mark", read_mark)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, write()).result()
        return read_mark(database)

    async def scenario() -> None:
        monkeypatch.setattr(module, "read_mark", read_late)
        store = await Store.open(f"sqlite:///{path}")
        assert [entry.payload for entry in await store.read("a")] == ["1"]
        await store.close()

    asyncio.run(scenario())
