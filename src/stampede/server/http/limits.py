"""Limits: request rates, concurrent connections, and the size and duration of request bodies.

`stampede.server.http.timeouts` limits heads and slow clients.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.matches.callers import Caller
from stampede.server.http.problems import Problem, TooManyRequests
from stampede.server.settings import ServerSettings

__all__ = [
    "AddressLimitMiddleware",
    "AddressShares",
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
UNCOUNTED: Final = frozenset({"/healthz", "/readyz"})
"""Paths that a balancer asks for, perhaps from the address of all its clients."""
SPARE_PER_ADDRESS: Final = 100
"""Connections that an address may have beside its WebSockets: requests, and those that don't send one."""
DISCARDED_BODIES, DISCARD_SECONDS = 16, 2.0
"""How much of an oversized body is read and discarded, in multiples of the limit, and for how long."""


def address_of(connection: HTTPConnection) -> str:
    """Returns the client's address; for IPv6 its /64 network, as one household has 2⁶⁴ addresses."""
    return network_of(connection.client.host if connection.client else "nowhere")


def network_of(host: str) -> str:
    """Returns the address under which a host's connections and requests are counted."""
    if ":" not in host:
        return host
    try:
        address = IPv6Address(host.partition("%")[0])
    except ValueError:
        return host[:45]
    if address.ipv4_mapped is not None:  # an IPv4 client of a server that listens on both
        return str(address.ipv4_mapped)
    return IPv6Address(int(address) >> 64 << 64).compressed


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


def make_slow_limiter(
    settings: ServerSettings, action: str, clock: Callable[[], float]
) -> RateLimiter:
    """Returns a limiter for an action that is limited more strictly than requests (`SLOW_ACTIONS`)."""
    slower, smaller = SLOW_ACTIONS[action]
    return RateLimiter(settings.rate / slower, max(5, settings.burst // smaller), clock)


class ConnectionLimit:
    """Limits concurrent WebSockets, in total, by address and by guest.

    Attributes:
        count: How many are open.
    """

    def __init__(self, limit: int, limit_per_address: int, limit_per_guest: int) -> None:
        self.count = 0
        self._limit = limit
        self._limit_per_address = limit_per_address
        self._limit_per_guest = limit_per_guest
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def acquire(self, address: str, guest: str | None) -> Iterator[None]:
        """Counts a WebSocket while the block runs; raises a Problem at a limit."""
        shares = [(("address", address), self._limit_per_address)]
        if guest is not None:
            shares.append((("guest", guest), self._limit_per_guest))
        for key, limit in shares:
            if self._open[key] >= limit:
                text = f"expected at most {limit} WebSockets from one {key[0]}; close one first"
                raise Problem(429, "too_fast", text, {"retry_after": 5}, 5)
        if self.count >= self._limit:
            raise Problem(503, "busy", "too many viewers; try again", None, 5)
        keys = [key for key, _ in shares]
        self.count += 1
        self._open.update(keys)
        try:
            yield
        finally:
            self.count -= 1
            self._open.subtract(keys)
            for key in keys:
                if not self._open[key]:
                    del self._open[key]


class AddressShares:
    """Limits open connections by address, HTTP and WebSockets together, before anything is read from them.

    uvicorn answers 503 to everyone above a total number of connections. So one address gets a share of it only, also if
    it never sends a request. A trusted proxy carries many people's connections and has no limit here; it limits them.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._limit = settings.max_sockets_per_address + SPARE_PER_ADDRESS
        self._by_address: Counter[str] = Counter()
        self._proxies: list[IPv4Network | IPv6Network] = []
        self._trusted_hosts: set[str] = set()
        for item in filter(None, map(str.strip, settings.trusted_proxies.split(","))):
            try:
                self._proxies.append(ip_network(item, strict=False))
            except ValueError:
                self._trusted_hosts.add(item)

    def open(self, host: str) -> bool:
        """Counts a connection; returns whether the address may have it."""
        address = network_of(host)
        if self._by_address[address] >= self._limit and not self._is_proxy(host):
            return False
        self._by_address[address] += 1
        return True

    def close(self, host: str) -> None:
        """Counts a connection off that `open` has admitted."""
        address = network_of(host)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _is_proxy(self, host: str) -> bool:
        if not self._trusted_hosts.isdisjoint({host, "*"}):
            return True
        try:
            address = ip_address(network_of(host) if "." in host else host)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)


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
        self.connections = ConnectionLimit(
            settings.max_sockets, settings.max_sockets_per_address, settings.max_sockets_per_guest
        )

    def count_connection(self, connection: HTTPConnection) -> None:
        """Counts a request by its address, once, before anything is looked up: that costs something, too."""
        if COUNTED not in connection.scope:
            self.addresses.take(address_of(connection))
            connection.scope[COUNTED] = 1.0

    def count_request(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and their address; raises TooManyRequests."""
        address = address_of(connection)
        self.addresses.take(address, cost - connection.scope.get(COUNTED, 0.0))
        connection.scope[COUNTED] = 0.0  # a second count is of something else
        self.callers.take(identity_of(caller, address), cost)

    def count_message(self, address: str, identity: str) -> None:
        """Counts a WebSocket message; raises TooManyRequests."""
        self.callers.take(identity)  # first: what a guest is refused costs their neighbours nothing
        self.addresses.take(address)


class AddressLimitMiddleware:
    """Counts every request by its address: pages, files and unknown paths, too. Health checks are free and cheap."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or refuses it unread."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self._app(scope, receive, send)
            return
        limits: RequestLimits = scope["app"].state.services.limits
        try:
            limits.count_connection(HTTPConnection(scope))
        except TooManyRequests as problem:
            response = problem.response()
            headers = dict(scope["headers"])
            if headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers:
                response.headers["Connection"] = "close"  # the body stays unread
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)


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
