"""A fault at every await: short games in which each append, read, send and lock fails once, one at a time.

A game without faults counts the points at which something can fail. Then it is played again for each of them, with
only this one failed, in every way in which it can, and all invariants are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from unittest.mock import patch

from simulation.plan import Operation, Plan
from simulation.simulation import Outcome, run_plan
from simulation.world import Strike, World
from stampede.server.tables.trylock import TryLock

__all__ = ["GAMES", "WAYS", "count_points", "draw_game", "find_strikes", "run_every_await"]

WAYS: Final = {
    "append": ("before", "after", "full", "crash"),
    "read": ("error",),
    "send": ("cut", "crash"),
    "lock": ("cut", "crash"),
}
"""The ways in which each kind of point fails."""
GAMES: Final = (0, 2, 3, 5)
"""The games that are played."""


def draw_game(number: int) -> Plan:
    """Returns the plan of a short game, without faults; each number is another game."""
    people = 2 + number % 2
    steps = [("arrive", 0.2 + 0.1 * who, who) for who in range(2 * people)]
    steps += [("open_table", 1.0, 0)]
    steps += [("claim", 2.0 + 0.4 * who, who) for who in range(1, people)]
    steps += [("start", 3.6 + 0.1 * attempt, 0) for attempt in range(4)]
    at = 4.5
    for turn in range(8):
        for who in range(people):
            at += 0.5
            steps.append(("act", at, who))
        kind = ("vote", "move_chair", "connect", "seat_link", "look", "drop", "leave", "chat")[turn]
        steps.append((kind, at + 0.25, (turn + number) % (2 * people)))
        steps.append(("resend", at + 0.3, turn % people))
    operations = tuple(
        Operation(index, when, kind, who)
        for index, (kind, when, who) in enumerate(sorted(steps, key=lambda step: step[1]))
    )
    settings = {"max_tables": 2 if number % 2 else 100, "idle_timeout": 2.0, "write_timeout": 2.0}
    return Plan(900 + number, 1, people, 2, at + 2.0, settings, operations)


@contextmanager
def _counted_locks(world: World) -> Iterator[None]:
    """Counts a point whenever a lock is taken."""
    acquire, try_acquire = TryLock.acquire, TryLock.try_acquire

    async def counted_acquire(self: TryLock) -> None:
        world.reach("lock")
        await acquire(self)

    def counted_try(self: TryLock) -> bool:
        world.reach("lock")
        return try_acquire(self)

    with (
        patch.object(TryLock, "acquire", counted_acquire),
        patch.object(TryLock, "try_acquire", counted_try),
    ):
        yield


def play(plan: Plan, strike: Strike | None) -> Outcome:
    """Plays a game with one fault, or none."""
    return run_plan(plan, strike=strike, surroundings=_counted_locks)


def count_points(plan: Plan) -> dict[str, int]:
    """Returns how many points of each kind a game has."""
    outcome = play(plan, None)
    assert not outcome.violations, outcome.violations
    return {kind: outcome.counts[f"points: {kind}"] for kind in WAYS}


def find_strikes(plan: Plan) -> list[Strike]:
    """Returns every fault that can happen in a game, one for each point and way."""
    return [
        Strike(kind, index, way)
        for kind, count in count_points(plan).items()
        for index in range(1, count + 1)
        for way in WAYS[kind]
    ]


def run_every_await(say: Callable[[str], None], step: int = 1) -> int:
    """Plays all games with every fault; returns 1 if an invariant doesn't hold, else 0.

    Args:
        say: Called with what to print.
        step: Takes every so manieth fault only.
    """
    played = 0
    for number in GAMES:
        plan = draw_game(number)
        strikes = find_strikes(plan)
        say(f"game {number}: {len(strikes)} faults")
        for strike in strikes[::step]:
            outcome = play(plan, strike)
            played += 1
            if outcome.violations:
                say(f"game {number}, {strike}: {outcome.violations[0]}")
                return 1
    say(f"{played} games with one fault each, no violation")
    return 0
