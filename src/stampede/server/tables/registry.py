"""All live tables of this worker: opens, finds, restores after a restart and unloads them.

With other workers on the same database it follows what they write, and takes over the bots and clocks of a worker that
has gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final

from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.matches.callers import Caller
from stampede.matches.commands import Open
from stampede.matches.errors import KeyReused
from stampede.matches.settings import TableSettings
from stampede.matches.table import Table, open_table
from stampede.server.cluster.membership import ALIVE, Outage
from stampede.server.http.problems import Problem, unknown
from stampede.server.tables.actor import TableActor
from stampede.server.tables.context import TableContext, short_id
from stampede.server.tables.listing import listing_of
from stampede.store import Append, Notification, SequenceTaken, StoreError

__all__ = ["TableRegistry"]

log = logging.getLogger("stampede.server")

SWEEP_SECONDS: Final = 5.0
POLL_SECONDS: Final = 2.0
"""How often the logs are polled, in case a notification from another worker was lost."""
SHUTDOWN_SECONDS: Final = 10.0
"""How long a stopping server waits for its database."""
MAX_RESTORED: Final = 100_000
"""How many running tables are restored after a restart."""


class TableRegistry:
    """The live tables. `start` it inside a running event loop.

    Args:
        context: What every table needs.
        most: How many tables are held in memory.
        idle_ms: After how long an unused table is unloaded.

    Attributes:
        on_chat: Called with a table that has viewers here, and the number of what was said there.
    """

    def __init__(self, context: TableContext, *, most: int, idle_ms: int) -> None:
        self.on_chat: Callable[[TableActor, int], Awaitable[None]] | None = None
        self._context = context
        self._outage = Outage(0, 0)
        self._most = most
        self._idle_ms = idle_ms
        self._actors: dict[str, TableActor] = {}
        self._alarms: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._waking: set[str] = set()
        self._behind: set[str] = set()
        self._reading = False
        self._taking_over = False
        self._started = False

    def start(self, outage: Outage) -> None:
        """Restores running tables, and starts the housekeeping.

        Args:
            outage: When there was no server, the last time.
        """
        self._outage = outage
        self._started = True
        self._spawn(self._restore_running())
        self._spawn(self._keep_sweeping())
        if self._context.cluster.shared:
            self._spawn(self._keep_polling())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def sockets(self) -> int:
        """How many viewers there are at all tables."""
        return sum(len(actor.broadcaster.viewers) for actor in tuple(self._actors.values()))

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._actors)

    async def find(self, table_id: str) -> TableActor:
        """The table of that id, from memory or from the log; raises a Problem when there is none."""
        actor = self._actors.get(table_id)
        if actor is not None:
            return actor
        if not (table_id.isascii() and table_id.isalnum()):
            raise unknown("table")
        if len(self._actors) >= self._most and not await self._evict_idle():
            raise Problem(503, "busy", "too many tables are in use; try again", None, 5)
        actor = self._actors.setdefault(table_id, TableActor(self._context, table_id))
        try:
            await actor.wake(self._outage)
        except (Problem, StampedeError):
            if not actor.broadcaster.viewers and self._actors.get(table_id) is actor:
                del self._actors[table_id]
                await actor.stop()
            raise
        return actor

    async def open(self, command: Open, caller: Caller, key: str) -> TableActor:
        """Opens a table, or finds the one that this caller has opened by the same idempotency key."""
        decided = open_table(self._context.catalogue, command, caller, key, self._context.now())
        table = Table.rebuild(self._context.catalogue, decided.entries)
        (entry,) = decided.entries
        payload = canonical(entry.to_json())
        append = Append(command.table, 1, (payload,), listing_of(table.state))
        try:
            await self._context.store.append(append)
        except SequenceTaken:
            await self._check_same(command)
        return await self.find(command.table)

    async def _check_same(self, command: Open) -> None:
        actor = await self.find(command.table)
        async with actor.reading() as table:
            found: TableSettings = table.state.settings
        if found.to_json() != command.settings.to_json():
            raise KeyReused("expected the settings that came with this key before, got others")

    async def close(self) -> None:
        """Stops everything; what is acknowledged is in the log."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(actor.stop() for actor in self._actors.values()))
        try:
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                await self._context.store.set_value(ALIVE, str(self._context.now()))
        except (StoreError, TimeoutError):
            log.warning("can't record when the server stopped")

    # --- other workers ---

    def receive_news(self, news: Sequence[Notification]) -> None:
        """Other workers have written: reads on in loaded tables, and loads those that this worker drives."""
        for table_id, seq, live in news:
            subject, *topic = table_id.split(".")
            if topic:
                self._spawn(self._handle_signal(subject, topic[0], seq))
                continue
            actor = self._actors.get(table_id)
            if actor is not None:
                if actor.note_remote_entry(seq):
                    self._behind.add(table_id)
            elif self._started and self._is_mine(table_id, live=live):
                self._wake(table_id)
        if self._behind and not self._reading:
            self._reading = True
            self._spawn(self._read_on())

    async def _read_on(self) -> None:
        """Reads what other workers have written, for all tables at once, until there is nothing left."""
        try:
            while self._behind:
                actors = {table_id: self._actors.get(table_id) for table_id in self._behind}
                self._behind.clear()
                known = {
                    table_id: actor.seq for table_id, actor in actors.items() if actor is not None
                }
                logs = await self._context.store.read_many(known)
                takers = ((actors[table_id], entries) for table_id, entries in logs.items())
                await asyncio.gather(
                    *(actor.apply_remote(new) for actor, new in takers if actor is not None)
                )
        except StampedeError as error:  # the next poll finds it
            log.warning("can't follow the other workers: %s", type(error).__name__)
        finally:
            self._reading = False

    async def signal(self, subject: str, topic: str, number: int = 0) -> None:
        """Does something that isn't in a log, here and at all other workers.

        Args:
            subject: A table's or a guest's id.
            topic: ``reread`` a table whose log was changed, ``drop`` a guest's viewers, or ``talk`` at a table.
            number: The number of what was said.
        """
        await self._handle_signal(subject, topic, number)
        # The number is part of the name, too: of notifications with the same name only the latest is delivered.
        self._context.cluster.publish(
            Notification(f"{subject}.{topic}.{number}", number, live=False)
        )

    async def _handle_signal(self, subject: str, topic: str, number: int) -> None:
        actor = self._actors.get(subject)
        if topic == "drop":
            viewers = [
                viewer for actor in self._actors.values() for viewer in actor.broadcaster.viewers
            ]
            for viewer in viewers:
                if viewer.caller.guest == subject:
                    viewer.drop()
        elif topic == "reread" and actor is not None:
            await actor.reread()
        elif (
            topic == "talk"
            and actor is not None
            and actor.broadcaster.viewers
            and self.on_chat is not None
        ):
            await self.on_chat(actor, number)

    def _is_mine(self, table_id: str, *, live: bool) -> bool:
        return table_id in self._alarms or (live and self._context.cluster.owns(table_id))

    def on_membership_change(self) -> None:
        """A worker has come or gone, or notifications may be missing: takes over what this worker drives now."""
        for actor in self._actors.values():
            actor.recheck()
        if self._started and not self._taking_over:
            self._taking_over = True
            self._spawn(self._take_over())

    async def _take_over(self) -> None:
        await asyncio.sleep(0)  # more may change at the same moment
        self._taking_over = False
        await self._poll_logs()
        await self._restore_running()

    def _wake(self, table_id: str) -> None:
        if table_id not in self._waking:
            self._waking.add(table_id)
            self._spawn(self._load_woken(table_id))

    async def _load_woken(self, table_id: str) -> None:
        try:
            self._alarms.pop(table_id, None)
            await self.find(table_id)
        except (Problem, StampedeError) as error:
            log.warning("table %s can't be loaded: %s", short_id(table_id), type(error).__name__)
        finally:
            self._waking.discard(table_id)

    async def _keep_polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self._poll_logs()

    async def _poll_logs(self) -> None:
        """Notifications are hints that may be lost: compares with the ends of the logs."""
        try:
            heads = await self._context.store.last_seqs(tuple(self._actors))
        except StoreError:
            return
        self.receive_news(
            [Notification(table_id, seq, live=False) for table_id, seq in heads.items()]
        )

    # --- housekeeping ---

    async def _restore_running(self) -> None:
        """Loads the running tables that this worker drives: after a restart, or when another worker has gone."""
        try:
            running = await self._context.store.ids_by_status("running", MAX_RESTORED)
        except StoreError:
            log.exception("can't restore running tables now; each is loaded when it is asked for")
            return
        drives = self._context.cluster.owns
        mine = [
            table_id
            for table_id in running
            if drives(table_id) and table_id not in self._actors and table_id not in self._alarms
        ]
        for table_id in mine:
            try:
                await self.find(table_id)
            except (Problem, StampedeError):
                log.exception("table %s can't be restored", short_id(table_id))
        if mine:
            log.info("restored %d running tables", len(mine))

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
            except StampedeError:
                log.exception("housekeeping failed; it is tried again")

    async def _sweep(self) -> None:
        now = self._context.now()
        if self._alarms or any(actor.deadline is not None for actor in self._actors.values()):
            await self._context.store.set_value(ALIVE, str(now))
        await self._unload(lambda actor: now - actor.touched > self._idle_ms)
        for table_id in [table for table, due in self._alarms.items() if due <= now + 10_000]:
            del self._alarms[table_id]
            await self.find(table_id)

    async def _evict_idle(self) -> bool:
        """Unloads the tables that have been idle longest; returns False when all are in use."""
        oldest = sorted(self._actors.values(), key=lambda actor: actor.touched)
        idle = [actor for actor in oldest if not actor.busy][: max(1, self._most // 20)]
        await self._unload(lambda actor: actor in idle)
        return len(self._actors) < self._most

    async def _unload(self, unwanted: Callable[[TableActor], bool]) -> None:
        """Unloads unused tables; the registry remembers when their clocks run out."""
        for table_id, actor in tuple(self._actors.items()):
            if actor.busy or not unwanted(actor):
                continue
            del self._actors[table_id]
            if actor.deadline is not None:
                self._alarms[table_id] = actor.deadline
            await actor.stop()
