"""The log in a SQLite file: plain sqlite3 in a thread of its own, which is the fastest way."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

from stampede.store.errors import SequenceTaken, StoreError, StoreFull, StoreUnavailable
from stampede.store.files.side_files import CHECKPOINT_FRAMES, SideFiles, connect
from stampede.store.log.entries import Append, Listing, LogRow
from stampede.store.log.group_commit import Retryable

__all__ = ["NO_CHECKPOINT", "PRAGMAS", "SqliteLog"]

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
"""synchronous=FULL: a commit that has returned survives a power failure."""

CHECKPOINT = f"wal_autocheckpoint={CHECKPOINT_FRAMES}"
NO_CHECKPOINT = "wal_autocheckpoint=0"
"""With a mark, `SideFiles` copies the write-ahead log into the file: page digests go along."""

CACHE = "cache_size=-16384"
"""16 MiB: the last pages of some thousand tables, so that appending doesn't read them again."""

INSERT = "INSERT INTO entries (table_id, seq, mark, payload, chain) VALUES (?, ?, ?, ?, ?)"
MAX_ROWS = 128
"""Rows a statement. Sizes are powers of two, so that a few prepared statements serve all groups."""
UPSERT_LISTING = """INSERT INTO listings
(table_id, game, status, public, updated, summary, contested) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (table_id) DO UPDATE SET game = excluded.game, status = excluded.status,
public = excluded.public, updated = excluded.updated, summary = excluded.summary,
contested = excluded.contested"""
DELETE_PLAYERS = "DELETE FROM players WHERE table_id = ?"
INSERT_PLAYERS = "INSERT INTO players (guest, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
QUEUE_RATING = """INSERT INTO rating_queue (table_id, seq) VALUES (?, ?)
ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq"""
SELECT_LAST = "SELECT rowid, chain FROM entries ORDER BY rowid DESC LIMIT 1"
SELECT_MARK = "SELECT mark FROM entries WHERE table_id = ? AND seq = ?"


class SqliteLog:
    """Commits groups to a SQLite file, over one connection in one thread.

    Args:
        path: The file.
        busy: Seconds for which SQLite itself waits for a lock.
        side: The files beside it; None if its mark isn't kept.
        connect: Opens the file, given its mode and `busy`.
    """

    def __init__(
        self,
        path: Path,
        *,
        busy: float = 1.0,
        side: SideFiles | None = None,
        connect: Callable[[Path, str, float], sqlite3.Connection] = connect,
    ) -> None:
        self._path = path
        self._connect = connect
        self._busy = busy
        self._side = side
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
            opened = self._connect(self._path, "rw", self._busy)
            try:
                for pragma in (*PRAGMAS, NO_CHECKPOINT if self._side else CHECKPOINT, CACHE):
                    opened.execute(f"PRAGMA {pragma}")
            except sqlite3.Error:  # one that is set up in part would be used for ever
                opened.close()
                raise
            self._open = opened
        return self._open

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        try:
            if self._side is not None:
                self._side.check_in_place()
            database = self._connection()
            try:
                written = _write(database, group)
            finally:
                if database.in_transaction:
                    database.rollback()
            if self._side is not None:
                self._side.note(entries=written.last, chain=written.chain)
        except sqlite3.Error as error:
            translated = _translate(error)
            if isinstance(translated, Retryable) and not _is_busy(error):
                self._disconnect()  # the file may have been replaced
            raise translated from error
        return written.results


class _Written(NamedTuple):
    """What became of a group, and the last entry of the log: its number in the file, and its chain value."""

    results: list[StoreError | None]
    last: int
    chain: str


def _write(database: sqlite3.Connection, group: Sequence[Append]) -> _Written:
    database.execute("BEGIN IMMEDIATE")
    try:
        last = _insert(database, [row for append in group for row in append.rows()])
        _upsert_listings(
            database, [append.listing for append in group if append.listing is not None]
        )
    except sqlite3.IntegrityError:
        database.rollback()
        return _write_singly(database, group)
    database.execute("COMMIT")
    return _Written([None] * len(group), last, group[-1].chains[-1])


def _insert(database: sqlite3.Connection, rows: Sequence[LogRow]) -> int:
    """Inserts many rows with few statements; returns the last one's number in the file.

    sqlite3 releases the GIL around every statement. While the event loop is busy, this thread would wait for the GIL
    twice a row.
    """
    start, last = 0, 0
    while start < len(rows):
        size = min(MAX_ROWS, 1 << (len(rows) - start).bit_length() - 1)
        values = [value for row in rows[start : start + size] for value in row]
        last = database.execute(_insertion(size), values).lastrowid or 0
        start += size
    return last


@cache
def _insertion(rows: int) -> str:
    return INSERT + ", (?, ?, ?, ?, ?)" * (rows - 1)


def _write_singly(database: sqlite3.Connection, group: Sequence[Append]) -> _Written:
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
    last, chain = database.execute(SELECT_LAST).fetchone()
    database.execute("COMMIT")
    return _Written(results, last, chain)


def _refusal(database: sqlite3.Connection, append: Append) -> StoreError | None:
    """Returns why an append is refused; None if an interrupted commit has written it already."""
    found = database.execute(SELECT_MARK, (append.table_id, append.first)).fetchone()
    if found == (append.mark,):
        return None
    return SequenceTaken(f"{append.table_id}: entry {append.first} was written by another writer")


def _upsert_listings(database: sqlite3.Connection, listings: Sequence[Listing]) -> None:
    for item in listings:
        row = (item.table_id, item.game, item.status, item.public, item.updated, item.summary)
        database.execute(UPSERT_LISTING, (*row, item.contested))
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
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    ):
        return StoreUnavailable(f"the database is damaged, nothing was written: {error}")
    return Retryable(str(error))
