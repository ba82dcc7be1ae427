"""A simulated transport, and a WebSocket protocol on it: bytes in, bytes out, no socket and no time."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from starlette.websockets import WebSocket
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.streams import StreamReader

from stampede.server.http.websocket import DirectWebSocketProtocol, protocol_of

HIGH_WATER = 64 * 1024
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def upgrade(path: str, *headers: str) -> bytes:
    """The request of a WebSocket's handshake."""
    more = "".join(f"{header}\r\n" for header in headers)
    return (
        f"GET {path} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n{more}\r\n"
    ).encode()


def client_frame(
    opcode: int, payload: bytes, *, final: bool = True, mask: bytes = b"\x11\x22\x33\x44"
) -> bytes:
    """A client's frame with the shortest length."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 1 << 16:
        length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes([(0x80 if final else 0) | opcode]) + length + mask + body


class Wire(asyncio.Transport):
    """A transport whose peer is the test: what is written waits until `take` reads it."""

    def __init__(self, peer: tuple[str, int] = ("192.0.2.1", 1000)) -> None:
        super().__init__()
        self._peer = peer
        self._protocol: asyncio.BaseProtocol | None = None
        self._unread = bytearray()
        self._is_paused = False
        self.is_open = True
        self.aborted = False
        self.reading = True
        self.most = 0
        """The largest number of bytes that waited."""

    def connect(self, protocol: asyncio.Protocol) -> None:
        """Begins a connection."""
        self._protocol = protocol
        protocol.connection_made(self)

    def send(self, data: bytes) -> None:
        """Bytes from the peer, if the protocol reads them."""
        assert self.is_open, "the connection has ended"
        assert self.reading, "the protocol doesn't read now"
        assert isinstance(self._protocol, asyncio.Protocol)
        self._protocol.data_received(data)

    def take(self) -> bytes:
        """The peer reads all that was written."""
        found = bytes(self._unread)
        self._unread.clear()
        if self._is_paused:
            self._is_paused = False
            assert isinstance(self._protocol, asyncio.Protocol)
            self._protocol.resume_writing()
        return found

    def peek(self) -> bytes:
        """What was written and not yet read."""
        return bytes(self._unread)

    def frames(self) -> list[Frame]:
        """The peer reads all frames that were written."""
        reader = StreamReader()
        reader.feed_data(self.take())
        found = []
        while reader.buffer:
            parsing: Iterator[None] = Frame.parse(reader.read_exact, mask=False)
            try:
                next(parsing)
            except StopIteration as done:
                found.append(done.value)
            else:
                raise AssertionError("half a frame")
        return found

    def texts(self) -> list[Any]:
        """The JSON of all texts that were written."""
        return [json.loads(bytes(frame.data)) for frame in self.frames() if frame.opcode == 1]

    # --- for the protocol ---

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        found = {"peername": self._peer, "sockname": ("192.0.2.9", 80)}
        return found.get(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        assert self._protocol is not None
        return self._protocol

    def write(self, data: Any) -> None:
        self._unread += data
        self.most = max(self.most, len(self._unread))
        if len(self._unread) > HIGH_WATER and not self._is_paused:
            self._is_paused = True
            assert isinstance(self._protocol, asyncio.Protocol)
            self._protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return len(self._unread)

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return not self.is_open

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            assert self._protocol is not None
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        self.aborted = True
        self._unread.clear()
        self.close()


class Listener:
    """A WebSocket on a wire, and what it hears. The application is an echo of nothing: it listens."""

    def __init__(self, wire: Wire, protocol: DirectWebSocketProtocol) -> None:
        self.wire, self.protocol = wire, protocol
        self.heard: list[bytes] = []
        self.others = 0
        self.counts: Callable[[], bool] = lambda: True

    @classmethod
    async def open(cls, max_size: int) -> "Listener":
        """Shakes hands."""
        ready = asyncio.Event()
        listeners: list[Listener] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            websocket = WebSocket(scope, receive, send)
            await websocket.accept()
            listener = cls(wire, protocol_of(websocket))
            listeners.append(listener)
            listener.protocol.set_handlers(listener.heard.append, listener.other, lambda: None)
            ready.set()
            if frame := await listener.protocol.wait_closed():
                await websocket.close(frame.code, frame.reason)

        config = uvicorn.Config(
            app, ws_max_size=max_size, ws_per_message_deflate=False, log_config=None, lifespan="off"
        )
        wire = Wire()
        protocol = DirectWebSocketProtocol(config, ServerState(), {})
        wire.connect(protocol)
        wire.send(upgrade("/"))
        await ready.wait()
        assert wire.take().startswith(b"HTTP/1.1 101 ")
        return listeners[0]

    def other(self) -> bool:
        """Counts a control frame or fragment."""
        self.others += 1
        return self.counts()
