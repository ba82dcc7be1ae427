"""Jobs on a Ray cluster: any number of machines make items, and this process writes them.

The machines need the same version of Stampede, but no shared folder: a task makes items of a shard for a few seconds
and sends them back. So a lost machine costs some seconds of its work, and only one process writes a shard's file.

That process is a child of the one that runs the job: when a cluster goes away, Ray may end the processes that use it
without an error that could be caught.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from stampede.core.errors import InputError, JobStopped, StampedeError
from stampede.core.extras import require
from stampede.core.processes import stop_with_parent
from stampede.lab.shards.folder import JobFolder, ShardFile
from stampede.lab.shards.job import Shard, make_lines
from stampede.lab.shards.local import LocalExecutor
from stampede.lab.shards.running import Deaths, Executor

__all__ = ["LOCAL", "RayExecutor", "connected_ray", "executor_for", "remote_task"]

LOCAL: Final = "local"
_TASK_SECONDS: Final = 2.0
"""How long a task makes items before it sends them back; what a lost worker costs."""
_AHEAD: Final = 2
"""Tasks for each processor, so that none waits for the next."""
_WAIT_SECONDS: Final = 1.0
_PROBE_SECONDS: Final = 10.0
_STARTS: Final = 3
"""How often a local cluster may fail to start: Ray gives up after half a minute, which a busy machine may need."""


@dataclass(frozen=True, slots=True)
class RayExecutor:
    """Fills shards on a Ray cluster.

    Attributes:
        address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
        jobs: How many processors a local cluster has; default: all.
    """

    address: str = LOCAL
    jobs: int | None = None

    def carry_out(self, folder: JobFolder, todo: Sequence[Shard]) -> Iterator[tuple[Shard, int]]:
        """Fills these shards, as many at once as the cluster has processors for."""
        if not todo:
            return
        require("ray")
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_drive, args=(self, folder.path, todo, theirs), daemon=True
        )
        process.start()
        theirs.close()  # so that the death of the process ends the line
        try:
            yield from self._listen(ours)
        finally:
            process.kill()
            process.join()
            ours.close()

    def _listen(self, line: Connection) -> Iterator[tuple[Shard, int]]:
        """Yields what the child reports; JobStopped when it ends without a last word."""
        while True:
            try:
                told: _Told = line.recv()
            except (EOFError, OSError):
                told = _Told(error=_WentAway())
            if isinstance(told.error, _WentAway):
                raise JobStopped(f"the Ray cluster at {self.address} went away")
            if told.error is not None:
                raise told.error
            if told.shard is None:
                return
            yield told.shard, told.count


class _WentAway(JobStopped):
    """The cluster doesn't exist any more."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What the child says: how many items a shard has, why it can't go on, or (neither) that it is done."""

    shard: Shard | None = None
    count: int = 0
    error: StampedeError | None = None


def _drive(executor: RayExecutor, path: Path, todo: Sequence[Shard], line: Connection) -> None:
    """The child: uses the cluster, writes the items, reports."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    stop_with_parent()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # Ray tells there how it dies
    try:
        with connected_ray(executor.address, executor.jobs) as ray:
            for shard, count in _Cluster(ray, JobFolder(path), todo).work():
                line.send(_Told(shard, count))
        line.send(_Told())
    except StampedeError as error:
        line.send(_Told(error=error))
    except OSError as error:
        line.send(_Told(error=JobStopped(f"{error.filename or path}: {error.strerror or error}")))
    except Exception:  # noqa: BLE001 - the parent shows it
        line.send(_Told(error=JobStopped(f"Ray failed: {traceback.format_exc()[-2000:]}")))


def executor_for(jobs: int, ray: str | None) -> Executor:
    """Returns where a long job runs: on a cluster if one is named, else in so many processes."""
    return LocalExecutor(jobs) if ray is None else RayExecutor(ray, jobs)


@contextmanager
def connected_ray(address: str = LOCAL, jobs: int | None = None) -> Iterator[ModuleType]:
    """Yields Ray, connected to a cluster until the context ends.

    Args:
        address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
        jobs: How many processors a local cluster has; default: all.

    Raises:
        InputError: There is no such cluster.
        JobStopped: This machine is too busy to start one.
    """
    require("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = import_module("ray")  # an extra, and slow to load

    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options |= {"address": LOCAL, "num_cpus": jobs, "include_dashboard": False}
    else:
        options |= {"address": address}
    try:
        _probe(address)
        _start(ray, options, _STARTS if address == LOCAL else 1)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        what = " ".join(str(error).split())[:200]
        raise InputError(f"--ray: expected a cluster at {address}, but {what}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _start(ray: ModuleType, options: Mapping[str, Any], starts: int) -> None:
    """Connects, or starts a cluster here; JobStopped if it hasn't come up after so many starts."""
    for left in reversed(range(starts)):
        try:
            ray.init(**options)
        except Exception as error:
            # What Ray raises when a process of its own doesn't come up in time has no type of its own.
            if type(error) is not Exception:
                raise
            ray.shutdown()
            if not left:
                what = " ".join(str(error).split())[:200]
                raise JobStopped(f"Ray didn't start: {what}") from error
        else:
            return


def remote_task(ray: ModuleType, function: Callable[..., Any]) -> Any:
    """Returns a function as a task of one processor, which a lost worker ends for good: its caller asks again."""
    environment = {"env_vars": {"NUMBA_NUM_THREADS": "1"}}
    return ray.remote(max_retries=0, num_cpus=1, runtime_env=environment)(function)


def _probe(address: str) -> None:
    """Asks whether a machine listens at ``host:port``; ConnectionError at once, where Ray asks for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), _PROBE_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise ConnectionError(f"it doesn't answer: {error}") from error


class _Cluster:
    """One run on a connected cluster."""

    def __init__(self, ray: ModuleType, folder: JobFolder, todo: Sequence[Shard]) -> None:
        self._ray = ray
        self._folder = folder
        self._waiting = deque(todo)
        self._files: dict[Shard, ShardFile] = {}
        self._running: dict[Any, Shard] = {}  # by Ray's reference to a task's answer
        self._deaths = Deaths()
        self._task = remote_task(ray, make_for_a_while)

    def work(self) -> Iterator[tuple[Shard, int]]:
        """Yields progress until all shards are finished."""
        with ExitStack() as files:
            while self._waiting or self._running:
                self._start_more(files)
                ready, _ = self._ray.wait(list(self._running), timeout=_WAIT_SECONDS)
                for answer in ready:
                    shard = self._running.pop(answer)
                    yield shard, self._receive(shard, answer)

    def _start_more(self, files: ExitStack) -> None:
        """Opens shards while there are processors for them; the cluster may grow or shrink meanwhile."""
        most = _AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        while self._waiting and len(self._running) < most:
            shard = self._waiting.popleft()
            self._files[shard] = files.enter_context(ShardFile(self._folder, shard))
            self._ask(shard)

    def _ask(self, shard: Shard) -> None:
        start = shard.start + self._files[shard].count
        text = self._folder.job.dumps()
        self._running[self._task.remote(text, start, shard.stop, sys.path)] = shard

    def _receive(self, shard: Shard, answer: Any) -> int:
        """Writes the items that a task has made, or asks again if its worker has died."""
        file = self._files[shard]
        try:
            lines, refusal = self._ray.get(answer)
        except self._ray.exceptions.RayTaskError as error:
            raise JobStopped(f"a worker failed: {' '.join(str(error).split())[-400:]}") from error
        except self._ray.exceptions.LocalRayletDiedError as error:
            raise _WentAway from error
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
            self._ask(shard)
        return file.count


def make_for_a_while(
    text: str, start: int, stop: int, path: Sequence[str]
) -> tuple[list[str], str]:
    """The task: makes items for some seconds, at least one; returns their lines, and why it had to stop.

    Args:
        text: The job.
        start: The first index.
        stop: The index after the last.
        path: Where the process that runs the job finds modules, such as a bot in its folder.
    """
    sys.path += [entry for entry in path if entry not in sys.path]
    begin = time.monotonic()
    lines: list[str] = []
    try:
        for line in make_lines(text, start, stop):
            lines.append(line)
            if time.monotonic() - begin > _TASK_SECONDS:
                break
    except StampedeError as error:
        return lines, str(error)
    return lines, ""
