"""Storage for large arrays: in memory as long as there is enough, else in unnamed temporary files.

A file is mapped into memory and unlinked at once, so nothing of it is left when the program ends.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np

from stampede.proofs.certificates.window_game import Words

__all__ = ["Scratch", "usual_memory"]


MOST_MEMORY: Final = 6_000_000_000
"""The most that intermediate results take by default: with all else a check stays below 8 GB."""


def usual_memory() -> int:
    """Half of the machine's memory, at most `MOST_MEMORY`, in bytes; 2 GB where that isn't known."""
    try:
        half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        return min(half, MOST_MEMORY)
    except (AttributeError, ValueError, OSError):
        return 2 << 30


@dataclass(slots=True)
class Scratch:
    """Allocates arrays and counts their bytes.

    Attributes:
        memory: How many bytes may be in memory.
        folder: Where the files are; None for the system's temporary folder.
        used: How many bytes are in memory.
        filed: How many bytes are in files.
        most: The peak number of bytes, in memory and in files.
    """

    memory: int
    folder: Path | None = None
    used: int = 0
    filed: int = 0
    most: tuple[int, int] = (0, 0)

    def has_room(self, *shape: int) -> bool:
        """Whether an array of this shape fits into the memory that is left."""
        size = _size(shape)
        return not size or self.used + size <= self.memory

    def words(self, *shape: int) -> Words:
        """Allocates an uninitialised array; OSError when the disk is full."""
        size = _size(shape)
        if self.has_room(*shape):
            self.used += size
            made: Words = np.empty(shape, dtype=np.int64)
        else:
            made = self._map(size, shape)
            self.filed += size
        self._count()
        return made

    def write(self, file: IO[bytes], data: bytes) -> None:
        """Appends to a file of the scratch folder; OSError when the disk is full."""
        try:
            file.seek(0, os.SEEK_END)
            file.write(data)
            file.flush()
        except OSError as error:
            raise self._full(len(data), error) from error
        self.filed += len(data)
        self._count()

    def _count(self) -> None:
        self.most = max(self.most[0], self.used), max(self.most[1], self.filed)

    def _full(self, size: int, error: OSError) -> OSError:
        folder = self.folder or tempfile.gettempdir()
        wanted = f"expected {size / 1e9:.1f} GB more for a tablebase, got: {error.strerror}"
        return OSError(error.errno, wanted, str(folder))

    def _map(self, size: int, shape: tuple[int, ...]) -> Words:
        with tempfile.TemporaryFile(dir=self.folder) as file:
            # Writing to a sparse mapped file kills the process when the disk is full; so the space is allocated
            # beforehand.
            if hasattr(os, "posix_fallocate"):
                try:
                    os.posix_fallocate(file.fileno(), 0, size)
                except OSError as error:
                    raise self._full(size, error) from error
            return np.asarray(np.memmap(file, dtype=np.int64, mode="w+", shape=shape))

    def drop(self, array: Words) -> None:
        """Counts an array as released; the caller must not keep it."""
        if isinstance(array.base, np.memmap):
            self.filed -= array.nbytes
        else:
            self.used -= array.nbytes


def _size(shape: tuple[int, ...]) -> int:
    return 8 * int(np.prod(shape, dtype=np.int64))
