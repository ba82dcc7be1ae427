"""The tree's file: an append-only journal of its leaves' results, from which the tree is replayed.

A tree is a folder. `journal.jsonl` has the spec in its first line, then a line for each result, one for each complete
batch, and one for each change of settings, between two batches. Every line begins with a checksum of its text and of
the line before, so a line that is damaged, missing or in a wrong place is found, and named. A last line without its end
is what a killed process leaves behind: the next run removes it. `pieces/` has the proofs of proven leaves.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical, expect_int, expect_object
from stampede.proofs.manager.leaf import LeafResult, LeafState
from stampede.proofs.manager.pieces import piece_path
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import ProofTree, TreeCounts

if sys.platform != "win32":
    import fcntl

__all__ = ["Milestone", "TreeFile", "create_tree", "hold_tree", "read_milestones"]

FORMAT: Final = "stampede-proof-tree"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Milestone:
    """The size of a tree after a batch, for plots.

    Attributes:
        positions: Positions searched so far.
        seconds: Processor time so far.
        nodes: Nodes of the tree.
        proven: Leaves that are proven or likely.
        refuted: Leaves that are refuted or unlikely.
        frontier: Open leaves that the cheapest proof still needs.
    """

    positions: int
    seconds: float
    nodes: int
    proven: int
    refuted: int
    frontier: int

    @classmethod
    def of(cls, counts: TreeCounts) -> Milestone:
        """The milestone of a tree of this size."""
        leaves = counts.leaves
        return cls(
            positions=counts.positions,
            seconds=round(counts.seconds, 3),
            nodes=counts.nodes,
            proven=leaves[LeafState.PROVEN] + leaves[LeafState.LIKELY],
            refuted=leaves[LeafState.REFUTED] + leaves[LeafState.UNLIKELY],
            frontier=counts.frontier,
        )

    def to_json(self) -> JsonObject:
        """The milestone as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def from_json(cls, data: Json) -> Milestone:
        """Reads a milestone; InputError when a value is wrong."""
        values = dict(expect_object(data, "batch"))
        seconds = values.pop("seconds", None)
        if not isinstance(seconds, int | float):
            raise InputError(f"seconds: expected a number, got {seconds!r}")
        names = [name for name in cls.__dataclass_fields__ if name != "seconds"]
        numbers = {name: expect_int(values.get(name), name) for name in names}
        return cls(seconds=float(seconds), **numbers)


def _line(data: JsonObject, before: int) -> tuple[bytes, int]:
    text = canonical(data).encode("utf-8")
    checksum = zlib.crc32(text, before)
    return f"{checksum:08x} ".encode() + text + b"\n", checksum


def create_tree(folder: Path, spec: TreeSpec) -> None:
    """Makes the folder of a new tree; InputError when it has one already."""
    path = folder / "journal.jsonl"
    if path.exists():
        raise InputError(f"{folder}: expected a new folder, got one with a tree")
    (folder / "pieces").mkdir(parents=True, exist_ok=True)
    line, _ = _line({"format": FORMAT, "version": VERSION, "spec": spec.to_json()}, 0)
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _read_lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, int, Json]]:
    """Yields the end, the checksum and the data of each complete line; InputError at the first damaged one."""
    before, begin = 0, 0
    for number, line in enumerate(file, start=1):
        if not line.endswith(b"\n"):
            return
        place = f"{path}, line {number} at byte {begin}"
        text = line[9:-1]
        checksum = zlib.crc32(text, before)
        if line[:9] != f"{checksum:08x} ".encode():
            raise InputError(f"{place}: damaged, its checksum is another")
        begin += len(line)
        before = checksum
        yield begin, checksum, json.loads(text)


def _read_spec(data: Json, path: Path) -> TreeSpec:
    values = expect_object(data, str(path))
    if (values.get("format"), values.get("version")) != (FORMAT, VERSION):
        raise InputError(
            f"{path}: expected {FORMAT}, version {VERSION}, got"
            f" {values.get('format')!r}, version {values.get('version')!r}"
        )
    return TreeSpec.from_json(values.get("spec"))


def read_milestones(folder: Path) -> list[Milestone]:
    """The tree's size after each batch, read without replaying the tree."""
    path = folder / "journal.jsonl"
    found = []
    with _opened(path) as file:
        for _, _, data in _read_lines(file, path):
            values = expect_object(data, str(path))
            if "batch" in values:
                found.append(Milestone.from_json(values["batch"]))
    return found


@contextmanager
def hold_tree(folder: Path) -> Iterator[None]:
    """Keeps other processes from growing a tree meanwhile; the system frees the lock when this process ends.

    Raises:
        InputError: Another process grows it.
    """
    with (folder / "lock").open("w") as lock:
        if sys.platform != "win32":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise InputError(
                    f"{folder}: expected a tree that no other process grows"
                ) from error
        yield


def _opened(path: Path) -> BinaryIO:
    if not path.is_file():
        raise InputError(f"{path.parent}: expected the folder of a proof tree, got none")
    return path.open("rb")


class TreeFile:
    """A tree and its journal. Only one process may grow it at a time.

    Attributes:
        tree: The tree, replayed up to its last complete batch.
        pending: Results of the batch that was under way when the last run stopped, by key.
    """

    def __init__(self, folder: Path) -> None:
        """Replays a tree.

        Raises:
            InputError: The folder has no tree, or its journal is damaged; the message names the place.
        """
        self.folder = folder
        self._path = folder / "journal.jsonl"
        self._checksum = 0
        self._end = 0
        self.pending: dict[int, LeafResult] = {}
        with _opened(self._path) as file:
            lines = _read_lines(file, self._path)
            first = next(lines, None)
            if first is None:
                raise InputError(f"{self._path}: expected a tree, got an empty file")
            self._end, self._checksum, data = first
            self.tree = ProofTree(_read_spec(data, self._path))
            for self._end, self._checksum, line in lines:
                self._replay(line)

    def _replay(self, data: Json) -> None:
        values = expect_object(data, str(self._path))
        try:
            if "batch" in values:
                self.tree.apply_batch(self.pending.values())
                self.pending = {}
            elif "settings" in values:
                if self.pending:
                    raise InputError("expected a complete batch before other settings, got none")
                self.tree.change_settings(self.tree.spec.with_settings(values["settings"]))
            else:
                result = LeafResult.from_json(values.get("leaf"))
                self.pending[result.key] = result
        except InputError as error:
            raise InputError(f"{self._path}, before byte {self._end}: {error}") from error

    def add(self, results: Iterable[LeafResult]) -> None:
        """Appends results, durably, as they come."""
        lines = []
        for result in results:
            if result.piece is not None:
                self.write_piece(result.key, result.piece)
            lines.append({"leaf": result.to_json()})
            self.pending[result.key] = result
        self._append(lines)

    def end_batch(self) -> None:
        """Applies the results that are there as one batch, and writes that down."""
        self.tree.apply_batch(self.pending.values())
        self.pending = {}
        self._append([{"batch": Milestone.of(self.tree.counts()).to_json()}])

    def change_settings(self, spec: TreeSpec) -> None:
        """Goes on with other settings, those of `TreeSpec.changed`, and writes that down; the same ones change nothing.

        Of a batch that was under way, the results that are there are applied first.
        """
        if spec == self.tree.spec:
            return
        if self.pending:
            self.end_batch()
        self.tree.change_settings(spec)
        self._append([{"settings": spec.settings_to_json()}])

    def _append(self, lines: Iterable[JsonObject]) -> None:
        with self._path.open("r+b") as file:
            file.truncate(self._end)  # what a killed process left of a line
            file.seek(self._end)
            for data in lines:
                line, self._checksum = _line(data, self._checksum)
                file.write(line)
            file.flush()
            os.fsync(file.fileno())
            self._end = file.tell()

    def write_piece(self, key: int, piece: bytes) -> None:
        """Writes the piece of a proven leaf, durably; one that is there is replaced."""
        path = piece_path(self.folder, key)
        path.parent.mkdir(exist_ok=True)  # a copy of a tree without proven leaves may lack it
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
