"""A tablebase's file under construction, and the state from which its build resumes.

Beside ``.part`` there is ``.state``: a CRC-32 of the text that follows, and as JSON the spec, how far the build is, how
many words of rows belong to that, and sums of them and of the index. A build resumes only from what they confirm.
What a killed process wrote afterwards doesn't count: rows beyond those words are written again, and entries of the
index that lead to them are erased.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words
from stampede.tablebase.files import BLOCK, BODY, RowFile, StoredSpec

__all__ = ["PartFile", "state_path"]

_BLOCK_WORDS: Final = BLOCK // 8


@dataclass(frozen=True, slots=True)
class _PartState:
    """What ``.state`` says.

    Attributes:
        done: How far the build is; its meaning is the builder's.
        words: The words of rows that are complete.
        index: The sum of the index (`RowFile.index_sum`).
        sums: The CRC-32 of each 16 MiB of the rows, counted from their beginning.
    """

    done: int
    words: int
    index: int
    sums: tuple[int, ...]


def state_path(part: Path) -> Path:
    """The file beside a tablebase under construction that says how far it is."""
    return part.with_suffix(".state")


def _read_state(part: Path, spec: StoredSpec) -> _PartState | None:
    """The state of a build of this spec that was interrupted here; None without one."""
    path = state_path(part)
    if not (part.exists() and path.exists()):
        return None
    raw = path.read_bytes()
    if raw[:9] != f"{zlib.crc32(raw[9:]):08x} ".encode():
        raise InputError(
            f"{path}: expected the state of an interrupted build, got damage or an older format;"
            f" delete it and {part.name} to start anew"
        )
    saved = json.loads(raw[9:])
    if saved["spec"] != str(spec):
        return None
    return _PartState(saved["done"], saved["words"], saved["index"], tuple(saved["sums"]))


@dataclass(slots=True)
class PartFile:
    """A file under construction whose progress can be saved.

    Attributes:
        rows: Its rows and index.
        done: How far the build was when it was saved last; 0 for a new one.
    """

    part: Path
    spec: StoredSpec
    rows: RowFile
    done: int = 0
    _sums: list[int] = field(default_factory=list)
    _summed: int = 0

    @classmethod
    def open(cls, part: Path, spec: StoredSpec) -> PartFile:
        """Resumes an interrupted build, or begins a new one.

        Raises:
            InputError: What the build wrote is damaged; the message gives the bytes.
        """
        state = _read_state(part, spec)
        if state is None:
            part.unlink(missing_ok=True)
            return cls(part, spec, RowFile(part, spec.states))
        file = cls(part, spec, RowFile(part, spec.states, state.words), state.done)
        file._check(state)
        return file

    def _check(self, state: _PartState) -> None:
        self.rows.read_index(state.words)
        if self.rows.index_sum != state.index:
            self._refuse(BODY, BODY + self.rows.where.nbytes)
        self._add_sums()
        for number, expected in enumerate(state.sums):
            if self._sums[number] != expected:
                begin = BODY + self.rows.where.nbytes + number * BLOCK
                size = min(BLOCK, 8 * state.words - number * BLOCK)
                self._refuse(begin, begin + size)

    def rewind(self, words: int) -> None:
        """Goes back to the first words of the rows, as they were before the last ones were added."""
        self.rows.used = words
        self.rows.read_index(words)
        self._sums, self._summed = [], 0
        self._add_sums()

    def _refuse(self, begin: int, end: int) -> None:
        raise InputError(
            f"{self.part}: damaged between bytes {begin:,} and {end:,};"
            f" delete it and {state_path(self.part).name} to start anew"
        )

    def _add_sums(self) -> None:
        """Brings the checksums up to the rows in use."""
        words: Words = self.rows.words
        while self._summed < self.rows.used:
            within = self._summed % _BLOCK_WORDS
            end = min(self.rows.used, self._summed - within + _BLOCK_WORDS)
            before = self._sums.pop() if within else 0
            self._sums.append(zlib.crc32(words[self._summed : end].tobytes(), before))
            self._summed = end

    def save(self, done: int) -> None:
        """Writes rows and index to disk, then how far the build is."""
        self.rows.flush()
        self._add_sums()
        self.done = done
        saved = {
            "spec": str(self.spec),
            "done": done,
            "words": self.rows.used,
            "index": self.rows.index_sum,
            "sums": self._sums,
        }
        text = json.dumps(saved).encode()
        path = state_path(self.part)
        fresh = path.with_suffix(".state-new")
        fresh.write_bytes(f"{zlib.crc32(text):08x} ".encode() + text)
        fresh.replace(path)
