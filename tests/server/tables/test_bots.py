"""Bots as seats: they think beside the event loop, at the table's pace, and a failing one doesn't stop the game."""

import asyncio
import random
import sqlite3
import threading
from functools import partial
from pathlib import Path

import pytest

from stampede.core.json import Json
from stampede.matches import ChairPlan, TableSettings
from stampede.matches.commands import Open, Start
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting
from stampede.server.tables.broadcast import Viewer
from stampede.store import LogEntry
from stampede.store.files.side_files import accept
from stampede.store.log.chain import seal
from tests.server.clients import guests
from tests.server.servers import running, settings_for
from tests.server.tables.live import ANN, RULES, Now, tables
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
            asyncio.create_task(pool.think(partial(think, name), is_watched=partial(bool, watched)))
            for name, watched in (("patient", False), ("human", True))
        ]
        await until("two of them wait", lambda: pool.waiting == 2, lambda: pool.waiting)
        with pytest.raises(TooManyWaiting):
            await pool.think(lambda: think("beyond"))
        other = asyncio.create_task(pool.think(lambda: think("other"), owner="another"))
        await until("there is room for others", lambda: pool.waiting == 3)
        gate.set()
        answers = await asyncio.gather(first, *late, other)
        assert answers == ["running", "patient", "human", "other"]
        assert order[-1] == "patient"
        await pool.close()

    asyncio.run(scenario())


def test_bots_without_viewers_get_every_fourth_turn_and_viewers_who_come_count() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=20)
        gate, running_now, order = threading.Event(), threading.Event(), list[str]()
        viewers = dict.fromkeys(("early", "late"), False)

        def think(name: str) -> str:
            running_now.set()
            gate.wait()
            order.append(name)
            return name

        asked = [asyncio.create_task(pool.think(partial(think, "running")))]
        await until("the first one thinks", running_now.is_set)
        for name in viewers:
            work = pool.think(partial(think, name), is_watched=partial(viewers.__getitem__, name))
            asked.append(asyncio.create_task(work))
        asked += [asyncio.create_task(pool.think(partial(think, "human"))) for _ in range(8)]
        await until("all others wait", lambda: pool.waiting == 10, lambda: pool.waiting)
        gate.set()
        await asyncio.gather(*asked)
        assert [at for at, name in enumerate(order) if name != "human"] == [0, 3, 7]
        gate.clear()
        running_now.clear()
        order.clear()
        asked = [asyncio.create_task(pool.think(partial(think, "running")))]
        await until("one thinks again", running_now.is_set)
        for name in viewers:
            work = pool.think(partial(think, name), is_watched=partial(viewers.__getitem__, name))
            asked.append(asyncio.create_task(work))
        await until("both wait", lambda: pool.waiting == 2, lambda: pool.waiting)
        viewers["late"] = True
        gate.set()
        await asyncio.gather(*asked)
        assert order == ["running", "late", "early"]
        await pool.close()

    asyncio.run(scenario())


def test_an_owner_with_many_bots_waits_for_itself_and_not_the_others_for_it() -> None:
    """One address has 200 decisions in the queue. Each decision of another waits for at most one of them."""

    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=1000)
        order: list[str] = []
        gate = threading.Event()

        def think(name: str) -> str:
            gate.wait()
            order.append(name)
            return name

        def ask(owner: str) -> asyncio.Task[Json]:
            return asyncio.create_task(pool.think(lambda: think(owner), owner=owner))

        hostile = [ask("hostile") for _ in range(200)]
        await until("all are queued", lambda: pool.waiting == 199)
        others = [ask(owner) for owner in ("ann", "ben", "ann", "ben")]
        await until("all are queued", lambda: pool.waiting == 203)
        gate.set()
        await asyncio.gather(*hostile, *others)
        assert order[:8] == ["hostile", "hostile", "ann", "ben", "hostile", "ann", "ben", "hostile"]
        await pool.close()

    asyncio.run(scenario())


def test_an_owner_leaves_a_thread_to_others_who_have_asked_recently() -> None:
    """Thoughts can't be interrupted: with all threads taken, others would wait for a whole one."""

    async def scenario() -> None:
        pool = BotPool(threads=2, capacity=1000)
        gate, held = threading.Event(), threading.Semaphore(0)

        def think_long() -> str:
            held.release()
            gate.wait()
            return "hostile"

        def take_held() -> bool:
            return held.acquire(blocking=False)

        assert await pool.think(lambda: "fine", owner="ann") == "fine"
        hostile = [asyncio.create_task(pool.think(think_long, owner="hostile")) for _ in range(5)]
        await until("one of them thinks", take_held)
        for _ in range(5):
            assert await pool.think(lambda: "fine", owner="ann") == "fine"
        assert not take_held(), "the other thread stays free for ann"
        gate.set()
        assert await asyncio.gather(*hostile) == ["hostile"] * 5
        await pool.close()

    asyncio.run(scenario())


def test_an_owner_alone_has_all_threads() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=2, capacity=10)
        together = threading.Barrier(2)

        def think() -> str:
            together.wait()
            return "both at once"

        both = [pool.think(think, owner="ann") for _ in range(2)]
        assert await asyncio.gather(*both) == ["both at once"] * 2
        await pool.close()

    asyncio.run(scenario())


def test_what_a_bot_raises_reaches_its_caller() -> None:
    async def scenario() -> None:
        pool = BotPool(threads=1, capacity=2)

        def fail() -> str:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await pool.think(fail)
        with pytest.raises(RuntimeError, match="StopIteration"):  # which no future can hold
            await pool.think(lambda: next(iter(())))
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
        query = "SELECT payload, mark, chain FROM entries WHERE seq = 1"
        payload, mark, chain = database.execute(query).fetchone()
        retired = payload.replace('"bot":"random"', '"bot":"retired"')
        assert retired != payload
        sealed = seal("", table, LogEntry(1, retired, mark, chain))
        database.execute(
            "UPDATE entries SET payload = ?, mark = ? WHERE seq = 1", (retired, sealed)
        )
    database.close()
    accept(tmp_path / "tables.db")
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


def test_bots_among_themselves_play_only_while_they_are_watched(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            bots = (ChairPlan("random"), ChairPlan("random"))
            wanted = TableSettings("buffalo", RULES, bots, public=True)
            command = Open("2" * 22, wanted, "ann", "ab" * 32)
            async with registry.lease(await registry.open(command, ANN, "open")) as actor:
                assert actor.seq == 1, "full, but nobody has started it"
                await actor.command(Start(), ANN, "start")
                await until("the driver has looked", lambda: not actor.has_pending_bots)
                assert actor.seq == 2
                viewer = Viewer(ANN, None, 1 << 20)
                await actor.enter(viewer, None)
                await until("they play", lambda: actor.seq > 4)
                actor.leave(viewer)
                await until("they stop", lambda: not actor.has_pending_bots)
                seen = actor.seq
                actor.recheck()
                await until("the driver has looked", lambda: not actor.has_pending_bots)
                assert actor.seq == seen

    asyncio.run(scenario())
