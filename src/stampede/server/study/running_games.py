"""The positions of all running games between people, at every worker, derived from the log when they are needed.

Every question asks the store which tables these are and how far their logs go, so nothing can be stale: not after a
restart, not for a table that has left the memory, not for one that another worker serves. What was read before is kept
by its sequence number, and only new entries are read and folded. Writing an action costs nothing more.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from stampede.core.errors import InputError
from stampede.matches.entries import Entry
from stampede.matches.fold import fold, open_state
from stampede.matches.settings import Catalogue
from stampede.matches.state import TableState
from stampede.server.http.problems import Problem
from stampede.server.study.fair_play import COMPARED, Trace, trace_of
from stampede.server.tables.context import short_id
from stampede.server.tables.registry import TableRegistry
from stampede.store import LogDamaged, LogEntry, Store
from stampede.store.log.chain import verify_chain

__all__ = ["RunningGames"]

log = logging.getLogger("stampede.server")

PATIENCE_SECONDS: Final = 5.0
"""How long a question waits for logs that aren't read yet; what was read by then is kept for the next one."""
ABANDONED_MS: Final = 61 * 24 * 3_600_000
"""After how long without an entry a game is abandoned: longer than the slowest clock waits, which is 60 days."""
FOLLOWED: Final = 500
"""Tables whose state is kept, so that only new entries are read; about 50 kB each."""


class _Point(NamedTuple):
    """Where a table stands after an entry, and the chain value of that entry."""

    state: TableState
    chain: str


class _Known(NamedTuple):
    """What is known of a table up to an entry, and when that was written.

    There is no trace of an opening, or where the log can't be read.
    """

    seq: int
    trace: Trace | None
    at: int


@dataclass(slots=True)
class _Followed:
    """The tables of a game, and a lock: two questions don't read the same logs."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    known: dict[str, _Known] = field(default_factory=dict)


class RunningGames:
    """Knows the positions of running games between people, past their openings.

    Args:
        store: The log.
        registry: The tables that are in memory.
        catalogue: The games that can be played.
        now: The tables' time in milliseconds.
    """

    def __init__(
        self,
        store: Store,
        registry: TableRegistry,
        catalogue: Catalogue,
        now: Callable[[], int],
    ) -> None:
        self._store = store
        self._registry = registry
        self._catalogue = catalogue
        self._now = now
        self._games: dict[str, _Followed] = {}
        self._points: OrderedDict[str, _Point] = OrderedDict()

    async def traces(self, game: str) -> list[Trace]:
        """Returns the traces of a game's positions, as of now.

        Raises:
            Problem: So many logs have to be read first, as after a restart, that it takes too long. Until then nothing
                is said about any position.
        """
        if game not in COMPARED:
            return []
        followed = self._games.setdefault(game, _Followed())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), followed.lock:
                await self._follow(game, followed.known)
                since = self._now() - ABANDONED_MS
                return [
                    known.trace
                    for known in followed.known.values()
                    if known.trace is not None and known.at >= since
                ]
        except TimeoutError:
            text = "the games that are running here are being read; try again"
            raise Problem(503, "busy", text, None, 2) from None

    async def _follow(self, game: str, known: dict[str, _Known]) -> None:
        """Brings what is known up to date; what is done of it stays when this is cancelled."""
        heads = await self._store.contested(game)
        for table_id in [table_id for table_id in known if table_id not in heads]:
            del known[table_id]
            self._points.pop(table_id, None)
        for table_id, seq in heads.items():
            if table_id in known and known[table_id].seq >= seq:
                continue
            state = self._registry.known_state(table_id)
            if state is not None and state.seq >= seq:
                known[table_id] = _know(state, game)
            else:
                known[table_id] = await self._read(table_id, game, seq)

    async def _read(self, table_id: str, game: str, last: int) -> _Known:
        """Reads a table's log on from where it was read before."""
        before = self._points.get(table_id)
        seq = 0 if before is None else before.state.seq
        try:
            entries = await self._store.read(table_id, seq, unchecked=True)
            point = await asyncio.to_thread(self._fold, table_id, before, entries)
        except (LogDamaged, InputError) as error:  # nobody can play there
            log.warning("table %s can't be followed: %s", short_id(table_id), type(error).__name__)
            return _Known(last, None, 0)
        self._points[table_id] = point
        self._points.move_to_end(table_id)
        while len(self._points) > FOLLOWED:
            self._points.popitem(last=False)
        return _know(point.state, game)

    def _fold(self, table_id: str, before: _Point | None, entries: Sequence[LogEntry]) -> _Point:
        seq, chain = (0, "") if before is None else (before.state.seq, before.chain)
        chain = verify_chain(table_id, entries, seq=seq, chain=chain)
        state = None if before is None else before.state
        for kept in entries:
            entry = Entry.from_json(json.loads(kept.payload))
            if state is None:
                state = open_state(self._catalogue, entry)
            else:
                spec = self._catalogue.game_named(state.settings.game)
                state = fold(spec, state, entry).state
        if state is None:
            raise LogDamaged(f"{short_id(table_id)}: expected a log, got no entry")
        return _Point(state, chain)


def _know(state: TableState, game: str) -> _Known:
    return _Known(state.seq, trace_of(state, game), state.at)
