"""Reviews of finished games: computed part by part, sent as they come, kept, and stopped when nobody looks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from starlette.responses import StreamingResponse
from starlette.types import Send

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import GameRecord, checksums
from stampede.matches.callers import Caller, digest_of
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.study.fair_play import check_not_running
from stampede.server.study.replays import play_record
from stampede.server.tables.bot_pool import BotPool, TooManyWaiting
from stampede.store import StoreError
from stampede.store.study.reviews import ReviewStore

if TYPE_CHECKING:
    from stampede.search.review import ReviewPart, ReviewPlan

__all__ = ["LineStream", "ReviewCache", "Reviewer", "as_lines", "review_key"]

log = logging.getLogger("stampede.server")

AT_ONCE: Final = 2
"""Reviews that are computed at the same time; the others wait."""
MAX_QUEUE: Final = 32
"""Reviews that may wait."""
MAX_OF_ADDRESS: Final = 4
"""Reviews of one address that may wait or be computed; the other places are for others."""
AHEAD_SECONDS: Final = 1.0
"""How often those who wait are told their place."""
CACHED_BYTES: Final = 16 << 20
"""Finished reviews that stay in memory, as text."""

VERSION: Final = 3
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


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    address: str


class _Places:
    """A queue with a few places at its front."""

    def __init__(self) -> None:
        self._order: list[_Place] = []

    def check_room(self, address: str) -> None:
        """Raises a Problem if the queue is full, or if this address has its share of it."""
        if sum(place.address == address for place in self._order) >= MAX_OF_ADDRESS:
            raise TooManyRequests(10)
        if len(self._order) >= AT_ONCE + MAX_QUEUE:
            raise Problem(503, "busy", "too many wait for a review; try again", None, 10)

    @contextmanager
    def place(self, address: str) -> Iterator[Callable[[], int]]:
        """Takes the last place; yields a function that says how many are ahead of it."""
        self.check_room(address)
        mine = _Place(address)
        self._order.append(mine)
        try:
            yield lambda: max(0, self._order.index(mine) - AT_ONCE + 1)
        finally:
            self._order.remove(mine)


class Reviewer:
    """Computes reviews in the threads of a pool; addresses take turns, and each caller has one review at a time."""

    def __init__(
        self,
        pool: BotPool,
        plan: Callable[[GameRecord], ReviewPlan],
        store: ReviewStore | None = None,
        now: Callable[[], int] = lambda: 0,
    ) -> None:
        self._pool = pool
        self._plan = plan
        self._store = store
        self._now = now
        self._places = _Places()
        self._callers: set[str] = set()
        self._cache = ReviewCache()

    def check_free(self, caller: Caller, address: str) -> None:
        """Raises a Problem if this caller has a review under way, or if there is no place for another one."""
        if caller.who in self._callers:
            raise TooManyRequests(1)
        self._places.check_room(address)

    async def check_not_played_here(
        self, address: str, record: GameRecord, running: Sequence[object]
    ) -> None:
        """Raises a Problem if a record that was sent here shows a game that people are playing, with an invented end.

        It compares every position with every running game, so addresses take turns at this, too.
        """
        if not running:
            return
        try:
            await self._pool.think(lambda: _compare_all(record, running), owner=f"check {address}")
        except TooManyWaiting as error:
            raise TooManyRequests(2) from error

    async def review(
        self, caller: Caller, address: str, record: GameRecord
    ) -> AsyncGenerator[Line, None]:
        """Yields the lines of a review; the last one says that it is done, or what went wrong.

        Closing the iterator stops the work.

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
        lines: list[Line] = []
        try:
            async with aclosing(self._in_turn(caller, address, record)) as found:
                async for line in found:
                    if line["type"] != "queue":
                        lines.append(line)
                    yield line
        except Problem as problem:  # the answer has begun: its status can't tell any more
            yield {"type": "problem", "code": problem.code, "message": problem.message}
        except Exception:
            log.exception("a review can't be computed")
            yield {"type": "problem", "code": "failed", "message": "the review can't be computed"}
        else:
            if lines[-1]["type"] == "done":
                await self._keep(key, tuple(lines))

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
        if caller.who in self._callers:
            raise TooManyRequests(1)
        self._callers.add(caller.who)
        try:
            with self._places.place(address) as ahead:
                while (others := ahead()) > 0:
                    yield {"type": "queue", "ahead": others}
                    await asyncio.sleep(AHEAD_SECONDS)
                async with aclosing(self._compute(address, record)) as found:
                    async for line in found:
                        yield line
        finally:
            self._callers.discard(caller.who)

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


def _compare_all(record: GameRecord, running: Sequence[object]) -> None:
    played = play_record(record)
    for asked in (played.start, *(turn.state for turn in played.turns)):
        check_not_running(record.game, asked, running)


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
