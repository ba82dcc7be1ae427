"""The plan of a simulation: who does what when, and what goes wrong when. Drawn first, so that it can be shrunk."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from simulation.faults import FAULTS
from simulation.operations import OPERATIONS

__all__ = ["Operation", "Plan", "draw_plan", "plan_from_json", "plan_to_json"]

BURST_KINDS: Final = (
    "act",
    "claim",
    "claim",
    "connect",
    "connect",
    "connect",
    "look",
    "look",
    "move_chair",
    "move_chair",
    "open_table",
    "rename",
    "set_chair",
    "vote",
    "vote",
)
"""What people do at the same moment."""


CROWDS: Final = (
    (*4 * ("connect",), *3 * ("move_chair",), "vote", "vote", "drop"),
    (
        *3 * ("rename",),
        *4 * ("look",),
        *4 * ("drop",),
        *2 * ("move_chair",),
        *2 * ("vote",),
        "claim",
        "connect",
        "seat_link",
    ),
)
"""What the people of a crowd do: they move between devices, or come and go at more tables than there is room for."""
CROWD_SHARE: Final = 0.15
"""How many of the plans are crowds."""


class Operation(NamedTuple):
    """Something that a device does, or that happens to a worker.

    Attributes:
        number: Its number, which names its random stream: it stays when others are taken away.
        at: When, in seconds.
        kind: A name in `OPERATIONS` or `FAULTS`.
        who: The device's or the worker's number.
    """

    number: int
    at: float
    kind: str
    who: int

    def __str__(self) -> str:
        return f"{self.at:10.3f}  {self.kind} ({self.who}, #{self.number})"


@dataclass(frozen=True, slots=True)
class Plan:
    """A simulation, before it is run.

    Attributes:
        seed: The seed that it was drawn from, and that its random streams come from.
        workers: How many workers share the database.
        people: How many people there are.
        devices: How many devices each has.
        seconds: How long it goes on until everything heals.
        settings: The server's settings.
        operations: What happens, in the order of time.
    """

    seed: int
    workers: int
    people: int
    devices: int
    seconds: float
    settings: dict[str, Any]
    operations: tuple[Operation, ...]


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Writes a plan."""
    return {
        "seed": plan.seed,
        "workers": plan.workers,
        "people": plan.people,
        "devices": plan.devices,
        "seconds": plan.seconds,
        "settings": plan.settings,
        "operations": [list(operation) for operation in plan.operations],
    }


def plan_from_json(data: dict[str, Any]) -> Plan:
    """Reads what `plan_to_json` wrote."""
    operations = tuple(Operation(*item) for item in data["operations"])
    return Plan(**{**data, "operations": operations})


def draw_plan(seed: int, minutes: float | None = None) -> Plan:
    """Draws the plan of a seed.

    Args:
        seed: The seed.
        minutes: How long people are there; drawn if it isn't given.
    """
    rng = random.Random(f"{seed} plan")
    if minutes is None and random.Random(f"{seed} crowd").random() < CROWD_SHARE:
        return _draw_crowd(seed, rng)
    workers = rng.choice((1, 1, 1, 2, 3))
    people, devices = rng.randint(2, 5), 2
    drawn = rng.uniform(3.0, 10.0)
    seconds = 60.0 * (drawn if minutes is None else minutes)
    pace = rng.uniform(0.3, 1.5)
    trouble = rng.choice((0.0, 0.02, 0.05, 0.1))
    burst = rng.choice((0.0, 0.05, 0.2))
    kinds = list(OPERATIONS)
    weights = [OPERATIONS[kind][0] for kind in kinds]
    faults = [kind for kind, fault in FAULTS.items() if workers > 1 or not fault.needs_cluster]
    hazards = [FAULTS[kind].weight for kind in faults]
    found = [("arrive", 0.1 + 0.2 * number, number) for number in range(people * devices)]
    found += [("open_table", 3.0, 0)]
    found += [("claim", 5.0 + number, number) for number in range(1, people)]
    at = 8.0
    while at < seconds:
        at += rng.expovariate(1.0) * pace
        if rng.random() < trouble:
            (kind,) = rng.choices(faults, hazards)
            found.append((kind, at, rng.randrange(workers)))
        elif rng.random() < burst:
            if rng.random() < 0.3:  # what takes long meets more of what others do
                found.append(("slow_disk", at - 0.01, rng.randrange(workers)))
            person = rng.randrange(people)
            for _ in range(rng.randint(2, 8)):
                who = person + people * rng.randrange(devices)
                if rng.random() < 0.3:
                    who = rng.randrange(people * devices)
                found.append((rng.choice(BURST_KINDS), at + rng.random() * 0.08, who))
        else:
            (kind,) = rng.choices(kinds, weights)
            found.append((kind, at, rng.randrange(people * devices)))
    settings = _draw_settings(rng)
    return Plan(seed, workers, people, devices, seconds, settings, _number(found))


def _draw_crowd(seed: int, rng: random.Random) -> Plan:
    """Draws a short plan in which many do the same at once, on a disk that is often slow: a plan for races."""
    people, devices = 3, 2
    kinds, spread = CROWDS[seed % 2], rng.choice((0.08, 0.3))
    found = [("arrive", 0.1 + 0.1 * number, number) for number in range(people * devices)]
    found += [("open_table", 1.0 + 0.3 * number, number % people) for number in range(6)]
    found += [("claim", 3.0 + 0.1 * number, number % 6) for number in range(12)]
    at = 6.0
    while at < 70.0:
        at += rng.expovariate(1.0)
        if rng.random() < 0.5:
            found.append(("slow_disk", at - 0.01, 0))
        for _ in range(rng.randint(3, 10)):
            who = rng.randrange(people * devices)
            found.append((rng.choice(kinds), at + rng.random() * spread, who))
    settings = _draw_settings(rng)
    settings |= {"max_tables": rng.choice((1, 1, 2, 2000)), "rate": 1000.0, "burst": 1000}
    return Plan(seed, 1, people, devices, at + 5.0, settings, _number(found))


def _number(found: list[tuple[str, float, int]]) -> tuple[Operation, ...]:
    """Numbers what happens as it was drawn, and puts it into the order of time."""
    drawn = (Operation(number, when, kind, who) for number, (kind, when, who) in enumerate(found))
    return tuple(sorted(drawn, key=lambda operation: (operation.at, operation.number)))


def _draw_settings(rng: random.Random) -> dict[str, Any]:
    generous = rng.random() < 0.6
    return {
        "max_tables": rng.choice((1, 2, 3, 2000)),
        "idle_timeout": rng.choice((1.0, 6.0, 30.0, 600.0)),
        "heartbeat": rng.choice((3.0, 10.0, 20.0)),
        "write_timeout": rng.choice((1.0, 4.0, 10.0)),
        "max_waiting": rng.choice((64, 256)) * 1024,
        "request_timeout": rng.choice((5.0, 15.0)),
        "rate": 1000.0 if generous else 20.0,
        "burst": 1000 if generous else 60,
        "bot_threads": rng.choice((1, 2)),
    }
