"""A lock that whoever finds it free can take at once, without being a task that may have to wait."""

from __future__ import annotations

import asyncio
from collections import deque

__all__ = ["Baton"]


class Baton:
    """One has it at a time; the others get it in the order in which they came."""

    __slots__ = ("_taken", "_waiting")

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def taken(self) -> bool:
        """Whether somebody has it."""
        return self._taken

    def take(self) -> bool:
        """Takes it if nobody has it; whether that is so. Whoever has taken it gives it back."""
        if self._taken:
            return False
        self._taken = True
        return True

    def give_back(self) -> None:
        """Hands it to whoever has waited longest."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(None)
                return
        self._taken = False

    async def __aenter__(self) -> None:
        """Waits for it."""
        if self.take():
            return
        handed = asyncio.get_running_loop().create_future()
        self._waiting.append(handed)
        try:
            await handed
        except asyncio.CancelledError:
            if handed.cancelled():
                self._waiting.remove(handed)
            else:  # it came just when nobody wanted it any more
                self.give_back()
            raise

    async def __aexit__(self, *_: object) -> None:
        """Gives it back."""
        self.give_back()
