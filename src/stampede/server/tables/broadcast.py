"""Sending a table's updates to its viewers.

`Viewer` is the server's end of one WebSocket: a bounded queue, written once per turn of the event loop. `Broadcaster`
knows all viewers of a table and sends each what has changed since the last update.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Final, Protocol, cast

import orjson

from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.messages import Message
from stampede.matches.table import Table
from stampede.matches.view_cache import Changes
from stampede.server.http.encode import encode
from stampede.server.http.websocket import CloseFrame

__all__ = ["Broadcaster", "Outlet", "Viewer", "may_view"]

TOO_SLOW: Final = CloseFrame(4008, "resume")


class Outlet(Protocol):
    """Where a viewer's messages go: a WebSocket."""

    @property
    def backpressure(self) -> bool:
        """Whether its write buffer is above the high-water mark."""

    def write_texts(self, *texts: bytes) -> None:
        """Sends messages in one write."""

    def request_close(self, frame: CloseFrame, /) -> None:
        """Closes the connection."""


class Viewer:
    """One WebSocket's outgoing messages.

    Messages wait in a bounded queue until the socket is connected and while its write buffer is full (backpressure).
    What is sent within one turn of the event loop, such as an update and the acknowledgement, leaves in one write.

    Attributes:
        caller: Who views.
        player: The chair whose view they get; None for a spectator.
        changes: Whether updates name what has changed instead of repeating the whole view.
        dropped: Whether the connection is given up: it was too slow, or may not view any more.
    """

    __slots__ = ("_loop", "_most", "_outlet", "_queue", "caller", "changes", "dropped", "player")

    def __init__(
        self, caller: Caller, player: Player | None, most: int, *, changes: bool = False
    ) -> None:
        self.caller = caller
        self.player = player
        self.changes = changes
        self.dropped = False
        self._most = most
        self._queue: deque[bytes] | None = None  # most viewers have nothing queued most of the time
        self._outlet: Outlet | None = None
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return 0 if self._queue is None else len(self._queue)

    def connect(self, outlet: Outlet) -> None:
        """Sends what is queued, and from now on everything."""
        self._outlet = outlet
        if self.dropped:
            outlet.request_close(TOO_SLOW)
        self.flush()

    def send(self, text: bytes) -> None:
        """Queues a message; one too many drops the viewer and frees the queue."""
        if self.dropped:
            return
        if self._queue is None:
            self._queue = deque()
            if self._outlet is not None and not self._outlet.backpressure:
                self._loop.call_soon(self.flush)
        elif len(self._queue) >= self._most:
            self._queue = None
            self.drop()
            return
        self._queue.append(text)

    def flush(self) -> None:
        """Writes what is queued, unless the socket's buffer is full: then it is called again when that has drained."""
        if not self._queue or self._outlet is None or self._outlet.backpressure:
            return
        texts, self._queue = self._queue, None
        self._outlet.write_texts(*texts)

    def drop(self) -> None:
        """Gives the connection up; the client may resume."""
        if self.dropped:
            return
        self.flush()
        self.dropped = True
        self._queue = None
        if self._outlet is not None:
            self._outlet.request_close(TOO_SLOW)


def may_view(table: Table, caller: Caller, player: Player | None) -> bool:
    """Whether a caller may see a player's view, or look on as a spectator (None)."""
    return table.may_watch(caller) if player is None else player in table.players_of(caller)


class Broadcaster:
    """The viewers of one table.

    Attributes:
        viewers: Everyone who is connected.
    """

    __slots__ = ("_seq", "viewers")

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self._seq = 0

    def welcome(self, table: Table, viewer: Viewer, since: int | None) -> JsonObject:
        """Adds a viewer; returns where the table stands and the messages after `since`."""
        self.viewers.add(viewer)
        missed = [] if since is None else table.messages(viewer.player, since)
        return {
            "seq": table.seq,
            "player": viewer.player,
            "players": list(table.players_of(viewer.caller)),
            "messages": [message.to_json() for message in missed],
            "view": table.snapshot(viewer.player),
        }

    def publish(self, table: Table) -> None:
        """Sends every viewer what has changed since the last call; the first call only notes where things stand."""
        since, self._seq = self._seq or table.seq, table.seq
        if since >= table.seq or not self.viewers:
            return
        encoder = _UpdateEncoder(table, since)
        for viewer in tuple(self.viewers):
            viewer.send(encoder.encode(viewer.player, changes=viewer.changes))

    def drop_strangers(self, table: Table) -> None:
        """Drops viewers who may not view any more: a seat has moved, or an invitation was withdrawn."""
        for viewer in tuple(self.viewers):
            if not may_view(table, viewer.caller, viewer.player):
                viewer.drop()

    def drop_all(self) -> None:
        """Drops all viewers."""
        for viewer in tuple(self.viewers):
            viewer.drop()


class _UpdateEncoder:
    """Encodes one update for every viewer. What viewers share is encoded once and spliced in as a fragment."""

    __slots__ = ("_fragments", "_since", "_table", "_texts")

    def __init__(self, table: Table, since: int) -> None:
        self._table = table
        self._since = since
        self._texts: dict[tuple[Player | None, bool], bytes] = {}
        # By identity: what viewers share is the same object for all of them. Each is kept beside its fragment, so
        # that no other object can get its id while this update lasts.
        self._fragments: dict[int, tuple[object, Json]] = {}

    def encode(self, player: Player | None, *, changes: bool) -> bytes:
        """The update as one player, or a spectator, gets it."""
        text = self._texts.get((player, changes))
        if text is None:
            text = self._texts[player, changes] = encode(self._update(player, changes=changes))
        return text

    def _update(self, player: Player | None, *, changes: bool) -> JsonObject:
        table = self._table
        update: dict[str, Json] = {
            "type": "update",
            "seq": table.seq,
            "messages": [self._message(item) for item in table.messages(player, self._since)],
        }
        found = table.changes_since(player, self._since) if changes else None
        if found is None:
            update["view"] = table.snapshot(player)
        else:
            update["changes"] = self._changes(found)
        return update

    def _message(self, message: Message) -> Json:
        if id(message) not in self._fragments:
            self._fragments[id(message)] = message, _fragment(message.to_json())
        return self._fragments[id(message)][1]

    def _changes(self, changes: Changes) -> JsonObject:
        shared = self._parts(changes.table)
        if not changes.game and not changes.own:
            return shared
        return {**shared, "view": {**self._parts(changes.game), **changes.own}}

    def _parts(self, parts: JsonObject) -> JsonObject:
        if id(parts) not in self._fragments:
            fragments = {name: _fragment(part) for name, part in parts.items()}
            self._fragments[id(parts)] = parts, fragments
        return cast("Mapping[str, Json]", self._fragments[id(parts)][1])


def _fragment(value: Json) -> Json:
    """JSON that is encoded already, for a place inside other JSON."""
    return cast("Json", orjson.Fragment(encode(value)))
