"""Limits: how fast a guest may ask, and how much he may send. Memory for it is bounded, too."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.server.problems import Problem, TooFast

__all__ = ["BodyLimit", "RateLimiter"]

MOST_BUCKETS = 20_000


class RateLimiter:
    """Token buckets by identity; the longest unused ones are forgotten when there are too many."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, identity: str, cost: float = 1.0) -> None:
        """Counts a request; TooFast when there were too many."""
        now = self._clock()
        left, last = self._buckets.pop(identity, (float(self._burst), now))
        left = min(self._burst, left + (now - last) * self._rate)
        allowed = left >= cost
        self._buckets[identity] = (left - cost if allowed else left, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if not allowed:
            raise TooFast(max(1, math.ceil((cost - left) / self._rate)))


class BodyLimit:
    """Refuses bodies that are too large, before anybody reads them into memory."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._most:
            await self._refuse(scope, receive, send)
            return
        body = await self._read(receive)
        if body is None:
            await self._refuse(scope, receive, send)
            return
        messages = iter(body)

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self._app(scope, replay, send)

    async def _read(self, receive: Receive) -> list[Message] | None:
        """Reads the body; None when it is too large."""
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if size > self._most:
                return None
            if message["type"] != "http.request" or not message.get("more_body", False):
                return messages

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = Problem(413, "too_large", f"expected a body of at most {self._most} bytes")
        await problem.response()(scope, receive, send)
