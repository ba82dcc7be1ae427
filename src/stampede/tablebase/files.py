"""Table files: a checked header, where each state's row begins, the rows, and checksums by block.

    bytes 0–4095      b"BUFFTABL", u32 length and u32 CRC-32 of the header, the header: JSON
    int64[states]     by state: 1 + the word at which its row begins, or 0 when no square wins or its mirror image
    is kept int64[words]      the rows (see `rows`) uint32[blocks]    the CRC-32 of each 16 MiB of what lies between
    the header and here

A file under construction is called ``.part``; beside it ``.state`` says which levels are finished.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.tables import Words
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["BODY", "RowFile", "check_blocks", "file_name", "finish", "read_header"]

MAGIC: Final = b"BUFFTABL"
VERSION: Final = 1
BODY: Final = 4096
"""Where the header ends."""
BLOCK: Final = 1 << 24
_WORD: Final = 8


def file_name(spec: TablebaseSpec, levels: int | None = None) -> str:
    """The name of a table's file; `levels` when it ends there."""
    near = "" if levels is None else f"@{levels}"
    return f"{str(spec).replace('/', '-')}{near}.table"


@dataclass(frozen=True, slots=True)
class TablebaseHeader:
    """What a finished file says of itself.

    Attributes:
        spec: What it holds.
        words: The number of words of its rows.
        sums: The CRC-32 of its checksums.
        levels: States with a higher sum of digits aren't in it; None when all are.
    """

    spec: TablebaseSpec
    words: int
    sums: int
    levels: int | None = None

    @property
    def body(self) -> int:
        """How many bytes lie between the header and the checksums."""
        return _WORD * (self.spec.states + self.words)

    def to_bytes(self) -> bytes:
        """The header's bytes, padded."""
        told = {"version": VERSION, "spec": str(self.spec), "words": self.words, "sums": self.sums}
        if self.levels is not None:
            told["levels"] = self.levels
        text = json.dumps(told, sort_keys=True).encode()
        numbers = np.array([len(text), zlib.crc32(text)], dtype="<u4").tobytes()
        return (MAGIC + numbers + text).ljust(BODY, b"\0")


class RowFile:
    """Rows that grow at the end of a file, mapped into memory; reading goes on while it grows."""

    def __init__(self, path: Path, states: int, used: int = 0) -> None:
        """Opens or makes a file under construction that has `used` words of rows."""
        self.path = path
        self.used = used
        self._start = BODY + _WORD * states
        self._room = max(used, 1 << 16)
        path.touch()
        os.truncate(path, self._start + _WORD * self._room)
        self.where: Words = np.memmap(path, np.int64, "r+", BODY, (states,))
        self.words = self._map()

    def _map(self) -> Words:
        words: Words = np.memmap(self.path, np.int64, "r+", self._start, (self._room,))
        return words

    def append(self, rows: Words) -> int:
        """Adds words and returns where they begin."""
        begin, self.used = self.used, self.used + len(rows)
        if self.used > self._room:
            self._room = self.used + self.used // 4
            os.truncate(self.path, self._start + _WORD * self._room)
            self.words = self._map()
        self.words[begin : self.used] = rows
        return begin

    def flush(self) -> None:
        """Writes to disk what was added."""
        for part in (self.where, self.words):
            part.flush()  # type: ignore[attr-defined]

    def close(self) -> None:
        """Cuts off the room that wasn't needed."""
        self.flush()
        del self.where, self.words
        os.truncate(self.path, self._start + _WORD * self.used)


def finish(
    part: Path, final: Path, spec: TablebaseSpec, words: int, levels: int | None = None
) -> None:
    """Adds the checksums and the header to a complete file, and gives it its name."""
    blocks: list[int] = []
    with part.open("r+b") as file:
        file.seek(BODY)
        while block := file.read(BLOCK):
            blocks.append(zlib.crc32(block))
        sums = np.array(blocks, dtype="<u4").tobytes()
        file.write(sums)
        file.seek(0)
        file.write(TablebaseHeader(spec, words, zlib.crc32(sums), levels).to_bytes())
    part.replace(final)


def read_header(path: Path) -> TablebaseHeader:
    """The header of a finished table, checked against the file's size.

    Raises:
        InputError: The file is no table, or not all of one.
    """
    with path.open("rb") as file:
        raw = file.read(BODY)
    length, check = np.frombuffer(raw[8:16].ljust(8, b"\0"), dtype="<u4").tolist()
    text = raw[16 : 16 + length]
    if raw[:8] != MAGIC or len(raw) != BODY or zlib.crc32(text) != check:
        raise InputError(
            f"{path}: expected a table, got a file whose first {BODY} bytes are damaged or other"
        )
    told = json.loads(text)
    if told["version"] != VERSION:
        raise InputError(f"{path}: expected version {VERSION}, got {told['version']}")
    header = TablebaseHeader(
        TablebaseSpec.parse(told["spec"]), told["words"], told["sums"], told.get("levels")
    )
    blocks = -(-header.body // BLOCK)
    expected, got = BODY + header.body + 4 * blocks, path.stat().st_size
    if got != expected:
        raise InputError(f"{path}: expected {expected:,} bytes, got {got:,}")
    return header


def check_blocks(path: Path) -> None:
    """Reads a whole table and compares its checksums.

    Raises:
        InputError: A block is damaged; the message says where it begins.
    """
    header = read_header(path)
    with path.open("rb") as file:
        file.seek(BODY + header.body)
        sums = file.read()
        if zlib.crc32(sums) != header.sums:
            raise InputError(f"{path}: the checksums at byte {BODY + header.body:,} are damaged")
        file.seek(BODY)
        for number, expected in enumerate(np.frombuffer(sums, dtype="<u4").tolist()):
            begin = number * BLOCK
            block = file.read(min(BLOCK, header.body - begin))
            if zlib.crc32(block) != expected:
                raise InputError(
                    f"{path}: damaged between bytes {BODY + begin:,} and {BODY + begin + len(block):,}"
                )
