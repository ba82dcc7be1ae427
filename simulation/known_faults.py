"""Faults that are put in by hand to show that the simulation finds them: two of the past, and one for each check."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

from simulation.world import EPOCH_MS
from stampede.core.game import Seat
from stampede.core.json import JsonObject
from stampede.matches.entries import Ack
from stampede.server.clock import SteadyClock
from stampede.server.cluster.membership import ALIVE
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.memory import SERVER, Holder
from stampede.server.tables.registry import TableRegistry
from stampede.store import StoreBusy
from stampede.zoff import game as zoff_game
from stampede.zoff.state import State
from stampede.zoff.view import ZoffView, view_of

__all__ = ["KNOWN_FAULTS", "with_fault"]


@contextmanager
def moved_seat() -> Iterator[None]:
    """A viewer enters a room without being asked again whether they may."""

    async def enter(self: TableActor, viewer: Viewer, since: int | None) -> JsonObject:
        async with self.reading() as table:
            return self.broadcaster.welcome(table, viewer, since, self.now())

    with patch.object(TableActor, "enter", enter):
        yield


@contextmanager
def two_rooms() -> Iterator[None]:
    """Eviction drops a room that a request already holds.

    As it was: requests weren't counted, a room that was dropped went on, and who asks was looked up in the database
    only after the room was found.
    """
    lease = TableRegistry.lease

    @asynccontextmanager
    async def find(
        self: TableRegistry, table_id: str, holder: Holder = SERVER
    ) -> AsyncIterator[TableActor]:
        async with lease(self, table_id, holder) as actor:
            await self._context.store.value(ALIVE, "")
            yield actor

    with (
        patch.object(TableRegistry, "lease", find),
        patch.object(TableActor, "busy", property(_is_busy)),
        patch.object(TableActor, "retire", lambda _: None),
    ):
        yield


def _is_busy(self: Any) -> bool:
    """Whether it has viewers, or a bot or a command is under way: as it was before rooms were leased."""
    return bool(self.is_watched or self._lock.is_locked or self._tasks or self.has_pending_bots)


# --- one for each check ---


@contextmanager
def wrong_acks() -> Iterator[None]:
    """Some acknowledgements name the number of another entry."""
    answer, count = TableActor._answer, itertools.count(1)

    def answer_wrongly(self: TableActor, request: Any, found: Any) -> None:
        if isinstance(found, Ack) and next(count) % 5 == 0:
            found = found._replace(seq=found.seq - 1)
        answer(self, request, found)

    with patch.object(TableActor, "_answer", answer_wrongly):
        yield


@contextmanager
def open_answers() -> Iterator[None]:
    """A view shows another seat's sealed answer as the viewer's own. The fold shows the same, so only bytes tell."""

    def view_too_much(state: State, viewer: Seat | None) -> ZoffView:
        others = [answer for seat, answer in enumerate(state.sealed) if answer and seat != viewer]
        view = view_of(state, viewer)
        return replace(view, answer=others[0]) if others else view

    with patch.object(zoff_game, "view_of", view_too_much):
        yield


@contextmanager
def open_hands() -> Iterator[None]:
    """Spectators see a player's hand."""

    def view_too_much(state: State, viewer: Seat | None) -> ZoffView:
        view = view_of(state, viewer)
        return replace(view, hand=state.hands[0]) if viewer is None else view

    with patch.object(zoff_game, "view_of", view_too_much):
        yield


def _rushing(factor: float) -> Callable[[], Any]:
    @contextmanager
    def rush() -> Iterator[None]:
        tell = SteadyClock.__call__

        def tell_wrongly(self: SteadyClock) -> int:
            return EPOCH_MS + round((tell(self) - EPOCH_MS) * factor)

        with patch.object(SteadyClock, "__call__", tell_wrongly):
            yield

    return rush


@contextmanager
def endless_queues() -> Iterator[None]:
    """Viewers who read nothing are never dropped. Long messages show it sooner."""
    send = Viewer.send

    def send_regardless(self: Viewer, text: bytes) -> None:
        self._max_waiting = 1 << 40
        send(self, text + b" " * 30_000)

    with patch.object(Viewer, "send", send_regardless):
        yield


@contextmanager
def deaf_tables() -> Iterator[None]:
    """Tables stop taking commands after a while."""
    submit, count = TableActor.submit, itertools.count(1)

    def submit_in_vain(self: TableActor, command: Any, caller: Any, key: str, reply: Any) -> None:
        if next(count) > 15:
            reply(StoreBusy("put in by hand"))
        else:
            submit(self, command, caller, key, reply)

    with patch.object(TableActor, "submit", submit_in_vain):
        yield


KNOWN_FAULTS: Final[dict[str, Callable[[], Any]]] = {
    "moved-seat": moved_seat,
    "two-rooms": two_rooms,
    "wrong-acks": wrong_acks,
    "open-answers": open_answers,
    "open-hands": open_hands,
    "fast-clock": _rushing(1.5),
    "slow-clock": _rushing(0.6),
    "endless-queues": endless_queues,
    "deaf-tables": deaf_tables,
}
"""The faults by name."""


@contextmanager
def with_fault(name: str | None) -> Iterator[None]:
    """Puts a fault back while the block runs; None puts none."""
    if name is None:
        yield
        return
    with KNOWN_FAULTS[name]():
        yield
