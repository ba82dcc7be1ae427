"""Our own long jobs on a real Ray: the same bytes as on this machine. Runs where Ray is installed: `make lab`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from stampede.lab import simulation_job
from stampede.lab.buffalo_network.positions import self_play_job
from stampede.lab.puzzle_maker import collection_job
from stampede.lab.shards import Job, LocalExecutor, RayExecutor, run
from stampede.lab.zoff.puzzle_job import zoff_collection_job
from tests.cli.helpers import invoke

pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: make lab"),
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]

JOBS = {
    "puzzles": collection_job("ray", 2),
    "puzzles of Zoff": zoff_collection_job("ray", 1),
    "training data": self_play_job(2, 2, 50, "ray"),
    "simulation": simulation_job("buffalo", {}, ["random", "buffalo-1"], 4, "ray"),
}


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_a_job_makes_the_same_bytes_on_a_cluster(job: Job, tmp_path: Path) -> None:
    there = run(job, tmp_path / "ray", RayExecutor(jobs=1), shard_size=1)
    here = run(job, tmp_path / "local", LocalExecutor())
    assert there.sha256 == here.sha256


def test_the_command_plays_on_a_cluster(tmp_path: Path) -> None:
    play = ("simulate", "zoff", "--players", 3, "--games", 3, "--seed", "ray", "--json")
    there = invoke(*play, "--ray", "local", "--out", tmp_path / "games")
    assert there.exit_code == 0, there.output
    assert json.loads(there.stdout)["sha256"] == json.loads(invoke(*play).stdout)["sha256"]
