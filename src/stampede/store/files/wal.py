"""Reads SQLite's write-ahead log: which pages its committed frames hold (https://sqlite.org/fileformat2.html#walformat)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO, Final
from zlib import crc32

__all__ = [
    "FRAME_HEADER",
    "WAL_HEADER",
    "Frame",
    "Wal",
    "digest_frames",
    "read_salts",
    "read_wal",
    "wal_path",
]

WAL_HEADER: Final = 32
FRAME_HEADER: Final = 24
MAGIC_LITTLE: Final = 0x377F0682
MAGIC_BIG: Final = 0x377F0683
HEADER: Final = struct.Struct(">II")


@dataclass(frozen=True, slots=True)
class Frame:
    """A page in the write-ahead log.

    Attributes:
        number: The frame's number, from 1.
        page: The page's number, from 1.
        digest: The page's CRC-32.
        commit: The number of pages of the database after the commit that ends here; 0 inside a transaction.
    """

    number: int
    page: int
    digest: int
    commit: int


@dataclass(frozen=True, slots=True)
class Wal:
    """A write-ahead log, as far as SQLite would read it.

    Attributes:
        salts: What tells its frames from those of an earlier round.
        frames: The committed frames.
        pages: The number of pages of the database after the last commit; 0 without one.
    """

    salts: str
    frames: tuple[Frame, ...]
    pages: int


def wal_path(database: Path) -> Path:
    """Returns the file of a database's write-ahead log."""
    return database.with_name(f"{database.name}-wal")


def read_salts(stream: BinaryIO) -> str:
    """Returns the salts in the header of a write-ahead log; empty if there is no header."""
    stream.seek(16)
    return stream.read(8).hex()


def digest_frames(
    stream: BinaryIO, page_size: int, first: int, last: int
) -> tuple[dict[int, int], int]:
    """Digests the latest version of each page in frames that SQLite has just counted; they aren't checked.

    Commands wait for it: it copies nothing, makes no object for a frame, and digests a page once.

    Returns:
        The digests by page, and the number of pages after the last commit, 0 without one.
    """
    size = FRAME_HEADER + page_size
    latest: dict[int, int] = {}
    pages = 0
    with mmap(stream.fileno(), WAL_HEADER + last * size, access=ACCESS_READ) as data:
        for offset in range(WAL_HEADER + (first - 1) * size, WAL_HEADER + last * size, size):
            page, commit = HEADER.unpack_from(data, offset)
            latest[page] = offset + FRAME_HEADER
            pages = commit or pages
        with memoryview(data) as view:
            digests = {page: _crc(view, at, page_size) for page, at in latest.items()}
    return digests, pages


def _crc(view: memoryview, offset: int, size: int) -> int:
    with view[offset : offset + size] as content:
        return crc32(content)


def read_wal(database: Path) -> Wal | None:
    """Reads the committed frames with their checksums, and stops where SQLite would; None if there is no log."""
    try:
        with wal_path(database).open("rb") as stream:
            if stream.seek(0, 2) < WAL_HEADER:
                return None
            with mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
                return _read_frames(data)
    except FileNotFoundError:
        return None


def _read_frames(data: mmap) -> Wal | None:
    magic, _, page_size = struct.unpack_from(">III", data)
    if magic not in (MAGIC_LITTLE, MAGIC_BIG) or not 512 <= page_size <= 65536:
        return None
    order = ">" if magic == MAGIC_BIG else "<"
    sums = _checksum(order, data[:24], (0, 0))
    if sums != struct.unpack_from(">II", data, 24):
        return None
    salts, size = data[16:24], FRAME_HEADER + page_size
    frames: list[Frame] = []
    committed = pages = 0
    for offset in range(WAL_HEADER, len(data) - size + 1, size):
        page, commit = struct.unpack_from(">II", data, offset)
        if data[offset + 8 : offset + 16] != salts or not page:
            break
        content = data[offset + FRAME_HEADER : offset + size]
        sums = _checksum(order, content, _checksum(order, data[offset : offset + 8], sums))
        if sums != struct.unpack_from(">II", data, offset + 16):
            break
        frames.append(Frame(len(frames) + 1, page, crc32(content), commit))
        if commit:
            committed, pages = len(frames), commit
    return Wal(salts.hex(), tuple(frames[:committed]), pages)


def _checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for low, high in zip(words, words, strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second
