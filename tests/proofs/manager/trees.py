"""Small proof trees for tests, and workers for them."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import numpy as np

from stampede.buffalo import Side
from stampede.kernels.buffalo.keys import canonical_key
from stampede.kernels.buffalo.lookups import Words
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.leaf import LeafJob, LeafResult, search_leaf
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import ProofTree
from stampede.proofs.search.starts import opening_key

ABC = int(canonical_key(opening_key((3, 3, 3))))
"""A proven win of the buffalo side: the shipped certificate opening-abc-3."""
SPEC = TreeSpec("abc on three", ABC, Side.BUFFALO, tiers=(300, 3_000), batch=5, probe=200)


class Here:
    """Workers in this process: in any order, and with an accident after some results."""

    def __init__(self, seed: int = 0, accident: int | None = None) -> None:
        self.rng = random.Random(seed)
        self.left = accident

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        for job in self.rng.sample(jobs, len(jobs)):
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise KeyboardInterrupt
            yield search_leaf(job)


class Dying(Executor):
    """A pool of this process that dies with one leaf and the jobs asked after it, or has too little memory for it."""

    def __init__(self, killer: int, *, survives: bool = False) -> None:
        self.killer = killer
        self.survives = survives
        self.dead = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if args[0].key == self.killer and self.survives:
            future.set_exception(MemoryError())
            return future
        self.dead |= args[0].key == self.killer
        if self.dead:
            future.set_exception(BrokenExecutor("killed"))
        else:
            future.set_result(fn(*args, **named))
        return future


def read_npz(piece: bytes) -> list[Words]:
    """The columns of a piece."""
    with np.load(io.BytesIO(piece)) as saved:
        return [saved[name] for name in ("keys", "moves", "by")]


def grown(folder: Path, spec: TreeSpec = SPEC, workers: Here | None = None) -> TreeFile:
    create_tree(folder, spec)
    file = TreeFile(folder)
    grow_tree(file, workers or Here(), GrowthLimits())
    return file


def shape(tree: ProofTree) -> dict[int, tuple[object, ...]]:
    """All of a tree but the time that its searches took."""
    return {
        node.key: (node.state, node.tier, node.positions, node.proof, node.disproof, node.steps)
        for node in tree.nodes.values()
    }
