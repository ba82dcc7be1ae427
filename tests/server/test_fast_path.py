"""What spares an action a task and a search for garbage changes nothing: order, failures and what is freed."""

import asyncio
import gc
import sqlite3
from pathlib import Path

import pytest

from stampede.server.http.limits import EVICTION_CHANCES, MAX_BUCKETS, RateLimiter
from stampede.server.http.problems import TooManyRequests
from stampede.server.http.websocket import DirectWebSocketProtocol
from stampede.server.ops.gc_policy import BUSY_INTERVAL, IDLE_INTERVAL, GarbageCollectionPolicy
from stampede.server.tables.trylock import TryLock
from tests.server.clients import guests
from tests.server.servers import running, settings_for

BOT = {"bot": "random"}


def test_a_lock_goes_to_the_first_waiter_and_is_never_lost() -> None:
    async def scenario() -> None:
        lock, order = TryLock(), list[int]()

        async def wait(number: int) -> None:
            async with lock:
                order.append(number)
                await asyncio.sleep(0)

        assert lock.try_acquire()
        tasks = [asyncio.create_task(wait(number)) for number in range(6)]
        await asyncio.sleep(0)
        assert not lock.try_acquire(), "it is held"
        tasks[1].cancel()  # while it waits
        lock.release()
        tasks[0].cancel()  # just when it was handed the lock
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [2, 3, 4, 5]
        assert not lock.is_locked

    asyncio.run(scenario())


def test_an_action_on_a_socket_survives_a_busy_database(tmp_path: Path) -> None:
    """It isn't acknowledged while the database refuses, and done once when the same is asked again."""

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT], pace_ms=60_000)
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.next()
                seq = socket.view["seq"]
                other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
                other.execute("BEGIN IMMEDIATE")
                act = {"type": "act", "player": 0, "decision": "1.1", "action": "f7f6"}
                refused = await socket.command(act, key="mine")
                assert (refused["type"], refused["error"]) == ("error", "unavailable")
                other.execute("ROLLBACK")
                other.close()
                done = await socket.command(act, key="mine")
                assert (done["type"], done["seq"]) == ("ack", seq + 1)
                again = await socket.command(act, key="mine")
                assert again == done
                assert socket.view["seq"] == seq + 1

    with running(settings_for(tmp_path, write_timeout=2)) as base:
        asyncio.run(scenario(base))


def test_lines_that_have_ended_leave_nothing_in_circles(base: str) -> None:
    """Python is kept from looking for garbage while a server is busy: there must be none."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT], pace_ms=60_000)
            await ann.claim(opened["table"], 0, "Ann")
            for number in range(10):
                async with ann.socket(opened["table"]) as socket:
                    await socket.next()
                    if not number:
                        await socket.act("f7f6")
            await ann.look(opened["table"])

    gc.collect()
    gc.disable()
    try:
        asyncio.run(scenario())
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = [item for item in gc.garbage if isinstance(item, DirectWebSocketProtocol)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == []


def test_garbage_is_looked_for_in_quiet_moments_and_at_least_now_and_then() -> None:
    now, used, found = [0.0], [0.0], list[float]()
    policy = GarbageCollectionPolicy(lambda: now[0], lambda: used[0], lambda: found.append(now[0]))

    async def pass_by(seconds: float, load: float) -> None:
        for _ in range(int(seconds / 5)):
            now[0] += 5
            used[0] += 5 * load
            await policy.collect_if_idle()

    asyncio.run(pass_by(BUSY_INTERVAL, 0.9))
    assert found == []
    asyncio.run(pass_by(5, 0.9))
    assert found == [BUSY_INTERVAL + 5], "busy for too long"
    asyncio.run(pass_by(IDLE_INTERVAL + 5, 0.01))
    assert found[1:] == [BUSY_INTERVAL + IDLE_INTERVAL + 10]


def test_who_is_being_slowed_down_isn_t_forgotten_for_newcomers() -> None:
    now = [0.0]
    limiter = RateLimiter(1, 2, lambda: now[0])
    limiter.take("eager")
    limiter.take("eager")
    for number in range(MAX_BUCKETS + EVICTION_CHANCES):
        limiter.take(f"guest {number}")
        now[0] += 1e-6
    assert len(limiter) == MAX_BUCKETS
    with pytest.raises(TooManyRequests):
        limiter.take("eager")
