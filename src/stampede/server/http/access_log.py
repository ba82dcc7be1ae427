"""Watches requests: how many, how long, and what went wrong. A failure is told in the shape of every other error."""

from __future__ import annotations

import logging
import time
from typing import Final

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.server.ops.metrics import Metrics

__all__ = ["Watch"]

log = logging.getLogger("stampede.server")
access = logging.getLogger("stampede.access")

FAILED: Final = {"error": "internal", "message": "something went wrong; nothing was acknowledged"}
QUIET: Final = ("/healthz", "/readyz")
"""Asked for every few seconds by whoever looks after the server: counted, not logged."""


class Watch:
    """Counts requests, logs them by their route (never by their address: that holds ids), and catches failures."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes everything on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, seen)
        except Exception:  # whatever it is, the caller gets an answer
            log.exception("a request failed")
            if status:
                raise  # too late: a cut line is better than half an answer that looks whole
            status = 500
            await JSONResponse(FAILED, 500)(scope, receive, send)
        finally:
            self._note(scope, status, time.perf_counter() - begin)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._metrics.request(scope["method"], route, status, seconds)
        if route not in QUIET and access.isEnabledFor(logging.INFO):
            more = {"method": scope["method"], "route": route, "status": status}
            text = "%s %s %d %.1f ms"
            values = (scope["method"], route, status, 1000 * seconds)
            access.info(text, *values, extra={**more, "ms": round(1000 * seconds, 2)})


def route_of(scope: Scope) -> str:
    """The route's pattern: there are only so many of them, whatever is asked for."""
    path = getattr(scope.get("route"), "path", None)
    if path is not None:
        return str(path)
    return "files" if scope.get("endpoint") is not None else "other"
