"""A live table: a serial actor around the authority (`stampede.matches.Table`).

Every command takes one path, `TableActor.submit`: decide, append to the log, and once the entry is durable apply it,
publish it to all viewers, and acknowledge it. One command is under way at a time. Readers wait for it, too, so that
what they see can't be lost any more. When an append fails, the log is read before anything else happens.

Other workers may write to the same log. If one of them was first, its entry is read and the command decided again;
a command is refused, and a table shown, only after the log was read to its end.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject
from stampede.matches.callers import SYSTEM, Caller
from stampede.matches.commands import Act, Command, Downtime
from stampede.matches.entries import Ack, Decided, Entry
from stampede.matches.state import TableState
from stampede.matches.table import Table
from stampede.server.cluster.membership import Outage
from stampede.server.http.encode import encode
from stampede.server.http.problems import Problem, unknown
from stampede.server.tables.broadcast import Broadcaster, Viewer, may_view
from stampede.server.tables.context import STOP_SECONDS, TableContext, TaskGroup, resolve, short_id
from stampede.server.tables.driver import Driver, is_live
from stampede.server.tables.listing import listing_of
from stampede.server.tables.memory import Holder
from stampede.server.tables.trylock import TryLock
from stampede.store import Append, LogEntry, Notification, SequenceTaken, StoreError
from stampede.store.log.chain import verify_chain

__all__ = ["Reply", "TableActor"]

log = logging.getLogger("stampede.server")

MAX_ATTEMPTS: Final = 20
"""How often a command is decided again because another worker was first."""

Reply: TypeAlias = Callable[[Ack | Exception], None]
"""Called once with the answer to a command: the acknowledgement when it is durable, or why it wasn't accepted."""


@dataclass(slots=True)
class _Request:
    """A command on its way. `attempts_left` counts how often it may still be decided again."""

    command: Command
    caller: Caller
    key: str
    reply: Reply
    attempts_left: int = MAX_ATTEMPTS


class _Write(NamedTuple):
    """A decision on its way to the log, and what the lobby will know of the table then."""

    entry: Entry
    ack: Ack
    append: Append
    listed: tuple[object, ...]


class TableActor:
    """A live table. Only `stampede.server.tables.registry.TableRegistry` makes one.

    Attributes:
        table_id: The table's id.
        holders: How many leases each of its users has; `stampede.server.tables.memory` counts them.
        leases: How many requests and sockets hold it; the registry counts them.
        broadcaster: Its viewers.
        touched: When it was last used, in milliseconds.
    """

    def __init__(self, context: TableContext, table_id: str) -> None:
        self.table_id = table_id
        self.holders: dict[Holder, int] = {}
        self.leases = 0
        self.broadcaster = Broadcaster()
        self.touched = context.now()
        self._context = context
        self._table: Table | None = None
        self._chain = ""  # the chain value of the table's last entry
        self._is_stale = False  # an append has failed: the log may be ahead of the table
        self._is_retired = False
        self._is_awake = False
        self._announced = 0  # the last entry that another worker is known to have written
        self._lock = TryLock()
        self._tasks = TaskGroup()
        self._was_live = True
        self._listed: tuple[object, ...] = ()
        self._driver: Driver | None = None

    # --- commands ---

    def submit(self, command: Command, caller: Caller, key: str, reply: Reply) -> None:
        """Carries a command out. `reply` is called when it is durable or refused, perhaps before this returns.

        A client that goes away doesn't stop its command.
        """
        self.touched = self._context.now()
        request = _Request(command, caller, key, reply)
        table = self._table
        if table is not None and not self._is_stale and self._lock.try_acquire():
            self._attempt(table, request)
        else:  # it has to wait for another command, or for the log
            self._tasks.spawn(self._attempt_later(request))

    async def command(self, command: Command, caller: Caller, key: str) -> Ack:
        """Does the same as `submit`; returns when the command is durable, and raises why it was refused."""
        answered: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self.submit(command, caller, key, partial(resolve, answered))
        try:
            return await answered
        finally:
            del answered  # else an error, its traceback and this frame would be a reference cycle

    async def _attempt_later(self, request: _Request) -> None:
        await self._lock.acquire()
        await self._locked(request, self._attempt_current(request))

    async def _attempt_current(self, request: _Request) -> None:
        self._attempt(await self._current(), request)

    def _attempt(self, table: Table, request: _Request) -> None:
        """Decides and appends. The lock is held; `_answer` releases it."""
        try:
            decided = table.decide(
                request.command, request.caller, request.key, self._context.now()
            )
            if not decided.entries:  # an idempotent retry: it is in the log already
                self._answer(request, decided.ack)
                return
            write = self._prepare(table, request.command, decided)
            self._context.store.put(write.append, partial(self._finish, table, request, write))
        except StoreError as error:
            self._answer(request, error)
        except StampedeError as error:
            if self._context.cluster.shared:
                self._tasks.spawn(self._locked(request, self._retry(table, request, error)))
            else:
                self._answer(request, error)
        except Exception as error:  # a bug must not leave the table locked
            log.exception("table %s: a command failed", short_id(self.table_id))
            self._answer(request, error)

    def _finish(
        self, table: Table, request: _Request, write: _Write, error: StoreError | None
    ) -> None:
        """Applies and publishes what is durable; the lock is held."""
        if error is not None:
            if isinstance(error, SequenceTaken):
                self._tasks.spawn(self._locked(request, self._retry(table, request, error)))
            else:
                self._is_stale = True
                self._answer(request, error)
            return
        try:
            self._settle(table, request.command, write)
        except Exception:  # whatever it is, the log has the entry: rebuild the table from it
            log.exception("table %s: can't publish entry", short_id(self.table_id))
            self._table = None
            self.broadcaster.drop_all()  # some may have been sent it, others not: all resume
            self._tasks.spawn(self._locked(request, self._attempt_current(request)))
            return
        self._answer(request, write.ack)

    async def _retry(self, table: Table, request: _Request, error: StampedeError) -> None:
        """Reads the log on, as another worker may have changed the table; decides again if it has."""
        request.attempts_left -= 1
        if await self._catch_up(table) and request.attempts_left > 0:
            self._attempt(table, request)
        else:
            self._answer(request, error)

    async def _locked(self, request: _Request, work: Coroutine[Any, Any, None]) -> None:
        """Runs a step that holds the lock; an error becomes the answer."""
        try:
            await work
        except asyncio.CancelledError:
            self._lock.release()
            raise
        except (StampedeError, Problem) as error:
            self._answer(request, error)
        except Exception as error:
            log.exception("table %s: a command failed", short_id(self.table_id))
            self._answer(request, error)

    def _answer(self, request: _Request, answer: Ack | Exception) -> None:
        self._lock.release()
        try:
            request.reply(answer)
        except Exception:  # the reply's own failure must not look like the command's
            log.exception("table %s: an answer can't be delivered", short_id(self.table_id))

    # --- viewers and readers ---

    @asynccontextmanager
    async def reading(self, *, fresh: bool = True) -> AsyncIterator[Table]:
        """The table as it stands, durably.

        Args:
            fresh: Whether to read a log that other workers write to on to its end.
        """
        if fresh:  # the driver's regular looks aren't use
            self.touched = self._context.now()
        async with self._lock:
            yield await self._current(fresh=fresh and self._context.cluster.shared)

    async def enter(self, viewer: Viewer, since: int | None) -> JsonObject:
        """Adds a viewer; returns where things stand. From then on the viewer is sent what happens."""
        async with self.reading() as table:
            # Asked again here, where the table stands still: the seat may have moved since the viewer was let in.
            if not may_view(table, viewer.caller, viewer.player):
                raise Problem(403, "forbidden", "expected a chair of your own, but it has moved")
            if not table.state.persons():  # bots among themselves play only while they are watched
                self.recheck()
            return self.broadcaster.welcome(table, viewer, since, self.now())

    def now(self) -> int:
        """The tables' time, by which clocks run."""
        return self._context.now()

    def leave(self, viewer: Viewer) -> None:
        """Removes a viewer."""
        self.broadcaster.viewers.pop(viewer, None)
        self.touched = self._context.now()

    # --- lifetime ---

    async def wake(self, outage: Outage) -> None:
        """Starts bots and clocks. Clocks stood still while there was no server."""
        async with self.reading() as table:
            since = max(outage.since, table.state.at)
            stood_still = table.deadline is not None and since < outage.until
        if stood_still:
            # The same key at every worker, so that it happens once.
            await self.command(Downtime(since), SYSTEM, f"downtime:{outage.until}")
        if not self._is_awake:  # two callers may have waited
            self._is_awake = True
            self._driver = Driver(self, self._context)

    @property
    def is_awake(self) -> bool:
        """Whether it was woken: it is a table, and its bots and clocks run."""
        return self._is_awake

    def retire(self) -> None:
        """Refuses everything from now on: another actor may take its place at any moment."""
        self._is_retired = True
        self._table = None  # so that a command meets `_current`, which refuses it

    async def stop(self) -> None:
        """Stops bots and clocks, waits for commands under way, drops the viewers, and retires."""
        driver, self._driver = self._driver, None
        if driver is not None:
            await driver.stop()
        await self._tasks.finish()
        with suppress(
            TimeoutError
        ):  # an append may be on its way to a database that doesn't answer
            async with asyncio.timeout(STOP_SECONDS), self._lock:
                pass
        self.retire()
        self.broadcaster.drop_all()

    @property
    def address(self) -> str:
        """The address that has used it longest of those that do; empty for the server's own."""
        return next((holder.address for holder in self.holders), "")

    @property
    def is_watched(self) -> bool:
        """Whether it has viewers."""
        return bool(self.broadcaster.viewers)

    @property
    def busy(self) -> bool:
        """Whether it is in use: it is leased or has viewers, or a bot or a command is under way."""
        return bool(
            self.leases
            or self.is_watched
            or self._lock.is_locked
            or self._tasks
            or self.has_pending_bots
        )

    @property
    def has_pending_bots(self) -> bool:
        """Whether a bot thinks, or something else is due."""
        return self._driver is not None and self._driver.busy

    @property
    def is_droppable(self) -> bool:
        """Whether only viewers, who can resume, and bots hold it: no request and no command is under way."""
        viewers = len(self.broadcaster.viewers)
        return self.leases <= viewers and not self._lock.is_locked and not self._tasks

    @property
    def deadline(self) -> int | None:
        """When the next clock runs out."""
        return None if self._table is None else self._table.deadline

    def recheck(self) -> None:
        """Makes the driver look again: this worker may have become responsible for the bots and clocks."""
        if self._driver is not None:
            self._driver.wake()

    # --- the log ---

    @property
    def known_state(self) -> TableState | None:
        """The state in memory, which is durable; None while the table isn't read."""
        return None if self._table is None else self._table.state

    @property
    def seq(self) -> int:
        """The last entry that this worker knows."""
        return 0 if self._table is None else self._table.seq

    def note_remote_entry(self, seq: int) -> bool:
        """Another worker has written an entry; returns whether it is to be read, and handed to `apply_remote`."""
        self._announced = max(self._announced, seq)
        return self._table is not None and self._table.seq < seq

    async def apply_remote(self, entries: Sequence[LogEntry]) -> None:
        """Applies what other workers have written, as far as it is new, and publishes it."""
        async with self._lock:
            if self._table is not None:
                self._apply(self._table, [entry for entry in entries if entry.seq > self.seq])

    async def reread(self) -> None:
        """Forgets the table in memory: a name was taken out of the log."""
        async with self._lock:
            self._table = None

    async def _current(self, *, fresh: bool = False) -> Table:
        """The table from memory, or from the log; reads on when it may be behind. The lock is held."""
        if self._is_retired:
            raise Problem(503, "busy", "the table has just been unloaded; try again", None, 1)
        if self._table is None:
            self._table = await self._read_all()
            self._listed = ()
            self._is_stale = self._table.seq < self._announced
            self.broadcaster.drop_unauthorized(self._table)  # a seat may have moved unseen
            self.broadcaster.publish(self._table, self.now())
            self._was_live = True
            self.recheck()
        if fresh or self._is_stale:
            await self._catch_up(self._table)
        return self._table

    async def state_before(self, seq: int) -> TableState:
        """The state before an entry of the log."""
        return self._rebuild((await self._context.store.read(self.table_id))[: seq - 1]).state

    def _rebuild(self, entries: Sequence[LogEntry]) -> Table:
        kept = (Entry.from_json(json.loads(entry.payload)) for entry in entries)
        return Table.rebuild(self._context.catalogue, kept)

    async def _read_all(self) -> Table:
        entries = await self._context.store.read(self.table_id)
        if not entries:
            raise unknown("table")
        table = self._rebuild(entries)
        self._chain = entries[-1].chain
        return table

    async def _catch_up(self, table: Table) -> bool:
        """Reads on in the log; returns whether there was something new."""
        logs = await self._context.store.read_many({self.table_id: table.seq})
        found = self._apply(table, logs.get(self.table_id, []))
        self._is_stale = False
        return found

    def _apply(self, table: Table, entries: Sequence[LogEntry]) -> bool:
        """Applies entries of other workers and publishes them; returns whether there were any."""
        chain = verify_chain(self.table_id, entries, seq=table.seq, chain=self._chain)
        for entry in entries:
            table.apply(Entry.from_json(json.loads(entry.payload)))
        self._chain = chain
        if entries:
            self.broadcaster.drop_unauthorized(table)
            self.broadcaster.publish(table, self.now())
            self._listed = ()  # the other worker may have listed it differently
            self._was_live = True
            self.recheck()
        return bool(entries)

    def _prepare(self, table: Table, command: Command, decided: Decided) -> _Write:
        """What is to be written: the entry, and the table's line in the lobby when that changes."""
        (entry,) = decided.entries
        after, listing, listed = table.after(entry), None, self._listed
        if not isinstance(command, Act) or after.phase is not table.state.phase:
            number = None if after.match is None else after.match.number
            listed = ((after.chairs, after.host), after.phase, number)
            if listed != self._listed:
                listing = listing_of(after, same_guests=listed[:1] == self._listed[:1])
        payload = encode(entry.to_json()).decode()
        mark = self._context.entropy(8).hex()
        append = Append(self.table_id, entry.seq, (payload,), listing, mark, self._chain)
        return _Write(entry, decided.ack, append, listed)

    def _settle(self, table: Table, command: Command, write: _Write) -> None:
        """Applies a durable entry and publishes it, here and to the other workers."""
        before = table.state
        table.apply(write.entry)
        self._chain = write.append.chains[-1]
        after = table.state
        self._listed = write.listed
        if not isinstance(command, Act):
            access = (before.chairs, before.invite, before.host)
            if access != (after.chairs, after.invite, after.host):
                self.broadcaster.drop_unauthorized(table)
        self.broadcaster.publish(table, self.now())
        live = is_live(after)
        self._context.cluster.publish(Notification(self.table_id, after.seq, live))
        if live or self._was_live:  # else there is nothing for bots and clocks to do
            self.recheck()
        self._was_live = live
        self._context.on_entry(command, before, after)
