"""Sending a table's updates to its viewers.

`Viewer` is the server's end of one WebSocket with its bounded queue. `Broadcaster` knows all viewers of a table and
sends each what has changed since the last update.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.table import Table
from stampede.server.http.encode import encode
from stampede.server.http.frames import CloseFrame

__all__ = ["Broadcaster", "Outlet", "Viewer", "may_view"]

MAX_MISSED: Final = 500
"""How many messages a welcome holds at most: more are a request for events."""
MAX_MISSED_BYTES: Final = 64 * 1024
"""How many bytes of messages a welcome holds at most."""
RESUME: Final = CloseFrame(4008, "resume")
"""How a viewer is dropped who reads too slowly or may not view any more; a client that still may resumes."""
QUEUE_SLOT: Final = 8
"""Bytes that a queued message takes beside its text, which viewers share: a pointer."""


class Outlet(Protocol):
    """Where a viewer's messages go: a WebSocket."""

    @property
    def backpressure(self) -> bool:
        """Whether its write buffer is above the high-water mark."""

    @property
    def waiting(self) -> int:
        """Bytes that it holds in memory: not yet sent, or not yet handled."""

    def write_texts(self, *texts: bytes) -> None:
        """Sends messages in one write."""

    def request_close(self, frame: CloseFrame, /) -> None:
        """Closes the connection."""


class Viewer:
    """One WebSocket's outgoing messages.

    Messages wait in a queue until the socket is connected, while its write buffer is full (backpressure), and while it
    is corked, so that an update and the acknowledgement of the command behind it leave in one write. The queue and what
    the socket holds are bounded together, in bytes: a viewer who is further behind is dropped.

    Attributes:
        caller: Who views.
        player: The chair whose view they get; None for a spectator.
        changes: Whether updates name what has changed instead of repeating the whole view.
        session: The digest of the session by which they are signed in; empty without one.
        dropped: Whether the connection is given up: it was too slow, or may not view any more.
    """

    __slots__ = (
        "_is_corked",
        "_max_waiting",
        "_outlet",
        "_queue",
        "_queued",
        "caller",
        "changes",
        "dropped",
        "player",
        "session",
    )

    def __init__(
        self,
        caller: Caller,
        player: Player | None,
        max_waiting: int,
        *,
        changes: bool = False,
        session: str = "",
    ) -> None:
        self.caller = caller
        self.player = player
        self.changes = changes
        self.session = session
        self.dropped = False
        self._max_waiting = max_waiting
        self._queue: deque[bytes] | None = None  # most viewers have nothing queued most of the time
        self._queued = 0  # bytes
        self._outlet: Outlet | None = None
        self._is_corked = False

    @property
    def waiting(self) -> int:
        """Bytes in memory for this viewer: queued here, or held by the socket."""
        return self._queued + (0 if self._outlet is None else self._outlet.waiting)

    def connect(self, outlet: Outlet) -> None:
        """Sends what is queued, and from now on everything."""
        self._outlet = outlet
        if self.dropped:
            outlet.request_close(RESUME)
        self.flush()

    def send(self, text: bytes) -> None:
        """Sends a message or queues it; a byte too many drops the viewer and frees the queue."""
        outlet = self._outlet
        if self.dropped:
            return
        if self._queue is None:
            if outlet is not None and not self._is_corked and not outlet.backpressure:
                outlet.write_texts(text)
                return
            self._queue = deque()
        self._queued += len(text) + QUEUE_SLOT
        if self.waiting > self._max_waiting:
            self._clear()
            self.drop()
            return
        self._queue.append(text)

    def cork(self) -> None:
        """Queues messages until `uncork`: the answer to a command is on its way."""
        self._is_corked = True

    def uncork(self) -> None:
        """Writes what is queued in one write."""
        self._is_corked = False
        self.flush()

    def flush(self) -> None:
        """Writes what is queued, unless the socket's buffer is full: then it is called again when that has drained."""
        if not self._queue or self._is_corked or self._outlet is None or self._outlet.backpressure:
            return
        texts = self._queue
        self._clear()
        self._outlet.write_texts(*texts)

    def drop(self) -> None:
        """Gives the connection up; the client may resume."""
        if self.dropped:
            return
        self.uncork()
        self.dropped = True
        self._clear()
        if self._outlet is not None:
            self._outlet.request_close(RESUME)

    def _clear(self) -> None:
        self._queue, self._queued = None, 0


def may_view(table: Table, caller: Caller, player: Player | None) -> bool:
    """Whether a caller may see a player's view, or look on as a spectator (None)."""
    return table.may_watch(caller) if player is None else player in table.players_of(caller)


class Broadcaster:
    """The viewers of one table.

    Attributes:
        viewers: Everyone who is connected, in the order in which they came.
    """

    __slots__ = ("_seq", "viewers")

    def __init__(self) -> None:
        self.viewers: dict[Viewer, None] = {}  # a set's order would depend on addresses in memory
        self._seq = 0

    def welcome(self, table: Table, viewer: Viewer, since: int | None, now: int) -> JsonObject:
        """Adds a viewer; returns where the table stands and the latest messages after `since` that fit."""
        self.viewers[viewer] = None
        missed = [] if since is None else _latest_messages(table, viewer.player, since)
        return {
            "seq": table.seq,
            "now": now,
            "player": viewer.player,
            "players": list(table.players_of(viewer.caller)),
            "messages": missed,
            "view": table.snapshot(viewer.player),
        }

    def publish(self, table: Table, now: int) -> None:
        """Sends every viewer what has changed since the last call; the first call only notes where things stand."""
        seq = table.seq
        since, self._seq = self._seq or seq, seq
        if since >= seq or not self.viewers:
            return
        encoder = _UpdateEncoder(table, since, now)
        for viewer in tuple(self.viewers):
            viewer.send(encoder.encode(viewer.player, changes=viewer.changes))

    def drop_unauthorized(self, table: Table) -> None:
        """Drops viewers who may not view any more: a seat has moved, or an invitation was withdrawn."""
        for viewer in tuple(self.viewers):
            if not may_view(table, viewer.caller, viewer.player):
                viewer.drop()

    def drop_all(self) -> None:
        """Drops all viewers."""
        for viewer in tuple(self.viewers):
            viewer.drop()


def _latest_messages(table: Table, player: Player | None, since: int) -> list[Json]:
    """The latest messages after an entry, without gaps, as many as fit into a welcome."""
    found = table.messages(player, max(since, table.seq - MAX_MISSED))
    room, latest = MAX_MISSED_BYTES, list[Json]()
    for message in reversed(found):
        item = message.to_json()
        room -= len(encode(item)) + 1  # a comma
        if room < 0:
            break
        latest.append(item)
    latest.reverse()
    return latest


class _UpdateEncoder:
    """Encodes one update for every viewer; viewers with the same view are sent the same bytes."""

    __slots__ = ("_messages", "_now", "_since", "_table", "_texts")

    def __init__(self, table: Table, since: int, now: int) -> None:
        self._table = table
        self._since = since
        self._now = now
        self._texts: dict[tuple[Player | None, bool], bytes] = {}
        self._messages: Json = [message.to_json() for message in table.live_messages(since)]

    def encode(self, player: Player | None, *, changes: bool) -> bytes:
        """The update as one player, or a spectator, gets it."""
        text = self._texts.get((player, changes))
        if text is None:
            text = self._texts[player, changes] = encode(self._update(player, changes=changes))
        return text

    def _update(self, player: Player | None, *, changes: bool) -> JsonObject:
        table = self._table
        found = table.changes_since(player, self._since) if changes else None
        if found is None:
            part: JsonObject = {"view": table.snapshot(player)}
        else:
            part = {"changes": found.to_json()}
        head: JsonObject = {"type": "update", "seq": table.seq, "now": self._now}
        return {**head, "messages": self._messages, **part}
