"""A live table under unusual timing: stops, idle clocks, moved seats, refusals. In process, on a real SQLite store."""

from __future__ import annotations

import asyncio
import gc
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from stampede.core.errors import InputError, StampedeError
from stampede.matches import Caller, Table, digest_of
from stampede.matches.commands import Act, Command, MoveChair, Start
from stampede.matches.entries import Ack
from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.driver import EXPIRY_ATTEMPTS, Driver
from stampede.server.tables.trylock import TryLock
from tests.server.tables.live import ANN, BEN, DAY, IDLE_MS, Now, opened, tables


def test_a_waiter_that_is_cancelled_while_the_lock_is_released_stays_cancelled() -> None:
    async def scenario() -> None:
        lock = TryLock()
        assert lock.try_acquire()
        waiter = asyncio.create_task(lock.acquire())
        await asyncio.sleep(0)
        waiter.cancel()
        lock.release()
        with pytest.raises(asyncio.CancelledError):
            await waiter
        assert not lock.is_locked

    asyncio.run(scenario())


def test_a_table_with_a_clock_is_unloaded_when_it_is_idle(tmp_path: Path) -> None:
    """Its driver looks at the clock again and again: that isn't use."""

    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry, clock=DAY)
            for _ in range(4):
                now.ms += IDLE_MS // 3
                actor.recheck()
                while actor.busy:
                    await asyncio.sleep(0.01)
            deadline = actor.deadline
            await registry._sweep()
            assert registry.live == 0
            assert deadline is not None
            assert registry._alarms == {actor.table_id: deadline}

    asyncio.run(scenario())


def test_a_stopping_table_waits_for_commands_under_way(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actor = await opened(registry)
            answers: list[Ack | Exception] = []
            async with actor.reading():
                actor.submit(Act(0, "1.1", "f7f6"), ANN, "act", answers.append)
                stopping = asyncio.create_task(actor.stop())
                await asyncio.sleep(0.05)
                assert not stopping.done()
            await stopping
            assert [type(answer) for answer in answers] == [Ack]

    asyncio.run(scenario())


def test_a_seat_that_has_moved_is_not_entered_by_its_old_holder(tmp_path: Path) -> None:
    """The right to a view is asked for where the table stands still, not before."""

    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actor = await opened(registry, watch=False)
            token = "t" * 40
            early = Viewer(Caller(token=token), 0, 1 << 20)
            async with actor.reading() as table:
                state = table.state
                chairs = (replace(state.chairs[0], digest=digest_of(token)), *state.chairs[1:])
                table.state = replace(state, chairs=chairs)
                assert table.players_of(early.caller) == (0,)
            await actor.command(MoveChair(0, digest_of("u" * 40)), Caller(token=token), "move")
            with pytest.raises(Problem) as refused:
                await actor.enter(early, None)
            assert refused.value.status == 403
            assert not actor.is_watched

    asyncio.run(scenario())


class StubbornTable:
    """A table whose clock has always run out, and that always refuses to say so."""

    table_id = "x" * 22
    address = ""
    is_watched = False

    def __init__(self, table: Table) -> None:
        self.table, self.asked = table, 0

    @asynccontextmanager
    async def reading(self, *, fresh: bool = True) -> AsyncIterator[Table]:
        del fresh
        yield self.table

    async def command(self, command: Command, caller: Caller, key: str) -> Ack:
        del command, caller, key
        self.asked += 1
        raise InputError("this entry can't be read")


def test_a_driver_whose_expiry_is_refused_does_not_spin(tmp_path: Path) -> None:
    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            actor = await opened(registry, clock=DAY)
            async with actor.reading() as table:
                pass
            now.ms += 2 * DAY.limit_ms
            stub = StubbornTable(table)
            driver = Driver(stub, registry._context)
            await asyncio.sleep(0.2)
            assert stub.asked == EXPIRY_ATTEMPTS
            await driver.stop()

    asyncio.run(scenario())


def test_refused_commands_and_unknown_tables_leave_no_reference_cycles(tmp_path: Path) -> None:
    """A busy server doesn't run the cyclic garbage collector."""

    async def refuse(actor: TableActor, key: str) -> None:
        try:
            await actor.command(Start(), BEN, key)
        except StampedeError:
            return
        pytest.fail("expected a refusal")

    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actor = await opened(registry)
            await refuse(actor, "warm up")
            gc.collect()
            gc.disable()
            try:
                for number in range(20):
                    await refuse(actor, f"refused {number}")
                    with suppress(Problem):
                        async with registry.lease(f"{number:022d}".replace("0", "z")):
                            pytest.fail("expected no such table")
                gc.set_debug(gc.DEBUG_SAVEALL)
                gc.collect()
                kinds = (TableActor, Ack, StampedeError)
                left = [item for item in gc.garbage if isinstance(item, kinds)]
            finally:
                gc.set_debug(0)
                gc.garbage.clear()
                gc.enable()
            assert left == []

    asyncio.run(scenario())


def test_commands_that_come_together_are_all_answered_in_order(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actors = [await opened(registry, number) for number in range(3)]
            numbers: list[int] = []
            counter = itertools.count()
            for actor, key in itertools.product(actors, ("a", "b", "c")):
                actor.submit(
                    Act(0, "1.1", "f7f6"), ANN, key, lambda _: numbers.append(next(counter))
                )
            while len(numbers) < 9:
                await asyncio.sleep(0.01)
            for actor in actors:
                async with actor.reading() as table:
                    assert len(table.state.running.actions) == 1, "the others came too late"

    asyncio.run(scenario())
