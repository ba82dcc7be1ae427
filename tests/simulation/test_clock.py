"""Tables' time passes only while moves can be stored: on virtual time, with the real group commit."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from simulation.loop import SimulatedLoop
from simulation.world import World
from stampede.server.clock import STALL_SECONDS, SteadyClock
from stampede.store import Append, Store, StoreError, StoreUnavailable
from stampede.store.log.group_commit import GroupWriter, Retryable


class Disk:
    """A disk that stores nothing for a while."""

    def __init__(self, world: World, back: float) -> None:
        self._world = world
        self._back = back

    def check(self) -> None:
        if 5.0 < self._world.now < self._back:
            raise Retryable("away")

    async def commit(self, group: Sequence[Append]) -> list[StoreError | None]:
        self.check()
        return [None] * len(group)

    async def probe(self) -> None:
        try:
            self.check()
        except Retryable as error:
            raise StoreUnavailable(str(error)) from error

    async def close(self) -> None:
        """Has nothing to close."""


def passed(world: World, back: float, timeout: float) -> float:
    """How many seconds of tables' time pass in a hundred, while an append waits for the disk."""
    loop = SimulatedLoop("test", world.time, world.stream("test"), lambda: 0.0)
    world.loops.append(loop)
    clock = SteadyClock(0, world.time)
    disk = Disk(world, back)

    async def scenario() -> None:
        writer = GroupWriter(disk, timeout=timeout)
        store = cast("Store", SimpleNamespace(writer=writer, probe=disk.probe))
        ticking = asyncio.get_running_loop().create_task(clock.keep_ticking(store))
        await asyncio.sleep(6.0)
        writer.put(Append("a", 1, ("1",)), lambda _: None)
        await asyncio.sleep(94.0)
        ticking.cancel()
        await writer.close()

    task = loop.run_now(loop.create_task, scenario())
    world.run(100.0)
    told = clock()
    world.run(101.0)
    assert task.done()
    loop.close()
    return told / 1000


def test_time_passes_while_moves_can_be_stored() -> None:
    assert passed(World(1), back=0.0, timeout=10.0) == 100.0


def test_no_time_passes_while_an_append_waits_for_the_disk() -> None:
    assert 46.0 <= passed(World(1), back=60.0, timeout=1000.0) <= 47.0 + STALL_SECONDS


def test_no_time_passes_after_a_failed_append_until_the_disk_stores_again() -> None:
    assert 46.0 <= passed(World(1), back=60.0, timeout=1.0) <= 47.0 + 2 * STALL_SECONDS
