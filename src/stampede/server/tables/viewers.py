"""A viewer's end of a table: what he is told, and a bounded queue for when his line is full.

Who doesn't keep up is dropped, and can resume.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

from stampede.matches.callers import Caller
from stampede.matches.playable import Player
from stampede.server.http.websocket import CloseFrame

__all__ = ["Outlet", "Viewer"]

TOO_SLOW: Final = CloseFrame(4008, "resume")


class Outlet(Protocol):
    """Where a viewer's messages go."""

    @property
    def backpressure(self) -> bool:
        """Whether it takes no more for now."""

    def write_texts(self, *texts: bytes) -> None:
        """Sends messages."""

    def request_close(self, frame: CloseFrame, /) -> None:
        """Lets the connection end."""


class Viewer:
    """One socket's messages: they wait until it is `connected`, and while its line is full.

    Attributes:
        caller: Who looks.
        player: Whose eyes it has; None for a spectator.
        changes: Whether he is told what is new in his view, instead of all of it.
        dropped: Whether it was too slow, or the table has gone.
    """

    __slots__ = ("_most", "_outlet", "_waiting", "caller", "changes", "dropped", "player")

    def __init__(
        self, caller: Caller, player: Player | None, most: int, *, changes: bool = False
    ) -> None:
        self.caller = caller
        self.player = player
        self.changes = changes
        self.dropped = False
        self._most = most
        self._waiting: deque[bytes] | None = None
        self._outlet: Outlet | None = None

    def __len__(self) -> int:
        return 0 if self._waiting is None else len(self._waiting)

    def connect(self, outlet: Outlet) -> None:
        """Sends what waits, and from now on whatever comes."""
        self._outlet = outlet
        if self.dropped:
            outlet.request_close(TOO_SLOW)
        self.flush()

    def send(self, *texts: bytes) -> None:
        """Sends messages, or lets them wait; one too many drops the viewer and frees what waits."""
        if self.dropped:
            return
        outlet = self._outlet
        if outlet is not None and not self._waiting and not outlet.backpressure:
            outlet.write_texts(*texts)
            return
        if self._waiting is None:
            self._waiting = deque()
        if len(self._waiting) + len(texts) > self._most:
            self.drop()
            return
        self._waiting += texts

    def drop(self) -> None:
        """Ends it: nothing more is sent."""
        if self.dropped:
            return
        self.dropped = True
        self._waiting = None
        if self._outlet is not None:
            self._outlet.request_close(TOO_SLOW)

    def flush(self) -> None:
        """Sends what waits, as long as there is room."""
        while self._waiting and self._outlet is not None and not self._outlet.backpressure:
            self._outlet.write_texts(self._waiting.popleft())
        if not self._waiting:
            self._waiting = None
