"""Reviews of finished games: computed part by part, sent as they come, kept, and stopped when nobody looks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, TypeAlias

from starlette.responses import StreamingResponse
from starlette.types import Send

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import GameRecord, checksums
from stampede.matches.callers import Caller, digest_of
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.study.fair_play import Trace, check_not_running
from stampede.server.study.replays import play_record
from stampede.server.study.review_queue import AT_ONCE, WaitingReviews
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting
from stampede.server.tables.context import TaskGroup
from stampede.store import StoreError
from stampede.store.study.reviews import ReviewStore

if TYPE_CHECKING:
    from stampede.search.review import ReviewPart, ReviewPlan

__all__ = ["LineStream", "ReviewCache", "Reviewer", "as_lines", "review_key"]

log = logging.getLogger("stampede.server")

AHEAD_SECONDS: Final = 1.0
"""How often those who wait are told their place."""
LINGER_SECONDS: Final = 3.0
"""How long a review goes on after its last reader has left: the page is loaded anew, or opened in another tab."""
CACHED_BYTES: Final = 16 << 20
"""Finished reviews that stay in memory, as text."""

VERSION: Final = 4
"""Raise it when the same record gets another review: those that are kept then count no more."""

Line: TypeAlias = JsonObject
"""One line of the stream; `type` says which."""


class ReviewCache:
    """Finished reviews by record, the least recently used dropped first."""

    def __init__(self, most: int = CACHED_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[str, tuple[Line, ...]] = OrderedDict()
        self._sizes: dict[str, int] = {}

    def get(self, key: str) -> tuple[Line, ...] | None:
        """Returns a review's lines, if they are kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: str, lines: tuple[Line, ...]) -> None:
        """Keeps a review's lines; drops others if they take too much."""
        self._kept[key] = lines
        self._sizes[key] = sum(len(canonical(line)) for line in lines)
        while sum(self._sizes.values()) > self._most and self._kept:
            old, _ = self._kept.popitem(last=False)
            del self._sizes[old]


class _Computation:
    """A review that is being computed, for everyone who reads it.

    Attributes:
        lines: What was found so far.
        queued: Where it stands while it waits; None as soon as it has begun.
        readers: How many read it.
        is_over: Whether nothing comes any more.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.queued: Line | None = None
        self.readers = 0
        self.is_over = False
        self.task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    def tell(self, line: Line) -> None:
        """Adds a line; of the places in the queue only the latest is kept."""
        if line["type"] == "queue":
            self.queued = line
        else:
            self.queued = None
            self.lines.append(line)
        self._wake()

    def end(self) -> None:
        """Nothing comes any more."""
        self.is_over = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def read(self) -> AsyncGenerator[Line, None]:
        """Yields all lines from the first one on, as they come."""
        sent, told = 0, None
        while True:
            news = self._news
            while sent < len(self.lines):
                yield self.lines[sent]
                sent += 1
            if self.is_over and sent == len(self.lines):
                return
            if self.queued is not None and self.queued is not told:
                told = self.queued
                yield told
            elif news is self._news:
                await news.wait()


class Reviewer:
    """Computes reviews in the threads of a pool; addresses take turns, and each caller has one computed at a time.

    Args:
        pool: The threads.
        plan: Plans the review of a record.
        store: Where reviews are kept; None: in memory only.
        now: The time in milliseconds.
        linger: Seconds for which a review goes on without a reader.
    """

    def __init__(
        self,
        pool: BotPool,
        plan: Callable[[GameRecord], ReviewPlan],
        store: ReviewStore | None = None,
        now: Callable[[], int] = lambda: 0,
        linger: float = LINGER_SECONDS,
    ) -> None:
        self._pool = pool
        self._plan = plan
        self._store = store
        self._now = now
        self._linger = linger
        self._queue = WaitingReviews()
        self._cache = ReviewCache()
        self._under_way: dict[str, _Computation] = {}
        self._tasks = TaskGroup()

    async def close(self) -> None:
        """Stops all reviews."""
        await self._tasks.cancel()

    @property
    def under_way(self) -> int:
        """How many reviews are computed, or wait."""
        return len(self._under_way)

    def check_room(self, caller: Caller, address: str, record: GameRecord) -> None:
        """Raises a Problem if the review would have to be computed, and there is no place for it."""
        key = review_key(record)
        if key not in self._under_way and self._cache.get(key) is None:
            self._queue.check_room(caller.who, address)

    async def check_not_played_here(
        self, address: str, record: GameRecord, running: Sequence[Trace], free: int
    ) -> None:
        """Raises a Problem if a record shows a game that people are playing, with an invented end.

        It compares every position with every running game, so addresses take turns at this, too.

        Args:
            address: Who asks.
            record: The record.
            running: The traces of running games between people.
            free: Running games with fewer actions don't count.
        """
        if not running:
            return
        try:
            await self._pool.think(
                lambda: _compare_all(record, running, free), owner=f"check {address}"
            )
        except TooManyWaiting as error:
            raise TooManyRequests(2) from error

    async def review(
        self, caller: Caller, address: str, record: GameRecord
    ) -> AsyncGenerator[Line, None]:
        """Yields the lines of a review; the last one says that it is done, or what went wrong.

        A second request for a review that is under way joins it. When the last reader closes the iterator, the work
        stops soon.

        Args:
            caller: Who asks.
            address: Their address.
            record: The finished game.
        """
        key = review_key(record)
        if (kept := await self._find(key)) is not None:
            for line in kept:
                yield line
            return
        found = self._under_way.get(key)
        if found is None:
            found = self._under_way[key] = _Computation()
            self._tasks.spawn(self._work(key, found, caller, address, record))
        found.readers += 1
        try:
            async with aclosing(found.read()) as lines:
                async for line in lines:
                    yield line
        finally:
            found.readers -= 1
            if not found.readers and not found.is_over:
                self._tasks.spawn(self._stop_unread(key, found))

    async def _stop_unread(self, key: str, found: _Computation) -> None:
        """Stops a review soon, unless another reader comes."""
        await asyncio.sleep(self._linger)
        if not found.readers and not found.is_over and found.task is not None:
            self._forget(key, found)  # at once: nobody may join what stops
            found.task.cancel()

    def _forget(self, key: str, found: _Computation) -> None:
        if self._under_way.get(key) is found:
            del self._under_way[key]

    async def _work(
        self, key: str, found: _Computation, caller: Caller, address: str, record: GameRecord
    ) -> None:
        """Computes a review for its readers, and keeps it."""
        found.task = asyncio.current_task()
        try:
            async with aclosing(self._in_turn(caller, address, record)) as lines:
                async for line in lines:
                    found.tell(line)
            if found.lines[-1]["type"] == "done":
                await self._keep(key, tuple(found.lines))
        except Problem as problem:  # the answer has begun: its status can't tell any more
            found.tell({"type": "problem", "code": problem.code, "message": problem.message})
        except Exception:
            log.exception("a review can't be computed")
            text = "the review can't be computed"
            found.tell({"type": "problem", "code": "failed", "message": text})
        finally:
            self._forget(key, found)
            found.end()

    async def _find(self, key: str) -> tuple[Line, ...] | None:
        """Returns a review that is kept, in memory or in the database."""
        kept = self._cache.get(key)
        if kept is not None or self._store is None:
            return kept
        try:
            text = await self._store.find(key, self._now())
        except StoreError:
            log.exception("a kept review can't be read")
            return None
        if text is None:
            return None
        lines = tuple(json.loads(line) for line in text.splitlines())
        self._cache.put(key, lines)
        return lines

    async def _keep(self, key: str, lines: tuple[Line, ...]) -> None:
        self._cache.put(key, lines)
        if self._store is None:
            return
        try:
            await self._store.put(key, "\n".join(map(canonical, lines)), self._now())
        except StoreError:  # the reader has the review all the same
            log.exception("a review can't be kept")

    async def _in_turn(
        self, caller: Caller, address: str, record: GameRecord
    ) -> AsyncGenerator[Line, None]:
        """Waits for a place at the front of the queue, then computes."""
        with self._queue.place(caller.who, address) as standing:
            while (place := standing()).ahead > 0:
                yield {"type": "queue", "ahead": place.ahead, "own": place.own}
                await asyncio.sleep(AHEAD_SECONDS)
            async with aclosing(self._compute(address, record)) as found:
                async for line in found:
                    yield line

    async def _compute(self, address: str, record: GameRecord) -> AsyncGenerator[Line, None]:
        plans: list[ReviewPlan] = []
        parts: list[ReviewPart] = []
        try:
            await self._pool.think(lambda: plans.append(self._plan(record)), owner=address)
        except InputError as error:
            yield {"type": "problem", "code": "wrong_record", "message": str(error)}
            return
        plan = plans[0]
        yield {
            "type": "start",
            "game": record.game,
            "seats": plan.seats,
            "parts": len(plan.tasks),
            "budget": dict(plan.budget),
        }
        async with aclosing(self._run_tasks(address, plan, parts)) as results:
            async for found in results:
                yield {"type": "part", **found}
        yield {"type": "done", **_conclude(plan, parts)}

    async def _run_tasks(
        self, address: str, plan: ReviewPlan, parts: list[ReviewPart]
    ) -> AsyncGenerator[JsonObject, None]:
        """Runs the first task alone, as it draws the curve, then a few at a time; yields what each found."""

        def job(task: Callable[[], ReviewPart]) -> Callable[[], Json]:
            def run() -> Json:
                part = task()
                parts.append(part)
                return part.to_json()

            return run

        waiting = deque(plan.tasks)
        running: set[asyncio.Task[Json]] = set()
        try:
            yield _object(await self._pool.think(job(waiting.popleft()), owner=address))
            while running or waiting:
                while waiting and len(running) < AT_ONCE:
                    work = self._pool.think(job(waiting.popleft()), owner=address)
                    running.add(asyncio.ensure_future(work))
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for one in done:
                    yield _object(one.result())
        finally:
            for one in running:
                one.cancel()


def review_key(record: GameRecord) -> str:
    """The key of a review: what was played, by which rules, and the version of reviews."""
    head: list[Json] = [
        VERSION,
        checksums(record),
        record.game,
        record.rules,
        record.setup,
        record.result,
    ]
    return digest_of(canonical(head))


def _compare_all(record: GameRecord, running: Sequence[Trace], free: int) -> None:
    played = play_record(record)
    for asked in (played.start, *(turn.state for turn in played.turns)):
        check_not_running(record.game, asked, running, free)


# --- as JSON Lines ---


class LineStream(StreamingResponse):
    """A response that stops its work when the client leaves while a line is sent.

    Starlette leaves that to the garbage collector, which this server runs once in minutes.
    """

    body_iterator: AsyncGenerator[bytes, None]

    async def stream_response(self, send: Send) -> None:
        """Sends the lines."""
        async with aclosing(self.body_iterator):
            await super().stream_response(send)


async def as_lines(found: AsyncGenerator[Line, None]) -> AsyncGenerator[bytes, None]:
    """The lines of a review as bytes."""
    async with aclosing(found) as lines:
        async for line in lines:
            yield canonical(line).encode() + b"\n"


def _conclude(plan: ReviewPlan, parts: list[ReviewPart]) -> JsonObject:
    from stampede.search.review import conclude  # noqa: PLC0415 - loads compiled code

    return conclude(plan.seats, (one for part in parts for one in part.decisions)).to_json()


def _object(value: Json) -> JsonObject:
    assert isinstance(value, dict), "a part is an object"
    return value
