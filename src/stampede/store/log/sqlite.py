"""The log in a SQLite file: plain sqlite3 in a thread of its own, which is the fastest way."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from stampede.store.errors import SequenceTaken, StoreError, StoreFull
from stampede.store.log.entries import Append, Listing, LogRow
from stampede.store.log.group_commit import Retryable

__all__ = ["PRAGMAS", "SqliteLog"]

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
"""synchronous=FULL: a commit that has returned survives a power failure."""

CHECKPOINT = "wal_autocheckpoint=2000"
"""Pages (8 MB) after which SQLite copies the write-ahead log into the file. Higher values save writes, as the same
pages change often, but block all actions for longer: at 8,192, one action in fifty waited half a second."""

CACHE = "cache_size=-16384"
"""16 MiB: the last pages of some thousand tables, so that appending doesn't read them again."""

INSERT = "INSERT INTO entries (table_id, seq, mark, payload) VALUES (?, ?, ?, ?)"
MAX_ROWS = 128
"""Rows a statement. Sizes are powers of two, so that a few prepared statements serve all groups."""
UPSERT_LISTING = """INSERT INTO listings (table_id, game, status, public, updated, summary)
VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (table_id) DO UPDATE SET game = excluded.game,
status = excluded.status, public = excluded.public, updated = excluded.updated,
summary = excluded.summary"""
DELETE_PLAYERS = "DELETE FROM players WHERE table_id = ?"
INSERT_PLAYERS = "INSERT INTO players (guest, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
QUEUE_RATING = """INSERT INTO rating_queue (table_id, seq) VALUES (?, ?)
ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq"""
SELECT_MARK = "SELECT mark FROM entries WHERE table_id = ? AND seq = ?"


class SqliteLog:
    """Commits groups to a SQLite file, over one connection in one thread."""

    def __init__(self, path: Path, *, busy: float = 1.0) -> None:
        self._path = path
        self._busy = busy
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stampede-log")
        self._open: sqlite3.Connection | None = None

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        """Writes a group in one transaction."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._commit, group)

    async def close(self) -> None:
        """Closes the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            # mode=rw: a missing file is an error, not the start of an empty log.
            uri = f"{self._path.absolute().as_uri()}?mode=rw"
            self._open = sqlite3.connect(
                uri, uri=True, timeout=self._busy, isolation_level=None, check_same_thread=False
            )
            for pragma in (*PRAGMAS, CHECKPOINT, CACHE):
                self._open.execute(f"PRAGMA {pragma}")
        return self._open

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        try:
            database = self._connection()
            try:
                return _write(database, group)
            finally:
                if database.in_transaction:
                    database.rollback()
        except sqlite3.Error as error:
            translated = _translate(error)
            if isinstance(translated, Retryable) and not _is_busy(error):
                self._disconnect()  # the file may have been replaced
            raise translated from error


def _write(database: sqlite3.Connection, group: Sequence[Append]) -> list[StoreError | None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        _insert(database, [row for append in group for row in append.rows()])
        _upsert_listings(
            database, [append.listing for append in group if append.listing is not None]
        )
    except sqlite3.IntegrityError:
        database.rollback()
        return _write_singly(database, group)
    database.execute("COMMIT")
    return [None] * len(group)


def _insert(database: sqlite3.Connection, rows: Sequence[LogRow]) -> None:
    """Inserts many rows with few statements.

    sqlite3 releases the GIL around every statement. While the event loop is busy, this thread would wait for the GIL
    twice a row.
    """
    start = 0
    while start < len(rows):
        size = min(MAX_ROWS, 1 << (len(rows) - start).bit_length() - 1)
        values = [value for row in rows[start : start + size] for value in row]
        database.execute(_insertion(size), values)
        start += size


@cache
def _insertion(rows: int) -> str:
    return INSERT + ", (?, ?, ?, ?)" * (rows - 1)


def _write_singly(database: sqlite3.Connection, group: Sequence[Append]) -> list[StoreError | None]:
    """Writes a group that contains a conflict, each append in a savepoint, still in one transaction."""
    results: list[StoreError | None] = []
    database.execute("BEGIN IMMEDIATE")
    for append in group:
        database.execute("SAVEPOINT one")
        try:
            database.executemany(INSERT, append.rows())
            if append.listing is not None:
                _upsert_listings(database, [append.listing])
            results.append(None)
        except sqlite3.IntegrityError:
            database.execute("ROLLBACK TO one")
            results.append(_refusal(database, append))
        database.execute("RELEASE one")
    database.execute("COMMIT")
    return results


def _refusal(database: sqlite3.Connection, append: Append) -> StoreError | None:
    """Returns why an append is refused; None if an interrupted commit has written it already."""
    found = database.execute(SELECT_MARK, (append.table_id, append.first)).fetchone()
    if found == (append.mark,):
        return None
    return SequenceTaken(f"{append.table_id}: entry {append.first} was written by another writer")


def _upsert_listings(database: sqlite3.Connection, listings: Sequence[Listing]) -> None:
    for item in listings:
        row = (item.table_id, item.game, item.status, item.public, item.updated, item.summary)
        database.execute(UPSERT_LISTING, row)
        if item.guests is not None:
            database.execute(DELETE_PLAYERS, (item.table_id,))
            database.executemany(INSERT_PLAYERS, [(guest, item.table_id) for guest in item.guests])
        if item.ended:
            database.execute(QUEUE_RATING, (item.table_id, item.ended))


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )


def _translate(error: sqlite3.Error) -> Exception:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return StoreFull("the disk is full: nothing was written")
    return Retryable(str(error))
