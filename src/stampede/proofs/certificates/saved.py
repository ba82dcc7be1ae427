"""Which materials of a tablebase are solved: a journal beside their files, so that an interrupted build resumes.

A line is written when a material's file is on disk, and only afterwards the files that it was computed from are
removed. So whatever isn't in the journal can be computed from the files of what is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from stampede.core.errors import InputError

__all__ = ["SavedMaterial", "SavedMaterials"]

_JOURNAL: Final = "materials.jsonl"


class SavedMaterial(NamedTuple):
    """A solved material.

    Attributes:
        number: Its members as a set of bits.
        states: How many states it has, mirror images included.
        wins: The number of winning squares up to here.
        mark: What `SavedMaterials.mark` returned.
        blocks: The blocks of its file (`KeptRows.finish`).
    """

    number: int
    states: int
    wins: int
    mark: int
    blocks: list[tuple[int, int, int]]


@dataclass(slots=True)
class SavedMaterials:
    """The solved materials of one tablebase in a folder.

    Attributes:
        folder: The folder.
        mark: Called before a line is written: writes to disk what belongs to it elsewhere; the number is recorded.
        solved: By number.
    """

    folder: Path
    mark: Callable[[], int] = lambda: 0
    solved: dict[int, SavedMaterial] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path) -> SavedMaterials:
        """Reads a journal, or starts one; a last line that was cut off is removed."""
        folder.mkdir(parents=True, exist_ok=True)
        saved, journal = cls(folder), folder / _JOURNAL
        whole, _, _ = (
            journal.read_bytes().rpartition(b"\n") if journal.exists() else (b"", b"", b"")
        )
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                material, states, wins, mark, stored = json.loads(line)
                blocks = [(int(total), int(begin), int(size)) for total, begin, size in stored]
                found = SavedMaterial(int(material), int(states), int(wins), int(mark), blocks)
            except (ValueError, TypeError) as error:
                raise InputError(
                    f"{journal}, line {number}: expected a solved material, got a damaged line"
                ) from error
            saved.solved[found.number] = found
        journal.write_bytes(whole + b"\n" if whole else b"")
        return saved

    @property
    def last_mark(self) -> int:
        """The last mark that was recorded; 0 without any."""
        return max((found.mark for found in self.solved.values()), default=0)

    def path_of(self, number: int) -> Path:
        """The file of a material."""
        return self.folder / f"{number}.kept"

    def add(self, number: int, states: int, wins: int, blocks: list[tuple[int, int, int]]) -> None:
        """Records a material whose file is on disk."""
        found = SavedMaterial(number, states, wins, self.mark(), blocks)
        with (self.folder / _JOURNAL).open("ab") as journal:
            journal.write(json.dumps(found).encode() + b"\n")
            journal.flush()
            os.fsync(journal.fileno())
        self.solved[number] = found

    def remove(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self.folder)
