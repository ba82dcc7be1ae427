"""Grows a tree: chooses leaves, has them searched, writes the results down, until the root is decided."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.proofs.manager.journal import TreeFile
from stampede.proofs.manager.leaf import LeafJob, LeafResult
from stampede.proofs.manager.tree import ProofTree
from stampede.proofs.manager.workers import LeafWorkers

__all__ = ["GrowthLimits", "grow_tree"]

_FLUSH: Final = 1.0
"""Seconds between two writes of results to disk."""


@dataclass(frozen=True, slots=True)
class GrowthLimits:
    """When to stop; None means never.

    Attributes:
        batches: After so many more batches.
        positions: When so many positions were searched in all, those of earlier runs included.
        seconds: When a run has lasted this long; the running batch is completed.
    """

    batches: int | None = None
    positions: int | None = None
    seconds: float | None = None


def grow_tree(
    file: TreeFile,
    workers: LeafWorkers,
    limits: GrowthLimits,
    *,
    folder: str | None = None,
    report: Callable[[ProofTree], object] = lambda _tree: None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Grows a tree until its root is decided or a limit is reached.

    Whatever the number of workers and the order of their results, the tree is the same. It may be stopped at any time:
    results that were written down aren't searched again.

    Args:
        file: The tree.
        workers: What searches the leaves.
        limits: When to stop.
        folder: The tablebases' folder; None for the default.
        report: Called after each batch.
        clock: What seconds are measured with.
    """
    tree, begin, first = file.tree, clock(), file.tree.batches
    while not tree.root.is_decided:
        if limits.batches is not None and tree.batches - first >= limits.batches:
            return
        if limits.positions is not None and tree.positions >= limits.positions:
            return
        if limits.seconds is not None and clock() - begin >= limits.seconds:
            return
        jobs = [
            LeafJob(tree.spec, leaf.key, leaf.tier, folder)
            for leaf in tree.choose_batch()
            if leaf.key not in file.pending
        ]
        _search_batch(file, workers, jobs, clock)
        file.end_batch()
        report(tree)


def _search_batch(
    file: TreeFile, workers: LeafWorkers, jobs: list[LeafJob], clock: Callable[[], float]
) -> None:
    """Searches the leaves of a batch and writes their results to disk, once a second and at the end."""
    found: list[LeafResult] = []
    written = clock()
    try:
        for result in workers.search(jobs):
            found.append(result)
            if clock() - written >= _FLUSH:
                file.add(found)
                found, written = [], clock()
    finally:
        file.add(found)
