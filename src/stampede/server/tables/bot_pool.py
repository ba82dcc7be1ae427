"""A thread pool for bots with a bounded priority queue: tables with viewers come first."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from stampede.core.json import Json

__all__ = ["BotPool"]


class _Job(NamedTuple):
    priority: int
    number: int
    think: Callable[[], Json]
    answer: asyncio.Future[Json]


class BotPool:
    """Runs bots in threads. Create it inside a running event loop.

    Attributes:
        finished: How many decisions were made.
        failures: How many have failed.
        seconds: How long all of them took, in threads' time.
    """

    def __init__(self, threads: int, capacity: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="stampede-bot")
        self._jobs: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue(capacity)
        self._numbers = itertools.count()
        loop = asyncio.get_running_loop()
        self._workers = [loop.create_task(self._work()) for _ in range(threads)]
        self.finished = 0
        self.failures = 0
        self.seconds = 0.0

    @property
    def waiting(self) -> int:
        """How many decisions are queued."""
        return self._jobs.qsize()

    async def think(self, think: Callable[[], Json], priority: int = 0) -> Json:
        """What the bot answers; raises what the bot raises. Lower priorities come first."""
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        await self._jobs.put(_Job(priority, next(self._numbers), think, answer))
        return await answer

    async def close(self) -> None:
        """Stops; decisions under way are finished and forgotten."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            job = await self._jobs.get()
            if job.answer.done():  # cancelled meanwhile
                continue
            begin = loop.time()
            try:
                found = await loop.run_in_executor(self._executor, job.think)
            except Exception as error:  # noqa: BLE001 - the caller decides what a failed bot means
                self.failures += 1
                if not job.answer.done():
                    job.answer.set_exception(error)
            else:
                self.finished += 1
                if not job.answer.done():
                    job.answer.set_result(found)
            self.seconds += loop.time() - begin
