"""Posts an encrypted message to a push service, and to nothing else.

Browsers name the push service's address, so it is a stranger's text: a request to it must not reach this network. Only
https on the usual port is taken, names are resolved here, and the connection goes to an address that was checked: a
name that changes in between leads nowhere. Redirections aren't followed.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

__all__ = ["Delivery", "check_endpoint"]

SECONDS: Final = 10.0
"""The time limit of one message."""
MAX_ENDPOINT: Final = 500
HTTPS: Final = 443
LOOK_UPS: Final = 4
"""Names that are looked up at the same time."""
MAX_LINE: Final = 4096
GLOBAL_IPV6: Final = IPv6Network("2000::/3")
"""All public IPv6 addresses. Others may stand for an IPv4 address of this network: mapped ones, those of NAT64."""


def check_endpoint(endpoint: str, *, allow_private: bool = False) -> SplitResult:
    """Checks a push service's address; ValueError says what is expected."""
    if len(endpoint) > MAX_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        raise ValueError(f"expected an address of at most {MAX_ENDPOINT} ASCII letters")
    address = urlsplit(endpoint)
    schemes = ("https", "http") if allow_private else ("https",)
    if address.scheme not in schemes or not address.hostname or " " in endpoint:
        raise ValueError("expected an https address")
    if address.username is not None or address.password is not None or address.fragment:
        raise ValueError("expected an address without a user and without a fragment")
    if not allow_private and address.port not in (None, HTTPS):
        raise ValueError(f"expected port {HTTPS}")
    if not allow_private and _is_private(address.hostname):
        raise ValueError("expected a public address")
    return address


def _is_private(host: str) -> bool:
    """Whether a literal address, or a name that can't be public, lies in this network."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return "." not in host or host.rstrip(".").endswith((".localhost", ".local", ".internal"))
    if isinstance(found, IPv4Address):
        return not found.is_global or found.is_multicast
    is_plain = found in GLOBAL_IPV6 and found.sixtofour is None and found.teredo is None
    return not is_plain or not found.is_global


def look_up(host: str, port: int) -> list[str]:
    """Asks the system for the addresses of a name."""
    return [str(item[4][0]) for item in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _make_threads() -> ThreadPoolExecutor:
    """Threads for looking names up: one that nobody answers for blocks its thread, and the loop's serve every page."""
    return ThreadPoolExecutor(LOOK_UPS, thread_name_prefix="stampede-names")


@dataclass(frozen=True, slots=True)
class Delivery:
    """Posts messages.

    Attributes:
        allow_private: Whether loopback and private addresses, and plain http, are fine: for tests.
        trust: How certificates are checked.
        look_up: Finds the addresses of a name, for a port; it may block.
    """

    allow_private: bool = False
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    look_up: Callable[[str, int], Sequence[str]] = look_up
    _threads: ThreadPoolExecutor = field(default_factory=_make_threads)

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        """Posts a message; returns the status. OSError or TimeoutError when it can't be delivered now."""
        async with asyncio.timeout(SECONDS):
            address = check_endpoint(endpoint, allow_private=self.allow_private)
            host = address.hostname or ""
            secure = address.scheme == "https"
            port = address.port or (HTTPS if secure else 80)
            place = await self._resolve(host, port)
            reader, writer = await asyncio.open_connection(
                place,
                port,
                ssl=self.trust if secure else None,
                server_hostname=host if secure else None,
                limit=MAX_LINE,
            )
            try:
                writer.write(_request(address, headers, len(body)) + body)
                await writer.drain()
                return _status(await reader.readline())
            except ValueError as error:  # a line without an end
                raise OSError("expected a status line") from error
            finally:
                writer.close()

    async def _resolve(self, host: str, port: int) -> str:
        """The first address of a name; OSError when one of its addresses is private."""
        loop = asyncio.get_running_loop()
        places = await loop.run_in_executor(self._threads, self.look_up, host, port)
        if not places or (not self.allow_private and any(map(_is_private, places))):
            raise OSError("expected a public address")
        return places[0]


def _request(address: SplitResult, headers: Mapping[str, str], length: int) -> bytes:
    path = address.path or "/"
    target = f"{path}?{address.query}" if address.query else path
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {address.netloc}",
        f"Content-Length: {length}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


def _status(line: bytes) -> int:
    version, _, rest = line.partition(b" ")
    code = rest[:3]
    if not version.startswith(b"HTTP/1.") or not code.isdigit():
        raise OSError("expected an HTTP status")
    return int(code)
