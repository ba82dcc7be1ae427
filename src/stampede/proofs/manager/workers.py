"""Workers: they search the leaves of a batch, in any order, and survive the loss of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from typing import Final, Protocol

from stampede.core.errors import StampedeError
from stampede.proofs.manager.leaf import LeafJob, LeafResult, search_leaf

__all__ = ["MOST_LOSSES", "LeafWorkers", "LocalWorkers", "WorkersLost"]

MOST_LOSSES: Final = 5
"""How often the processes of a batch may die; after that, another try is unlikely to help."""


class WorkersLost(StampedeError):
    """Workers died again and again while they searched one batch."""


class LeafWorkers(Protocol):
    """Searches leaves, here or on other machines."""

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job, in any order."""


class LocalWorkers:
    """Processes of this machine. When one is killed, the jobs without a result start again in new ones."""

    def __init__(self, make_pool: Callable[[], Executor]) -> None:
        """Takes a function that makes a pool of processes; it is called again when a pool is lost."""
        self._make_pool = make_pool
        self._pool: Executor | None = None

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the result of every job as it comes.

        Raises:
            WorkersLost: The processes of this batch died again and again.
        """
        waiting = dict(enumerate(jobs))
        losses = 0
        while waiting:
            self._pool = self._pool or self._make_pool()
            try:
                futures = {
                    self._pool.submit(search_leaf, job): index for index, job in waiting.items()
                }
                for future in as_completed(futures):
                    result = future.result()
                    del waiting[futures[future]]
                    yield result
            except BrokenExecutor as error:
                self.close()
                losses += 1
                if losses > MOST_LOSSES:
                    raise WorkersLost(
                        f"expected workers that finish {len(waiting)} leaves, but they died"
                        f" {losses} times; is the memory too small for the largest budget?"
                    ) from error

    def close(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
