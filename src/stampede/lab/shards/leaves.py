"""The leaves of a proof tree on a Ray cluster: each is a task, and this process alone writes the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from types import ModuleType
from typing import Any

from stampede.core.errors import JobStopped
from stampede.lab.shards.cluster import LOCAL, connected_ray, remote_task
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
            search: What searches a leaf.

        Raises:
            InputError: There is no such cluster.
        """
        self._context = ExitStack()
        self._ray: ModuleType = self._context.enter_context(connected_ray(address, jobs))
        self._task = remote_task(self._ray, search)

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job as it comes.

        Raises:
            WorkersLost: The workers of this batch died again and again.
            JobStopped: A worker can't search its leaf, or the cluster went away.
        """
        running = {self._ask(job): job for job in jobs}
        losses = 0
        errors = self._ray.exceptions
        while running:
            (answer,), _ = self._ray.wait(list(running), num_returns=1)
            job = running.pop(answer)
            try:
                result: LeafResult = self._ray.get(answer)
            except errors.RayTaskError as error:
                reason = " ".join(str(error).split())[-400:]
                raise JobStopped(f"a worker failed: {reason}") from error
            except errors.RayError as error:
                losses += 1
                if losses > MOST_LOSSES:
                    raise WorkersLost(
                        f"expected workers that finish {len(running) + 1} leaves, but they died {losses} times;"
                        f" is the memory too small for the largest budget? ({type(error).__name__})"
                    ) from error
                running[self._ask(job)] = job
            else:
                yield result

    def close(self) -> None:
        """Ends the connection, and a cluster that was started for it."""
        self._context.close()

    def _ask(self, job: LeafJob) -> Any:
        return self._task.remote(job)
