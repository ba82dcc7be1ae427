"""Sending a table's updates to its viewers.

`Viewer` is the server's end of one WebSocket with its bounded queue. `Broadcaster` knows all viewers of a table and
sends each what has changed since the last update.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from stampede.core.json import JsonObject
from stampede.core.series import Player
from stampede.matches.callers import Caller
from stampede.matches.messages import Message
from stampede.matches.table import Table
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

    Messages wait in a bounded queue until the socket is connected, while its write buffer is full (backpressure), and
    while it is corked, so that an update and the acknowledgement of the command behind it leave in one write.

    Attributes:
        caller: Who views.
        player: The chair whose view they get; None for a spectator.
        changes: Whether updates name what has changed instead of repeating the whole view.
        dropped: Whether the connection is given up: it was too slow, or may not view any more.
    """

    __slots__ = (
        "_is_corked",
        "_max_queue",
        "_outlet",
        "_queue",
        "caller",
        "changes",
        "dropped",
        "player",
    )

    def __init__(
        self, caller: Caller, player: Player | None, max_queue: int, *, changes: bool = False
    ) -> None:
        self.caller = caller
        self.player = player
        self.changes = changes
        self.dropped = False
        self._max_queue = max_queue
        self._queue: deque[bytes] | None = None  # most viewers have nothing queued most of the time
        self._outlet: Outlet | None = None
        self._is_corked = False

    def __len__(self) -> int:
        return 0 if self._queue is None else len(self._queue)

    def connect(self, outlet: Outlet) -> None:
        """Sends what is queued, and from now on everything."""
        self._outlet = outlet
        if self.dropped:
            outlet.request_close(TOO_SLOW)
        self.flush()

    def send(self, text: bytes) -> None:
        """Sends a message or queues it; one too many drops the viewer and frees the queue."""
        outlet = self._outlet
        if self.dropped:
            return
        if self._queue is None:
            if outlet is not None and not self._is_corked and not outlet.backpressure:
                outlet.write_texts(text)
                return
            self._queue = deque()
        elif len(self._queue) >= self._max_queue:
            self._queue = None
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
        texts, self._queue = self._queue, None
        self._outlet.write_texts(*texts)

    def drop(self) -> None:
        """Gives the connection up; the client may resume."""
        if self.dropped:
            return
        self.uncork()
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
        seq = table.seq
        since, self._seq = self._seq or seq, seq
        if since >= seq or not self.viewers:
            return
        encoder = _UpdateEncoder(table, since)
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


class _UpdateEncoder:
    """Encodes one update for every viewer; viewers with the same view are sent the same bytes."""

    __slots__ = ("_messages", "_since", "_table", "_texts")

    def __init__(self, table: Table, since: int) -> None:
        self._table = table
        self._since = since
        self._texts: dict[tuple[Player | None, bool], bytes] = {}
        # By identity: viewers share a message unless it is redacted for them. Each message is kept beside its JSON,
        # so that no other can get its id while this update lasts.
        self._messages: dict[int, tuple[Message, JsonObject]] = {}

    def encode(self, player: Player | None, *, changes: bool) -> bytes:
        """The update as one player, or a spectator, gets it."""
        text = self._texts.get((player, changes))
        if text is None:
            text = self._texts[player, changes] = encode(self._update(player, changes=changes))
        return text

    def _update(self, player: Player | None, *, changes: bool) -> JsonObject:
        table = self._table
        messages = [self._message(item) for item in table.messages(player, self._since)]
        found = table.changes_since(player, self._since) if changes else None
        if found is None:
            part: JsonObject = {"view": table.snapshot(player)}
        else:
            part = {"changes": found.to_json()}
        return {"type": "update", "seq": table.seq, "messages": messages, **part}

    def _message(self, message: Message) -> JsonObject:
        known = self._messages.get(id(message))
        if known is None:
            known = self._messages[id(message)] = message, message.to_json()
        return known[1]
