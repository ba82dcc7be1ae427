"""Work on a cluster in a child process, with a stand-in for Ray that the child imports: it works, refuses, or dies."""

from __future__ import annotations

import importlib
import sys
from contextlib import closing
from pathlib import Path

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards import JobFolder, LocalExecutor, RayExecutor, run
from stampede.lab.shards.leaves import RayWorkers
from stampede.proofs.manager.leaf import LeafJob
from stampede.proofs.manager.workers import WorkersLost
from tests.lab.shards.accidents import fail
from tests.lab.shards.dice import dice
from tests.proofs.manager.trees import SPEC

STAND_IN = """
import os, pathlib, types

class RayError(Exception): pass
class RayTaskError(RayError): pass
class LocalRayletDiedError(RayError): pass

exceptions = types.SimpleNamespace(
    RayError=RayError, RayTaskError=RayTaskError, LocalRayletDiedError=LocalRayletDiedError
)
accident = pathlib.Path(__file__).with_name("accident")
answered = 0

def init(**options):
    if options["address"] == "nowhere":
        raise ConnectionError("nobody listens")

def shutdown():
    pass

def cluster_resources():
    return {"CPU": 2.0}

def remote(**options):
    return lambda function: types.SimpleNamespace(remote=lambda *given: Answer(function, given))

class Answer:
    def __init__(self, function, given):
        self.work = lambda: function(*given)

def wait(asked, num_returns=1, timeout=None):
    return asked[:1], asked[1:]

def get(answer):
    global answered
    answered += 1
    kind = accident.read_text() if accident.exists() else ""
    if kind == "die" and answered == 3:
        os._exit(1)
    if kind == "gone" and answered == 3:
        raise LocalRayletDiedError("the daemon here died")
    if kind == "lose":
        raise RayError("a worker died")
    try:
        return answer.work()
    except Exception as error:
        raise RayTaskError(str(error)) from error
"""


@pytest.fixture
def accident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts the stand-in before Ray; the file says what is to happen to it."""
    (tmp_path / "ray.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return tmp_path / "accident"


def jobs(count: int) -> list[LeafJob]:
    """The same leaf several times."""
    return [LeafJob(SPEC, SPEC.root, 0)] * count


def test_leaves_are_searched_batch_after_batch(accident: Path) -> None:
    assert not accident.exists()
    with closing(RayWorkers()) as workers:
        first, second = list(workers.search(jobs(3))), list(workers.search(jobs(1)))
    assert [result.key for result in first + second] == [SPEC.root] * 4


@pytest.mark.parametrize("kind", ["gone", "die"])
def test_a_cluster_that_goes_away_is_named_and_items_are_kept(
    kind: str, accident: Path, tmp_path: Path
) -> None:
    """Whether Ray says so or ends the process that uses it."""
    accident.write_text(kind)
    with (
        closing(RayWorkers()) as workers,
        pytest.raises(JobStopped, match="the Ray cluster at local went away"),
    ):
        list(workers.search(jobs(4)))
    folder = tmp_path / "job"
    with pytest.raises(JobStopped, match=r"went away; 2 of 40 items are kept in .*continues"):
        run(dice(), folder, RayExecutor())
    assert len(dict(JobFolder(folder).lines())) == 2
    accident.unlink()
    assert run(dice(), folder, RayExecutor()).sha256 == (
        run(dice(), tmp_path / "here", LocalExecutor()).sha256
    )


def test_what_can_not_go_on_says_why(accident: Path) -> None:
    with pytest.raises(InputError, match="--ray: expected a cluster at nowhere, but nobody"):
        RayWorkers("nowhere")
    with (
        closing(RayWorkers(search=fail)) as workers,
        pytest.raises(JobStopped, match="a worker failed: expected a tablebase, got none"),
    ):
        list(workers.search(jobs(1)))
    accident.write_text("lose")
    with closing(RayWorkers()) as workers, pytest.raises(WorkersLost, match="died 6 times"):
        list(workers.search(jobs(1)))
