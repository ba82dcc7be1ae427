"""How a proof tree grows with more processes: ``python -m benches trees``.

The same tree grows in one process and in several, up to the same batch: all eleven on one step, for the buffalo side,
as in docs/proofs.md, without tablebases. Processes load their code before the clock starts. The trees must be equal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from stampede.buffalo import Side
from stampede.cli.common.compile import worker_pool
from stampede.kernels.buffalo.keys import canonical_key
from stampede.lab.bench.measurements import Measurement, Measurements
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.leaf import LeafJob, search_leaf
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import TreeCounts
from stampede.proofs.manager.workers import LocalWorkers
from stampede.proofs.search.starts import opening_key

__all__ = ["measure"]

ROOT = int(canonical_key(opening_key((1,) * 11)))
TIERS = (2_000, 200_000)


def measure(
    processes: Sequence[int],
    batches: int,
    tiers: tuple[int, ...] = TIERS,
    make_pool: Callable[[int], Executor] = worker_pool,
) -> Measurements:
    """Measures so many batches with each number of processes, the first of them as the base."""
    report = Measurements()
    spec = TreeSpec("benchmark", ROOT, Side.BUFFALO, tiers=tiers)
    first: tuple[float, TreeCounts] | None = None
    for number in processes:
        seconds, counts = _grown(spec, make_pool(number), number, batches)
        first = first or (seconds, counts)
        if (counts.nodes, counts.positions) != (first[1].nodes, first[1].positions):
            raise AssertionError(f"{number} processes: another tree")
        named = f"{number} process{'es' if number > 1 else ''}"
        report.figures += [
            Measurement(f"{named}: time on the clock", seconds, "seconds"),
            Measurement(f"{named}: rate", counts.positions / seconds, "positions/s"),
            Measurement(f"{named}: processor time of leaves", counts.seconds, "seconds"),
            Measurement(f"{named}: gain", first[0] / seconds, "times"),
        ]
    assert first is not None, "one number of processes at least"
    report.counts |= {"nodes": first[1].nodes, "positions": first[1].positions}
    return report


def _grown(
    spec: TreeSpec, pool: Executor, processes: int, batches: int
) -> tuple[float, TreeCounts]:
    """Seconds on the clock, and the tree's size."""
    _start(pool, processes, spec)
    with TemporaryDirectory() as name, closing(LocalWorkers(lambda: pool)) as workers:
        folder = Path(name)
        create_tree(folder, spec)
        file = TreeFile(folder)
        begin = time.perf_counter()
        grow_tree(file, workers, GrowthLimits(batches=batches))
        return time.perf_counter() - begin, file.tree.counts()


def _start(pool: Executor, processes: int, spec: TreeSpec) -> None:
    """Has every process load its code and search a leaf of each tier."""
    jobs = [LeafJob(spec, spec.root, tier) for tier in range(len(spec.tiers))]
    for _ in range(processes):
        for found in [pool.submit(search_leaf, job) for job in jobs * processes]:
            found.result()
