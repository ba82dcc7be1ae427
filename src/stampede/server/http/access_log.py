"""Access log: counts, times and logs requests, and turns unhandled exceptions into a 500 response."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.server.ops.metrics import Metrics

__all__ = ["AccessLogMiddleware"]

log = logging.getLogger("stampede.server")
access = logging.getLogger("stampede.access")

FAILED: Final = {"error": "internal", "message": "something went wrong; nothing was acknowledged"}
STOPPING: Final = {
    "error": "unavailable",
    "message": "the server stops; send the same again",
}
QUIET: Final = ("/healthz", "/readyz")
"""Health checks come every few seconds: counted, not logged."""


class AccessLogMiddleware:
    """Logs requests by their route, never by their path, which holds ids."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, note_status)
        except asyncio.CancelledError:  # uvicorn stops, and this request waited for too long
            if not status:
                status = 503
                await JSONResponse(STOPPING, 503, {"Retry-After": "2"})(scope, receive, send)
            raise
        except Exception:
            log.exception("a request failed")
            if status:
                raise  # too late: a dropped connection is better than half a response that looks complete
            status = 500
            await JSONResponse(FAILED, 500)(scope, receive, send)
        finally:
            self._record(scope, status, time.perf_counter() - begin)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._metrics.observe_request(scope["method"], route, status, seconds)
        if route not in QUIET and access.isEnabledFor(logging.INFO):
            more = {"method": scope["method"], "route": route, "status": status}
            text = "%s %s %d %.1f ms"
            values = (scope["method"], route, status, 1000 * seconds)
            access.info(text, *values, extra={**more, "ms": round(1000 * seconds, 2)})


def route_of(scope: Scope) -> str:
    """Returns the route's pattern: a bounded set, whatever is requested."""
    path = getattr(scope.get("route"), "path", None)
    if path is not None:
        return str(path)
    return "files" if scope.get("endpoint") is not None else "other"
