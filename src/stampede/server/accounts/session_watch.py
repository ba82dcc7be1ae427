"""Closes the sockets of ended sessions that no signal has reached.

Ending a session signals all workers to drop its sockets. A signal may be lost while a worker reconnects to the
database, and a session that expires, or that is replaced by a newer one, sends none. So the sessions of open sockets
are looked up now and then, and whenever signals may be missing.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from stampede.server.tables.registry import TableRegistry
from stampede.store import StoreError
from stampede.store.accounts.sessions import SessionStore

__all__ = ["SessionWatch"]

log = logging.getLogger("stampede.server")

CHECK_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class SessionWatch:
    """Looks up the sessions of all viewers. Create it inside a running event loop."""

    store: SessionStore
    registry: TableRegistry
    _asked: asyncio.Event = field(default_factory=asyncio.Event)

    def ask(self) -> None:
        """Looks soon: signals may be missing."""
        self._asked.set()

    async def run(self) -> None:
        """Looks now and then, for ever."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._asked.wait()
            self._asked.clear()
            try:
                await self.drop_ended()
            except StoreError as error:
                log.warning("can't look sessions up, trying again later: %s", type(error).__name__)
            except Exception:  # whatever it is, ended sessions must not stay open for ever
                log.exception("looking sessions up failed; it is tried again")

    async def drop_ended(self) -> None:
        """Drops the viewers whose sessions have ended."""
        viewers = [viewer for viewer in self.registry.viewers() if viewer.session]
        if not viewers:
            return
        present = await self.store.find_present(dict.fromkeys(v.session for v in viewers))
        for viewer in viewers:
            if viewer.session not in present:
                viewer.drop()
