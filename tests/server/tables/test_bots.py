"""Bots as seats: they think beside the event loop, at the table's pace, and a failing one doesn't stop the game."""

import asyncio
import random
import sqlite3
import threading
from pathlib import Path

import pytest

from stampede.server.tables.bot_pool import BotPool
from tests.server.clients import guests
from tests.server.servers import running, settings_for
from tests.waiting import until


def test_the_waiting_human_comes_first_and_the_queue_is_bounded() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=2)
        gate, running_now, order = threading.Event(), threading.Event(), list[str]()

        def think(name: str) -> str:
            running_now.set()
            gate.wait()
            order.append(name)
            return name

        first = asyncio.create_task(pool.think(lambda: think("running")))
        await until("the first one thinks", running_now.is_set)
        late = [
            asyncio.create_task(pool.think(lambda name=name: think(name), priority))  # type: ignore[misc]
            for name, priority in (("patient", 1), ("human", 0), ("beyond", 0))
        ]
        await until("two of them wait", lambda: pool.waiting == 2, lambda: pool.waiting)
        await asyncio.sleep(0)
        assert pool.waiting == 2, "the third waits outside"
        gate.set()
        assert await asyncio.gather(first, *late) == ["running", "patient", "human", "beyond"]
        assert order.index("human") < order.index("patient")
        await pool.close()

    asyncio.run(scenario())


def test_what_a_bot_raises_reaches_whoever_asked() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=2)

        def fail() -> str:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await pool.think(fail)
        assert await pool.think(lambda: "fine") == "fine"
        await pool.close()

    asyncio.run(scenario())


def test_a_bot_that_fails_doesn_t_stop_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table from a day when there was a level that is gone by now: its bot can't even be made."""
    settings = settings_for(tmp_path)

    async def begin(base: str) -> tuple[str, dict[str, str]]:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {"bot": "random"}])
            await ann.claim(opened["table"], 0, "Ann")
            return opened["table"], dict(ann.client.cookies)

    async def go_on(base: str, table: str, cookies: dict[str, str]) -> None:
        async with guests(base, 1) as (ann,):
            ann.client.cookies.clear()
            ann.client.cookies.update(cookies)
            async with ann.socket(table) as socket:
                await socket.play(random.Random(1))

    with running(settings) as base:
        table, cookies = asyncio.run(begin(base))
    with sqlite3.connect(tmp_path / "tables.db") as database:
        renamed = database.execute(
            """UPDATE entries SET payload = replace(payload, '"bot":"random"', '"bot":"retired"')"""
            " WHERE seq = 1"
        )
        assert renamed.rowcount == 1
    database.close()
    with running(settings) as base:
        asyncio.run(go_on(base, table, cookies))
    assert "bot retired failed" in caplog.text


def test_bots_keep_the_table_s_pace(tmp_path: Path) -> None:
    """It takes its time; then it answers."""

    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {"bot": "random"}], pace_ms=500)
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.next()
                await socket.act("f7f6")
                assert socket.view["decision"]["awaited"] == [1]
                assert not socket.asked
                while not socket.asked:
                    await socket.next()

    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))
