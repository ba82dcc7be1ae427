"""Damage to a SQLite file is named without changing it, and what is sound can still be read."""

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.store import LogDamaged, Store, StoreError
from stampede.store.files.mark import MarkFile, PageRecord, mark_path, read_mark
from stampede.store.files.side_files import SideFiles, find_loss, side_files, survey_pages
from stampede.store.files.wal import read_wal, wal_path
from stampede.store.ops.backup import restore
from stampede.store.ops.file_check import check_file
from stampede.store.ops.salvage import open_copy, read_rows
from stampede.store.schema import ENTRIES, LISTINGS
from tests.store.chains import Chains

ENTRIES_WRITTEN = 60
LONG = "x" * 2000


async def write(path: Path, *, close: bool = True) -> Store:
    """Writes long entries, so that they take many pages."""
    store = await Store.open(f"sqlite:///{path}")
    chains = Chains()
    for number in range(ENTRIES_WRITTEN):
        await store.append(chains.following(f"t{number % 3}", f'{{"n":{number},"x":"{LONG}"}}'))
    if close:
        await store.close()
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A sound file, closed."""
    found = tmp_path / "tables.db"
    asyncio.run(write(found))
    return found


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as stream:
        stream.seek(at)
        stream.write(data)


def test_a_sound_file_has_no_problem(path: Path) -> None:
    before = path.read_bytes()
    report = check_file(path)
    assert (report.problems, report.notes) == ([], [])
    assert path.read_bytes() == before


def test_a_missing_mark_is_a_loss_and_a_note(path: Path) -> None:
    mark_path(path).unlink()
    report = check_file(path)
    assert report.problems == ["its mark is missing"]
    assert "it has no mark" in report.notes[0]


def test_an_empty_file_beside_its_mark_is_named(path: Path) -> None:
    path.write_bytes(b"")
    assert check_file(path).problems == ["the database is missing or empty, but its mark isn't"]
    with pytest.raises(LogDamaged, match="expected the database that its mark speaks of"):
        asyncio.run(Store.open(f"sqlite:///{path}"))


def test_a_damaged_mark_is_named(path: Path) -> None:
    overwrite(mark_path(path), 0, b"\xff" * 1024)
    report = check_file(path)
    assert "its mark is damaged" in report.problems
    assert "its mark can't be read" in report.problems


def test_a_changed_page_is_named_with_its_owner(path: Path) -> None:
    pages = path.stat().st_size // 4096
    for page in range(pages - 14, pages):
        overwrite(path, page * 4096 + 2000, b"y" * 10)
    problems = " ".join(check_file(path).problems)
    assert "pages that aren't what was written" in problems
    assert "and 4 more" in problems


def test_bytes_behind_the_last_page_are_noticed(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(b"\0" * 4096)
    assert any("aren't what was written" in problem for problem in check_file(path).problems)


def test_a_hole_in_the_log_and_another_entry_in_its_place_are_losses(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE entries SET chain = 'forged' WHERE rowid = ?", (ENTRIES_WRITTEN,))
        database.execute("DELETE FROM entries WHERE rowid = 7")
        database.commit()
    report = check_file(path)
    assert any("got another" in problem for problem in report.problems)
    assert any("in the order of writing, got 1 to 60" in problem for problem in report.problems)


def test_what_is_no_database_is_named_and_not_opened(path: Path) -> None:
    overwrite(path, 0, b"not a database at all")
    assert any("can't read it" in problem for problem in check_file(path).problems)
    assert find_loss(path, read_mark(path)) is not None


def test_all_rows_of_a_sound_file_are_read_its_write_ahead_log_included(tmp_path: Path) -> None:
    path, folder = tmp_path / "tables.db", tmp_path / "copy"
    folder.mkdir()

    async def scenario() -> None:
        store = await write(path, close=False)
        with open_copy(path, folder) as database:
            rows, broken = read_rows(database, ENTRIES)
            assert (len(rows), broken) == (ENTRIES_WRITTEN, 0)
            assert read_rows(database, LISTINGS) == ([], 0)
        await store.close()

    asyncio.run(scenario())


def test_rows_around_a_broken_page_are_read(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'"
        leaves = [page for (page,) in database.execute(query)]
    overwrite(path, (leaves[len(leaves) // 2] - 1) * 4096, b"\xff" * 4096)
    with open_copy(path, tmp_path) as database:
        rows, broken = read_rows(database, ENTRIES)
    assert broken >= 1
    assert ENTRIES_WRITTEN // 2 < len(rows) < ENTRIES_WRITTEN
    assert all(row["payload"].endswith(f'"{LONG}"}}') for row in rows)


def test_every_sound_row_behind_a_break_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def fill() -> None:
        store, chains = await Store.open(f"sqlite:///{path}"), Chains()
        for number in range(300):
            await store.append(chains.following("t", f'{{"n":{number},"x":"{LONG[:60]}"}}'))
        await store.close()

    asyncio.run(fill())
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT pageno, ncell FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'"
        leaves = database.execute(query).fetchall()
    page, cells = leaves[-2]  # fewer rows are behind it than a doubled step skips
    overwrite(path, (page - 1) * 4096, b"\xff" * 4096)
    folder = tmp_path / "copy"
    folder.mkdir()
    with open_copy(path, folder) as database:
        rows, broken = read_rows(database, ENTRIES)
    assert (len(rows), broken) == (300 - cells, 1)


def test_a_row_that_is_no_text_is_counted_and_left_out(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE entries SET payload = CAST(x'ff' AS TEXT) WHERE rowid = 5")
        database.commit()
    with open_copy(path, tmp_path) as database:
        rows, broken = read_rows(database, ENTRIES)
    assert (len(rows), broken) == (ENTRIES_WRITTEN - 1, 1)


def test_a_mark_that_cannot_be_written_loses_no_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The mark lags behind, which is no loss; the log says so."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no space")

    path = tmp_path / "tables.db"
    monkeypatch.setattr(MarkFile, "note", refuse)
    with caplog.at_level(logging.WARNING):
        asyncio.run(write(path))
    assert "can't write the database's mark: no space" in caplog.text
    monkeypatch.undo()
    assert check_file(path).problems == []


def test_the_checksums_are_on_the_disk_before_the_record_that_speaks_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, sync = tmp_path / "tables.db", list[tuple[int | None, bool]](), os.fsync

    def record(descriptor: int) -> None:
        sync(descriptor)
        found = read_mark(path)
        pages = None if found is None else found.record.pages
        synced.append((pages, stat.S_ISDIR(os.fstat(descriptor).st_mode)))
        assert found is None or found.counts is not None

    monkeypatch.setattr(os, "fsync", record)
    mark = MarkFile(path)
    assert synced == [(None, False), (0, True)]  # whole before it has its name, then its folder
    mark.set_digests(PageRecord(2), {1: 7, 2: 8})
    mark.close()
    assert synced[2:] == [(0, False), (2, False)]


def test_pages_of_a_database_are_surveyed_with_their_size(path: Path) -> None:
    record, digests = survey_pages(path)
    assert record.page_size == 4096
    assert record.pages == len(digests) == path.stat().st_size // 4096


def test_a_file_in_use_is_checked_without_its_pages(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def scenario() -> list[str]:
        store = await Store.open(f"sqlite:///{path}", exclusive=True)
        try:
            return check_file(path).notes
        finally:
            await store.close()

    assert any("a server is using it" in note for note in asyncio.run(scenario()))
    assert check_file(path).notes == []


def test_page_digests_that_are_not_known_yet_are_a_note(path: Path) -> None:
    mark = MarkFile(path)
    mark.set_digests(PageRecord(), {})
    mark.close()
    report = check_file(path)
    assert report.problems == []
    assert report.notes == ["its mark has no page digests yet"]


def test_digests_that_are_not_known_are_taken_when_the_database_closes(path: Path) -> None:
    mark = MarkFile(path)
    mark.set_digests(PageRecord(), {})
    mark.close()

    async def scenario() -> None:
        store = await Store.open(f"sqlite:///{path}")
        await store.set_value("name", "value")
        side = side_files(store.engine)
        assert side is not None
        side.checkpoint()  # knows only the pages that have just changed, and leaves the digests unknown
        known = read_mark(path)
        assert known is not None
        assert known.record.pages == 0
        await store.close()

    asyncio.run(scenario())
    report = check_file(path)
    assert (report.problems, report.notes) == ([], [])


def test_a_database_of_an_earlier_schema_is_checked_as_far_as_it_goes(path: Path) -> None:
    mark_path(path).unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE writes")
        database.execute("DELETE FROM entries WHERE rowid = 7")
        database.commit()
    assert check_file(path).problems == []


def test_pages_are_surveyed_with_what_the_write_ahead_log_holds(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def scenario() -> None:
        store = await write(path, close=False)
        copy = tmp_path / "copy.db"
        for file in (path, wal_path(path)):
            shutil.copyfile(file, copy.with_name(file.name.replace("tables", "copy")))
        record, digests = survey_pages(copy)
        assert record.frames > 0
        assert len(digests) == record.pages
        with closing(sqlite3.connect(copy)) as database:  # copies the log into the file
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert survey_pages(copy)[1] == digests
        await store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("damage", [b"", b"\xff" * 32, b"\0" * 32])
def test_a_write_ahead_log_without_a_valid_header_holds_nothing(path: Path, damage: bytes) -> None:
    wal_path(path).write_bytes(damage)
    assert read_wal(path) is None


def test_a_write_ahead_log_whose_header_was_changed_holds_nothing(tmp_path: Path) -> None:
    path, copy = tmp_path / "tables.db", tmp_path / "copy.db"

    async def scenario() -> None:
        store = await write(path, close=False)
        shutil.copyfile(wal_path(path), wal_path(copy))
        await store.close()

    asyncio.run(scenario())
    assert read_wal(copy) is not None
    overwrite(wal_path(copy), 16, b"salt")
    assert read_wal(copy) is None


def test_side_files_that_are_not_open_do_nothing(path: Path) -> None:
    before = mark_path(path).read_bytes()
    side = SideFiles(path)
    side.note(entries=99, writes=99)
    side.checkpoint()
    with side.finishing():
        pass
    side.check_in_place()
    assert mark_path(path).read_bytes() == before


def test_a_backup_that_is_missing_or_broken_is_refused(path: Path, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'new.db'}"
    with pytest.raises(InputError, match="expected a backup, got no file"):
        asyncio.run(restore(tmp_path / "nothing.db", target))
    mark_path(path).unlink()
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'"
        leaf = next(page for (page,) in database.execute(query))
    overwrite(path, (leaf - 1) * 4096 + 2, b"\xff" * 20)
    with pytest.raises(InputError, match="expected a"):
        asyncio.run(restore(path, target))
    assert not (tmp_path / "new.db").exists()


def test_a_failed_opening_frees_the_lock(path: Path) -> None:
    overwrite(path, 0, b"not a database at all")
    for _ in range(2):  # the second time isn't told that another server uses the file
        with pytest.raises(StoreError) as failed:
            asyncio.run(Store.open(f"sqlite:///{path}", exclusive=True))
        assert "no other server" not in str(failed.value)


def test_a_file_is_sound_after_a_kill_a_start_and_a_stop(tmp_path: Path) -> None:
    """What the killed process left in the write-ahead log isn't copied past the page digests."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    path = first / "tables.db"

    async def scenario() -> None:
        await (await Store.open(f"sqlite:///{path}")).close()
        store, chains = await Store.open(f"sqlite:///{path}"), Chains()
        for number in range(60):
            await store.append(chains.following("a", f'"{number:01000}"'))
        for file in first.iterdir():
            if not file.name.endswith("-shm"):
                shutil.copy(file, second / file.name)
        await store.close()
        await (await Store.open(f"sqlite:///{second / 'tables.db'}")).close()

    asyncio.run(scenario())
    assert check_file(second / "tables.db").problems == []
