"""Simulated clients' side of HTTP and WebSockets, by bytes, written from docs/protocol.md and RFC 6455 alone."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from simulation.loop import SimulatedLoop
from simulation.network import Endpoint, Network

__all__ = ["ClientSocket", "Disconnected", "HttpAnswer", "Line", "request"]

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TIMEOUT: Final = 20.0
"""Seconds after which a client gives a request up."""


class Disconnected(Exception):
    """The connection has ended, or there was never one."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A response: its status, headers and body."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def json(self) -> Any:
        """The body, read as JSON; None when it isn't."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies that are set; an empty value deletes one."""
        found = {}
        for name, value in self.headers:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                text = rest.split(";")[0].strip('"')
                found[key] = "" if "Max-Age=0" in value else text
        return found


class Line(asyncio.Protocol):
    """A connection as a client reads it: bytes that wait to be read."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.end: Endpoint | None = None
        self.data = bytearray()
        self.over = False
        self._made = loop.create_future()
        self._more: asyncio.Future[None] | None = None
        self._loop = loop

    async def connect(self, network: Network, address: str, rng: random.Random) -> None:
        """Connects; raises Disconnected."""
        try:
            self.end = network.connect(self._loop, self, address, rng)
        except ConnectionRefusedError as error:
            raise Disconnected("refused") from error
        await self._made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is there."""
        del transport
        if not self._made.done():
            self._made.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        self.data += data
        self._wake()

    def eof_received(self) -> bool:
        """The server has ended."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self.over = True
        if not self._made.done():
            self._made.set_exception(Disconnected(str(exc)))
        self._wake()

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    def write(self, data: bytes) -> None:
        """Sends."""
        if self.end is not None and not self.over:
            self.end.write(data)

    async def wait(self) -> None:
        """Waits for more; raises Disconnected when nothing more will come."""
        if self.over:
            raise Disconnected("ended")
        self._more = self._loop.create_future()
        try:
            await self._more
        finally:
            self._more = None

    async def read(self, size: int) -> bytes:
        """Reads exactly so many bytes."""
        while len(self.data) < size:
            await self.wait()
        found = bytes(self.data[:size])
        del self.data[:size]
        return found

    async def read_until(self, mark: bytes) -> bytes:
        """Reads up to a mark, which is included."""
        while (place := self.data.find(mark)) < 0:
            await self.wait()
        return await self.read(place + len(mark))

    def close(self) -> None:
        """Ends the connection."""
        if self.end is not None:
            self.end.close()

    def abort(self) -> None:
        """Drops the connection."""
        if self.end is not None:
            self.end.abort()


def _head(method: str, path: str, headers: dict[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: table.example"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _read_head(line: Line) -> tuple[int, list[tuple[str, str]]]:
    text = (await line.read_until(b"\r\n\r\n")).decode("latin-1")
    first, *rest = text.split("\r\n")
    headers = []
    for item in rest:
        name, found, value = item.partition(":")
        if found:
            headers.append((name.lower(), value.strip()))
    return int(first.split(" ")[1]), headers


async def _read_body(line: Line, headers: list[tuple[str, str]]) -> bytes:
    named = dict(headers)
    if "content-length" in named:
        return await line.read(int(named["content-length"]))
    if named.get("transfer-encoding") == "chunked":
        parts = []
        while size := int((await line.read_until(b"\r\n"))[:-2], 16):
            parts.append((await line.read(size + 2))[:-2])
        await line.read(2)
        return b"".join(parts)
    return b""


async def request(
    line: Line, method: str, path: str, headers: dict[str, str], body: bytes | None = None
) -> HttpAnswer:
    """Sends a request and reads the response; raises Disconnected."""
    sent = dict(headers)
    if body is not None:
        sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    line.write(_head(method, path, sent) + (body or b""))
    try:
        async with asyncio.timeout(TIMEOUT):
            status, found = await _read_head(line)
            return HttpAnswer(status, found, await _read_body(line, found))
    except TimeoutError as error:
        raise Disconnected("no answer") from error


@dataclass(slots=True)
class ClientSocket:
    """A client's WebSocket.

    Attributes:
        line: The connection.
        rng: Where masks come from.
        on_text: Called with every text.
    """

    line: Line
    rng: random.Random
    on_text: Callable[[bytes], None]
    code: int | None = None
    _fragments: bytearray = field(default_factory=bytearray)

    async def open(self, path: str, headers: dict[str, str]) -> HttpAnswer | None:
        """Shakes hands; returns the response when the server refuses."""
        key = base64.b64encode(self.rng.randbytes(16)).decode()
        upgrade = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
        }
        self.line.write(_head("GET", path, {**headers, **upgrade}))
        try:
            async with asyncio.timeout(TIMEOUT):
                status, found = await _read_head(self.line)
                if status == 101:
                    return None
                return HttpAnswer(status, found, await _read_body(self.line, found))
        except TimeoutError as error:
            raise Disconnected("no answer") from error

    async def read(self) -> None:
        """Reads frames until the end."""
        try:
            while self.code is None:
                await self._read_frame()
        except Disconnected:
            pass
        finally:
            self.line.close()

    async def _read_frame(self) -> None:
        first, second = await self.line.read(2)
        size = second & 0x7F
        if size == 126:
            size = int.from_bytes(await self.line.read(2), "big")
        elif size == 127:
            size = int.from_bytes(await self.line.read(8), "big")
        body = await self.line.read(size)
        opcode = first & 0xF
        if opcode == TEXT:
            self.on_text(body)
        elif opcode == PING:
            self.send(body, PONG)
        elif opcode == CLOSE:
            self.code = int.from_bytes(body[:2], "big") if body else 1005
            self.send(body[:2], CLOSE)

    def send(self, body: bytes, opcode: int = TEXT) -> None:
        """Sends a frame."""
        self.line.write(self.frame(body, opcode))

    def frame(self, body: bytes, opcode: int = TEXT) -> bytes:
        """A masked frame."""
        size = len(body)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
        else:
            head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
        mask = self.rng.randbytes(4)
        number = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        return head + mask + (int.from_bytes(body, "big") ^ number).to_bytes(size, "big")
