"""Grows a tree: chooses leaves, has them searched, writes the results down, until the root is decided."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stampede.core.errors import InputError, JobStopped
from stampede.proofs.manager.journal import TreeFile
from stampede.proofs.manager.leaf import LeafJob, LeafResult, LeafState
from stampede.proofs.manager.pieces import is_piece, piece_path
from stampede.proofs.manager.tree import ProofTree
from stampede.proofs.manager.workers import LeafWorkers, WorkersLost

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
    """Grows a tree until its root is decided or a limit is reached, and searches lost pieces of its proof again.

    Whatever the number of workers and the order of their results, the tree is the same. It may be stopped at any time:
    results that were written down aren't searched again.

    Args:
        file: The tree.
        workers: What searches the leaves.
        limits: When to stop.
        folder: The tablebases' folder; None for the default.
        report: Called after each batch.
        clock: What seconds are measured with.

    Raises:
        WorkersLost: No leaf of a batch could be searched. All of them are deferred: the next run begins with others.
        InputError: A leaf whose piece is lost isn't proven again.
        JobStopped: The workers can't go on, such as when their cluster goes away; what they have found is kept.
    """
    tree, begin, first = file.tree, clock(), file.tree.batches
    while not tree.root.is_decided:
        if limits.batches is not None and tree.batches - first >= limits.batches:
            return
        if limits.positions is not None and tree.positions >= limits.positions:
            return
        if limits.seconds is not None and clock() - begin >= limits.seconds:
            return
        batch = tree.choose_batch()
        jobs = [
            LeafJob(tree.spec, leaf.key, leaf.tier, folder)
            for leaf in batch
            if leaf.key not in file.pending
        ]
        try:
            _search_batch(file, workers, jobs, clock)
        except JobStopped as error:
            raise JobStopped(
                f"{error}; {len(file.pending)} of {len(batch)} leaves of this batch, and all batches before it,"
                f" are kept in {file.folder}, and the same command continues"
            ) from error
        lost = bool(file.pending) and all(result.is_deferred for result in file.pending.values())
        file.end_batch()
        report(tree)
        if lost:
            raise WorkersLost(
                f"expected workers that finish a leaf of {len(jobs)}, but they died with each of them;"
                " is the memory too small for the budget? Give them less (--memory)"
            )
    _restore_pieces(file, workers, folder)


def _restore_pieces(file: TreeFile, workers: LeafWorkers, folder: str | None) -> None:
    """Searches the proven leaves again whose piece is missing or damaged, as they were searched before."""
    tree = file.tree
    if tree.state is not LeafState.PROVEN or tree.spec.threshold is not None:
        return
    jobs = [
        LeafJob(tree.specs[leaf.settings], leaf.key, leaf.tier - 1, folder)
        for leaf in tree.searched_leaves()
        if not is_piece(piece_path(file.folder, leaf.key))
    ]
    for result in workers.search(jobs) if jobs else ():
        if result.is_deferred:
            raise WorkersLost(
                f"expected workers that prove the leaf {result.key:#x} again, but they died"
            )
        if result.piece is None:
            raise InputError(
                f"expected the leaf {result.key:#x} to be proven again, got a leaf that is {result.state}:"
                " another version of Stampede or of a tablebase proved it"
            )
        file.write_piece(result.key, result.piece)


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
