"""All live tables: opens them, finds them, brings them back after a restart, lets idle ones go.

With other workers beside this one, it follows what they write, and takes over the bots and clocks of one that has gone.
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
from stampede.store import Append, News, SequenceTaken, StoreError

__all__ = ["TableRegistry"]

log = logging.getLogger("stampede.server")

SWEEP_SECONDS: Final = 5.0
LOOK_SECONDS: Final = 2.0
"""So often the logs' ends are asked for, in case that news of other workers were lost."""
FAREWELL_SECONDS: Final = 10.0
"""So long a stopping server waits for its database."""
RETURNING: Final = 100_000
"""So many running tables are brought back after a restart."""


class TableRegistry:
    """The live tables. `start` it inside a running event loop.

    Args:
        context: What every table needs.
        most: How many tables are held in memory.
        idle_ms: After how long a table that nobody uses leaves the memory.

    Attributes:
        talked: Called when somebody has said something at a table that is looked at here, with its number.
    """

    def __init__(self, context: TableContext, *, most: int, idle_ms: int) -> None:
        self.talked: Callable[[TableActor, int], Awaitable[None]] | None = None
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
        """Brings running tables back, and keeps house from now on.

        Args:
            outage: When there was no server, the last time.
        """
        self._outage = outage
        self._started = True
        self._spawn(self._bring_back())
        self._spawn(self._keep_house())
        if self._context.company.shared:
            self._spawn(self._keep_up())

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
        """The table of that id, from memory or from the log; a Problem when there is none."""
        actor = self._actors.get(table_id)
        if actor is not None:
            return actor
        if not (table_id.isascii() and table_id.isalnum()):
            raise unknown("table")
        if len(self._actors) >= self._most and not await self._make_room():
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
        """Opens a table; when this caller has opened it before by the same key, finds it."""
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
        async with actor.looking() as table:
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
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._context.store.set_value(ALIVE, str(self._context.now()))
        except (StoreError, TimeoutError):
            log.warning("couldn't write down when the server stopped")

    # --- other workers ---

    def heard(self, news: Sequence[News]) -> None:
        """Others have written: tables that are in memory follow, and those whose bots are ours come to life."""
        for table_id, seq, live in news:
            subject, *topic = table_id.split(".")
            if topic:
                self._spawn(self._do(subject, topic[0], seq))
                continue
            actor = self._actors.get(table_id)
            if actor is not None:
                if actor.heard(seq):
                    self._behind.add(table_id)
            elif self._started and self._is_mine(table_id, live=live):
                self._wake(table_id)
        if self._behind and not self._reading:
            self._reading = True
            self._spawn(self._read_on())

    async def _read_on(self) -> None:
        """Reads what others have written, of all tables at once, as long as there is something."""
        try:
            while self._behind:
                actors = {table_id: self._actors.get(table_id) for table_id in self._behind}
                self._behind.clear()
                known = {
                    table_id: actor.seq for table_id, actor in actors.items() if actor is not None
                }
                logs = await self._context.store.read_on(known)
                takers = ((actors[table_id], entries) for table_id, entries in logs.items())
                await asyncio.gather(
                    *(actor.take(new) for actor, new in takers if actor is not None)
                )
        except StampedeError as error:  # we look at the logs' ends in a moment
            log.warning("can't follow the other workers: %s", type(error).__name__)
        finally:
            self._reading = False

    async def spread(self, subject: str, topic: str, number: int = 0) -> None:
        """Does something that is in no log, here and at all other workers.

        Args:
            subject: A table's or a guest's id.
            topic: ``reread`` a table whose log was changed, ``drop`` a guest's viewers, or ``talk`` at a table.
            number: The number of what was said.
        """
        await self._do(subject, topic, number)
        # The number is in the name, too: of news of the same name only the latest are told.
        self._context.company.tell(News(f"{subject}.{topic}.{number}", number, live=False))

    async def _do(self, subject: str, topic: str, number: int) -> None:
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
            and self.talked is not None
        ):
            await self.talked(actor, number)

    def _is_mine(self, table_id: str, *, live: bool) -> bool:
        return table_id in self._alarms or (live and self._context.company.drives(table_id))

    def changed(self) -> None:
        """A worker has come or gone, or news may be missing: looks whose bots and clocks are ours now."""
        for actor in self._actors.values():
            actor.stir()
        if self._started and not self._taking_over:
            self._taking_over = True
            self._spawn(self._take_over())

    async def _take_over(self) -> None:
        await asyncio.sleep(0)  # more may change at the same moment
        self._taking_over = False
        await self._look_at_logs()
        await self._bring_back()

    def _wake(self, table_id: str) -> None:
        if table_id not in self._waking:
            self._waking.add(table_id)
            self._spawn(self._woken(table_id))

    async def _woken(self, table_id: str) -> None:
        try:
            self._alarms.pop(table_id, None)
            await self.find(table_id)
        except (Problem, StampedeError) as error:
            log.warning("table %s doesn't come up: %s", short_id(table_id), type(error).__name__)
        finally:
            self._waking.discard(table_id)

    async def _keep_up(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._look_at_logs()

    async def _look_at_logs(self) -> None:
        """News are hints that may be lost: the logs' ends tell for sure."""
        try:
            heads = await self._context.store.heads(tuple(self._actors))
        except StoreError:
            return
        self.heard([News(table_id, seq, live=False) for table_id, seq in heads.items()])

    # --- housekeeping ---

    async def _bring_back(self) -> None:
        """Bots and clocks go on: of all tables after a restart, of a worker's that has gone."""
        try:
            running = await self._context.store.ids_of("running", RETURNING)
        except StoreError:
            log.exception("running tables come back when somebody asks for them")
            return
        drives = self._context.company.drives
        mine = [
            table_id
            for table_id in running
            if drives(table_id) and table_id not in self._actors and table_id not in self._alarms
        ]
        for table_id in mine:
            try:
                await self.find(table_id)
            except (Problem, StampedeError):
                log.exception("table %s doesn't come back", short_id(table_id))
        if mine:
            log.info("%d running tables are back", len(mine))

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
            except StampedeError:
                log.exception("housekeeping goes on later")

    async def _sweep(self) -> None:
        now = self._context.now()
        if self._alarms or any(actor.deadline is not None for actor in self._actors.values()):
            await self._context.store.set_value(ALIVE, str(now))
        await self._let_go(lambda actor: now - actor.touched > self._idle_ms)
        for table_id in [table for table, due in self._alarms.items() if due <= now + 10_000]:
            del self._alarms[table_id]
            await self.find(table_id)

    async def _make_room(self) -> bool:
        """Lets go of what has been idle longest; False when everything is in use."""
        oldest = sorted(self._actors.values(), key=lambda actor: actor.touched)
        idle = [actor for actor in oldest if not actor.busy][: max(1, self._most // 20)]
        await self._let_go(lambda actor: actor in idle)
        return len(self._actors) < self._most

    async def _let_go(self, unwanted: Callable[[TableActor], bool]) -> None:
        """Takes tables out of memory that nobody uses; their clocks ring here."""
        for table_id, actor in tuple(self._actors.items()):
            if actor.busy or not unwanted(actor):
                continue
            del self._actors[table_id]
            if actor.deadline is not None:
                self._alarms[table_id] = actor.deadline
            await actor.stop()
