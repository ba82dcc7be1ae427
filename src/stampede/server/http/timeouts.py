"""Connections that dawdle: heads that trickle in or never end, and answers that nobody reads. uvicorn waits for ever.

Bodies are `stampede.server.http.limits.BodyLimit`'s, WebSockets have their own signs of life.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["MOST_HEAD", "impatient"]

MOST_HEAD: Final = 32 * 1024
"""Bytes of a request's line and headers; nothing else bounds them."""
TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)
TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class ImpatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP, with an end to its patience."""

    seconds = 15.0
    _head = 0
    _until_head: asyncio.TimerHandle | None = None
    _until_read: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's
        """Somebody has come: he is given time for the head of a request."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._have_head()
        self._have_reader()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Counts what belongs to a head; the first byte of the next request starts the clock anew."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._until_head is None:
            self._expect_head()
        self._head += len(data)
        super().data_received(data)
        if self._until_head is not None and self._head > MOST_HEAD:
            self._refuse(TOO_LONG)

    def on_headers_complete(self) -> None:
        """The head is here."""
        self._have_head()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """The connection is a WebSocket's from now on: what read its head isn't needed any more."""
        super().handle_websocket_upgrade()
        self._have_head()
        del self.parser  # the two know each other

    def pause_writing(self) -> None:
        """The peer doesn't read: he is given time for that, too."""
        super().pause_writing()
        self._have_reader()
        self._until_read = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The peer reads again."""
        self._have_reader()
        super().resume_writing()

    def _expect_head(self) -> None:
        self._have_head()
        self._until_head = self.loop.call_later(self.seconds, self._refuse, TOO_SLOW)

    def _have_head(self) -> None:
        self._head = 0
        if self._until_head is not None:
            self._until_head.cancel()
            self._until_head = None

    def _have_reader(self) -> None:
        if self._until_read is not None:
            self._until_read.cancel()
            self._until_read = None

    def _refuse(self, answer: bytes) -> None:
        self._have_head()
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()


def impatient(seconds: float) -> type[asyncio.Protocol]:
    """The protocol for uvicorn that waits so long for a head, and for a reader."""
    return type("Impatient", (ImpatientProtocol,), {"seconds": seconds})
