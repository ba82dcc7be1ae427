"""The garbage-collection policy, and that closed WebSockets leave no garbage for it."""

import asyncio
import gc

from stampede.server.http.websocket import DirectWebSocketProtocol
from stampede.server.ops.gc_policy import BUSY_INTERVAL, IDLE_INTERVAL, GarbageCollectionPolicy
from tests.server.clients import guests

BOT = {"bot": "random"}


def test_garbage_is_collected_when_idle_and_at_least_now_and_then() -> None:
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


def test_closed_websockets_leave_no_reference_cycles(base: str) -> None:
    """The collector doesn't run while a server is busy, so there must be no garbage."""

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
