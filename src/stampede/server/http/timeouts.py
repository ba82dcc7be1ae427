"""HTTP timeouts: limits header size, slow requests (slowloris) and clients that don't read. uvicorn has no such limits.

`stampede.server.http.limits.BodyLimitMiddleware` limits bodies; WebSockets have heartbeats.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["MAX_HEADER_BYTES", "make_http_protocol"]

MAX_HEADER_BYTES: Final = 32 * 1024
"""Bytes of a request's line and headers together."""
HEADERS_TOO_LARGE: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)
REQUEST_TIMEOUT: Final = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)


class HttpTimeoutProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with a timeout for reading headers and one for writing."""

    timeout = 15.0
    _header_bytes = 0
    _header_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Starts the header timeout."""
        super().connection_made(transport)
        self._start_header_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timers."""
        self._stop_header_timer()
        self._stop_write_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Counts header bytes; the first byte of the next request restarts the header timeout."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._header_timer is None:
            self._start_header_timer()
        self._header_bytes += len(data)
        super().data_received(data)
        if self._header_timer is not None and self._header_bytes > MAX_HEADER_BYTES:
            self._refuse(HEADERS_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Ends the header timeout."""
        self._stop_header_timer()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over to the WebSocket protocol."""
        super().handle_websocket_upgrade()
        self._stop_header_timer()
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

    def _start_header_timer(self) -> None:
        self._stop_header_timer()
        self._header_timer = self.loop.call_later(self.timeout, self._refuse, REQUEST_TIMEOUT)

    def _stop_header_timer(self) -> None:
        self._header_bytes = 0
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


def make_http_protocol(timeout: float) -> type[asyncio.Protocol]:
    """Returns the protocol class for uvicorn with a timeout in seconds."""
    return type("ConfiguredHttpProtocol", (HttpTimeoutProtocol,), {"timeout": timeout})
