"""Checkpoints of a proof search: what its transposition table holds, and which search it belongs to.

    a line               a CRC-32 in hexadecimal, and the header as JSON: root, width, tablebases, number of blocks
    each block           uint32 number of entries, uint32 CRC-32, int64[n] keys as the table has them, int64[n] values

A block's checksum continues the one before, from the header on, so damaged, missing or exchanged blocks are found. The
blocks are slices of the table: neither writing nor reading takes memory beside it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from stampede.core.errors import InputError
from stampede.core.json import (
    JsonObject,
    canonical,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.proofs.search.transposition import TranspositionTable, store_entries

__all__ = ["SearchIdentity", "load_checkpoint", "save_checkpoint"]

FORMAT: Final = "stampede-search"
VERSION: Final = 1
_SLICE: Final = 1 << 20
"""The slots of the table that a block has at most."""
_LONGEST_HEADER: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class SearchIdentity:
    """Which search a checkpoint belongs to.

    Attributes:
        root: The position, a canonical key as int64.
        width: The board's width.
        tablebases: The names of the tablebases that the search uses.
    """

    root: int
    width: int
    tablebases: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The identity as JSON."""
        return {"root": self.root, "width": self.width, "tablebases": list(self.tablebases)}

    @classmethod
    def from_json(cls, values: JsonObject) -> SearchIdentity:
        """Reads an identity; InputError when a value is wrong."""
        names = expect_list(values.get("tablebases"), "tablebases")
        return cls(
            expect_int(values.get("root"), "root"),
            expect_int(values.get("width"), "width"),
            tuple(expect_str(name, "tablebases") for name in names),
        )


def save_checkpoint(path: Path, tt: TranspositionTable, search: SearchIdentity) -> None:
    """Writes a table's entries, durably; a file that was there is replaced at the end."""
    begins = range(0, len(tt.keys), _SLICE)
    header = {"format": FORMAT, "version": VERSION, "blocks": len(begins), **search.to_json()}
    text = canonical(header).encode("utf-8")
    before = zlib.crc32(text)
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as file:
        file.write(f"{before:08x} ".encode() + text + b"\n")
        for begin in begins:
            before = _write_block(file, tt, begin, before)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _write_block(file: BinaryIO, tt: TranspositionTable, begin: int, before: int) -> int:
    keys, values = tt.keys[begin : begin + _SLICE], tt.values[begin : begin + _SLICE]
    used = values != 0
    data = keys[used].tobytes() + values[used].tobytes()
    count = np.uint32(np.count_nonzero(used)).tobytes()
    before = zlib.crc32(count + data, before)
    file.write(count + np.uint32(before).tobytes() + data)
    return before


def load_checkpoint(
    path: Path, tt: TranspositionTable, search: SearchIdentity, *, any_root: bool = False
) -> None:
    """Adds a checkpoint's entries to a table.

    Args:
        path: The checkpoint.
        tt: The table; entries that it has no space for are dropped, decided ones last.
        search: The search that continues. It may have further tablebases.
        any_root: Accept a search of another position.

    Raises:
        InputError: The file is damaged (the message gives the bytes), or belongs to another search.
    """
    with path.open("rb") as file:
        saved, blocks, before = _read_header(file, path)
        _expect_search(path, saved, search, any_root=any_root)
        for _ in range(blocks):
            before = _read_block(file, path, tt, before)
        if file.read(1):
            raise InputError(f"{path}: expected the end at byte {file.tell() - 1:,}, got more")


def _read_header(file: BinaryIO, path: Path) -> tuple[SearchIdentity, int, int]:
    line = file.readline(_LONGEST_HEADER)
    text = line[9:-1]
    before = zlib.crc32(text)
    if line[:9] != f"{before:08x} ".encode() or not line.endswith(b"\n"):
        raise InputError(
            f"{path}: expected a checkpoint, got a file whose first line is damaged or other"
        )
    values = expect_object(json.loads(text), str(path))
    if (values.get("format"), values.get("version")) != (FORMAT, VERSION):
        raise InputError(
            f"{path}: expected {FORMAT}, version {VERSION}, got"
            f" {values.get('format')!r}, version {values.get('version')!r}"
        )
    return SearchIdentity.from_json(values), expect_int(values.get("blocks"), "blocks"), before


def _expect_search(
    path: Path, saved: SearchIdentity, search: SearchIdentity, *, any_root: bool
) -> None:
    if saved.width != search.width:
        raise InputError(
            f"{path}: expected a search on {search.width} columns, got one on {saved.width}"
        )
    if saved.root != search.root and not any_root:
        raise InputError(
            f"{path}: expected a search of the position with the key {search.root}, got {saved.root}"
        )
    if missing := sorted({*saved.tablebases} - {*search.tablebases}):
        raise InputError(
            f"{path}: expected a search with no tablebases but {_listed(search.tablebases)},"
            f" got one that also used {_listed(missing)}"
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _read_block(file: BinaryIO, path: Path, tt: TranspositionTable, before: int) -> int:
    begin = file.tell()
    count, expected = np.frombuffer(file.read(8).ljust(8, b"\0"), dtype="<u4").tolist()
    data = file.read(16 * min(count, _SLICE))
    checksum = zlib.crc32(np.uint32(count).tobytes() + data, before)
    if len(data) != 16 * count or checksum != expected:
        raise InputError(f"{path}: damaged between bytes {begin:,} and {file.tell():,}")
    words = np.frombuffer(data, dtype="<i8").astype(np.int64)
    store_entries(tt, words[:count], words[count:])
    return checksum
