"""Jobs on this machine: in this process, or in several that are spawned, watched and replaced."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import ClassVar, Final

from stampede.core.errors import InputError, JobStopped, StampedeError
from stampede.core.processes import stop_with_parent
from stampede.lab.shards.folder import JobFolder
from stampede.lab.shards.job import FEWEST_SHARDS, Shard
from stampede.lab.shards.running import Deaths, fill

__all__ = ["LocalExecutor"]

_REPORT_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Fills shards on this machine.

    Attributes:
        jobs: How many processes; 1 stands for this one.
    """

    fewest_shards: ClassVar[int] = FEWEST_SHARDS

    jobs: int = 1

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise InputError(f"jobs: expected at least 1, got {self.jobs}")

    def carry_out(self, folder: JobFolder, todo: Sequence[Shard]) -> Iterator[tuple[Shard, int]]:
        """Fills these shards, several at once."""
        if self.jobs == 1 or len(todo) <= 1:
            for shard in todo:
                for count in fill(folder, shard):
                    yield shard, count
            return
        crew = _Crew(folder, todo, min(self.jobs, len(todo)))
        try:
            yield from crew.work()
        finally:
            crew.stop()


@dataclass(frozen=True, slots=True)
class _Report:
    """What a worker says: how many items its shard has, whether it is finished, or why it can't be."""

    count: int = 0
    finished: bool = False
    refusal: str = ""
    trace: str = ""


@dataclass(eq=False, slots=True)
class _Worker:
    process: SpawnProcess
    line: Connection
    shard: Shard


class _Crew:
    """The worker processes of one run."""

    def __init__(self, folder: JobFolder, todo: Sequence[Shard], size: int) -> None:
        self._folder = folder
        self._waiting = deque(todo)
        self._deaths = Deaths()
        self._workers = [self._hire(self._waiting.popleft()) for _ in range(size)]

    def work(self) -> Iterator[tuple[Shard, int]]:
        """Yields progress until all shards are finished."""
        while self._workers:
            ready = wait([worker.line for worker in self._workers])
            for worker in [worker for worker in self._workers if worker.line in ready]:
                shard = worker.shard
                count = self._hear(worker)
                if count is not None:
                    yield shard, count

    def _hear(self, worker: _Worker) -> int | None:
        """Takes a worker's report, or replaces it if it has died; returns the items of its shard."""
        try:
            report = worker.line.recv()
        except (EOFError, OSError):
            return self._replace(worker)
        assert isinstance(report, _Report)
        if report.refusal:
            raise JobStopped(report.refusal)
        if report.trace:
            raise RuntimeError(f"a worker failed:\n{report.trace}")
        if report.finished:
            self._give_next(worker)
        return report.count

    def _give_next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.shard = self._waiting.popleft()
            worker.line.send(worker.shard)
        else:
            self._workers.remove(worker)
            worker.line.close()
            worker.process.join()

    def _replace(self, worker: _Worker) -> int:
        worker.line.close()
        worker.process.join()
        self._workers.remove(worker)
        count = self._folder.count(worker.shard)
        self._deaths.add(worker.shard, count)
        self._workers.append(self._hire(worker.shard))
        return count

    def _hire(self, shard: Shard) -> _Worker:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._folder.path, theirs), daemon=True)
        process.start()
        theirs.close()  # so that the death of the process ends the line
        ours.send(shard)
        return _Worker(process, ours, shard)

    def stop(self) -> None:
        """Ends all workers at once; their files keep every whole line."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.line.close()


def _serve(path: Path, line: Connection) -> None:
    """A worker process: fills the shards that it is given, and reports."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    os.environ["NUMBA_NUM_THREADS"] = "1"  # read when Numba is imported: by the job
    stop_with_parent()
    folder = JobFolder(path)
    while True:
        try:
            shard = line.recv()
        except EOFError:
            return
        line.send(_fill_and_report(folder, shard, line))


def _fill_and_report(folder: JobFolder, shard: Shard, line: Connection) -> _Report:
    said = 0.0
    try:
        for count in fill(folder, shard):
            if time.monotonic() - said > _REPORT_SECONDS:
                line.send(_Report(count))
                said = time.monotonic()
    except StampedeError as error:
        return _Report(refusal=str(error))
    except OSError as error:
        return _Report(refusal=f"{error.filename}: {error.strerror or error}")
    except Exception:  # noqa: BLE001 - the parent shows it
        return _Report(trace=traceback.format_exc())
    return _Report(len(shard), finished=True)
