"""Tables' time: anchored to a wall clock once, then monotonic."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from stampede.matches.callers import Caller
from stampede.matches.clocks import START_GRACE_MS
from stampede.matches.settings import Clock, ClockKind
from stampede.server.clock import SteadyClock
from stampede.server.tables.broadcast import Viewer
from tests.server.tables.live import ANN, DAY, MOVE, Outlet, opened, tables


def test_a_jump_of_the_wall_clock_is_no_time_of_a_player(tmp_path: Path) -> None:
    """Tables' time is anchored once; what the machine's clock does later neither forfeits nor freezes."""

    async def scenario() -> None:
        seconds = [50.0]
        clock = SteadyClock(1_000_000, lambda: seconds[0])
        async with tables(tmp_path, clock) as registry:
            actor = await opened(registry, clock=DAY)
            deadline = actor.deadline
            assert deadline == 1_000_000 + DAY.limit_ms
            seconds[0] += 3600
            async with actor.reading() as table:
                assert table.due_expiry(clock()) is None
            seconds[0] += DAY.limit_ms / 1000
            async with actor.reading() as table:
                assert table.due_expiry(clock()) is not None

    asyncio.run(scenario())


def test_a_spectator_who_comes_late_is_told_the_time_that_is_left(tmp_path: Path) -> None:
    """A view says when clocks were started, by the server's time; what is sent says what time it is there."""

    async def scenario() -> None:
        seconds = [50.0]
        clock = SteadyClock(1_000_000, lambda: seconds[0])
        half_a_minute = Clock(ClockKind.MOVE, 30_000)
        async with tables(tmp_path, clock) as registry:
            actor = await opened(registry, clock=half_a_minute)
            seconds[0] += START_GRACE_MS / 1000 + 22
            outlet, viewer = Outlet(), Viewer(Caller("late"), None, 1 << 20)
            welcome = await actor.enter(viewer, None)
            viewer.connect(outlet)
            assert _left(welcome["view"], welcome["now"], 0) == 8_000
            seconds[0] += 3
            await actor.command(MOVE, ANN, "move")
            (update,) = map(json.loads, outlet.sent)
            assert _left(update["view"], update["now"], 1) == 30_000

    asyncio.run(scenario())


def _left(view: Any, now: Any, player: int) -> int:
    """What a client shows of a player's clock."""
    clock = view["players"][player]["clock"]
    return int(clock["left_ms"] - max(0, now - clock["running_since"]))


def test_a_steady_clock_never_goes_back() -> None:
    seconds = [5.0]
    clock = SteadyClock(1000, lambda: seconds[0])
    seconds[0] += 1.5
    assert clock() == 2500
    clock.catch_up(2000)
    assert clock() == 2500
    clock.catch_up(9000)
    seconds[0] += 1
    assert clock() == 10_000


def test_a_steady_clock_stands_still_while_its_process_is_stopped() -> None:
    seconds = [5.0]
    clock = SteadyClock(1000, lambda: seconds[0])
    clock.tick()
    seconds[0] += 0.5
    clock.tick()
    assert clock() == 1500
    seconds[0] += 60.0  # no tick: the process was stopped, a second after the last one at most
    assert clock() == 2500
    clock.tick()
    assert clock() == 2500
    seconds[0] += 0.4
    assert clock() == 2900


def test_a_steady_clock_that_was_read_late_does_not_go_back_after_a_stop() -> None:
    seconds = [5.0]
    clock = SteadyClock(1000, lambda: seconds[0])
    clock.tick()
    seconds[0] += 0.9  # a tick was due at 1250, but the process is slow and not stopped
    assert clock() == 1900
    seconds[0] += 60.0
    assert clock() == 2000
    clock.tick()
    assert clock() == 2000
