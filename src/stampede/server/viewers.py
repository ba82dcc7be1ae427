"""A viewer's end of a table: a bounded queue of messages. Who doesn't keep up is dropped, and can resume."""

from __future__ import annotations

import asyncio
from collections import deque

from stampede.matches.callers import Caller
from stampede.matches.playable import Player

__all__ = ["Viewer"]


class Viewer:
    """One socket's queue.

    Attributes:
        caller: Who looks.
        player: Whose eyes it has; None for a spectator.
        dropped: Whether it was too slow, or the table has gone.
    """

    def __init__(self, caller: Caller, player: Player | None, most: int) -> None:
        self.caller = caller
        self.player = player
        self.dropped = False
        self._most = most
        self._frames: deque[str] = deque()
        self._ready = asyncio.Event()

    def __len__(self) -> int:
        return len(self._frames)

    def send(self, frame: str) -> None:
        """Queues a message; one too many drops the viewer and frees what waits."""
        if self.dropped:
            return
        if len(self._frames) >= self._most:
            self.drop()
            return
        self._frames.append(frame)
        self._ready.set()

    def drop(self) -> None:
        """Ends it: nothing more is sent."""
        self.dropped = True
        self._frames.clear()
        self._ready.set()

    async def next(self) -> str | None:
        """The next message; None when the viewer has been dropped."""
        while not self._frames:
            if self.dropped:
                return None
            self._ready.clear()
            await self._ready.wait()
        return self._frames.popleft()
