"""uvicorn's HTTP protocol with the limits that it lacks: on connections by address, heads, slow clients and pipelines.

`stampede.server.http.limits.BodyLimitMiddleware` limits bodies; WebSockets have heartbeats and budgets.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from stampede.server.http.limits import AddressShares
from stampede.server.http.websocket import DirectWebSocketProtocol
from stampede.server.settings import ServerSettings

__all__ = ["MAX_HEADER_BYTES", "MAX_PIPELINED", "ProtocolClasses", "make_protocols"]

MAX_HEADER_BYTES: Final = 32 * 1024
"""Bytes of a request's line and headers together; of trailers; and between two parts of a body."""
MAX_PIPELINED: Final = 32
"""Requests that a client may send before the first one is answered."""
HEADERS_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)
REQUEST_TIMEOUT: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
TOO_MANY_CONNECTIONS: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class _RefusedError(Exception):
    """Stops the parser."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with limits.

    Attributes:
        timeout: Seconds for a head to arrive, and for a response to be read.
        shares: The connections of each address; None without a limit.
    """

    timeout = 15.0
    shares: AddressShares | None = None
    _is_counted = False
    _refusal: bytes | None = None
    _header_bytes = 0  # of the head or trailers that are being read
    _unparsed = 0  # bytes since the parser has last reported anything
    _header_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Refuses a connection above its address's share; starts the header timeout."""
        super().connection_made(transport)
        if self.shares is not None and self.client is not None:
            if not self.shares.open(self.client[0]):
                self._refuse(TOO_MANY_CONNECTIONS)
                return
            self._is_counted = True
        self._start_header_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timers."""
        self._stop_header_timer()
        self._stop_write_timer()
        if self._is_counted and self.shares is not None and self.client is not None:
            self._is_counted = False
            self.shares.close(self.client[0])
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Limits what the parser collects; the first byte of the next request restarts the header timeout."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._header_timer is None:
            self._start_header_timer()
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > MAX_HEADER_BYTES:
            self._refuse(HEADERS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Begins to count a head."""
        self._header_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Counts the path."""
        self._count_header(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts a header, or a trailer after the body."""
        self._count_header(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Ends the header timeout; refuses a client that doesn't wait for any answer."""
        self._stop_header_timer()
        self._header_bytes = self._unparsed = 0
        if len(self.pipeline) >= MAX_PIPELINED:
            self._refusal = b""
            raise _RefusedError
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Takes a part of the body."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Takes the end of a request."""
        self._unparsed = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answers what the parser has stopped at."""
        if self._refusal is None:
            super().send_400_response(msg)
        else:
            self._refuse(self._refusal)

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over to the WebSocket protocol, which also counts it off when it ends."""
        super().handle_websocket_upgrade()
        self._stop_header_timer()
        self._unparsed = 0
        del self.parser  # the parser and the protocol refer to each other

    def pause_writing(self) -> None:
        """Starts the write timeout: the peer doesn't read."""
        super().pause_writing()
        self._stop_write_timer()
        self._write_timer = self.loop.call_later(self.timeout, self.transport.abort)

    def resume_writing(self) -> None:
        """Ends the write timeout."""
        self._stop_write_timer()
        super().resume_writing()

    def _count_header(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > MAX_HEADER_BYTES:
            self._refusal = HEADERS_TOO_LARGE
            raise _RefusedError

    def _start_header_timer(self) -> None:
        self._stop_header_timer()
        self._header_timer = self.loop.call_later(self.timeout, self._refuse, REQUEST_TIMEOUT)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _refuse(self, response: bytes) -> None:
        self._stop_header_timer()
        if not self.transport.is_closing():
            self.transport.write(response)
            self.transport.close()


class ProtocolClasses(NamedTuple):
    """The protocol classes of a server, for uvicorn. They share the count of connections by address."""

    http: type[LimitedHttpProtocol]
    websocket: type[DirectWebSocketProtocol]


def make_protocols(settings: ServerSettings) -> ProtocolClasses:
    """Returns the protocol classes for a server with these settings."""
    shares = AddressShares(settings)
    timeout = settings.request_timeout
    http = {"timeout": timeout, "shares": shares}
    return ProtocolClasses(
        type("ConfiguredHttpProtocol", (LimitedHttpProtocol,), http),
        type("ConfiguredWebSocketProtocol", (DirectWebSocketProtocol,), {"shares": shares}),
    )
