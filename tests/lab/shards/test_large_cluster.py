"""A cluster of 1,000 processors, with a stand-in for Ray: jobs are cut finely enough, and few files are open."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from stampede.lab.shards import JobFolder, LocalExecutor, RayExecutor, run
from stampede.lab.shards.cluster import Cluster, task_seconds
from tests.lab.shards.dice import dice

PROCESSORS = 1000
LIMIT = 256
"""Usual limits of open files are 1,024 and, on macOS, 256."""
DESCRIPTORS = Path("/proc/self/fd")


class ManyProcessors(ModuleType):
    """Ray, as far as tasks go: each is worked out here when its answer is asked for."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.running: dict[int, Callable[[], Any]] = {}
        self.asked = self.most = 0
        self.rng = random.Random(1)
        self.exceptions = ModuleType("exceptions")
        for name in ("RayError", "RayTaskError", "LocalRayletDiedError"):
            setattr(self.exceptions, name, type(name, (Exception,), {}))

    def remote(self, **_options: object) -> Callable[[Callable[..., Any]], ManyProcessors]:
        """A task of a function."""

        def of(function: Callable[..., Any]) -> ManyProcessors:
            class Task:
                @staticmethod
                def remote(*arguments: object) -> int:
                    self.asked += 1
                    self.running[self.asked] = lambda: function(*arguments)
                    self.most = max(self.most, len(self.running))
                    return self.asked

            return Task  # type: ignore[return-value]

        return of

    def cluster_resources(self) -> dict[str, float]:
        """The processors."""
        return {"CPU": float(PROCESSORS)}

    def wait(
        self, asked: Sequence[int], *, num_returns: int = 1, timeout: float
    ) -> tuple[list[int], list[int]]:
        """Any answers, about a third of them."""
        del timeout
        ready = self.rng.sample(asked, max(1, min(num_returns, len(asked) // 3)))
        return ready, [one for one in asked if one not in set(ready)]

    def get(self, answer: int) -> Any:
        """Works a task out."""
        return self.running.pop(answer)()


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="counts open files as Linux shows them")
def test_all_processors_work_and_few_files_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)  # thousands would take the test's time
    job, ray = dice(items=2100), ManyProcessors()
    folder = JobFolder.open(tmp_path / "there", job, None, RayExecutor.fewest_shards)
    assert len(folder.shards) >= 2 * PROCESSORS
    most_open = 0
    for _ in Cluster(ray, folder, folder.shards).work():
        most_open = max(most_open, sum(1 for _ in DESCRIPTORS.iterdir()))
    assert ray.most >= PROCESSORS
    assert most_open < LIMIT
    assert folder.finish() == run(job, tmp_path / "here", LocalExecutor()).sha256


def test_a_job_is_cut_more_finely_for_a_cluster() -> None:
    """Its shards are several for each of 1,000 processors, where it has the items; here they are few files."""
    job = dice(items=1_000_000)
    there = job.shards(job.usual_shard_size(RayExecutor.fewest_shards))
    here = job.shards(job.usual_shard_size(LocalExecutor.fewest_shards))
    assert len(there) > 4 * PROCESSORS
    assert len(here) == PROCESSORS
    assert len(dice(items=50).shards(dice(items=50).usual_shard_size(4096))) == 50


def test_tasks_are_longer_where_many_processors_answer() -> None:
    assert task_seconds(2) == task_seconds(100) < task_seconds(PROCESSORS)
