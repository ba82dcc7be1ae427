"""One actor for a table, however requests, evictions and failures interleave."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.memory import Holder
from stampede.server.tables.registry import TableRegistry
from stampede.store import StoreBusy
from tests.server.tables.live import (
    ANN,
    DAY,
    IDLE_MS,
    MOVE,
    Now,
    open_tables,
    opened,
    tables,
    watch,
)
from tests.waiting import until


def test_a_table_that_a_request_holds_is_not_unloaded(tmp_path: Path) -> None:
    """The request has found it and hasn't used it yet. It is idle by every other measure."""

    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now, most=1) as registry:
            table_id = (await opened(registry)).table_id
            async with registry.lease(table_id, Holder("home")) as held:
                now.ms += 2 * IDLE_MS
                await registry._sweep()
                (other,) = await open_tables(registry, 1, first=1)
                with pytest.raises(Problem) as refused:
                    async with registry.lease(other, Holder("elsewhere")):
                        pass
                assert refused.value.status == 503, "there is no room, and nobody holds too much"
                async with registry.lease(table_id, Holder("elsewhere")) as again:
                    outlet = await watch(again)
                ack = await held.command(MOVE, ANN, "act")
                assert f'"seq":{ack.seq}'.encode() in outlet.sent[-1], "the viewer hears of it"

    asyncio.run(scenario())


def test_a_retired_actor_refuses_commands_and_viewers(tmp_path: Path) -> None:
    """Nobody should hold one. If a bug lets a request keep one, its action isn't acknowledged there."""

    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry)
            now.ms += 2 * IDLE_MS
            await until("it is idle", lambda: not actor.busy)
            await registry._sweep()
            assert registry.live == 0
            for attempt in (
                actor.command(MOVE, ANN, "act"),
                actor.enter(Viewer(ANN, 0, 1 << 20), None),
            ):
                with pytest.raises(Problem) as refused:
                    await attempt
                assert refused.value.status == 503
            async with registry.lease(actor.table_id) as fresh, fresh.reading() as table:
                assert fresh is not actor
                assert not table.state.running.actions

    asyncio.run(scenario())


def test_many_requests_for_more_tables_than_fit_evict_without_an_error(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now(), most=4) as registry:
            names = await open_tables(registry, 12)

            async def look(table_id: str) -> str:
                async with (
                    registry.lease(table_id, Holder("home")) as actor,
                    actor.reading() as table,
                ):
                    return table.state.table

            for _ in range(3):
                found = await asyncio.gather(
                    *(look(name) for name in names for _ in range(2)), return_exceptions=True
                )
                kinds = {type(item) for item in found}
                assert kinds <= {str, Problem}, "at most: there is no room now"
                assert registry.live <= 4

    asyncio.run(scenario())


def _is_timed(registry: TableRegistry, table_id: str) -> bool:
    actor = registry._loaded.get(table_id)
    return actor is not None and actor.deadline is not None


def test_a_table_that_is_unloaded_while_its_log_is_read_anew_keeps_its_clock(
    tmp_path: Path,
) -> None:
    """A name was taken out of the log, so the table in memory, and with it its deadline, is forgotten."""

    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry, clock=DAY)
            table_id = actor.table_id
            await until("it is idle", lambda: not actor.busy)
            await actor.reread()
            assert actor.deadline is None
            now.ms += 2 * IDLE_MS
            await registry._sweep()  # unloads it, and finds that it is to be loaded
            assert registry._loaded.get(table_id) is not actor
            await until("its clock runs again", lambda: _is_timed(registry, table_id))

    asyncio.run(scenario())


def test_two_requests_for_a_table_that_fails_to_load_share_one_actor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one's read fails, the second one's doesn't: the second one's actor has its bots and clocks."""

    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry, clock=DAY)
            now.ms += 2 * IDLE_MS
            await until("it is idle", lambda: not actor.busy)
            await registry._sweep()
            store, gate, reads = registry._context.store, asyncio.Event(), 0
            read = store.read

            async def read_badly(table_id: str) -> object:
                nonlocal reads
                reads += 1
                if reads == 1:
                    await gate.wait()
                    raise StoreBusy("no answer")
                return await read(table_id)

            monkeypatch.setattr(store, "read", read_badly)

            async def hold() -> TableActor:
                async with registry.lease(actor.table_id) as held, held.reading():
                    return held

            first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
            await asyncio.sleep(0)
            gate.set()
            with pytest.raises(StoreBusy):
                await first
            found = await second
            assert found.is_awake
            async with registry.lease(actor.table_id) as again:
                assert again is found

    asyncio.run(scenario())


def test_a_table_that_cannot_be_read_leaves_nothing_in_memory(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            with suppress(Problem):
                async with registry.lease("z" * 22):
                    pytest.fail("expected no such table")
            assert registry.live == 0

    asyncio.run(scenario())


# --- a database that is away for a while ---


def test_running_tables_are_brought_back_when_the_database_answers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listing them fails twice, then reading one does; meanwhile tables can be found."""

    async def scenario() -> None:
        monkeypatch.setattr("stampede.server.tables.registry.FIRST_RETRY_SECONDS", 0.01)
        async with tables(tmp_path, Now()) as registry:
            names = [(await opened(registry, number, clock=DAY)).table_id for number in range(3)]
        async with tables(tmp_path, Now()) as registry:
            store, failures = registry._context.store, 4
            listed, read = store.ids_by_status, store.read

            async def fail_listing(status: str, limit: int) -> object:
                nonlocal failures
                if failures > 2:
                    failures -= 1
                    raise StoreBusy("no answer")
                return await listed(status, limit)

            async def fail_reading(table_id: str) -> object:
                nonlocal failures
                if failures:
                    failures -= 1
                    raise StoreBusy("no answer")
                return await read(table_id)

            monkeypatch.setattr(store, "ids_by_status", fail_listing)
            restoring = asyncio.create_task(registry._restore_running())
            async with registry.lease(names[2]) as actor, actor.reading():
                pass
            monkeypatch.setattr(store, "read", fail_reading)
            await restoring
            assert failures == 0
            assert {actor.table_id for actor in registry._loaded.all()} == set(names)

    asyncio.run(scenario())


def test_one_task_brings_tables_back_however_often_workers_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change asks for it. While the database is away, none of them leaves another loop behind."""

    async def scenario() -> None:
        monkeypatch.setattr("stampede.server.tables.registry.FIRST_RETRY_SECONDS", 3600.0)
        async with tables(tmp_path, Now()) as registry:
            names = [(await opened(registry, number, clock=DAY)).table_id for number in range(2)]
        async with tables(tmp_path, Now()) as registry:
            store, is_away, asked = registry._context.store, True, 0
            listed = store.ids_by_status

            async def list_running(status: str, limit: int) -> object:
                nonlocal asked
                asked += 1
                if is_away:
                    raise StoreBusy("no answer")
                return await listed(status, limit)

            monkeypatch.setattr(store, "ids_by_status", list_running)
            first = asyncio.create_task(registry._restore_running())
            await until("it waits for the database", lambda: asked == 1)
            others = [asyncio.create_task(registry._restore_running()) for _ in range(5)]
            await until("they leave it to the first", lambda: all(task.done() for task in others))
            assert not first.done()
            is_away = False
            await registry._restore_running()  # wakes it
            await first
            assert {actor.table_id for actor in registry._loaded.all()} == set(names)

    asyncio.run(scenario())


def test_an_alarm_survives_a_database_that_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        monkeypatch.setattr("stampede.server.tables.registry.FIRST_RETRY_SECONDS", 0.01)
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry, clock=DAY)
            now.ms += 2 * IDLE_MS
            await until("it is idle", lambda: not actor.busy)
            await registry._sweep()
            store, failures = registry._context.store, 3
            read = store.read

            async def fail_first(table_id: str) -> object:
                nonlocal failures
                failures -= 1
                if failures >= 0:
                    raise StoreBusy("no answer")
                return await read(table_id)

            monkeypatch.setattr(store, "read", fail_first)
            now.ms += DAY.limit_ms
            await registry._sweep()
            await until("it is loaded", lambda: registry.live == 1 and not registry._alarms)

    asyncio.run(scenario())
