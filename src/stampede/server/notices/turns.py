"""The queue of notices: bounded, and fair to those who wait for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stampede.server.notices.notices import Notice

__all__ = ["MAX_OF_GUEST", "MAX_WAITING", "NoticeQueue"]

MAX_WAITING: Final = 1000
"""Notices that may wait; beyond that they are dropped."""
MAX_OF_GUEST: Final = 20
"""Notices that may wait for one guest or account."""


class NoticeQueue:
    """Notices that wait. Guests take turns, and one notice of each is on its way: a slow push service delays its own.

    A later notice of the same kind about the same table takes the place of an earlier one that still waits.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, dict[tuple[str, str], Notice]] = {}
        self._on_their_way: set[str] = set()
        self._count = 0
        self._changed = asyncio.Event()

    def put(self, notice: Notice) -> bool:
        """Adds a notice; returns False when there is no room for it."""
        own = self._waiting.get(notice.guest, {})
        key = notice.table, notice.kind
        if key not in own:
            if self._count >= MAX_WAITING or len(own) >= MAX_OF_GUEST:
                return False
            self._count += 1
        own[key] = notice
        self._waiting[notice.guest] = own
        self._changed.set()
        return True

    async def take(self) -> Notice:
        """Waits for the next notice; call `finish` when it is sent."""
        while (guest := self._next_guest()) is None:
            self._changed.clear()
            await self._changed.wait()
        own = self._waiting.pop(guest)
        notice = own.pop(next(iter(own)))
        if own:
            self._waiting[guest] = own  # behind the others
        self._count -= 1
        self._on_their_way.add(guest)
        return notice

    def finish(self, notice: Notice) -> None:
        """The notice is sent or given up: the guest's next one may be taken."""
        self._on_their_way.discard(notice.guest)
        self._changed.set()

    def _next_guest(self) -> str | None:
        return next((guest for guest in self._waiting if guest not in self._on_their_way), None)
