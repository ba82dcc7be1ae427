"""The leaves of a proof tree on a Ray cluster: each is a task, and the process that asks for them writes the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

from stampede.core.errors import JobStopped
from stampede.lab.shards.connection import LOCAL, ClusterGone, RayProcess, remote_task
from stampede.proofs.manager.leaf import LeafJob, LeafResult, search_leaf
from stampede.proofs.manager.workers import MOST_LOSSES, WorkersLost

__all__ = ["RayWorkers"]


class RayWorkers:
    """Workers of a Ray cluster. The jobs of a lost worker start again on another one.

    A machine needs the same version of Stampede, and the tree's tablebases in the same folder.
    """

    def __init__(
        self,
        address: str = LOCAL,
        jobs: int | None = None,
        *,
        search: Callable[[LeafJob], LeafResult] = search_leaf,
    ) -> None:
        """Connects to a cluster.

        Args:
            address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
            jobs: How many processors a local cluster has; default: all.
            search: What searches a leaf; it is found by its name.

        Raises:
            InputError: There is no such cluster.
        """
        self._process = RayProcess(address, jobs, _search_batches, search)
        try:
            self._process.receive()
        except BaseException:
            self.close()
            raise

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job as it comes. Read all of them before the next search.

        Raises:
            WorkersLost: The workers of this batch died again and again.
            JobStopped: A worker can't search its leaf, or the cluster went away.
        """
        self._process.send(tuple(jobs))
        for _ in jobs:
            result: LeafResult = self._process.receive()
            yield result

    def close(self) -> None:
        """Ends the connection, and a cluster that was started for it."""
        self._process.close()


def _search_batches(
    ray: ModuleType, line: Connection, search: Callable[[LeafJob], LeafResult]
) -> None:
    """In the connected process: says that it is connected, then answers batch after batch until it is ended."""
    line.send(None)

    def answer(job: LeafJob) -> LeafResult:
        return search(job)  # Ray takes functions alone, and this may be another callable

    task = remote_task(ray, answer)
    while True:
        for result in _search_batch(ray, task, line.recv()):
            line.send(result)


def _search_batch(ray: ModuleType, task: Any, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
    running = {task.remote(job): job for job in jobs}
    losses = 0
    errors = ray.exceptions
    while running:
        (answer,), _ = ray.wait(list(running), num_returns=1)
        job = running.pop(answer)
        try:
            result: LeafResult = ray.get(answer)
        except errors.RayTaskError as error:
            reason = " ".join(str(error).split())[-400:]
            raise JobStopped(f"a worker failed: {reason}") from error
        except errors.LocalRayletDiedError as error:
            raise ClusterGone from error
        except errors.RayError as error:
            losses += 1
            if losses > MOST_LOSSES:
                raise WorkersLost(
                    f"expected workers that finish {len(running) + 1} leaves, but they died {losses} times;"
                    f" is the memory too small for the largest budget? ({type(error).__name__})"
                ) from error
            running[task.remote(job)] = job
        else:
            yield result
