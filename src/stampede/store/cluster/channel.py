"""Between the workers of one PostgreSQL: who is there, and what was written. LISTEN/NOTIFY and advisory locks, no more.

A worker holds two advisory locks as long as it lives. One is its own, so that everybody sees who is there; PostgreSQL
drops it the moment that the process dies. The other is shared by all, so that whoever starts knows whether he is the
first, and the tables' clocks stood still before.

News are hints: they say that a table's log has grown, never how. One that is lost costs a moment and no entry, as
everybody also looks into the log now and then (`Store.heads`).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import FAILURES, Direct, connected
from stampede.store.errors import StoreUnavailable

__all__ = ["Channel", "News"]

log = logging.getLogger("stampede.store")

NAME: Final = "stampede"
LOCKS: Final = 0x57A3_9EDD
"""The first half of our advisory locks' names; the second is a worker's number, or 0 for the shared one."""
LONGEST: Final = 7500
"""Bytes of one notification; PostgreSQL takes 8000."""
TICK: Final = 1.0
"""Seconds between signs of life."""
SILENCE: Final = 5
"""Looks round, one a tick, after which a worker that holds its lock, but says nothing, doesn't count: it hangs, or is
stopped. Not seconds: whoever was stopped himself would find all the others silent."""

WHO: Final = """SELECT objid::bigint AS number FROM pg_locks
WHERE locktype = 'advisory' AND classid = $1::oid AND objsubid = 2 AND objid <> 0 AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


class News(NamedTuple):
    """A table's log has grown.

    Attributes:
        table_id: Which table.
        seq: Its last entry.
        live: Whether a bot or a clock may have something to do there.
    """

    table_id: str
    seq: int
    live: bool


class Channel:
    """A worker's line to the others. Open it inside a running event loop.

    Args:
        engine: Whose database the workers share.
        heard: Called with the others' news.
        changed: Called when workers have come or gone, and after a gap in the line: news may be missing.

    Attributes:
        number: This worker's.
        workers: The numbers of all that live, this one included.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        heard: Callable[[Sequence[News]], None],
        changed: Callable[[], None],
    ) -> None:
        self.number = secrets.randbelow(2**31 - 1) + 1
        self.workers: frozenset[int] = frozenset({self.number})
        self._engine = engine
        self._hear = heard
        self._changed = changed
        self._line: Direct | None = None
        self._silent: dict[int, int] = {}
        self._news: dict[str, News] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """Whether the line stands."""
        return self._line is not None and not self._line.is_closed()

    async def open(self, first: Callable[[], Awaitable[None]]) -> None:
        """Joins the others.

        Args:
            first: Called when nobody else is there, while nobody else can come.
        """
        try:
            line = await connected(self._engine)
            if await line.fetchval("SELECT pg_try_advisory_lock($1, 0)", LOCKS):
                await first()
                await line.execute("SELECT pg_advisory_lock_shared($1, 0)", LOCKS)
                await line.execute("SELECT pg_advisory_unlock($1, 0)", LOCKS)
            await self._join(line)
        except FAILURES as error:
            raise StoreUnavailable(f"expected to join the other workers: {error}") from error
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Leaves: the others take over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._line is not None:
            with suppress(*FAILURES):
                await self._flush(self._line)
                # PostgreSQL may notice later that a line is gone, and whoever starts now is perhaps the first.
                await self._line.execute("SELECT pg_advisory_unlock_all()")
            self._line.terminate()

    def tell(self, news: News) -> None:
        """Tells the others, in a moment; only the latest of a table counts."""
        self._news[news.table_id] = news
        self._wake.set()

    # --- the line ---

    async def _join(self, line: Direct) -> None:
        """Makes a fresh connection a worker's."""
        # A notification needs no disk: when it is lost, so is the connection, and everybody looks into the log.
        await line.execute("SET synchronous_commit = off")
        await line.execute("SELECT pg_advisory_lock_shared($1, 0)", LOCKS)
        await line.execute("SELECT pg_advisory_lock($1, $2)", LOCKS, self.number)
        await line.add_listener(NAME, self._received)
        self._line = line
        await self._look_round(line)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        tick = loop.time()
        while True:
            try:
                line = self._line
                if line is None or line.is_closed():
                    line = await connected(self._engine)
                    await self._join(line)
                    self._changed()
                await self._flush(line)
                if loop.time() >= tick:
                    tick = loop.time() + TICK
                    await line.execute("SELECT pg_notify($1, $2)", NAME, str(self.number))
                    await self._look_round(line)
            except FAILURES as error:
                self._hang_up(error)
                await asyncio.sleep(TICK / 2)
            except Exception as error:  # without a line a worker would be deaf for ever
                log.exception("the line to the other workers fails")
                self._hang_up(error)
                await asyncio.sleep(TICK / 2)
            try:
                # Not wait_for: before Python 3.12 that can swallow a cancellation, and we would go on for ever.
                async with asyncio.timeout_at(tick):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def _hang_up(self, error: BaseException) -> None:
        log.warning("the line to the other workers is cut: %s", type(error).__name__)
        if self._line is not None:
            self._line.terminate()
            self._line = None

    async def _flush(self, line: Direct) -> None:
        self._wake.clear()
        while self._news:
            text = str(self.number)
            for table_id, news in tuple(self._news.items()):
                item = f" {table_id}:{news.seq}:{int(news.live)}"
                if len(text) + len(item) > LONGEST:
                    break
                text += item
                del self._news[table_id]
            await line.execute("SELECT pg_notify($1, $2)", NAME, text)

    async def _look_round(self, line: Direct) -> None:
        """Who is there. Whoever has just come is given time to speak."""
        present = {int(row["number"]) for row in await line.fetch(WHO, LOCKS)} | {self.number}
        self._silent = {number: self._silent.get(number, -1) + 1 for number in present}
        self._silent[self.number] = 0
        workers = frozenset(n for n, looks in self._silent.items() if looks < SILENCE)
        if workers != self.workers:
            self.workers = workers
            log.info("%d workers are there", len(workers))
            self._changed()

    def _received(self, _: object, __: int, ___: str, text: str) -> None:
        number, *items = text.split(" ")
        if int(number) == self.number:
            return
        self._silent[int(number)] = 0
        if items:
            self._hear([_news(item) for item in items])


def _news(item: str) -> News:
    table_id, seq, live = item.rsplit(":", 2)
    return News(table_id, int(seq), live == "1")
