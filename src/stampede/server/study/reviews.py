"""Reviews of finished games: computed part by part, sent as they come, kept, and stopped when nobody looks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import GameRecord, checksums
from stampede.matches.callers import Caller, digest_of
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.study.fair_play import check_not_running
from stampede.server.study.replays import play_record
from stampede.server.tables.bot_pool import BotPool

if TYPE_CHECKING:
    from stampede.search.review import ReviewPart, ReviewPlan

__all__ = ["ReviewCache", "Reviewer", "check_not_played_here"]

AT_ONCE: Final = 2
"""Reviews that are computed at the same time; the others wait."""
MAX_QUEUE: Final = 32
"""Reviews that may wait."""
AHEAD_SECONDS: Final = 1.0
"""How often those who wait are told their place."""
CACHED_BYTES: Final = 16 << 20
"""Finished reviews that stay in memory, as text."""

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


class _Places:
    """A queue with a few places at its front."""

    def __init__(self) -> None:
        self._order: list[object] = []

    @asynccontextmanager
    async def place(self) -> AsyncIterator[Callable[[], int]]:
        """Takes the last place; yields a function that says how many are ahead of it."""
        if len(self._order) >= AT_ONCE + MAX_QUEUE:
            raise Problem(503, "busy", "too many wait for a review; try again", None, 10)
        mine = object()
        self._order.append(mine)
        try:
            yield lambda: max(0, self._order.index(mine) - AT_ONCE + 1)
        finally:
            self._order.remove(mine)


class Reviewer:
    """Computes reviews in the threads of a pool; addresses take turns, and each caller has one review at a time."""

    def __init__(self, pool: BotPool, plan: Callable[[GameRecord], ReviewPlan]) -> None:
        self._pool = pool
        self._plan = plan
        self._places = _Places()
        self._callers: set[str] = set()
        self._cache = ReviewCache()

    def check_free(self, caller: Caller) -> None:
        """Raises a Problem if this caller has a review under way."""
        if caller.who in self._callers:
            raise TooManyRequests(1)

    async def review(
        self, caller: Caller, address: str, record: GameRecord
    ) -> AsyncGenerator[Line, None]:
        """Yields the lines of a review. Closing the iterator stops the work.

        Args:
            caller: Who asks.
            address: Their address.
            record: The finished game.
        """
        key = digest_of(canonical([checksums(record), record.game, record.rules, record.setup]))
        if (kept := self._cache.get(key)) is not None:
            for line in kept:
                yield line
            return
        self.check_free(caller)
        self._callers.add(caller.who)
        lines: list[Line] = []
        try:
            async with self._places.place() as ahead:
                while (others := ahead()) > 0:
                    yield {"type": "queue", "ahead": others}
                    await asyncio.sleep(AHEAD_SECONDS)
                async with aclosing(self._compute(address, record)) as found:
                    async for line in found:
                        lines.append(line)
                        yield line
        finally:
            self._callers.discard(caller.who)
        if lines and lines[-1]["type"] == "done":
            self._cache.put(key, tuple(lines))

    async def _compute(self, address: str, record: GameRecord) -> AsyncGenerator[Line, None]:
        plans: list[ReviewPlan] = []
        parts: list[ReviewPart] = []
        try:
            await self._pool.think(lambda: plans.append(self._plan(record)), owner=address)
        except InputError as error:
            yield {"type": "problem", "code": "wrong_record", "message": str(error)}
            return
        plan = plans[0]
        yield {"type": "start", "game": record.game, "seats": plan.seats, "parts": len(plan.tasks)}
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


def check_not_played_here(record: GameRecord, running: Iterable[object]) -> None:
    """Raises a Problem if a record that was sent here shows a game that people are playing, with an invented end."""
    states = list(running)
    if not states:
        return
    played = play_record(record)
    for asked in (played.start, *(turn.state for turn in played.turns)):
        check_not_running(record.game, asked, states)


def _conclude(plan: ReviewPlan, parts: list[ReviewPart]) -> JsonObject:
    from stampede.search.review import conclude  # noqa: PLC0415 - loads compiled code

    return conclude(plan.seats, (one for part in parts for one in part.decisions)).to_json()


def _object(value: Json) -> JsonObject:
    assert isinstance(value, dict), "a part is an object"
    return value
