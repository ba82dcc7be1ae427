"""Each check can fail: faults are put in by hand, and the simulation says what is wrong."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from simulation.every_await import draw_game
from simulation.known_faults import with_fault
from simulation.plan import Operation, Plan, draw_plan, plan_from_json
from simulation.simulation import run_plan

PLANS = Path(__file__).parent / "plans"
"""The shortest plans found, by fault."""
TOLD = {
    "moved-seat": r"saw player \d's view",
    "two-rooms": r"is shown \w+ at \d+, but \d+ was acknowledged|whose log is at|isn't told of entry",
}
MORE_SEEDS = 6
"""Other seeds that are tried: a change of what people do changes what a seed does."""
MORE_WORLDS = 40
"""Worlds in which a shrunk plan is tried: a change of the server's timing changes which of them has the race."""


def violations_of(fault: str, plan: Plan) -> tuple[str, ...]:
    with with_fault(fault):
        return run_plan(plan).violations


@pytest.mark.parametrize(
    ("fault", "seed", "told"),
    [
        ("wrong-acks", 1, r"was acknowledged as \d+, but the log has"),
        ("open-answers", 1, r"was sent a sealed answer of player \d"),
        ("open-hands", 2, r"was sent the card \w\w in the hand of player \d"),
        ("fast-clock", 3, r"lost .* s, but had|clocks ran for"),
        ("slow-clock", 3, r"clocks ran for .* s while .* s passed"),
        ("deaf-tables", 2, r"isn't answered after everything healed|takes no command any more"),
    ],
)
def test_a_fault_that_a_check_is_for_is_found(fault: str, seed: int, told: str) -> None:
    plans = (draw_plan(number, 1.0) for number in range(seed, seed + MORE_SEEDS))
    found = next(filter(None, (violations_of(fault, plan) for plan in plans)))
    assert re.search(told, found[0])


@pytest.mark.parametrize("fault", sorted(path.stem for path in PLANS.glob("*.json")))
def test_a_fault_of_the_past_is_found_by_its_shrunk_plan(fault: str) -> None:
    plan = plan_from_json(json.loads((PLANS / f"{fault}.json").read_text(encoding="utf-8")))
    worlds = [replace(plan, seed=plan.seed + number) for number in range(MORE_WORLDS)]
    world, found = next((each, told) for each in worlds if (told := violations_of(fault, each)))
    assert re.search(TOLD[fault], found[0])
    assert run_plan(world).violations == ()


def test_bytes_that_wait_for_a_viewer_who_reads_nothing_are_found() -> None:
    game = draw_game(2)
    steps = [item for item in game.operations if item.at < 4.4]
    steps += [Operation(100 + n, 5.0 + n, "connect", n % 4) for n in range(4)]
    steps += [Operation(200 + n, 9.0 + 0.3 * n, "fall_asleep", n % 4) for n in range(12)]
    steps += [Operation(300 + n, 14.0 + 0.3 * n, "act", n % 4) for n in range(60)]
    settings = {**game.settings, "max_waiting": 64 * 1024, "write_timeout": 30.0}
    plan = replace(game, operations=tuple(steps), seconds=40.0, settings=settings)
    assert run_plan(plan).violations == ()
    assert "bytes wait for" in violations_of("endless-queues", plan)[0]
