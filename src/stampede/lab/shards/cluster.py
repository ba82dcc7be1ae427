"""Jobs on a Ray cluster: any number of machines make items, and one process here writes them.

The machines need the same version of Stampede, but no shared folder: a task makes items of a shard for a few seconds
and sends them back. So a lost machine costs some seconds of its work, and only one process writes a shard's file.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Final

from stampede.core.errors import JobStopped, StampedeError
from stampede.lab.shards.connection import LOCAL, ClusterGone, RayProcess, remote_task
from stampede.lab.shards.folder import JobFolder, ShardFile
from stampede.lab.shards.job import Shard, make_lines
from stampede.lab.shards.local import LocalExecutor
from stampede.lab.shards.running import Deaths, Executor

__all__ = ["FEWEST_SHARDS", "RayExecutor", "executor_for", "task_seconds"]

FEWEST_SHARDS: Final = 4096
"""A shard's items are made one after another: so many shards keep 1,000 processors busy nearly to the end."""
_TASK_SECONDS: Final = 2.0
_MOST_ANSWERS: Final = 50
"""So many answers a second the writing process takes with ease: each is synced, which may take milliseconds."""
_AHEAD: Final = 2
"""Tasks for each processor, so that none waits for the next."""
_WAIT_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class RayExecutor:
    """Fills shards on a Ray cluster.

    Attributes:
        address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
        jobs: How many processors a local cluster has; default: all.
    """

    fewest_shards: ClassVar[int] = FEWEST_SHARDS

    address: str = LOCAL
    jobs: int | None = None

    def carry_out(self, folder: JobFolder, todo: Sequence[Shard]) -> Iterator[tuple[Shard, int]]:
        """Fills these shards, as many at once as the cluster has processors for."""
        if not todo:
            return
        with closing(RayProcess(self.address, self.jobs, _fill, folder.path, todo)) as process:
            while (told := process.receive()) is not None:
                yield told


def _fill(ray: ModuleType, line: Connection, path: Path, todo: Sequence[Shard]) -> None:
    """In the connected process: fills the shards, and says how many items each has; None at the end."""
    for told in Cluster(ray, JobFolder(path), todo).work():
        line.send(told)
    line.send(None)


def executor_for(jobs: int, ray: str | None) -> Executor:
    """Returns where a long job runs: on a cluster if one is named, else in so many processes."""
    return LocalExecutor(jobs) if ray is None else RayExecutor(ray, jobs)


def task_seconds(processors: int) -> float:
    """How long a task makes items before it sends them back: what a lost worker costs, longer on a large cluster."""
    return max(_TASK_SECONDS, processors / _MOST_ANSWERS)


class Cluster:
    """One run on a connected cluster."""

    def __init__(self, ray: ModuleType, folder: JobFolder, todo: Sequence[Shard]) -> None:
        self._ray = ray
        self._folder = folder
        self._waiting = deque(todo)
        self._files: dict[Shard, ShardFile] = {}
        self._running: dict[Any, Shard] = {}  # by Ray's reference to a task's answer
        self._processors = 1
        self._deaths = Deaths()
        self._task = remote_task(ray, make_for_a_while)

    def work(self) -> Iterator[tuple[Shard, int]]:
        """Yields progress until all shards are finished."""
        with ExitStack() as files:
            while self._waiting or self._running:
                self._start_more(files)
                for answer in self._answers():
                    shard = self._running.pop(answer)
                    yield shard, self._receive(shard, answer)

    def _answers(self) -> Sequence[Any]:
        """Waits for an answer; returns all that are there by then: a wait takes as long for many as for one."""
        asked = list(self._running)
        ready, others = self._ray.wait(asked, timeout=_WAIT_SECONDS)
        if ready and others:
            more, _ = self._ray.wait(others, num_returns=len(others), timeout=0)
            ready = [*ready, *more]
        return list(ready)

    def _start_more(self, files: ExitStack) -> None:
        """Begins shards while there are processors for them; the cluster may grow or shrink meanwhile."""
        self._processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        while self._waiting and len(self._running) < _AHEAD * self._processors:
            shard = self._waiting.popleft()
            file = self._files[shard] = files.enter_context(ShardFile(self._folder, shard))
            file.rest()
            self._ask(shard)

    def _ask(self, shard: Shard) -> None:
        start = shard.start + self._files[shard].count
        text, seconds = self._folder.job.dumps(), task_seconds(self._processors)
        answer = self._task.remote(text, start, shard.stop, seconds, sys.path)
        self._running[answer] = shard

    def _receive(self, shard: Shard, answer: Any) -> int:
        """Writes the items that a task has made, or asks again if its worker has died."""
        file = self._files[shard]
        try:
            lines, refusal = self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:
            raise JobStopped(f"a worker failed: {' '.join(str(error).split())[-400:]}") from error
        except self._ray.exceptions.LocalRayletDiedError as error:
            raise ClusterGone from error
        except self._ray.exceptions.RayError:
            self._deaths.add(shard, file.count)
            self._ask(shard)
            return file.count
        for line in lines:
            file.append(line)
        if refusal:
            raise JobStopped(refusal)
        if file.count == len(shard):
            self._files.pop(shard).finish()
        else:
            file.rest()
            self._ask(shard)
        return file.count


def make_for_a_while(
    text: str, start: int, stop: int, seconds: float, path: Sequence[str]
) -> tuple[list[str], str]:
    """The task: makes items for some seconds, at least one; returns their lines, and why it had to stop.

    Args:
        text: The job.
        start: The first index.
        stop: The index after the last.
        seconds: How long; the item that is being made then is the last.
        path: Where the process that runs the job finds modules, such as a bot in its folder.
    """
    sys.path += [entry for entry in path if entry not in sys.path]
    begin = time.monotonic()
    lines: list[str] = []
    try:
        for line in make_lines(text, start, stop):
            lines.append(line)
            if time.monotonic() - begin > seconds:
                break
    except StampedeError as error:
        return lines, str(error)
    return lines, ""
