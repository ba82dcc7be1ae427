"""Limits: how fast a guest or an address may ask, how much may be sent, how slowly. Their memory is bounded, too."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stampede.matches.callers import Caller
from stampede.server.http.problems import Problem, TooFast
from stampede.server.settings import ServerSettings

__all__ = ["BodyLimit", "Doors", "Gate", "RateLimiter", "address_of", "identity_of"]

MOST_BUCKETS = 20_000
CHANCES = 8
"""So many buckets are passed over, at most, when one has to go."""
KNOCKED = "stampede.knocked"
"""Where a request remembers that it was counted."""
REST_BODIES, REST_SECONDS = 16, 2.0
"""How much of a body that is too large is read for nothing, in largest bodies, and for how long."""


def address_of(connection: HTTPConnection) -> str:
    """Where somebody comes from. A household's IPv6 addresses are one: it has 2⁶⁴ of them."""
    host = connection.client.host if connection.client else "nowhere"
    if ":" not in host:
        return host
    try:
        return IPv6Address(int(IPv6Address(host.partition("%")[0])) >> 64 << 64).compressed
    except ValueError:
        return host[:45]


def identity_of(caller: Caller, address: str) -> str:
    """As whom somebody is counted: whoever shows nothing counts as his address."""
    nobody = caller.guest is None and caller.token is None
    return f"address:{address}" if nobody else caller.who


class _Bucket:
    """How much somebody may still ask for, and when that was worked out."""

    __slots__ = ("last", "left")

    def __init__(self, left: float, last: float) -> None:
        self.left = left
        self.last = last


class RateLimiter:
    """Token buckets by identity; when there are too many, old ones that are full again are forgotten.

    Attributes:
        refused: How many requests were too many.
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
        """Counts a request; TooFast when there were too many."""
        now = self._clock()
        bucket = self._buckets.get(identity)
        if bucket is None:
            bucket = self._buckets[identity] = _Bucket(self._burst, now)
            self._forget(now)
        left = bucket.left + (now - bucket.last) * self._rate
        left = min(left, self._burst)
        bucket.last = now
        if left >= cost:
            bucket.left = left - cost
            return
        bucket.left = left
        self.refused += 1
        raise TooFast(max(1, math.ceil((cost - left) / self._rate)))

    def _forget(self, now: float) -> None:
        """Makes actor: a bucket that isn't full yet gets a second chance, so that nobody forgets what he has used."""
        chances = CHANCES
        while len(self._buckets) > MOST_BUCKETS:
            identity, oldest = next(iter(self._buckets.items()))
            full = oldest.left + (now - oldest.last) * self._rate >= self._burst
            if full or not chances:
                del self._buckets[identity]
            else:
                chances -= 1
                self._buckets.move_to_end(identity)


class Doors:
    """Counts who is inside: so many at once, and so many from one address.

    Attributes:
        inside: How many there are.
    """

    def __init__(self, most: int, most_of_address: int) -> None:
        self.inside = 0
        self._most = most
        self._most_of_address = most_of_address
        self._addresses: Counter[str] = Counter()

    @contextmanager
    def entered(self, address: str) -> Iterator[None]:
        """Lets somebody in for a while; a Problem when it is full."""
        if self.inside >= self._most or self._addresses[address] >= self._most_of_address:
            raise Problem(503, "busy", "too many viewers; try again", None, 5)
        self.inside += 1
        self._addresses[address] += 1
        try:
            yield
        finally:
            self.inside -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


class Gate:
    """How fast callers may ask, and how many may look on.

    Attributes:
        callers: The speed of guests, of tokens' bearers, and of addresses that show nothing.
        addresses: The speed of whole addresses, whoever asks there: guests and tokens cost nothing to make up.
        doors: Who looks on.
    """

    def __init__(self, settings: ServerSettings, clock: Callable[[], float]) -> None:
        many = settings.address_factor
        self.callers = RateLimiter(settings.rate, settings.burst, clock)
        self.addresses = RateLimiter(many * settings.rate, many * settings.burst, clock)
        self.doors = Doors(settings.max_sockets, settings.max_sockets_of_address)

    def knock(self, connection: HTTPConnection) -> None:
        """Counts a request before it is looked up who makes it: that costs something, too."""
        self.addresses.take(address_of(connection))
        connection.scope[KNOCKED] = 1.0

    def take(self, connection: HTTPConnection, caller: Caller, cost: float = 1.0) -> None:
        """Counts a request of a caller and of his address; TooFast when there are too many."""
        address = address_of(connection)
        self.addresses.take(address, cost - connection.scope.pop(KNOCKED, 0.0))
        self.callers.take(identity_of(caller, address), cost)

    def count(self, address: str, identity: str) -> None:
        """Counts a message on a line that stands; TooFast when there are too many."""
        self.addresses.take(address)
        self.callers.take(identity)


class BodyLimit:
    """Refuses bodies that are too large or too slow, before anybody reads them into memory."""

    def __init__(self, app: ASGIApp, most: int, seconds: float) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what is small enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._most:
            await self._throw_away(receive)
            await self._refuse(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds):
                body = await self._read(receive)
        except TimeoutError:
            text = f"expected the whole body within {self._seconds:g} s"
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
        """Reads the body; None when it is too large."""
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            ended = message["type"] != "http.request" or not message.get("more_body", False)
            if size > self._most:
                if not ended:
                    await self._throw_away(receive)
                return None
            if ended:
                return messages

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        text = f"expected a body of at most {self._most} bytes"
        await _problem(413, "too_large", text)(scope, receive, send)

    async def _throw_away(self, receive: Receive) -> None:
        """Reads a moderate rest for nothing.

        A line that is closed while bytes lie unread is reset, and the answer may be lost with it.
        """
        size = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(REST_SECONDS):
                while size < REST_BODIES * self._most:
                    message = await receive()
                    size += len(message.get("body", b""))
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return


def _problem(status: int, code: str, text: str) -> ASGIApp:
    """An answer after which the line is closed: the rest of what was sent is unread."""
    response = Problem(status, code, text).response()
    response.headers["Connection"] = "close"
    return response
