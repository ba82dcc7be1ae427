"""A live table: one serial actor around the authority, with its viewers, bots and clocks.

Whatever changes the table runs under its lock: decide, append, and, once it is durable, apply and tell everybody.
Whoever looks takes the lock as well, so nobody ever sees what might still be lost. When an append fails, the log is
read on before anything else happens.

Other workers may write to the same log. An entry that somebody else has written first is read, and the command decided
on anew; nobody is refused, or shown a table, before the log has been read to its end.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from stampede.core.errors import StampedeError
from stampede.core.json import Json, JsonObject
from stampede.matches.bots import BotRequest
from stampede.matches.callers import SYSTEM, Caller
from stampede.matches.commands import Act, Command, Downtime
from stampede.matches.entries import Ack, Decided, Entry
from stampede.matches.playable import Playable
from stampede.matches.table import Table
from stampede.server.cluster.membership import Membership, Outage
from stampede.server.http.encode import encode
from stampede.server.http.problems import unknown
from stampede.server.tables.asking import Updates, is_live, may_look, short
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.listing import listing_of
from stampede.server.tables.thinking import answer_of
from stampede.server.tables.trylock import Baton
from stampede.server.tables.viewers import Viewer
from stampede.store import Append, LogEntry, Notification, SequenceTaken, Store, StoreError

__all__ = ["Room", "Surroundings"]

log = logging.getLogger("stampede.server")

LONGEST_NAP = 2.0
"""With a clock running, the time is looked at that often: the machine's clock may jump."""
RETRY_SECONDS = 0.5
"""How long bots and clocks wait after the store has refused."""
TRIES: Final = 20
"""How often a command is decided on anew because another worker was faster."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every room needs: the games, the store, the bots' threads, the time in milliseconds, the other workers."""

    games: Mapping[str, Playable]
    store: Store
    pool: BotPool
    now: Callable[[], int]
    cluster: Membership


Answered: TypeAlias = Callable[[Ack | None, bytes], None]
"""Is given the acknowledgement, and what else there is to tell; None when it isn't known yet what has become of it."""


class _Kept(NamedTuple):
    """What was decided, on its way to the log."""

    entry: Entry
    ack: Ack
    append: Append
    face: tuple[object, ...]


class Room:
    """A live table. Made by `stampede.server.tables.registry.Hub` only.

    Attributes:
        table_id: Which one.
        viewers: Who looks on.
        touched: When it was last used, in milliseconds.
    """

    def __init__(self, around: Surroundings, table_id: str) -> None:
        self.table_id = table_id
        self.viewers: set[Viewer] = set()
        self.touched = around.now()
        self._around = around
        self._table: Table | None = None
        self._doubtful = False
        self._rumour = 0
        self._told = 0
        self._lock = Baton()
        self._changed = asyncio.Event()
        self._live = True
        self._face: tuple[object, ...] = ()
        self._driver: asyncio.Task[None] | None = None
        self._thinking: dict[str, asyncio.Task[None]] = {}

    # --- using the table ---

    async def command(self, command: Command, caller: Caller, key: str) -> Ack:
        """Carries a command out and returns when it is durable. A caller who goes away doesn't stop it."""
        return await self._finish(self.carry_out(command, caller, key))

    async def wake(self, outage: Outage) -> None:
        """Begins to live: bots and clocks go on, but clocks stood still while there was no server."""
        async with self.looking() as table:
            since = max(outage.since, table.state.at)
            stopped = table.deadline is not None and since < outage.until
        if stopped:
            # The same key whichever worker says it, so that it is said once.
            await self.command(Downtime(since), SYSTEM, f"downtime:{outage.until}")
        if self._driver is None:
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[Table]:
        """The table as it stands, durably."""
        self.touched = self._around.now()
        async with self._lock:
            yield await self._present(fresh=self._around.cluster.shared)

    async def enter(self, viewer: Viewer, since: int | None) -> JsonObject:
        """Lets somebody look on: returns where things stand, and from then on he is told what happens."""
        async with self.looking() as table:
            self.viewers.add(viewer)
            missed = [] if since is None else table.messages_json(viewer.player, since)
            return {
                "seq": table.seq,
                "player": viewer.player,
                "players": list(table.players_of(viewer.caller)),
                "messages": missed,
                "view": table.view_json(viewer.player),
            }

    def leave(self, viewer: Viewer) -> None:
        """Somebody doesn't look on any more."""
        self.viewers.discard(viewer)
        self.touched = self._around.now()

    # --- living ---

    def heard(self, seq: int) -> bool:
        """Another worker has written an entry; whether it is to be read, and handed to `take`."""
        self._rumour = max(self._rumour, seq)
        return self._table is not None and self._table.seq < seq

    @property
    def seq(self) -> int:
        """The last entry that this worker knows."""
        return 0 if self._table is None else self._table.seq

    async def take(self, entries: Sequence[LogEntry]) -> None:
        """Takes in what others have written, as far as it is new; everybody here is told."""
        async with self._lock:
            if self._table is not None:
                self._apply(self._table, [entry for entry in entries if entry.seq > self.seq])

    async def reread(self) -> None:
        """Throws away what is in memory: a name was taken out of the log."""
        async with self._lock:
            self._table = None

    def stir(self) -> None:
        """Whose bots and clocks these are may have changed: looks again."""
        self._changed.set()

    async def stop(self) -> None:
        """Ends bots and clocks, and sends the viewers away."""
        tasks = [*self._thinking.values(), *filter(None, (self._driver,))]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for viewer in tuple(self.viewers):
            viewer.drop()

    @property
    def busy(self) -> bool:
        """Whether it can't leave the memory now: somebody looks on, or a bot or a command is under way."""
        return bool(self.viewers or self._thinking or self._lock.taken or self._changed.is_set())

    @property
    def deadline(self) -> int | None:
        """When a clock runs out."""
        return None if self._table is None else self._table.deadline

    # --- inside the lock ---

    async def _present(self, *, fresh: bool = False) -> Table:
        """The table, from memory; read on in the log when that may be behind."""
        if self._table is None:
            self._table = await self._read_all()
            self._face = ()
            self._doubtful = False
            self._told = self._told or self._table.seq
            self._tell(self._table)
            self._live = True
            self._changed.set()
            behind = self._table.seq < self._rumour
        else:
            behind = fresh or self._doubtful
        if behind:
            await self._catch_up(self._table)
        return self._table

    async def _read_all(self) -> Table:
        entries = await self._around.store.read(self.table_id)
        if not entries:
            raise unknown("table")
        kept = (Entry.from_json(json.loads(entry.payload)) for entry in entries)
        return Table.rebuild(self._around.games, kept)

    async def _catch_up(self, table: Table) -> bool:
        """Reads on in the log; whether there was something new."""
        logs = await self._around.store.read_many({self.table_id: table.seq})
        self._doubtful = False
        return self._apply(table, logs.get(self.table_id, []))

    def _apply(self, table: Table, entries: Sequence[LogEntry]) -> bool:
        """Takes entries of the log in, and tells them; whether there were any."""
        for entry in entries:
            table.apply(Entry.from_json(json.loads(entry.payload)))
        if entries:
            self._send_away_strangers(table)
            self._tell(table)
            self._face = ()  # others may have listed it otherwise
            self._live = True
            self._changed.set()
        return bool(entries)

    async def carry_out(self, command: Command, caller: Caller, key: str) -> Ack:
        """Does the same as `command` for a task that nobody cancels."""
        self.touched = self._around.now()
        async with self._lock:
            table = await self._present()
            for _ in range(TRIES):
                try:
                    decided = table.decide(command, caller, key, self._around.now())
                except StampedeError:
                    if self._around.cluster.shared and await self._catch_up(table):
                        continue
                    raise
                if await self._keep(table, decided, list_anew=not isinstance(command, Act)):
                    return decided.ack
            raise SequenceTaken(f"expected to be first once in {TRIES} tries, but others were")

    def act(self, act: Act, viewer: Viewer, key: str, answered: Answered) -> bool:
        """Carries an action out without a task, as most can be; False when `carry_out` has to see to it.

        That is so whenever something has to be waited for, explained, or tried again. `answered` is called once the
        action is durable, with the viewer's update, which he isn't sent otherwise; with None when it may not be: then,
        too, `carry_out` finds out what has become of it.
        """
        table = self._table
        if table is None or self._doubtful or not self._lock.take():
            return False
        self.touched = now = self._around.now()
        try:
            decided = table.decide(act, viewer.caller, key, now)
            if decided.entries:
                kept = self._prepared(table, decided, list_anew=False)
                done = partial(self._acted, table, kept, viewer, answered)
                self._around.store.put(kept.append, done)
                return True
        except StampedeError:
            pass
        self._lock.give_back()
        return False

    def _acted(
        self,
        table: Table,
        kept: _Kept,
        viewer: Viewer,
        answered: Answered,
        error: StoreError | None,
    ) -> None:
        ack, update = None, b""
        if error is not None:
            self._doubtful = True
        else:
            try:
                update = self._settle(table, kept, list_anew=False, own=viewer)
                ack = kept.ack
            except (
                Exception
            ):  # whatever it is, the log has the entry: the table is made anew from it
                log.exception("table %s: what was done couldn't be told", short(self.table_id))
                self._table = None
        self._lock.give_back()
        answered(ack, update)

    async def _keep(self, table: Table, decided: Decided, *, list_anew: bool) -> bool:
        """Makes durable what was decided, then tells it; False when another worker was faster."""
        if not decided.entries:
            return True
        kept = self._prepared(table, decided, list_anew=list_anew)
        try:
            await self._around.store.append(kept.append)
        except SequenceTaken:
            await self._catch_up(table)
            return False
        except StoreError:
            self._doubtful = True
            raise
        self._settle(table, kept, list_anew=list_anew)
        return True

    def _prepared(self, table: Table, decided: Decided, *, list_anew: bool) -> _Kept:
        """What is to be written, and the lobby's line when that changes."""
        (entry,) = decided.entries
        after, listing, face = table.after(entry), None, self._face
        if list_anew or after.phase is not table.state.phase:
            number = None if after.play is None else after.play.number
            face = ((after.chairs, after.host), after.phase, number)
            if face != self._face:
                listing = listing_of(after, same_guests=face[:1] == self._face[:1])
        payload = encode(entry.to_json()).decode()
        append = Append(self.table_id, entry.seq, (payload,), listing)
        return _Kept(entry, decided.ack, append, face)

    def _settle(
        self, table: Table, kept: _Kept, *, list_anew: bool, own: Viewer | None = None
    ) -> bytes:
        """Takes in what is durable now, and tells it: everybody but one, whose update is returned."""
        before = table.state
        table.apply(kept.entry)
        after = table.state
        self._face = kept.face
        known = (before.chairs, before.invite, before.host)
        if list_anew and known != (after.chairs, after.invite, after.host):
            self._send_away_strangers(table)
        update = self._tell(table, own)
        live = is_live(after)
        self._around.cluster.publish(Notification(self.table_id, after.seq, live))
        if live or self._live:  # else there is nothing for bots and clocks to do
            self._changed.set()
        self._live = live
        return update

    def _tell(self, table: Table, own: Viewer | None = None) -> bytes:
        """Tells every viewer what is new.

        Args:
            table: What has changed.
            own: Whose text is returned instead.
        """
        seq, kept = table.state.seq, b""
        after, self._told = self._told, seq
        if after >= seq:
            return kept
        updates = Updates(table, after)
        for viewer in tuple(self.viewers):
            if viewer is own:
                kept = updates.text(viewer)
            else:
                viewer.send(updates.text(viewer))
        return kept

    def _send_away_strangers(self, table: Table) -> None:
        """A seat may have moved to another device, or an invitation may have been withdrawn."""
        for viewer in tuple(self.viewers):
            if not may_look(table, viewer.caller, viewer.player):
                viewer.drop()

    async def _finish(self, work: Coroutine[Any, Any, Ack]) -> Ack:
        return await asyncio.shield(asyncio.get_running_loop().create_task(work))

    # --- bots and clocks ---

    async def _drive(self) -> None:
        """Sees to what is due, sleeps until something changes or the next clock runs out."""
        while True:
            self._changed.clear()
            wait: float | None = None
            try:
                async with self._lock:
                    requests, deadline = await self._due(await self._present())
            except Exception:  # whatever it is, bots and clocks must not stop for ever
                log.exception("table %s: bots and clocks wait", short(self.table_id))
                wait = RETRY_SECONDS
            else:
                self._ask(requests)
                if deadline is not None:
                    left = (deadline - self._around.now()) / 1000
                    wait = min(LONGEST_NAP, max(0.0, left))
            try:
                # Not wait_for: before Python 3.12 that can swallow a cancellation, and the server would never stop.
                async with asyncio.timeout(wait):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _due(self, table: Table) -> tuple[tuple[BotRequest, ...], int | None]:
        """Lets run-out clocks run out; the bots that are to act, and when the next clock runs out."""
        if not self._around.cluster.owns(self.table_id):
            return (), None
        while (expired := table.expire(self._around.now())) is not None:
            if await self._keep(table, expired, list_anew=True):
                break
        return table.bot_requests(), table.deadline

    def _ask(self, requests: tuple[BotRequest, ...]) -> None:
        """Starts the thoughts that are asked for, and stops those that aren't any more."""
        wanted = {request.key: request for request in requests}
        for key in tuple(self._thinking):
            if key not in wanted:
                self._thinking.pop(key).cancel()
        for key, request in wanted.items():
            if key not in self._thinking:
                task = asyncio.get_running_loop().create_task(self._think(request))
                self._thinking[key] = task

    async def _think(self, request: BotRequest) -> None:
        try:
            await asyncio.sleep(max(0.0, (request.ready_at - self._around.now()) / 1000))
            action = await self._answer(request)
            await self.command(request.command(action), SYSTEM, request.key)
        except StoreError:
            log.warning("table %s: a bot's answer waits for the store", short(self.table_id))
            await asyncio.sleep(RETRY_SECONDS)
        except StampedeError as error:
            # The decision was over before the bot had done: the next one asks anew.
            log.info(
                "table %s: a bot came too late: %s", short(self.table_id), type(error).__name__
            )
        finally:
            if self._thinking.get(request.key) is asyncio.current_task():
                del self._thinking[request.key]
                self._changed.set()

    async def _answer(self, request: BotRequest) -> Json:
        """What the bot answers; a bot that fails doesn't stop the game."""
        priority = 0 if self.viewers else 1
        async with self._lock:
            game = (await self._present()).playable.game
        try:
            return await self._around.pool.think(lambda: answer_of(game, request), priority)
        except Exception:
            log.exception("table %s: bot %s failed", short(self.table_id), request.level)
            async with self.looking() as table:
                return table.fallback(request)
