"""Backups: a complete copy as one SQLite file, from and to either database.

A backup can be taken while the server runs. It contains all secrets of the tables: protect it like the database.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.core.errors import InputError
from stampede.store.engine import close_engine, database_url, make_engine, migrate, sqlite_path
from stampede.store.errors import StoreUnavailable
from stampede.store.files.mark import mark_path, read_mark
from stampede.store.files.side_files import accept, connect, side_files
from stampede.store.ops.file_check import find_changed_pages
from stampede.store.schema import ALL, ENTRIES, IMPORTED
from stampede.store.transactions import count_write

__all__ = ["backup", "copy_file", "restore"]

CHUNK = 1000


async def backup(address: str, target: Path) -> int:
    """Writes a backup; returns its number of log entries. The file appears when it is complete."""
    if target.exists():
        raise InputError(f"{target}: expected no such file, so that no backup is lost")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        part = Path(folder) / "part.db"
        source = sqlite_path(database_url(address))
        if source is None:
            await _copy(address, _address(part))
        else:
            if not source.is_file():
                raise InputError(f"{source}: expected a database, got no file")
            await asyncio.to_thread(copy_file, source, part)
        count = await asyncio.to_thread(_check_and_sync, part)
        part.chmod(0o600)
        # The mark lets `stampede db check` find any change. Without it, the backup can still be restored.
        await asyncio.to_thread(accept, part)
        mark_path(part).replace(mark_path(target))
        part.replace(target)
    return count


async def restore(source: Path, address: str) -> int:
    """Restores a backup into an empty database; returns its number of log entries."""
    if not source.is_file():
        raise InputError(f"{source}: expected a backup, got no file")
    mark = read_mark(source)
    if mark is not None and any(find_changed_pages(source, mark)):
        raise InputError(f"{source}: expected the backup as it was written, but it has changed")
    with tempfile.TemporaryDirectory(prefix="stampede-restore-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(source, copy)
        try:
            await asyncio.to_thread(_check_and_sync, copy)
        except sqlite3.DatabaseError as error:
            raise InputError(f"{source}: expected a backup, but {error}") from error
        return await _copy(_address(copy), address)


def _address(path: Path) -> str:
    return f"sqlite:///{path.absolute().as_posix()}"


def copy_file(source: Path, target: Path) -> None:
    """Copies a file with SQLite's online backup, which is consistent even while others write."""
    with closing(connect(source, "ro")) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _check_and_sync(path: Path) -> int:
    """Checks a backup, makes it one file without a write-ahead log, syncs it, and counts its log entries."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        (state,) = database.execute("PRAGMA integrity_check").fetchone()
        if state != "ok":
            raise InputError(f"expected a sound file, but: {state}")
        database.execute("PRAGMA journal_mode=DELETE")
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'writes'").fetchone():
            database.execute("DELETE FROM writes")  # it needs no mark, unlike the server's own file
        (count,) = database.execute("SELECT count(*) FROM entries").fetchone()
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return int(count)


async def _copy(source: str, target: str) -> int:
    """Copies every row in one transaction on each side."""
    try:
        async with _engine(source) as old, _engine(target) as new:
            await migrate(old)
            await migrate(new)
            reading = old.execution_options(isolation_level=_snapshot(old))
            writing = new.execution_options(writes=True)
            async with reading.connect() as rows, writing.begin() as copy:
                await _expect_empty(copy)
                for table in ALL:
                    await copy.execute(table.delete())
                    found = await rows.stream(select(table))
                    async for part in found.mappings().partitions(CHUNK):
                        await copy.execute(insert(table), [dict(row) for row in part])
                if (side := side_files(new)) is not None:
                    await count_write(copy)
                counted = await copy.execute(select(func.count()).select_from(ENTRIES))
            if side is not None:
                await asyncio.to_thread(side.note_present)
            return int(counted.scalar_one())
    except DBAPIError as error:
        raise StoreUnavailable(f"expected two databases that answer: {error.orig}") from error


def _snapshot(engine: AsyncEngine) -> str:
    return "REPEATABLE READ" if engine.dialect.name == "postgresql" else "SERIALIZABLE"


async def _expect_empty(connection: AsyncConnection) -> None:
    def count(inner: Connection) -> int:
        queries = (select(func.count()).select_from(table) for table in (ENTRIES, IMPORTED))
        return sum(int(inner.execute(query).scalar_one()) for query in queries)

    games = await connection.run_sync(count)
    if games:
        raise InputError(f"expected an empty database to restore into, got {games} entries")


@asynccontextmanager
async def _engine(address: str) -> AsyncIterator[AsyncEngine]:
    engine = make_engine(database_url(address))
    side = engine.get_execution_options().get("side_files")
    try:
        if side is not None:
            await asyncio.to_thread(side.open)
        yield engine
    finally:
        await close_engine(engine)
