"""Proof trees on a real Ray, with a worker killed, and Ray itself. Runs where Ray is installed: `make lab`."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards.leaves import RayWorkers
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.leaf import LeafJob, LeafState
from stampede.proofs.manager.workers import WorkersLost
from tests.lab.shards.accidents import die, die_once, fail, kill_cluster_late
from tests.proofs.manager.trees import SPEC, Here, grown, shape

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: make lab"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


def test_a_cluster_grows_the_same_tree_though_a_worker_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    create_tree(tmp_path / "ray", SPEC)
    file = TreeFile(tmp_path / "ray")
    with closing(RayWorkers(jobs=2, search=partial(die_once, mark))) as workers:
        grow_tree(file, workers, GrowthLimits())
    assert mark.exists()
    assert file.tree.state is LeafState.PROVEN
    assert shape(file.tree) == shape(grown(tmp_path / "here").tree)


def test_a_cluster_that_goes_away_leaves_its_tree(tmp_path: Path) -> None:
    """What was found is kept, and the same tree grows on elsewhere."""
    marks, folder = tmp_path / "marks", tmp_path / "ray"
    marks.mkdir()
    create_tree(folder, SPEC)
    message = r"the Ray cluster at local went away; \d of \d leaves of this batch, .* kept in .* continues"
    with (
        closing(RayWorkers(jobs=1, search=partial(kill_cluster_late, marks))) as workers,
        pytest.raises(JobStopped, match=message),
    ):
        grow_tree(TreeFile(folder), workers, GrowthLimits())
    file = TreeFile(folder)
    assert file.pending or file.tree.batches
    grow_tree(file, Here(), GrowthLimits())
    assert shape(file.tree) == shape(grown(tmp_path / "here").tree)


def test_workers_that_always_die_or_fail_end_the_run_with_a_reason() -> None:
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


def test_a_missing_cluster_is_named() -> None:
    with pytest.raises(InputError, match=r"--ray: expected a cluster at 127.0.0.1:1, but "):
        RayWorkers("127.0.0.1:1")
