"""Checks a SQLite file without changing it: its mark, its pages, SQLite's own checks, and its rows."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from stampede.store.files.lock import find_server
from stampede.store.files.mark import Mark, read_mark
from stampede.store.files.side_files import DAMAGE_ERRORS, connect, find_loss, reading_mode
from stampede.store.files.wal import read_wal

__all__ = ["FileReport", "check_file", "find_changed_pages"]

MAX_TOLD: Final = 10
"""Pages that are named; the others are counted."""


class FileReport:
    """What is wrong with a file, and what couldn't be checked.

    Attributes:
        problems: What is wrong.
        notes: What holds less than usual, though nothing is wrong.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.notes: list[str] = []


def check_file(path: Path) -> FileReport:
    """Checks a file against its mark and by SQLite's own checks. The server may run meanwhile."""
    report, mark = FileReport(), read_mark(path)
    if not path.is_file() or not path.stat().st_size:
        report.problems.append("the database is missing or empty, but its mark isn't")
        return report
    if mark is None:
        report.notes.append("it has no mark: lost writes and changes outside of the log don't show")
    elif mark.damaged:
        report.problems.append("its mark is damaged")
    if (loss := find_loss(path, mark)) is not None:
        report.problems.append(loss)
    if mark is not None and find_server(path):
        report.notes.append("a server is using it: its pages are compared when it has stopped")
    elif mark is not None and mark.record.pages:
        report.problems.extend(_name_pages(path, list(find_changed_pages(path, mark))))
    elif mark is not None:
        report.notes.append("its mark has no page digests yet")
    try:
        with closing(connect(path, reading_mode(path))) as database:
            database.text_factory = bytes
            report.problems.extend(_find_damage(database))
    except DAMAGE_ERRORS as error:
        report.problems.append(f"SQLite can't read it: {error}")
    return report


def find_changed_pages(path: Path, mark: Mark) -> Iterator[int]:
    """Yields the pages that aren't what their digests say. Newer pages are in the write-ahead log."""
    record, wal = mark.record, read_wal(path)
    frames = () if wal is None else wal.frames
    covered = record.frames if wal is not None and wal.salts == record.salts else 0
    newer = {frame.page for frame in frames if frame.number > covered}
    current = {frame.page: frame.digest for frame in frames if frame.number <= covered}
    pages = wal.pages if wal is not None and wal.pages else record.pages
    with path.open("rb") as stream:
        for page in range(1, pages + 1):
            if page in newer:
                continue
            found = current.get(page)
            if found is None:
                stream.seek((page - 1) * record.page_size)
                found = zlib.crc32(stream.read(record.page_size))
            if page > len(mark.digests) or found != mark.digests[page - 1]:
                yield page
        if not frames and stream.seek(0, 2) > pages * record.page_size:
            yield pages + 1


def _name_pages(path: Path, pages: list[int]) -> list[str]:
    if not pages:
        return []
    shown = ", ".join(map(str, pages[:MAX_TOLD]))
    more = f" and {len(pages) - MAX_TOLD} more" if len(pages) > MAX_TOLD else ""
    return [f"pages that aren't what was written: {shown}{more}{_name_owners(path, pages)}"]


def _name_owners(path: Path, pages: list[int]) -> str:
    """Returns to which tables pages belong, where SQLite can tell."""
    try:
        with closing(connect(path, reading_mode(path))) as database:
            found = dict(database.execute("SELECT pageno, name FROM dbstat"))
    except DAMAGE_ERRORS:
        return ""
    names = sorted({str(found.get(page, "free space")) for page in pages})
    return f" ({', '.join(names)})"


def _find_damage(database: sqlite3.Connection) -> Iterator[str]:
    """SQLite's own checks, and the numbering of the log's rows."""
    for (line,) in database.execute("PRAGMA integrity_check(20)"):
        if line != b"ok":
            yield f"integrity check: {line.decode(errors='replace')}"
    for row in database.execute("PRAGMA foreign_key_check"):
        yield f"foreign key check: {row!r}"
    if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'writes'").fetchone() is None:
        return  # an earlier schema
    first, last, count = database.execute(
        "SELECT min(rowid), max(rowid), count(*) FROM entries NOT INDEXED"
    ).fetchone()
    if count and (first, last) != (1, count):
        yield f"expected entries 1 to {count} in the order of writing, got {first} to {last}"
