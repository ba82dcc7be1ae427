"""Jobs for tests: they roll dice, and misbehave on request, once or always."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from stampede.core.errors import InputError
from stampede.core.json import Json, expect_str
from stampede.lab.shards import ItemMaker, Job
from tests.waiting import wait_until


def dice(items: int = 40, seed: int | str = 7, **parameters: Json) -> Job:
    """A job that rolls dice."""
    return Job("dice", "tests.lab.shards.dice:open_dice", items, seed, parameters)


def open_dice(job: Job) -> ItemMaker:
    """Makes rolls; parameters say which item raises, kills its process until a file exists, or Ray, or waits."""

    def roll(index: int) -> Json:
        if index == job.parameters.get("refuse"):
            raise InputError("expected a die, got a coin")
        if index == job.parameters.get("kill_cluster"):
            os.kill(os.getppid(), signal.SIGKILL)  # Ray's daemon here, which started this worker
        if index == job.parameters.get("kill"):
            mark = Path(expect_str(job.parameters.get("mark"), "mark"))
            if not mark.exists():
                if not job.parameters.get("always"):
                    mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        if "meet" in job.parameters and index >= 20:
            _meet(Path(expect_str(job.parameters["meet"], "meet")))
        rng = random.Random(f"{job.seed}/{index}")
        return {"index": index, "rolls": [rng.randint(1, 6) for _ in range(20)]}

    return roll


def _meet(folder: Path) -> None:
    """Says on which machine of Ray this is, by its daemon's number, and waits until the test lets it go on."""
    (folder / str(os.getppid())).touch()
    wait_until("the test lets items go on", (folder / "go").exists)
