"""Reads what can still be read of a damaged SQLite file: around pages that are broken, and rows that aren't text."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Boolean, Table

from stampede.store.files.side_files import DAMAGE_ERRORS, connect
from stampede.store.files.wal import wal_path

__all__ = ["open_copy", "read_rows"]

CHUNK: Final = 200
Row = dict[str, Any]


@contextmanager
def open_copy(path: Path, folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens a copy of a file and its write-ahead log; the original isn't touched."""
    copy = folder / "damaged.db"
    shutil.copyfile(path, copy)
    if wal_path(path).is_file():
        shutil.copyfile(wal_path(path), wal_path(copy))
    with closing(connect(copy, "rw")) as database:
        database.text_factory = bytes
        yield database


def read_rows(database: sqlite3.Connection, table: Table) -> tuple[list[Row], int]:
    """Returns the rows that can be read, in the order of writing, and how many can't.

    Rows on a broken page can't be counted; a break counts as one.
    """
    names = [column.name for column in table.columns]
    rows: dict[int, Row] = {}
    broken = 0
    last = _last_rowid(database, table.name)
    start = 0
    while start < last:
        query = (
            f"SELECT rowid, {', '.join(names)} FROM {table.name} NOT INDEXED"  # noqa: S608 - names of our schema
            " WHERE rowid >= ? + 1 ORDER BY rowid LIMIT ?"  # "> ?" would go to the page before
        )
        try:
            found = database.execute(query, (start, CHUNK)).fetchall()
        except DAMAGE_ERRORS:
            found = _read_singly(database, query, start)
            if not found:
                broken += 1
                start = _pass_break(database, query, start, last)
                continue
        if not found:
            break
        for rowid, *values in found:
            row = _decode(table, dict(zip(names, values, strict=True)))
            if row is None:
                broken += 1
            else:
                rows[rowid] = row
        start = found[-1][0]
    return [rows[rowid] for rowid in sorted(rows)], broken


def _last_rowid(database: sqlite3.Connection, table: str) -> int:
    try:
        query = f"SELECT max(rowid) FROM {table} NOT INDEXED"  # noqa: S608 - a name of our schema
        return int(database.execute(query).fetchone()[0] or 0)
    except DAMAGE_ERRORS:
        return 1 << 24  # the end is broken: look as far as a large server's log goes


def _read_singly(database: sqlite3.Connection, query: str, start: int) -> list[tuple[Any, ...]]:
    """Reads rows one by one up to the first that can't be read."""
    found: list[tuple[Any, ...]] = []
    for _ in range(CHUNK):
        try:
            row = database.execute(query, (found[-1][0] if found else start, 1)).fetchone()
        except DAMAGE_ERRORS:
            break
        if row is None:
            break
        found.append(row)
    return found


def _pass_break(database: sqlite3.Connection, query: str, start: int, last: int) -> int:
    """Returns the first place behind a break from where rows can be read; the last row's number if there is none."""
    low, step = start, 1
    while True:  # skip ahead, further each time
        high = min(low + step, last - 1)
        if high <= low:
            return last
        if _can_read(database, query, high):
            break
        low, step = high, 2 * step
    while high - low > 1:  # and back to the first sound row
        middle = (low + high) // 2
        if _can_read(database, query, middle):
            high = middle
        else:
            low = middle
    return high


def _can_read(database: sqlite3.Connection, query: str, start: int) -> bool:
    try:
        database.execute(query, (start, 1)).fetchone()
    except DAMAGE_ERRORS:
        return False
    return True


def _decode(table: Table, row: Row) -> Row | None:
    """Decodes a row's texts; None if one isn't UTF-8."""
    try:
        decoded = {
            name: value.decode() if isinstance(value, bytes) else value
            for name, value in row.items()
        }
    except UnicodeDecodeError:
        return None
    for column in table.columns:
        if isinstance(column.type, Boolean) and decoded[column.name] in (0, 1):
            decoded[column.name] = bool(decoded[column.name])
    return decoded
