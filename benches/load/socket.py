"""A lean WebSocket client: raw frames on a transport, as one process has to be two thousand of them.

It understands what our server sends, whole text frames and a close; everything else is an error.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import Final, cast

__all__ = ["Line", "connect", "frame", "handshake"]

HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)
TEXT: Final = 0x81
CLOSE: Final = 0x88
MASKED: Final = 0x80
NO_MASK: Final = b"\0\0\0\0"
"""A client has to mask; a mask of zeros spares this process the work, and the server none of its own."""


def handshake(host: str, path: str, cookie: str = "") -> bytes:
    """The request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    more = f"Cookie: {cookie}\r\n" if cookie else ""
    return HANDSHAKE.format(path=path, host=host, key=key, more=more).encode()


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """A payload as a client's frame, a text by default."""
    size = len(payload)
    if size < 126:
        return bytes((kind, MASKED | size)) + NO_MASK + payload
    return struct.pack("!BBH", kind, MASKED | 126, size) + NO_MASK + payload


class Line(asyncio.Protocol):
    """One socket.

    Attributes:
        hear: Takes whole texts; until there is a listener they are kept in `early`.
        lost: Whether the line has ended.
        bytes_in: How much has come in.
    """

    __slots__ = ("_data", "_open", "bytes_in", "early", "hear", "lost", "opened", "transport")

    def __init__(self, request: bytes, opened: asyncio.Future[None]) -> None:
        self.early: list[bytes] = []
        self.hear: Callable[[bytes], None] = self.early.append
        self.opened = opened
        self.lost = False
        self.bytes_in = 0
        self._data = request
        self._open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the upgrade."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._data)
        self._data = b""

    def connection_lost(self, exc: Exception | None) -> None:
        """The line has ended."""
        self.lost = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(f"expected an upgrade, got {exc}"))

    def data_received(self, data: bytes) -> None:
        """Cuts texts out of what comes."""
        self.bytes_in += len(data)
        if self._data:
            data = self._data + data
        if not self._open:
            head, mark, data = data.partition(b"\r\n\r\n")
            if not mark:
                self._data = head
                return
            self._open = True
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head.decode(errors="replace")[:200]))
                return
            self.opened.set_result(None)
        self._data = self._cut(data)

    def _cut(self, data: bytes) -> bytes:
        """Hands on all whole frames; returns the rest."""
        start, end = 0, len(data)
        while end - start >= 2:
            size, body = data[start + 1], start + 2
            if size == 126:
                size, body = int.from_bytes(data[body : body + 2], "big"), body + 2
            elif size == 127:
                size, body = int.from_bytes(data[body : body + 8], "big"), body + 8
            if body + size > end:
                break
            if data[start] == TEXT:
                self.hear(data[body : body + size])
            start = body + size
        return data[start:]

    def listen(self, hear: Callable[[bytes], None]) -> None:
        """Adds the listener."""
        self.hear = hear
        for text in self.early:
            hear(text)
        self.early.clear()

    def send(self, payload: bytes) -> None:
        """Sends a text."""
        self.transport.write(frame(payload))


async def connect(host: str, port: int, path: str, cookie: str = "", source: str = "") -> Line:
    """Opens a socket, from a certain address of this machine if one is given; returns when the server has agreed."""
    loop = asyncio.get_running_loop()
    request = handshake(f"{host}:{port}", path, cookie)
    opened: asyncio.Future[None] = loop.create_future()
    _, line = await loop.create_connection(
        lambda: Line(request, opened), host, port, local_addr=(source, 0) if source else None
    )
    await opened
    return line
