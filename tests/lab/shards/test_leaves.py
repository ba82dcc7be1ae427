"""Proof trees on a real Ray, with a worker killed. Runs where Ray is installed: `make lab`."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards.leaves import RayWorkers
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.leaf import LeafJob, LeafResult, LeafState, search_leaf
from stampede.proofs.manager.workers import WorkersLost
from tests.proofs.manager.trees import SPEC, grown, shape

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: make lab"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


def test_a_cluster_grows_the_same_tree_though_a_worker_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def die_once(job: LeafJob) -> LeafResult:
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return search_leaf(job)

    create_tree(tmp_path / "ray", SPEC)
    file = TreeFile(tmp_path / "ray")
    with closing(RayWorkers(jobs=2, search=die_once)) as workers:
        grow_tree(file, workers, GrowthLimits())
    assert mark.exists()
    assert file.tree.state is LeafState.PROVEN
    assert shape(file.tree) == shape(grown(tmp_path / "here").tree)


def test_workers_that_always_die_or_fail_end_the_run_with_a_reason() -> None:
    def die(_job: LeafJob) -> LeafResult:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    def fail(_job: LeafJob) -> LeafResult:
        raise InputError("expected a tablebase, got none")

    job = LeafJob(SPEC, SPEC.root, 0)
    with (
        closing(RayWorkers(jobs=1, search=die)) as workers,
        pytest.raises(WorkersLost, match="6 times"),
    ):
        list(workers.search([job]))
    with (
        closing(RayWorkers(jobs=1, search=fail)) as workers,
        pytest.raises(JobStopped, match="got none"),
    ):
        list(workers.search([job]))
