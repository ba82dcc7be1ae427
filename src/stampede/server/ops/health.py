"""For whoever looks after the server: does the process live, and can it serve?"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from stampede.server.cluster.membership import Membership
from stampede.store import Store, StoreError

__all__ = ["Readiness", "router"]

router = APIRouter(include_in_schema=False)

FRESH_SECONDS: Final = 1.0
"""The database is asked that often at most, however many ask us."""
PATIENCE: Final = 2.0


class Readiness:
    """Whether this process can serve: its database answers, and the line to the other workers stands."""

    def __init__(self, store: Store, cluster: Membership) -> None:
        self._store = store
        self._cluster = cluster
        self._lock = asyncio.Lock()
        self._asked = float("-inf")
        self._answers = False

    async def troubles(self) -> list[str]:
        """What is missing; nothing when it is ready."""
        async with self._lock:
            if time.monotonic() - self._asked > FRESH_SECONDS:
                self._answers = await self._database_answers()
                self._asked = time.monotonic()
        troubles = [] if self._answers else ["database"]
        return troubles if self._cluster.connected else [*troubles, "workers"]

    async def _database_answers(self) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.ping()
        except (StoreError, TimeoutError):
            return False
        return True


@router.get("/healthz")
async def alive() -> dict[str, str]:
    """The process lives. Restart it when this isn't answered."""
    return {"status": "ok"}


@router.get("/readyz")
async def ready(request: Request) -> JSONResponse:
    """Requests can be sent here. Send them elsewhere when this isn't 200; it may well pass."""
    readiness: Readiness = request.app.state.services.readiness
    troubles = await readiness.troubles()
    if troubles:
        return JSONResponse({"status": "unready", "missing": troubles}, 503)
    return JSONResponse({"status": "ready"})
