"""Limits: request rates, concurrent connections, and the size and duration of request bodies."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.matches.callers import Caller
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.settings import ServerSettings

__all__ = [
    "BodyLimitMiddleware",
    "ConnectionLimit",
    "RateLimiter",
    "RequestLimits",
    "address_of",
    "identity_of",
]

MAX_BUCKETS = 20_000
"""Token buckets in memory; more are evicted."""
EVICTION_CHANCES = 8
"""How many buckets that aren't full an eviction passes over before it takes one anyway."""
SLOW_ACTIONS: Final = {
    "attempts": (120, 6),
    "chat": (40, 12),
    "exports": (2400, 12),
    "reports": (12_000, 12),
}
"""By what factors the rate and the burst of these actions are smaller than those of requests."""
COUNTED = "stampede.counted"
"""The key in the ASGI scope under which a request notes what it has cost its address so far."""
DISCARDED_BODIES, DISCARD_SECONDS = 16, 2.0
"""How much of an oversized body is read and discarded, in multiples of the limit, and for how long."""


def address_of(connection: HTTPConnection) -> str:
    """Returns the client's address; for IPv6 its /64 network, as one household has 2⁶⁴ addresses."""
    host = connection.client.host if connection.client else "nowhere"
    if ":" not in host:
        return host
    try:
        return IPv6Address(int(IPv6Address(host.partition("%")[0])) >> 64 << 64).compressed
    except ValueError:
        return host[:45]


def identity_of(caller: Caller, address: str) -> str:
    """Returns the key under which a caller's requests are counted: the address for an anonymous caller."""
    anonymous = caller.guest is None and caller.token is None
    return f"address:{address}" if anonymous else caller.who


class _Bucket:
    """A token bucket: the tokens left, and when they were last counted."""

    __slots__ = ("last", "left")

    def __init__(self, left: float, last: float) -> None:
        self.left = left
        self.last = last


class RateLimiter:
    """Token buckets by identity. Above `MAX_BUCKETS`, the oldest ones that are full again are evicted.

    Attributes:
        refused: How many requests were refused.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self.refused = 0
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, identity: str, cost: float = 1.0) -> None:
        """Takes tokens for a request; raises TooManyRequests when there are too few."""
        now = self._clock()
        bucket = self._buckets.get(identity)
        if bucket is None:
            bucket = self._buckets[identity] = _Bucket(self._burst, now)
            self._evict(now)
        left = bucket.left + (now - bucket.last) * self._rate
        left = min(left, self._burst)
        bucket.last = now
        if left >= cost:
            bucket.left = left - cost
            return
        bucket.left = left
        self.refused += 1
        raise TooManyRequests(max(1, math.ceil((cost - left) / self._rate)))

    def _evict(self, now: float) -> None:
        """Makes room. A bucket that isn't full gets a second chance, as evicting it would reset its limit."""
        chances = EVICTION_CHANCES
        while len(self._buckets) > MAX_BUCKETS:
            identity, oldest = next(iter(self._buckets.items()))
            full = oldest.left + (now - oldest.last) * self._rate >= self._burst
            if full or not chances:
                del self._buckets[identity]
            else:
                chances -= 1
                self._buckets.move_to_end(identity)


def make_slow_limiter(settings: ServerSettings, action: str) -> RateLimiter:
    """Returns a limiter for an action that is limited more strictly than requests (`SLOW_ACTIONS`)."""
    slower, smaller = SLOW_ACTIONS[action]
    return RateLimiter(settings.rate / slower, max(5, settings.burst // smaller), time.monotonic)


class ConnectionLimit:
    """Limits concurrent connections, in total and by address.

    Attributes:
        count: How many are open.
    """

    def __init__(self, limit: int, limit_per_address: int) -> None:
        self.count = 0
        self._limit = limit
        self._limit_per_address = limit_per_address
        self._by_address: Counter[str] = Counter()

    @contextmanager
    def acquire(self, address: str) -> Iterator[None]:
        """Counts a connection while the block runs; raises a Problem at the limit."""
        if self.count >= self._limit or self._by_address[address] >= self._limit_per_address:
            raise Problem(503, "busy", "too many viewers; try again", None, 5)
        self.count += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.count -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


class RequestLimits:
    """All limits on requests and WebSockets.

    Attributes:
        callers: The rate limits of guests, token bearers, and addresses of anonymous callers.
        addresses: The rate limits of whole addresses, as guests and tokens cost nothing to make up.
        connections: The limit on WebSockets.
    """

    def __init__(self, settings: ServerSettings, clock: Callable[[], float]) -> None:
        factor = settings.address_factor
        self.callers = RateLimiter(settings.rate, settings.burst, clock)
        self.addresses = RateLimiter(factor * settings.rate, factor * settings.burst, clock)
        self.connections = ConnectionLimit(settings.max_sockets, settings.max_sockets_per_address)

    def count_connection(self, connection: HTTPConnection) -> None:
        """Counts a request by its address before the caller is looked up, as the lookup costs something, too."""
        self.addresses.take(address_of(connection))
        connection.scope[COUNTED] = 1.0

    def count_request(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and their address; raises TooManyRequests."""
        address = address_of(connection)
        self.addresses.take(address, cost - connection.scope.pop(COUNTED, 0.0))
        self.callers.take(identity_of(caller, address), cost)

    def count_message(self, address: str, identity: str) -> None:
        """Counts a WebSocket message; raises TooManyRequests."""
        self.addresses.take(address)
        self.callers.take(identity)


class BodyLimitMiddleware:
    """Refuses bodies that are too large or arrive too slowly."""

    def __init__(self, app: ASGIApp, limit: int, timeout: float) -> None:
        self._app = app
        self._limit = limit
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reads the body, then passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._limit:
            await self._discard_rest(receive)
            await self._refuse(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._timeout):
                body = await self._read(receive)
        except TimeoutError:
            text = f"expected the whole body within {self._timeout:g} s"
            await _problem(408, "too_slow", text)(scope, receive, send)
            return
        if body is None:
            await self._refuse(scope, receive, send)
            return
        messages = iter(body)

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self._app(scope, replay, send)

    async def _read(self, receive: Receive) -> list[Message] | None:
        """Reads the body; returns None when it is too large."""
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            ended = message["type"] != "http.request" or not message.get("more_body", False)
            if size > self._limit:
                if not ended:
                    await self._discard_rest(receive)
                return None
            if ended:
                return messages

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        text = f"expected a body of at most {self._limit} bytes"
        await _problem(413, "too_large", text)(scope, receive, send)

    async def _discard_rest(self, receive: Receive) -> None:
        """Reads and discards a moderate rest of the body.

        Closing a connection with unread bytes resets it, and the client may never see the response.
        """
        size = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_SECONDS):
                while size < DISCARDED_BODIES * self._limit:
                    message = await receive()
                    size += len(message.get("body", b""))
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return


def _problem(status: int, code: str, text: str) -> ASGIApp:
    """A response that closes the connection, as the rest of the body is unread."""
    response = Problem(status, code, text).response()
    response.headers["Connection"] = "close"
    return response
