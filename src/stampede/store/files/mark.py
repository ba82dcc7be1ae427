"""The mark: a small file beside a SQLite database that says what has to be in it.

It holds two things. The high-water mark says how many entries and other writes were durable, and is written after each
commit, never ahead of one. The page digests are checksums of the database's pages as of a certain frame of the
write-ahead log; they are renewed whenever pages are copied into the file. Pages that have changed since are in the
write-ahead log, which has checksums of its own.

Each record is kept twice and written in turns, so that an interrupted write leaves the other one.
"""

from __future__ import annotations

import json
import os
import struct
import threading
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

__all__ = ["HighWater", "Mark", "MarkFile", "PageRecord", "mark_path", "read_mark"]

SLOT: Final = 512
COUNTS: Final = (0, 1)
PAGES: Final = (2, 3)
COUNTS_TEXT: Final = b'{"entries": %d, "chain": "%s", "writes": %d, "turn": %d}'
DIGESTS: Final = 4 * SLOT
"""Where the pages' checksums begin: four bytes a page."""


@dataclass(frozen=True, slots=True)
class HighWater:
    """What was durable.

    Attributes:
        entries: How many entries the log has.
        chain: The chain value of the last one.
        writes: How many other writes there were.
        turn: Counts the versions of this record.
    """

    entries: int = 0
    chain: str = ""
    writes: int = 0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What the page digests stand for.

    Attributes:
        pages: How many pages have one; 0 if they aren't known.
        page_size: The size of a page, in bytes.
        salts: The round of the write-ahead log up to whose frame the digests go; empty for the file alone.
        frames: That frame.
        turn: Counts the versions of this record.
    """

    pages: int = 0
    page_size: int = 4096
    salts: str = ""
    frames: int = 0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark as it is read.

    Attributes:
        counts: The high-water mark; None if it can't be read.
        record: What the digests stand for.
        digests: The pages' checksums, the first page's first.
        damaged: Whether a part of the file can't be read.
    """

    counts: HighWater | None
    record: PageRecord
    digests: tuple[int, ...]
    damaged: bool


R = TypeVar("R", HighWater, PageRecord)


def mark_path(database: Path) -> Path:
    """Returns the mark's file."""
    return database.with_name(f"{database.name}-mark")


class MarkFile:
    """The mark of a database. Processes may write to it in turns; a thread may use it at any time."""

    def __init__(self, database: Path) -> None:
        path = mark_path(database)
        if not path.exists():
            _make(path)
        self._stream = path.open("r+b", buffering=0)
        self._lock = threading.Lock()
        self._counts = _latest(self._read(0, DIGESTS), COUNTS, HighWater())

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()

    def note(self, *, entries: int = 0, chain: str = "", writes: int = 0) -> None:
        """Raises the high-water mark. If another process raises it meanwhile, it lags behind, which is no harm."""
        with self._lock:
            old = self._counts
            if writes:  # a rare one: look whether another process has counted further
                found = _latest(self._read(0, DIGESTS), COUNTS, old)
                old = found if found.turn > old.turn else old
            if entries <= old.entries:
                entries, chain = old.entries, old.chain
            writes = max(writes, old.writes)
            if (entries, writes) != (old.entries, old.writes):
                self._counts = HighWater(entries, chain, writes, old.turn + 1)
                self._write_slot(COUNTS, self._counts)

    def reset(self, counts: HighWater) -> None:
        """Sets the high-water mark to what an operator has accepted."""
        with self._lock:
            for _ in COUNTS:
                old = _latest(self._read(0, DIGESTS), COUNTS, HighWater())
                self._counts = replace(counts, turn=old.turn + 1)
                self._write_slot(COUNTS, self._counts)

    def record(self) -> PageRecord:
        """Returns what the digests stand for."""
        with self._lock:
            return _latest(self._read(0, DIGESTS), PAGES, PageRecord())

    def set_digests(self, record: PageRecord, digests: Mapping[int, int]) -> None:
        """Writes checksums by page, then what they stand for. The caller holds the database's write lock."""
        with self._lock:
            for first, values in _runs(sorted(digests.items())):
                self._write(DIGESTS + 4 * (first - 1), struct.pack(f"<{len(values)}I", *values))
            os.fsync(self._stream.fileno())  # a record never speaks of checksums that aren't there
            old = _latest(self._read(0, DIGESTS), PAGES, PageRecord())
            self._write_slot(PAGES, replace(record, turn=old.turn + 1))
            os.ftruncate(self._stream.fileno(), DIGESTS + 4 * record.pages)
            os.fsync(self._stream.fileno())

    def _write_slot(self, slots: tuple[int, int], record: HighWater | PageRecord) -> None:
        self._write(SLOT * slots[record.turn % 2], _pack(record))

    def _write(self, offset: int, data: bytes) -> None:
        self._stream.seek(offset)
        self._stream.write(data)

    def _read(self, offset: int, size: int) -> bytes:
        self._stream.seek(offset)
        return self._stream.read(size) or b""


def read_mark(database: Path) -> Mark | None:
    """Reads a database's mark; None if there is none."""
    try:
        data = mark_path(database).read_bytes()
    except FileNotFoundError:
        return None
    record = _latest(data, PAGES, PageRecord())
    kept = data[DIGESTS:]
    digests = struct.unpack(f"<{len(kept) // 4}I", kept[: len(kept) // 4 * 4])
    slots = [data[SLOT * slot : SLOT * (slot + 1)] for slot in (*COUNTS, *PAGES)]
    # A slot that was never written is empty, and only the second of a pair can be.
    damaged = any(_parse(slot) is None and slot.strip(b"\0") for slot in slots)
    damaged = damaged or len(data) != DIGESTS + 4 * record.pages or not any(map(_parse, slots))
    counts = _latest(data, COUNTS, HighWater()) if any(map(_parse, slots[:2])) else None
    return Mark(counts, record, digests, damaged)


def _make(path: Path) -> None:
    """Makes an empty mark. It appears whole: another process that opens the database must not see half of one."""
    draft = path.with_name(f"{path.name}-{os.getpid()}-{threading.get_ident()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(_pack(HighWater()).ljust(DIGESTS, b"\0"))
        stream.flush()
        os.fsync(stream.fileno())
    try:
        with suppress(FileExistsError):  # another process was first
            os.link(draft, path)
    finally:
        draft.unlink()
    _sync_folder(path.absolute().parent)  # or the file may be gone after a power failure


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _runs(items: Iterable[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Joins values of neighbouring pages, so that they are written at once."""
    runs: list[tuple[int, list[int]]] = []
    for page, value in items:
        if runs and runs[-1][0] + len(runs[-1][1]) == page:
            runs[-1][1].append(value)
        else:
            runs.append((page, [value]))
    return runs


def _pack(record: HighWater | PageRecord) -> bytes:
    if isinstance(
        record, HighWater
    ):  # written after every group: json would take ten times as long
        text = COUNTS_TEXT % (record.entries, record.chain.encode(), record.writes, record.turn)
    else:
        text = json.dumps(asdict(record)).encode()
    text = text.ljust(SLOT - 5)
    return text + b"\n" + struct.pack("<I", zlib.crc32(text))


def _parse(slot: bytes) -> dict[str, int | str] | None:
    if len(slot) != SLOT or slot[-5:] != b"\n" + struct.pack("<I", zlib.crc32(slot[:-5])):
        return None
    found: dict[str, int | str] = json.loads(slot[:-5])
    return found


def _latest(data: bytes, slots: tuple[int, int], empty: R) -> R:
    parsed = [_parse(data[SLOT * slot : SLOT * (slot + 1)]) for slot in slots]
    records = [replace(empty, **found) for found in parsed if found is not None]  # type: ignore[arg-type] # its own fields
    return max(records, key=lambda record: record.turn, default=empty)
