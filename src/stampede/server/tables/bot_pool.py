"""A thread pool for bots, shared fairly: tables with viewers mostly come first, and addresses take turns."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeAlias

from stampede.core.errors import StampedeError
from stampede.core.json import Json

__all__ = ["BotPool", "TooManyWaiting"]

UNWATCHED_SHARE: Final = 4
"""Of so many decisions one goes to those for which nobody waits, if there are any: they mustn't wait for ever."""
RECENT_SECONDS: Final = 10.0
"""While others have asked within so many seconds, an owner leaves one thread to them."""


class TooManyWaiting(StampedeError):
    """An owner has as many decisions in the queue as it may have."""


class _Job(NamedTuple):
    owner: str
    think: Callable[[], Json]
    answer: asyncio.Future[Json]
    is_watched: Callable[[], bool]


_Turns: TypeAlias = dict[str, deque[_Job]]


class _FairQueue:
    """Jobs in two queues: those for which people wait mostly come first. Within a queue their owners take turns."""

    def __init__(self) -> None:
        self._watched: _Turns = {}
        self._unwatched: _Turns = {}
        self._taken = 0
        self.waiting: Counter[str] = Counter()

    def __len__(self) -> int:
        return self.waiting.total()

    def put(self, job: _Job) -> None:
        """Adds a job behind the others of its owner."""
        self._enqueue(job)
        self.waiting[job.owner] += 1

    def take(self, may_run: Callable[[str], bool]) -> _Job | None:
        """Takes the next job of an owner whose turn it is and who may run one; None when there is none."""
        self._sort_anew()
        queues = (self._watched, self._unwatched)
        if (self._taken + 1) % UNWATCHED_SHARE == 0:
            queues = (self._unwatched, self._watched)
        for turns in queues:
            for owner in turns:
                if may_run(owner):
                    self._taken += 1
                    return self._pop(turns, owner)
        return None

    def _enqueue(self, job: _Job) -> None:
        turns = self._watched if job.is_watched() else self._unwatched
        turns.setdefault(job.owner, deque()).append(job)

    def _sort_anew(self) -> None:
        """Viewers come and go while a job waits: moves those jobs to the other queue."""
        moved = list[_Job]()
        for turns, watched in ((self._watched, True), (self._unwatched, False)):
            for owner, jobs in tuple(turns.items()):
                changed = [job for job in jobs if job.is_watched() is not watched]
                if not changed:
                    continue
                moved += changed
                kept = deque(job for job in jobs if job.is_watched() is watched)
                if kept:
                    turns[owner] = kept  # its turn stays the same
                else:
                    del turns[owner]
        for job in moved:
            self._enqueue(job)

    def _pop(self, turns: _Turns, owner: str) -> _Job:
        jobs = turns.pop(owner)
        job = jobs.popleft()
        if jobs:
            turns[owner] = jobs  # behind the others
        self.waiting[owner] -= 1
        if not self.waiting[owner]:
            del self.waiting[owner]
        return job


def _run(think: Callable[[], Json]) -> Json:
    """Runs a bot. A StopIteration would never reach the event loop, and its worker would wait for ever."""
    try:
        return think()
    except StopIteration as error:
        raise RuntimeError("a bot raised StopIteration") from error


class BotPool:
    """Runs bots in threads. Create it inside a running event loop.

    Args:
        threads: How many bots think at the same time.
        capacity: How many decisions of one owner may wait.

    Attributes:
        finished: How many decisions were made.
        failures: How many have failed.
        seconds: How long all of them took, in threads' time.
    """

    def __init__(self, threads: int, capacity: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="stampede-bot")
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="stampede-kernels")
        self._loaded: dict[str, asyncio.Future[None]] = {}
        self._threads = threads
        self._capacity = capacity
        self._jobs = _FairQueue()
        self._changed = asyncio.Event()
        self._running: Counter[str] = Counter()
        self._latest: dict[str, float] = {}
        self._loop = asyncio.get_running_loop()
        self._workers = [self._loop.create_task(self._work()) for _ in range(threads)]
        self.finished = 0
        self.failures = 0
        self.seconds = 0.0

    @property
    def waiting(self) -> int:
        """How many decisions are queued."""
        return len(self._jobs)

    @property
    def is_loading(self) -> bool:
        """Whether anything that bots need is still being loaded."""
        return not all(loading.done() for loading in self._loaded.values())

    async def think(
        self,
        think: Callable[[], Json],
        owner: str = "",
        is_watched: Callable[[], bool] = lambda: True,
    ) -> Json:
        """What the bot answers; raises what the bot raises.

        Args:
            think: Computes the answer, in a thread.
            owner: On whose account; owners take turns.
            is_watched: Returns whether people wait for it; asked again while it is in the queue.

        Raises:
            TooManyWaiting: Too many decisions of this owner wait already.
        """
        if self._jobs.waiting[owner] >= self._capacity:
            raise TooManyWaiting(f"expected at most {self._capacity} decisions that wait")
        answer: asyncio.Future[Json] = self._loop.create_future()
        self._jobs.put(_Job(owner, think, answer, is_watched))
        self._note(owner)
        self._changed.set()
        return await answer

    def load(self, what: str, load: Callable[[], None]) -> asyncio.Future[None]:
        """Begins to load what bots need, if that hasn't begun; for those who have something else to do meanwhile."""
        if what not in self._loaded:
            loading = self._loop.run_in_executor(self._loader, load)
            # Those who wait for it hear of a failure; without any it is no error that was overlooked.
            loading.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._loaded[what] = loading
        return self._loaded[what]

    async def prepare(self, what: str, load: Callable[[], None]) -> None:
        """Loads what bots need before they can think, once, in a thread of its own.

        So bots that need nothing don't wait for a compiler. What fails is tried again by the next bot.
        """
        loading = self.load(what, load)
        try:
            await asyncio.shield(loading)
        except Exception:
            if self._loaded.get(what) is loading:
                del self._loaded[what]
            raise

    async def close(self) -> None:
        """Stops; decisions under way are finished and forgotten."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for executor in (self._executor, self._loader):
            executor.shutdown(wait=False, cancel_futures=True)

    def _note(self, owner: str) -> None:
        """Remembers who asked last, and who before that."""
        self._latest.pop(owner, None)
        self._latest[owner] = self._loop.time()
        if len(self._latest) > 2:
            del self._latest[next(iter(self._latest))]

    def _may_run(self, owner: str) -> bool:
        """Whether an owner may have another thread: the last one only if no other owner has asked recently."""
        if self._running[owner] < max(1, self._threads - 1):
            return True
        since = self._loop.time() - RECENT_SECONDS
        return all(other == owner or at < since for other, at in self._latest.items())

    async def _next_job(self) -> _Job:
        while (job := self._jobs.take(self._may_run)) is None:
            self._changed.clear()
            await self._changed.wait()
        return job

    async def _work(self) -> None:
        while True:
            job = await self._next_job()
            if job.answer.done():  # cancelled meanwhile
                continue
            begin = self._loop.time()
            self._running[job.owner] += 1
            try:
                found = await self._loop.run_in_executor(self._executor, _run, job.think)
            except Exception as error:  # noqa: BLE001 - the caller decides what a failed bot means
                self.failures += 1
                if not job.answer.done():
                    job.answer.set_exception(error)
            else:
                self.finished += 1
                if not job.answer.done():
                    job.answer.set_result(found)
            finally:
                self._running[job.owner] -= 1
                if not self._running[job.owner]:
                    del self._running[job.owner]
            self.seconds += self._loop.time() - begin
            self._changed.set()  # an owner that left this thread to others may go on
