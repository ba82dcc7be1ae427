"""What is kept of a solved material, by the sum of its digits: in memory, or compressed in a file.

Most bits of neighbouring rows are alike, so that a file has about a tenth of their size. A larger material reads back
five sums at a time.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import numpy as np

from stampede.core.errors import InputError
from stampede.proofs.certificates.scratch import Scratch
from stampede.proofs.certificates.window_game import Words

__all__ = ["KeptRows"]

_BLOCK: Final = 1 << 20
"""Words that are compressed together: each block is the task of a thread."""
_FASTEST: Final = 1


@dataclass(slots=True)
class KeptRows:
    """Rows of one material, each an array of the same shape.

    Attributes:
        scratch: Where they are stored.
        pool: The threads that compress them.
        starts: By sum: its first row; one entry more.
        shape: The shape of a row.
        path: A file that outlives the program, so that a later one can read it, besides memory; None for memory or an
            unnamed file.
        reopened: Whether the file is that of an earlier program; `reopen` says what is in it.
    """

    scratch: Scratch
    pool: ThreadPoolExecutor
    starts: Words
    shape: tuple[int, ...]
    path: Path | None = None
    reopened: bool = False
    _whole: Words | None = None
    _file: IO[bytes] | None = None
    _blocks: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _bytes: int = 0

    def __post_init__(self) -> None:
        rows = int(self.starts[-1])
        if not self.reopened and self.scratch.has_room(rows, *self.shape):
            self._whole = self.scratch.words(rows, *self.shape)

    def create(self, total: int) -> Words:
        """The array for the rows of a sum, to be filled and given to `store`."""
        return self._slice(total) if self._whole is not None else self._words(total)

    def store(self, total: int, rows: Words) -> None:
        """Stores the rows of a sum, and releases their array."""
        if self._whole is not None and self.path is None:
            return
        flat = rows.reshape(-1)
        parts = [flat[begin : begin + _BLOCK] for begin in range(0, len(flat), _BLOCK)]
        blocks = self._blocks[total] = []
        with ExitStack() as closing:
            file = self._open(closing, "ab" if self._bytes else "wb")
            for packed in self.pool.map(_compress, parts):
                blocks.append((self._bytes, len(packed)))
                self._bytes += len(packed)
                self.scratch.write(file, packed)
        self.release(rows)

    def load(self, total: int) -> Words:
        """The rows of a sum; none for one that no state has. Give them to `release` afterwards."""
        if self._whole is not None:
            return self._slice(total)
        rows = self._words(total)
        flat = rows.reshape(-1)

        def unpack(number: int, packed: bytes) -> None:
            begin = number * _BLOCK
            try:
                words = np.frombuffer(zlib.decompress(packed), dtype=np.int64)
            except zlib.error as error:
                at = self._blocks[total][number][0]
                raise InputError(
                    f"{self.path}: expected results of a build, got damage after byte {at:,}"
                ) from error
            flat[begin : begin + _BLOCK] = words

        packed = self._read(self._blocks.get(total, []))
        list(self.pool.map(unpack, range(len(packed)), packed))
        return rows

    def release(self, rows: Words) -> None:
        """Counts rows that were loaded as released; the caller must not keep them."""
        if self._whole is None:
            self.scratch.drop(rows)

    def drop(self) -> None:
        """Drops everything."""
        if self._whole is not None:
            self.scratch.drop(self._whole)
        if self._file is not None:
            self._file.close()
        self.scratch.filed -= self._bytes
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def finish(self) -> list[tuple[int, int, int]]:
        """Makes sure that all is on disk; returns sum, beginning and length of each block, for `reopen`."""
        with ExitStack() as closing:
            os.fsync(self._open(closing, "ab").fileno())
        return [(total, *block) for total, blocks in self._blocks.items() for block in blocks]

    def reopen(self, blocks: list[tuple[int, int, int]]) -> None:
        """Takes the file of an earlier program, whose `finish` returned these blocks."""
        for total, begin, size in blocks:
            self._blocks.setdefault(total, []).append((begin, size))
            self._bytes += size
        self.scratch.filed += self._bytes

    def first(self, total: int) -> int:
        """The first row of a sum."""
        return int(self.starts[total]) if self._has(total) else 0

    def _has(self, total: int) -> bool:
        return 0 <= total < len(self.starts) - 1

    def _slice(self, total: int) -> Words:
        assert self._whole is not None, "only rows in memory have slices"
        begin, end = self.starts[total : total + 2] if self._has(total) else (0, 0)
        found: Words = self._whole[begin:end]
        return found

    def _words(self, total: int) -> Words:
        rows = int(self.starts[total + 1] - self.starts[total]) if self._has(total) else 0
        return self.scratch.words(rows, *self.shape)

    def _read(self, blocks: list[tuple[int, int]]) -> list[bytes]:
        if not blocks:
            return []
        found = []
        with ExitStack() as closing:
            file = self._open(closing, "rb")
            for begin, size in blocks:
                file.seek(begin)
                found.append(file.read(size))
        return found

    def _open(self, closing: ExitStack, mode: str) -> IO[bytes]:
        """The file; a named one is opened each time, as hundreds of materials are too many for open files."""
        if self.path is not None:
            return closing.enter_context(self.path.open(mode))
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self.scratch.folder)  # noqa: SIM115 - closed by `drop`
        return self._file


def _compress(part: Words) -> bytes:
    return zlib.compress(part.tobytes(), _FASTEST)
