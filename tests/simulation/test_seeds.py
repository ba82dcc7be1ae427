"""The simulation in its quick form: a few seeds hold, a seed repeats itself, and a failure is found and shrunk."""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from simulation.cli import find_missing
from simulation.plan import Operation, Plan, draw_plan, plan_from_json, plan_to_json
from simulation.shrink import shrink
from simulation.simulation import Outcome, run_plan


@pytest.mark.parametrize("seed", [2, 6, 7])
def test_nothing_is_violated(seed: int) -> None:
    outcome = run_plan(draw_plan(seed, 1.0))
    assert outcome.violations == ()
    assert outcome.counts["acks"] > 0


def test_a_seed_repeats_itself_byte_for_byte_in_another_process() -> None:
    """Python orders sets of texts differently in each of the two."""
    command = [sys.executable, "-m", "simulation", "--seed", "5", "--minutes", "0.7"]
    told = [
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    ]
    digests = [re.findall(r"\b[0-9a-f]{32}\b", text) for text in told]
    assert digests[0] == digests[1]
    assert len(digests[0]) == 1


def test_a_plan_can_be_written_and_read() -> None:
    plan = draw_plan(3)
    assert plan_from_json(plan_to_json(plan)) == plan


def test_shrinking_leaves_only_what_a_failure_needs() -> None:
    def run(plan: Plan) -> Outcome:
        kinds = [operation.kind for operation in plan.operations]
        broken = "kill" in kinds and "claim" in kinds[kinds.index("kill") :]
        violations = ("1.0 s: it breaks",) if broken else ()
        return Outcome(plan, violations, "", 1000.0, Counter(), ())

    kinds = ["act"] * 20 + ["kill"] + ["act"] * 20 + ["claim"] + ["act"] * 9
    operations = tuple(Operation(index, index, kind, 0) for index, kind in enumerate(kinds))
    failed = run(Plan(1, 1, 1, 1, 100.0, {}, operations))
    found = shrink(failed, run, seconds=30.0)
    assert [operation.kind for operation in found.plan.operations] == ["kill", "claim"]


def test_what_never_happened_in_a_long_run_is_told() -> None:
    everything = Counter(dict.fromkeys(find_missing(Counter()), 1))
    assert "fault: fail_power" in everything
    assert "disk: torn" in everything
    assert find_missing(everything) == []
    del everything["disk: torn"]
    assert find_missing(everything) == ["disk: torn"]
