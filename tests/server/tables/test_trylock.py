"""The lock with a synchronous try-acquire: first come, first served."""

import asyncio

from stampede.server.tables.trylock import TryLock


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
