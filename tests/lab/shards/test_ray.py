"""The same jobs on a real Ray, with a worker killed. Runs where Ray is installed: `make lab`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards import JobFolder, LocalExecutor, RayExecutor, run
from tests.lab.shards.dice import dice
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: make lab"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]


def test_a_cluster_makes_the_same_items_though_a_worker_is_killed(tmp_path: Path) -> None:
    job = dice(kill=13, mark=str(tmp_path / "mark"))
    result = run(job, tmp_path / "ray", RayExecutor(jobs=2), shard_size=10)
    assert (tmp_path / "mark").exists()
    assert result.sha256 == run(dice(), tmp_path / "local", LocalExecutor()).sha256


def test_a_job_survives_the_loss_of_a_machine(tmp_path: Path) -> None:
    """Of two machines with a daemon each, one is killed while both have items under way."""
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    cluster = import_module("ray.cluster_utils").Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1}
    )
    try:
        lost = cluster.add_node(num_cpus=1)
        killed: list[object] = []

        def kill_one(count: int) -> None:
            if count > 0 and not killed:
                wait_until("both machines work", lambda: len(list(meeting.iterdir())) == 2)
                killed.append(lost)
                cluster.remove_node(lost, allow_graceful=False)
                (meeting / "go").touch()

        job = dice(meet=str(meeting))
        ray = RayExecutor(cluster.address)
        result = run(job, tmp_path / "ray", ray, progress=kill_one, shard_size=10)
    finally:
        cluster.shutdown()
    assert killed
    assert result.sha256 == run(dice(), tmp_path / "local", LocalExecutor()).sha256


def test_a_cluster_that_goes_away_leaves_its_items(tmp_path: Path) -> None:
    """What was sent back is kept, and the same job goes on elsewhere."""
    job = dice(kill_cluster=25)
    message = r"the Ray cluster at local went away; \d+ of 40 items are kept in .* continues"
    with pytest.raises(JobStopped, match=message):
        run(job, tmp_path / "ray", RayExecutor(jobs=1), shard_size=1)
    kept = dict(JobFolder(tmp_path / "ray").lines())
    assert kept
    whole = run(dice(), tmp_path / "whole", LocalExecutor())
    assert kept.items() <= dict(whole.folder.lines()).items()


def test_an_item_that_raises_on_a_cluster_is_named(tmp_path: Path) -> None:
    with pytest.raises(JobStopped, match="item 13: expected a die, got a coin"):
        run(dice(refuse=13), tmp_path, RayExecutor(jobs=1), shard_size=20)


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:1", "ray://127.0.0.1:1"])
def test_a_missing_cluster_is_named(address: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"--ray: expected a cluster at {address}, but "):
        run(dice(), tmp_path, RayExecutor(address))
