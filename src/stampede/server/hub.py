"""All live tables: opens them, finds them, brings them back after a restart, lets idle ones go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from stampede.core.errors import StampedeError
from stampede.core.json import canonical
from stampede.matches.callers import Caller
from stampede.matches.commands import Open
from stampede.matches.errors import KeyReused
from stampede.matches.settings import TableSettings
from stampede.matches.table import Table, open_table
from stampede.server.listing import listing_of
from stampede.server.problems import Problem, unknown
from stampede.server.rooms import Room, Surroundings, short, store_key
from stampede.store import Append, SequenceTaken, StoreError

__all__ = ["ALIVE", "Hub"]

log = logging.getLogger("stampede.server")

ALIVE: Final = "alive"
"""The value under which the store keeps when the server was last known to run."""
SWEEP_SECONDS: Final = 5.0
RETURNING: Final = 100_000
"""So many running tables are brought back after a restart."""


class Hub:
    """The live tables. Open it inside a running event loop.

    Args:
        around: What every table needs.
        alive: When the server was last known to run, before this start.
        most: How many tables are held in memory.
        idle_ms: After how long a table that nobody uses leaves the memory.
    """

    def __init__(self, around: Surroundings, alive: int, *, most: int, idle_ms: int) -> None:
        self._around = around
        self._alive = alive
        self._started = around.now()
        self._most = most
        self._idle_ms = idle_ms
        self._rooms: dict[str, Room] = {}
        self._alarms: dict[str, int] = {}
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._bring_back()), loop.create_task(self._keep_house())]

    @property
    def sockets(self) -> int:
        """How many viewers there are at all tables."""
        return sum(len(room.viewers) for room in self._rooms.values())

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._rooms)

    async def room(self, table_id: str) -> Room:
        """The table of that id, from memory or from the log; a Problem when there is none."""
        room = self._rooms.get(table_id)
        if room is not None:
            return room
        if not (table_id.isascii() and table_id.isalnum()):
            raise unknown("table")
        if len(self._rooms) >= self._most and not await self._make_room():
            raise Problem(503, "busy", "too many tables are in use; try again", None, 5)
        room = self._rooms.setdefault(table_id, Room(self._around, table_id))
        try:
            await room.wake(self._alive, self._started)
        except (Problem, StampedeError):
            if not room.viewers and self._rooms.get(table_id) is room:
                del self._rooms[table_id]
                await room.stop()
            raise
        return room

    async def open(self, command: Open, caller: Caller, key: str) -> Room:
        """Opens a table; when this caller has opened it before by the same key, finds it."""
        decided = open_table(self._around.games, command, caller, key, self._around.now())
        table = Table.rebuild(self._around.games, decided.entries)
        (entry,) = decided.entries
        payload = canonical(entry.to_json())
        append = Append(command.table, 1, (payload,), store_key(entry), listing_of(table))
        try:
            await self._around.store.append(append)
        except SequenceTaken:
            await self._check_same(command)
        return await self.room(command.table)

    async def _check_same(self, command: Open) -> None:
        room = await self.room(command.table)
        async with room.looking() as table:
            found: TableSettings = table.state.settings
        if found.to_json() != command.settings.to_json():
            raise KeyReused("expected the settings that came with this key before, got others")

    async def close(self) -> None:
        """Stops everything; what is acknowledged is in the log."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(room.stop() for room in self._rooms.values()))
        try:
            await self._around.store.set_value(ALIVE, str(self._around.now()))
        except StoreError:
            log.warning("couldn't write down when the server stopped")

    # --- housekeeping ---

    async def _bring_back(self) -> None:
        """After a restart: bots go on, and clocks go on from where they were when the server went."""
        try:
            running = await self._around.store.listings(["running"], limit=RETURNING)
        except StoreError:
            log.exception("running tables come back when somebody asks for them")
            return
        for listing in running:
            try:
                await self.room(listing.table_id)
            except (Problem, StampedeError):
                log.exception("table %s doesn't come back", short(listing.table_id))
        if running:
            log.info("%d running tables are back", len(running))

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
            except StampedeError:
                log.exception("housekeeping goes on later")

    async def _sweep(self) -> None:
        now = self._around.now()
        if self._alarms or any(room.deadline is not None for room in self._rooms.values()):
            await self._around.store.set_value(ALIVE, str(now))
        await self._let_go(lambda room: now - room.touched > self._idle_ms)
        for table_id in [table for table, due in self._alarms.items() if due <= now + 10_000]:
            del self._alarms[table_id]
            await self.room(table_id)

    async def _make_room(self) -> bool:
        """Lets go of what has been idle longest; False when everything is in use."""
        oldest = sorted(self._rooms.values(), key=lambda room: room.touched)
        idle = [room for room in oldest if not room.busy][: max(1, self._most // 20)]
        await self._let_go(lambda room: room in idle)
        return len(self._rooms) < self._most

    async def _let_go(self, unwanted: Callable[[Room], bool]) -> None:
        """Takes tables out of memory that nobody uses; their clocks ring here."""
        for table_id, room in tuple(self._rooms.items()):
            if room.busy or not unwanted(room):
                continue
            del self._rooms[table_id]
            if room.deadline is not None:
                self._alarms[table_id] = room.deadline
            await room.stop()
