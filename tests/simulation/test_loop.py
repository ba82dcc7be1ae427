"""The simulated loop keeps what asyncio promises, on virtual time."""

import asyncio
import random

import pytest

from simulation.loop import SimulatedLoop
from simulation.world import Livelock, World


def loop_of(world: World, put_off: float = 0.0) -> SimulatedLoop:
    loop = SimulatedLoop("test", world.time, random.Random(1), lambda: 0.5)
    loop.put_off = put_off
    world.loops.append(loop)
    return loop


def test_an_hour_takes_no_time() -> None:
    world = World(1)
    loop = loop_of(world)
    task = loop.run_now(loop.create_task, asyncio.sleep(3600, "done"))
    world.run(4000.0)
    assert task.result() == "done"
    assert world.now == 4000.0
    loop.close()


@pytest.mark.parametrize("put_off", [0.0, 0.9])
def test_callbacks_keep_their_order(put_off: float) -> None:
    world = World(1)
    loop = loop_of(world, put_off)
    got: list[int] = []
    for number in range(50):
        loop.call_soon(got.append, number)
    world.run(1.0)
    assert got == list(range(50))
    loop.close()


def test_tasks_are_put_off_as_the_seed_says() -> None:
    def orders(seed: int) -> list[int]:
        world = World(1)
        loop = SimulatedLoop("test", world.time, random.Random(seed), lambda: 0.5)
        loop.put_off = 0.5
        world.loops.append(loop)
        got: list[int] = []

        async def note(number: int) -> None:
            got.append(number)

        for number in range(5):
            loop.run_now(loop.create_task, note(number))
        world.run(1.0)
        loop.close()
        return got

    assert orders(3) == orders(3)
    assert len({tuple(orders(seed)) for seed in range(20)}) > 3
    assert all(sorted(orders(seed)) == list(range(5)) for seed in range(20))


def test_an_executor_runs_on_the_loop_later() -> None:
    world = World(1)
    loop = loop_of(world)
    future = loop.run_in_executor(None, lambda: world.now)
    world.run(1.0)
    assert future.result() == 0.5
    loop.close()


def test_a_livelock_is_found() -> None:
    world = World(1)
    loop = loop_of(world)

    def again() -> None:
        loop.call_soon(again)

    again()
    with pytest.raises(Livelock):
        world.run(1.0)
    loop.close()
