"""Health checks: liveness and readiness."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from stampede.server.cluster.membership import Membership
from stampede.store import Store, StoreError

__all__ = ["Readiness", "router"]

router = APIRouter(include_in_schema=False)

FRESH_SECONDS: Final = 1.0
"""Seconds for which a check of the database counts, however many requests there are."""
DATABASE_TIMEOUT: Final = 2.0


class Readiness:
    """Checks whether this process can serve: its database stores, and it is connected to the other workers."""

    def __init__(self, store: Store, cluster: Membership, clock: Callable[[], float]) -> None:
        self._store = store
        self._cluster = cluster
        self._clock = clock
        self._lock = asyncio.Lock()
        self._checked = float("-inf")
        self._stores = False

    async def find_missing(self) -> list[str]:
        """Returns what is missing: nothing when it is ready."""
        async with self._lock:
            if self._clock() - self._checked > FRESH_SECONDS:
                self._stores = await self._database_stores()
                self._checked = self._clock()
        missing = [] if self._stores else ["database"]
        return missing if self._cluster.connected else [*missing, "workers"]

    async def _database_stores(self) -> bool:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT):
                await self._store.probe()
        except (StoreError, TimeoutError):
            return False
        return True


@router.api_route("/healthz", methods=["GET", "HEAD"])
async def alive() -> dict[str, str]:
    """Liveness: restart the process if this doesn't answer."""
    return {"status": "ok"}


@router.api_route("/readyz", methods=["GET", "HEAD"])
async def ready(request: Request) -> JSONResponse:
    """Readiness: route requests elsewhere while this isn't 200."""
    readiness: Readiness = request.app.state.services.readiness
    missing = await readiness.find_missing()
    if missing:
        return JSONResponse({"status": "unready", "missing": missing}, 503)
    return JSONResponse({"status": "ready"})
