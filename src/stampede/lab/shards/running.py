"""Running a job: what the folder lacks is made by an executor, and all of it is hashed at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from stampede.core.errors import JobStopped
from stampede.lab.shards.folder import JobFolder, ShardFile
from stampede.lab.shards.job import Job, Shard, make_lines

__all__ = ["MAX_DEATHS", "Deaths", "Executor", "JobResult", "fill", "run"]

MAX_DEATHS: Final = 3
"""So many workers in a row may die on a shard without an item in between."""


class Executor(Protocol):
    """Where a job's shards are filled."""

    @property
    def fewest_shards(self) -> int:
        """Into how many shards a job of many items is cut at least, to be spread well there."""

    def carry_out(self, folder: JobFolder, todo: Sequence[Shard]) -> Iterator[tuple[Shard, int]]:
        """Fills these shards; yields, again and again, a shard with the number of items that it has by now."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """A job that is done.

    Attributes:
        folder: Where its items are.
        items: How many.
        made: How many of them this run has made; the others were there.
        sha256: The hash of all items, line by line: the same for the same job, however it was run.
    """

    folder: JobFolder
    items: int
    made: int
    sha256: str


def run(
    job: Job,
    path: Path,
    executor: Executor,
    *,
    progress: Callable[[int], None] | None = None,
    shard_size: int | None = None,
) -> JobResult:
    """Makes the items of a job that a folder lacks.

    Args:
        job: What to make.
        path: The folder: a new or empty one, or one of this job.
        executor: Where to make it.
        progress: Called with the number of items that are there, at the start and as they are made.
        shard_size: The items of a shard; default: as the folder has it, and in a new one by the executor.

    Raises:
        InputError: The folder belongs to another job, or another process works on it.
        JobStopped: It can't go on; what is made is kept, and the same call continues.
    """
    folder = JobFolder.open(path, job, shard_size, executor.fewest_shards)
    with folder.locked():
        made = {shard: folder.count(shard) for shard in folder.shards}
        todo = [shard for shard in folder.shards if not folder.is_finished(shard)]
        kept = done = sum(made.values())
        show = progress or (lambda _: None)
        show(done)
        try:
            for shard, count in executor.carry_out(folder, todo):
                done += count - made[shard]
                made[shard] = count
                show(done)
        except OSError as error:
            raise JobStopped(
                f"{error.filename or path}: {error.strerror or error}; {_kept(job, done, path)}"
            ) from error
        except JobStopped as error:
            raise JobStopped(f"{error}; {_kept(job, done, path)}") from error
        return JobResult(folder, job.items, done - kept, folder.finish())


def fill(folder: JobFolder, shard: Shard) -> Iterator[int]:
    """Fills one shard in this process; yields its number of items after each."""
    with ShardFile(folder, shard) as file:
        yield file.count
        for line in make_lines(folder.job.dumps(), shard.start + file.count, shard.stop):
            file.append(line)
            yield file.count
        file.finish()


class Deaths:
    """Counts the workers that died on a shard since it last grew."""

    def __init__(self) -> None:
        self._seen: dict[Shard, tuple[int, int]] = {}

    def add(self, shard: Shard, count: int) -> None:
        """Notes that a worker died when a shard had so many items; JobStopped when it is one too many."""
        before, deaths = self._seen.get(shard, (count, 0))
        deaths = deaths + 1 if before == count else 1
        self._seen[shard] = count, deaths
        if deaths >= MAX_DEATHS:
            raise JobStopped(
                f"item {shard.start + count}: its worker died {deaths} times; is there enough memory?"
            )


def _kept(job: Job, done: int, path: Path) -> str:
    return f"{done} of {job.items} items are kept in {path}, and the same command continues"
