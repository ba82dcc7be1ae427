"""The folder of a job: a manifest, a file for each shard, and the result. All of it is text that people can read."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from stampede.core.errors import InputError, JobStopped
from stampede.core.json import JsonObject, expect_int, expect_object
from stampede.core.processes import try_lock
from stampede.lab.shards.job import FEWEST_SHARDS, Job, Shard

__all__ = ["MANIFEST", "JobFolder", "ShardFile"]

MANIFEST: Final = "manifest.json"
RESULT: Final = "result.json"
_SYNC_SECONDS: Final = 1.0
"""How long an item may be lost by a power failure."""
_LOCK_SECONDS: Final = 20.0
"""How long a shard's file may be held by a worker whose parent has died."""


class JobFolder:
    """A folder with the items of a job, as far as they are made.

    Attributes:
        path: Where it is.
        job: What is made.
        shards: How it is cut.

    Raises:
        InputError: The folder has no manifest, or one that can't be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            data = expect_object(
                json.loads((path / MANIFEST).read_text(encoding="utf-8")), "manifest"
            )
            self.job = Job.from_json(data.get("job"))
            size = expect_int(data.get("shard_size"), "shard_size")
            if size < 1:
                raise InputError(f"shard_size: expected at least 1, got {size}")
        except FileNotFoundError as error:
            raise InputError(f"{path}: expected the folder of a job, got no {MANIFEST}") from error
        except (InputError, ValueError) as error:
            raise InputError(f"{path / MANIFEST}: {error}") from error
        self.shards = self.job.shards(size)

    @classmethod
    def open(
        cls,
        path: Path,
        job: Job,
        shard_size: int | None = None,
        fewest_shards: int = FEWEST_SHARDS,
    ) -> JobFolder:
        """Opens the folder of a job, or makes it.

        Args:
            path: Where it is.
            job: The job.
            shard_size: The items of a shard.
            fewest_shards: Where no size is given and the folder is new: at least so many shards, if there are as many
                items.

        Raises:
            InputError: The folder belongs to another job, or holds other files.
        """
        if not (path / MANIFEST).exists():
            path.mkdir(parents=True, exist_ok=True)
            foreign = next((entry.name for entry in path.iterdir()), None)
            if foreign is not None:
                raise InputError(f"{path}: expected an empty or a new folder, got {foreign}")
            size = shard_size or job.usual_shard_size(fewest_shards)
            manifest: JsonObject = {"job": job.to_json(), "shard_size": size}
            write_atomically(path / MANIFEST, json.dumps(manifest, indent=1) + "\n")
        found = cls(path)
        wrong = job.differences(found.job)
        if shard_size is not None and shard_size != len(found.shards[0]) and len(found.shards) > 1:
            wrong.append(f"shard_size {len(found.shards[0])} (this job: {shard_size})")
        if wrong:
            raise InputError(f"{path}: expected a folder of this job, got {', '.join(wrong)}")
        return found

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other runs out; InputError if there is one."""
        descriptor = os.open(self.path / MANIFEST, os.O_RDWR)
        try:
            if not try_lock(descriptor):
                raise InputError(f"{self.path}: another process is working on this job")
            yield
        finally:
            os.close(descriptor)

    def finished_path(self, shard: Shard) -> Path:
        """The file of a finished shard."""
        return self.path / f"shard-{shard.number:06}.jsonl"

    def unfinished_path(self, shard: Shard) -> Path:
        """The file of a shard while it grows."""
        return self.path / f"shard-{shard.number:06}.jsonl.part"

    def is_finished(self, shard: Shard) -> bool:
        """Returns whether a shard has all of its items."""
        return self.finished_path(shard).exists()

    def count(self, shard: Shard) -> int:
        """How many items of a shard are made."""
        if self.is_finished(shard):
            return len(shard)
        try:
            with self.unfinished_path(shard).open("rb") as stream:
                return sum(1 for _ in _whole_lines(stream.read()))
        except FileNotFoundError:
            return 0

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yields the items that are made, each with its index, in the order of the indices."""
        for shard in self.shards:
            for path in (self.finished_path(shard), self.unfinished_path(shard)):
                if path.exists():
                    for offset, line in enumerate(_whole_lines(path.read_bytes())):
                        yield shard.start + offset, line.decode("utf-8")
                    break

    def finish(self) -> str:
        """Checks that all items are there, writes the result, and returns the items' SHA-256.

        Raises:
            JobStopped: A file was damaged after it was finished.
        """
        running = hashlib.sha256()
        for shard in self.shards:
            path = self.finished_path(shard)
            data = path.read_bytes()
            if data.count(b"\n") != len(shard) or not data.endswith(b"\n"):
                got = data.count(b"\n")
                raise JobStopped(f"{path}: expected {len(shard)} items, got {got}; {_AGAIN}")
            running.update(data)
        digest = running.hexdigest()
        kept = self.path / RESULT
        if kept.exists():
            former = expect_object(json.loads(kept.read_text(encoding="utf-8")), RESULT)
            if former.get("sha256") != digest:
                raise JobStopped(
                    f"{self.path}: expected the items that {RESULT} names, got others; {_AGAIN}"
                )
        else:
            result: JsonObject = {"items": self.job.items, "sha256": digest}
            write_atomically(kept, json.dumps(result, indent=1) + "\n")
        return digest


_AGAIN: Final = "it was changed: remove the changed file and run the same command again"


class ShardFile:
    """The growing file of a shard: one line an item. Only one process at a time can open it.

    One process may have more of them than it may have open files: each can `rest` until it grows again.

    Attributes:
        count: How many items it has.
    """

    def __init__(self, folder: JobFolder, shard: Shard) -> None:
        self._folder = folder
        self._shard = shard
        self._path = folder.unfinished_path(shard)
        self._descriptor: int | None = _open_locked(self._path)
        data = self._path.read_bytes()
        kept = list(_whole_lines(data))
        self.count = len(kept)
        self._size = sum(map(len, kept))
        if self._size < len(data):  # a line that was cut
            os.ftruncate(self._descriptor, self._size)
        self._synced = time.monotonic()

    def __enter__(self) -> ShardFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.rest()

    def rest(self) -> None:
        """Closes the file until the next item."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def append(self, line: str) -> None:
        """Writes an item; an OSError such as a full disk leaves the items before it."""
        data = memoryview(line.encode("utf-8"))
        descriptor = self._open()
        try:
            written = 0
            while written < len(data):
                written += os.write(descriptor, data[written:])
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self.sync()
        except OSError as error:
            os.ftruncate(descriptor, self._size)
            raise OSError(error.errno, error.strerror, str(self._path)) from error
        self._size += len(data)
        self.count += 1

    def finish(self) -> None:
        """Gives the complete file its final name."""
        assert self.count == len(self._shard), "a shard is finished when it has all items"
        self.sync()
        self.rest()
        self._path.replace(self._folder.finished_path(self._shard))
        sync_folder(self._folder.path)

    def sync(self) -> None:
        """Lets what is written survive a power failure, too."""
        os.fsync(self._open())
        self._synced = time.monotonic()

    def _open(self) -> int:
        """The descriptor. No other run writes meanwhile: the folder is locked for this one."""
        if self._descriptor is None:
            self._descriptor = _open_locked(self._path)
        return self._descriptor


def write_atomically(path: Path, text: str) -> None:
    """Writes a file that appears complete or not at all, even if the power fails."""
    hidden = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with hidden.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        hidden.replace(path)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Makes renamed files of a folder durable; Windows can't, and needs it less."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _open_locked(path: Path) -> int:
    """Opens a growing file; waits a little for a worker that is about to end with its parent."""
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        if try_lock(descriptor):
            return descriptor
        os.close(descriptor)
        if time.monotonic() > deadline:
            raise JobStopped(f"{path}: another process is writing it")
        time.sleep(0.1)


def _whole_lines(data: bytes) -> Iterator[bytes]:
    """Yields the lines up to the first that is cut or no JSON, as a power failure may leave it."""
    for line in data.splitlines(keepends=True):
        if not line.endswith(b"\n"):
            return
        try:
            json.loads(line)
        except ValueError:
            return
        yield line
