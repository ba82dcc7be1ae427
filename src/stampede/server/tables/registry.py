"""All live tables of this worker: opens, finds, restores after a restart and unloads them.

With other workers on the same database it follows what they write, and takes over the bots and clocks of a worker that
has gone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Final

from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.matches.callers import Caller
from stampede.matches.commands import Open
from stampede.matches.errors import KeyReused
from stampede.matches.settings import TableSettings, fill_settings
from stampede.matches.state import TableState
from stampede.matches.table import ANOTHER_BEARER, Table, open_table
from stampede.server.cluster.membership import ALIVE, Outage
from stampede.server.http.problems import Problem, unknown
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.context import TableContext, TaskGroup, short_id
from stampede.server.tables.listing import listing_of
from stampede.server.tables.memory import SERVER, Holder, TableLimits, TableMemory
from stampede.store import Append, LogDamaged, Notification, SequenceTaken, StoreError

__all__ = ["TableRegistry"]

log = logging.getLogger("stampede.server")

SWEEP_SECONDS: Final = 5.0
POLL_SECONDS: Final = 2.0
"""How often the logs are polled, in case a notification from another worker was lost."""
SHUTDOWN_SECONDS: Final = 10.0
"""How long a stopping server waits for its database."""
MAX_RESTORED: Final = 100_000
"""How many running tables are restored after a restart."""
FIRST_RETRY_SECONDS: Final = 0.5
LONGEST_RETRY_SECONDS: Final = 30.0
"""How long the registry waits before it tries again to load a table: at first, and at most."""
MOST_FAILURES: Final = 10
"""After how many tables that can't be loaded now the registry waits before it tries the others."""
ABANDONED_MS: Final = 7 * 24 * 3_600_000
"""After how long without a change a table doesn't count any more among those of a guest."""
PENDING_BOTS_MS: Final = 60_000
"""After how long a table is loaded again that made room for others while its bots were to act."""


class TableRegistry:
    """The live tables. `start` it inside a running event loop.

    A table is used under a lease, from the moment it is found until its user is done: a leased table isn't unloaded, so
    there is one actor for a table, and all its viewers and commands meet there.

    Args:
        context: What every table needs.
        limits: How many tables are held in memory, and how many of them one address or guest may use at once.
        idle_ms: After how long an unused table is unloaded.

    Attributes:
        on_chat: Called with a table that has viewers here, and the number of what was said there.
        on_gap: Called when notifications of other workers may be missing.
        on_quiet: Called now and then while no table is in memory and none waits for its clock.
    """

    def __init__(self, context: TableContext, *, limits: TableLimits, idle_ms: int) -> None:
        self.on_chat: Callable[[TableActor, int], Awaitable[None]] | None = None
        self.on_gap: Callable[[], None] | None = None
        self.on_quiet: Callable[[], None] | None = None
        self._context = context
        self._outage = Outage(0, 0)
        self._idle_ms = idle_ms
        self._loaded: TableMemory[TableActor] = TableMemory(limits, self._unload)
        self._alarms: dict[str, int] = {}
        self._tasks = TaskGroup()
        self._stopping = TaskGroup()
        # Dicts, not sets: their order reaches the event loop.
        self._waking: dict[str, None] = {}
        self._behind: dict[str, None] = {}
        self._reading = False
        self._taking_over = False
        self._to_restore = asyncio.Event()
        self._is_restoring = False
        self._started = False
        self._is_closed = False

    def start(self, outage: Outage) -> None:
        """Restores running tables, and starts the housekeeping.

        Args:
            outage: When there was no server, the last time.
        """
        self._outage = outage
        self._started = True
        self._tasks.spawn(self._restore_running())
        self._tasks.spawn(self._keep_sweeping())
        if self._context.cluster.shared:
            self._tasks.spawn(self._keep_polling())

    @property
    def sockets(self) -> int:
        """How many viewers there are at all tables."""
        return sum(len(actor.broadcaster.viewers) for actor in self._loaded.all())

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._loaded)

    def viewers(self) -> list[Viewer]:
        """The viewers of all tables."""
        return [viewer for actor in self._loaded.all() for viewer in actor.broadcaster.viewers]

    def known_state(self, table_id: str) -> TableState | None:
        """The state of a table in memory, without waiting for what is under way; None for one that isn't there."""
        actor = self._loaded.get(table_id)
        return None if actor is None else actor.known_state

    @asynccontextmanager
    async def lease(self, table_id: str, holder: Holder = SERVER) -> AsyncIterator[TableActor]:
        """The table of that id, from memory or from the log, which stays there while the block runs.

        Args:
            table_id: The table.
            holder: On whose account it is in memory meanwhile.

        Raises:
            Problem: There is no such table, no room for it, or its holder uses too many others.
        """
        if table_id not in self._loaded and self._loaded.is_full(holder):
            await self._check_exists(table_id)  # nothing makes room for a table that doesn't exist
        actor = self._load(table_id, holder)
        self._loaded.acquire(actor, holder)
        actor.leases += 1  # in the same step as it was found: nothing can unload it in between
        try:
            if not actor.is_awake:
                await actor.wake(self._outage)
            yield actor
        finally:
            actor.leases -= 1
            self._loaded.release(actor, holder)
            unread = not actor.is_awake and not actor.leases
            if unread and self._loaded.get(table_id) is actor:
                self._unload(actor)

    async def _check_exists(self, table_id: str) -> None:
        if not _may_be_id(table_id) or not await self._context.store.last_seqs((table_id,)):
            raise unknown("table")

    def _load(self, table_id: str, holder: Holder) -> TableActor:
        actor = self._loaded.get(table_id)
        if actor is None:
            if not _may_be_id(table_id):
                raise unknown("table")
            actor = TableActor(self._context, table_id)
            self._loaded.add(actor, holder)
        return actor

    async def open(self, command: Open, caller: Caller, key: str, holder: Holder = SERVER) -> str:
        """Opens a table, unless this caller has opened one by the same idempotency key; returns its id."""
        command = replace(command, settings=self._filled(command.settings))
        decided = open_table(self._context.catalogue, command, caller, key, self._context.now())
        table = Table.rebuild(self._context.catalogue, decided.entries)
        (entry,) = decided.entries
        payload = canonical(entry.to_json())
        mark = self._context.entropy(8).hex()
        append = Append(command.table, 1, (payload,), listing_of(table.state), mark)
        try:
            await self._context.store.append(append)
        except SequenceTaken:
            if caller.may_be_several:
                raise KeyReused(ANOTHER_BEARER) from None
            await self._check_same(command, holder)
        return command.table

    def _filled(self, settings: TableSettings) -> TableSettings:
        return fill_settings(self._context.catalogue, settings)

    async def count_unfinished(self, guest: str, but: str) -> int:
        """How many tables a guest has that aren't over and not abandoned, one excepted."""
        since = self._context.now() - ABANDONED_MS
        return await self._context.store.count_unfinished(guest, but, since)

    async def _check_same(self, command: Open, holder: Holder) -> None:
        async with self.lease(command.table, holder) as actor, actor.reading() as table:
            found: TableSettings = table.state.settings
        if self._filled(found).to_json() != command.settings.to_json():
            raise KeyReused("expected the settings that came with this key before, got others")

    async def close(self) -> None:
        """Stops everything; what is acknowledged is in the log."""
        self._is_closed = True  # the other workers still talk: nothing may be started any more
        await self._tasks.cancel()
        await asyncio.gather(*(actor.stop() for actor in self._loaded.all()))
        await self._stopping.finish()
        try:
            async with asyncio.timeout(SHUTDOWN_SECONDS):
                await self._context.store.set_value(ALIVE, str(self._context.now()))
        except (StoreError, TimeoutError):
            log.warning("can't record when the server stopped")

    # --- other workers ---

    def receive_news(self, news: Sequence[Notification]) -> None:
        """Other workers have written: reads on in loaded tables, and loads those that this worker drives."""
        if self._is_closed:
            return
        for table_id, seq, live in news:
            subject, *topic = table_id.split(".")
            if topic:
                self._tasks.spawn(self._handle_signal(subject, topic[0], seq))
                continue
            actor = self._loaded.get(table_id)
            if actor is not None:
                if actor.note_remote_entry(seq):
                    self._behind[table_id] = None
            elif self._started and self._is_mine(table_id, live=live):
                self._wake(table_id)
        if self._behind and not self._reading:
            self._reading = True
            self._tasks.spawn(self._read_on())

    async def _read_on(self) -> None:
        """Reads what other workers have written, for all tables at once, until there is nothing left."""
        try:
            while self._behind:
                actors = {table_id: self._loaded.get(table_id) for table_id in self._behind}
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
        actor = self._loaded.get(subject)
        if topic == "drop":
            for viewer in self.viewers():
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
        if self._is_closed:
            return
        for actor in self._loaded.all():
            actor.recheck()
        if self.on_gap is not None:
            self.on_gap()
        if self._started and not self._taking_over:
            self._taking_over = True
            self._tasks.spawn(self._take_over())

    async def _take_over(self) -> None:
        await asyncio.sleep(0)  # more may change at the same moment
        self._taking_over = False
        await self._poll_logs()
        await self._restore_running()

    def _wake(self, table_id: str) -> None:
        if table_id not in self._waking:
            self._waking[table_id] = None
            self._tasks.spawn(self._load_woken(table_id))

    async def _load_woken(self, table_id: str) -> None:
        """Loads a table that this worker drives; tries again while the database or the memory has no room for it."""
        try:
            for wait in _back_off():
                if await self._try_restore(table_id):
                    return
                await asyncio.sleep(wait)
                if not self._context.cluster.owns(table_id):
                    self._alarms.pop(table_id, None)  # its owner restores it
                    return
        finally:
            del self._waking[table_id]

    async def _try_restore(self, table_id: str) -> bool:
        """Loads a table; returns False when it is worth another try."""
        try:
            async with self.lease(table_id):
                pass
        except (Problem, StampedeError) as error:
            full = isinstance(error, Problem) and error.status == 503
            passing = full or (isinstance(error, StoreError) and not isinstance(error, LogDamaged))
            outlook = "trying again" if passing else "giving up"
            kind = type(error).__name__
            log.warning("table %s can't be loaded, %s: %s", short_id(table_id), outlook, kind)
            if passing:
                return False
        self._alarms.pop(table_id, None)
        return True

    async def _keep_polling(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self._poll_logs()

    async def _poll_logs(self) -> None:
        """Notifications are hints that may be lost: compares with the ends of the logs."""
        try:
            loaded = tuple(actor.table_id for actor in self._loaded.all())
            heads = await self._context.store.last_seqs(loaded)
        except StoreError:
            return
        self.receive_news(
            [Notification(table_id, seq, live=False) for table_id, seq in heads.items()]
        )

    # --- housekeeping ---

    async def _restore_running(self) -> None:
        """Loads the running tables that this worker drives: after a restart, or when another worker has gone.

        One task does it at a time; when it is asked again, it looks again at once.
        """
        self._to_restore.set()
        if self._is_restoring:
            return
        self._is_restoring = True
        try:
            while self._to_restore.is_set():
                self._to_restore.clear()
                await self._restore_missing()
        finally:
            self._is_restoring = False

    async def _restore_missing(self) -> None:
        """Loads what is missing; tries again what can't be loaded now, until all is there or this is asked anew."""
        count, failed = 0, dict[str, None]()
        for wait in _back_off():
            try:
                missing = await self._list_missing()
            except StoreError as error:
                log.warning("can't list running tables, trying again: %s", type(error).__name__)
            else:
                fine = [table_id for table_id in missing if table_id not in failed]
                retried = [table_id for table_id in missing if table_id in failed]
                failed = {}
                for table_id in (*fine, *retried):
                    if await self._try_restore(table_id):
                        count += 1
                    else:
                        failed[table_id] = None
                        if len(failed) == MOST_FAILURES:
                            break
                if not failed:
                    break
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._to_restore.wait()
                    break
        if count:
            log.info("restored %d running tables", count)

    async def _list_missing(self) -> dict[str, None]:
        running = await self._context.store.ids_by_status("running", MAX_RESTORED)
        drives, known = self._context.cluster.owns, (self._loaded, self._alarms, self._waking)
        return {
            table_id: None
            for table_id in running
            if drives(table_id) and not any(table_id in place for place in known)
        }

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
            except Exception:  # whatever it is, the housekeeping must not stop for ever
                log.exception("housekeeping failed; it is tried again")

    async def _sweep(self) -> None:
        now = self._context.now()
        for actor in self._loaded.all():
            if now - actor.touched > self._idle_ms and not actor.busy:
                self._unload(actor)
        for table_id in [table for table, due in self._alarms.items() if due <= now + 10_000]:
            self._wake(table_id)
        if self._alarms or any(actor.deadline is not None for actor in self._loaded.all()):
            await self._context.store.set_value(ALIVE, str(now))
        elif not len(self._loaded) and self.on_quiet is not None:
            self.on_quiet()

    def _unload(self, actor: TableActor) -> None:
        """Unloads a table in one step, and remembers when its clocks run out, or when its bots are to go on."""
        self._loaded.remove(actor)
        due = [] if actor.deadline is None else [actor.deadline]
        if actor.is_awake and actor.known_state is None:  # its log was changed: read it anew
            due.append(self._context.now())
        if actor.has_pending_bots:  # it had to make room
            due.append(self._context.now() + PENDING_BOTS_MS)
        if due:
            self._alarms[actor.table_id] = min(due)
        actor.retire()
        self._stopping.spawn(actor.stop())


def _may_be_id(table_id: str) -> bool:
    return table_id.isascii() and table_id.isalnum()


def _back_off() -> Iterator[float]:
    """Seconds to wait between attempts, without end."""
    wait = FIRST_RETRY_SECONDS
    while True:
        yield wait
        wait = min(2 * wait, LONGEST_RETRY_SECONDS)
