"""Tablebase files: a checked header, an index of the rows, the rows, and a checksum for each block.

    bytes 0–4095      b"BUFFTABL", u32 length and u32 CRC-32 of the header, the header as JSON
    int64[states]     by state: 1 + the word at which its row begins; 0 when no square wins, or its mirror image is
                          stored
    int64[words]      the rows (see `rows` and `endgames.rows`)
    uint32[blocks]    the CRC-32 of each 16 MiB of everything between the header and here

A file under construction is called ``.part``; beside it ``.state`` says which layers are finished.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words
from stampede.tablebase.spec import TablebaseSpec

__all__ = ["BODY", "RowFile", "check_file", "file_name", "finish_file", "read_header"]

MAGIC: Final = b"BUFFTABL"
VERSION: Final = 1
BODY: Final = 4096
"""Where the header ends."""
BLOCK: Final = 1 << 24
_WORD: Final = 8
_WORD_MASK: Final = (1 << 64) - 1
_INDEX_SLICE: Final = 1 << 20
_HASH_STATE: Final = np.uint64(0x9E3779B97F4A7C15)
_HASH_PLACE: Final = np.uint64(0xC2B2AE3D27D4EB4F)


class StoredSpec(Protocol):
    """What a file needs of a spec, besides its text."""

    @property
    def states(self) -> int:
        """The number of states."""


_Spec = TypeVar("_Spec", bound=StoredSpec)


def file_name(spec: StoredSpec, max_layer: int | None = None) -> str:
    """The name of a tablebase's file; with `max_layer` that of a partial one."""
    suffix = "" if max_layer is None else f"@{max_layer}"
    return f"{str(spec).replace('/', '-')}{suffix}.table"


@dataclass(frozen=True, slots=True)
class TablebaseHeader(Generic[_Spec]):
    """The header of a finished file.

    Attributes:
        spec: What it covers.
        words: The length of its rows in words.
        sums: The CRC-32 of its checksums.
        max_layer: The highest layer of a partial tablebase; None when it has all of them. (`levels` in the file.)
    """

    spec: _Spec
    words: int
    sums: int
    max_layer: int | None = None

    @property
    def body(self) -> int:
        """The number of bytes between the header and the checksums."""
        return _WORD * (self.spec.states + self.words)

    def to_bytes(self) -> bytes:
        """The header as it is written, padded."""
        fields = {
            "version": VERSION,
            "spec": str(self.spec),
            "words": self.words,
            "sums": self.sums,
        }
        if self.max_layer is not None:
            fields["levels"] = self.max_layer
        text = json.dumps(fields, sort_keys=True).encode()
        numbers = np.array([len(text), zlib.crc32(text)], dtype="<u4").tobytes()
        return (MAGIC + numbers + text).ljust(BODY, b"\0")


def _sum_entries(states: Words, places: Words) -> int:
    """A sum over the entries of an index, in any order: a hash of each state with its place; none is 0."""
    mixed = states.astype(np.uint64) * _HASH_STATE + places.astype(np.uint64) * _HASH_PLACE
    mixed ^= mixed >> np.uint64(29)
    mixed *= _HASH_PLACE
    mixed ^= mixed >> np.uint64(32)
    return int(mixed[places != 0].sum(dtype=np.uint64))


class RowFile:
    """Rows in a memory-mapped file that grows at its end; finished rows can be read meanwhile.

    Attributes:
        used: The words of rows in use.
        index_sum: A sum over the index, to find damage.
    """

    def __init__(self, path: Path, states: int, used: int = 0) -> None:
        """Opens or creates a file under construction that has `used` words of rows."""
        self.path = path
        self.used = used
        self.index_sum = 0
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
        """Appends words and returns the index of the first."""
        begin, self.used = self.used, self.used + len(rows)
        if self.used > self._room:
            self._room = self.used + self.used // 4
            os.truncate(self.path, self._start + _WORD * self._room)
            self.words = self._map()
        self.words[begin : self.used] = rows
        return begin

    def point(self, states: Words, places: Words) -> None:
        """Enters where the rows of states begin that had no entry: 1 + the word, or 0 for none. int64[n] each."""
        self.where[states] = places
        self.index_sum = (self.index_sum + _sum_entries(states, places)) & _WORD_MASK

    def read_index(self, words: int) -> None:
        """Sums the index up again; erases entries that lead behind so many words, which were never completed."""
        self.index_sum = 0
        for begin in range(0, len(self.where), _INDEX_SLICE):
            part = self.where[begin : begin + _INDEX_SLICE]
            if len(late := np.flatnonzero(part > words)):
                part[late] = 0
            used = np.flatnonzero(part)
            self.index_sum += _sum_entries(begin + used, part[used])
        self.index_sum &= _WORD_MASK

    def flush(self) -> None:
        """Writes everything to disk."""
        for part in (self.where, self.words):
            part.flush()  # type: ignore[attr-defined]

    def close(self) -> None:
        """Truncates the file to the words in use."""
        self.flush()
        del self.where, self.words
        os.truncate(self.path, self._start + _WORD * self.used)


def finish_file(
    part: Path, final: Path, spec: StoredSpec, words: int, max_layer: int | None = None
) -> None:
    """Adds checksums and header to a complete file, and renames it."""
    blocks: list[int] = []
    with part.open("r+b") as file:
        file.seek(BODY)
        while block := file.read(BLOCK):
            blocks.append(zlib.crc32(block))
        sums = np.array(blocks, dtype="<u4").tobytes()
        file.write(sums)
        file.seek(0)
        file.write(TablebaseHeader(spec, words, zlib.crc32(sums), max_layer).to_bytes())
    part.replace(final)


def read_header(path: Path, parse: Callable[[str], _Spec]) -> TablebaseHeader[_Spec]:
    """Reads the header of a finished tablebase, and its spec with `parse`, and compares it with the file's size.

    Raises:
        InputError: The file isn't a complete tablebase.
    """
    with path.open("rb") as file:
        raw = file.read(BODY)
    length, check = np.frombuffer(raw[8:16].ljust(8, b"\0"), dtype="<u4").tolist()
    text = raw[16 : 16 + length]
    if raw[:8] != MAGIC or len(raw) != BODY or zlib.crc32(text) != check:
        raise InputError(
            f"{path}: expected a tablebase, got a file whose first {BODY} bytes are damaged or other"
        )
    fields = json.loads(text)
    if fields["version"] != VERSION:
        raise InputError(f"{path}: expected version {VERSION}, got {fields['version']}")
    header = TablebaseHeader(
        parse(fields["spec"]), fields["words"], fields["sums"], fields.get("levels")
    )
    blocks = -(-header.body // BLOCK)
    expected, got = BODY + header.body + 4 * blocks, path.stat().st_size
    if got != expected:
        raise InputError(f"{path}: expected {expected:,} bytes, got {got:,}")
    return header


def check_file(path: Path, parse: Callable[[str], StoredSpec] = TablebaseSpec.parse) -> None:
    """Reads a whole tablebase and compares its checksums.

    Raises:
        InputError: A block is damaged; the message says where it begins.
    """
    header = read_header(path, parse)
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
