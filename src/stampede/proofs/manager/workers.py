"""Workers: they search the leaves of a batch, in any order, and survive the loss of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from typing import Final, Protocol

from stampede.core.errors import StampedeError
from stampede.proofs.manager.leaf import LeafJob, LeafResult, search_leaf

__all__ = ["MOST_LOSSES", "LeafWorkers", "LocalWorkers", "WorkersLost"]

MOST_LOSSES: Final = 5
"""How often the workers of a cluster may die in a batch; after that, another try is unlikely to help."""
_LOSSES: Final = 2
"""How often processes may die with several leaves, and then with one of them, before that one is deferred."""


class WorkersLost(StampedeError):
    """Workers died again and again while they searched one batch."""


class LeafWorkers(Protocol):
    """Searches leaves, here or on other machines."""

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job, in any order."""


class LocalWorkers:
    """Processes of this machine. When one is killed, the jobs without a result start again in new ones.

    When that happens again, the jobs start one at a time, to find the leaf that its processes die with, perhaps
    because their memory is too small. That leaf is deferred, and the others go on together.
    """

    def __init__(self, make_pool: Callable[[], Executor]) -> None:
        """Takes a function that makes a pool of processes; it is called again when a pool is lost."""
        self._make_pool = make_pool
        self._pool: Executor | None = None

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job as it comes; those of leaves that processes die with are deferred."""
        waiting = dict(enumerate(jobs))
        together, alone = 0, 0  # deaths since the last leaf that was deferred
        while waiting:
            single = together >= _LOSSES
            asked = dict(list(waiting.items())[:1]) if single else dict(waiting)
            try:
                for index, result in self._results(asked):
                    del waiting[index]
                    yield result
                alone = 0
            except BrokenExecutor:
                self.close()
                if not single:
                    together += 1
                    continue
                alone += 1
                if alone >= _LOSSES:
                    together, alone = 0, 0
                    for index, job in asked.items():
                        del waiting[index]
                        yield LeafResult.deferred(job)

    def _results(self, jobs: Mapping[int, LeafJob]) -> Iterator[tuple[int, LeafResult]]:
        self._pool = self._pool or self._make_pool()
        futures = {self._pool.submit(search_leaf, job): index for index, job in jobs.items()}
        for future in as_completed(futures):
            index = futures[future]
            try:
                yield index, future.result()
            except MemoryError:  # refused at once, so the process lives on
                yield index, LeafResult.deferred(jobs[index])

    def close(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
