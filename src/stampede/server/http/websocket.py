"""A WebSocket protocol with a short path for text messages.

uvicorn's class, on top of the `websockets` library, does the handshake and everything unusual: fragments, pings,
binary messages, protocol errors, closing. But a table's messages are short texts in one frame each, thousands a
second. For those, uvicorn's queue, the task that reads it and two layers of dictionaries cost more than the rules of
the game. So this class reads a complete, final text frame itself and writes a text as one frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:  # pragma: no cover - the compiled module is missing on some platforms
    from websockets.utils import apply_mask

__all__ = ["CloseFrame", "DirectWebSocketProtocol", "protocol_of"]

EXTENSION: Final = "stampede.websocket"
"""The key of the protocol object among the ASGI scope's extensions."""
FINAL_TEXT: Final = 0x81
"""The first byte of a frame: FIN and the opcode for text."""
MASKED: Final = 0x80
SIZE_16_BIT: Final = 126
SIZE_64_BIT: Final = 127
"""Values of the length field that say that the length follows in two or in eight bytes."""


class CloseFrame(NamedTuple):
    """The code and reason with which the server closes a connection."""

    code: int
    reason: str


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket. The application gets it with `protocol_of` and calls `set_handlers`.

    Attributes:
        backpressure: Whether the transport's write buffer is above its high-water mark.
    """

    backpressure = False

    _on_text: Callable[[bytes], None] | None = None
    _on_drain: Callable[[], None] | None = None
    _close_frame: CloseFrame | None = None

    # --- for the application ---

    def set_handlers(self, on_text: Callable[[bytes], None], on_drain: Callable[[], None]) -> None:
        """Delivers texts to `on_text` from now on, in order, including those that have arrived already.

        Args:
            on_text: Receives a text as it came, not checked for UTF-8; empty for a binary message.
            on_drain: Called when `backpressure` ends.
        """
        self._on_text, self._on_drain = on_text, on_drain
        queued = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for message in queued:
            if message["type"] == "websocket.receive":
                on_text((message.get("text") or "").encode())
            else:
                self.queue.put_nowait(message)
        if self.read_paused:
            self.resume_reading()

    def write_texts(self, *texts: bytes) -> None:
        """Writes texts in one go, unless the connection has ended."""
        if self.close_sent or self.transport.is_closing():
            return
        frames: list[bytes] = []
        for text in texts:
            size = len(text)
            if size < SIZE_16_BIT:
                head = bytes((FINAL_TEXT, size))
            elif size < 1 << 16:
                head = bytes((FINAL_TEXT, SIZE_16_BIT, size >> 8, size & 0xFF))
            else:
                head = bytes((FINAL_TEXT, SIZE_64_BIT)) + size.to_bytes(8, "big")
            frames += (head, text)
        self.transport.write(b"".join(frames))

    def pause_reading(self) -> None:
        """Stops reading from the peer."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        """Reads from the peer again."""
        if self.read_paused:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()

    def request_close(self, frame: CloseFrame) -> None:
        """Makes `wait_closed` return the frame; its caller closes the connection. Later requests don't count."""
        if self._close_frame is None:
            self._close_frame = frame
            self.queue.put_nowait({"type": "websocket.disconnect", "code": frame.code})

    async def wait_closed(self) -> CloseFrame | None:
        """Waits for the end; returns the requested close frame, or None when the peer has disconnected."""
        while (await self.queue.get())["type"] != "websocket.disconnect":
            pass
        return self._close_frame

    def abort(self) -> None:
        """Drops the connection without a closing handshake."""
        self.transport.abort()

    # --- for uvicorn ---

    def handle_connect(self, event: Request) -> None:
        """Puts the protocol into the scope, for `protocol_of`."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Breaks all reference cycles, so that everything is freed without the cyclic garbage collector."""
        super().connection_lost(exc)
        self._on_text = self._on_drain = None
        self.conn.parser.close()
        for error in (self.conn.handshake_exc, self.conn.parser_exc):
            if error is not None:  # its traceback refers to the frames that led here
                error.__traceback__ = error.__context__ = None
        scope = getattr(self, "scope", None)  # missing without a handshake
        if scope is not None:
            cast("dict[str, object]", scope["extensions"]).pop(EXTENSION, None)

    def data_received(self, data: bytes) -> None:
        """Reads complete text frames; passes the rest to the library."""
        conn = self.conn
        if self._on_text is None or conn.reader.buffer or conn.current_size is not None:
            super().data_received(data)
            return
        rest = self._read_texts(data)
        if rest < len(data):
            super().data_received(data[rest:] if rest else data)

    def _read_texts(self, data: bytes) -> int:
        """Reads complete text frames; returns the offset of the first byte that isn't part of one."""
        start, end = 0, len(data)
        while end - start > 6 and data[start] == FINAL_TEXT and not self.close_sent:
            size, mask = data[start + 1] - MASKED, start + 2
            if size == SIZE_16_BIT:
                size, mask = int.from_bytes(data[mask : mask + 2], "big"), mask + 2
            elif not 0 <= size < SIZE_16_BIT:
                break
            body = mask + 4
            if body + size > end or size > self.config.ws_max_size:
                break
            start = body + size
            assert self._on_text is not None, "data_received checks this"
            self._on_text(bytes(apply_mask(data[body:start], data[mask:body])))
        return start

    def send_receive_event_to_app(self) -> None:
        """Delivers a message that the library has read."""
        if self._on_text is None:
            super().send_receive_event_to_app()
            return
        text = b"".join(self.frames) if self.curr_msg_data_type == "text" else b""
        self.frames = []
        if not self.close_sent:
            self._on_text(text)

    def pause_writing(self) -> None:
        """Notes backpressure: the peer reads more slowly than we write."""
        super().pause_writing()
        self.backpressure = True

    def resume_writing(self) -> None:
        """Notes that the write buffer has drained."""
        super().resume_writing()
        self.backpressure = False
        if self._on_drain is not None:
            self._on_drain()


def protocol_of(websocket: WebSocket) -> DirectWebSocketProtocol:
    """Returns a connection's protocol object.

    Raises:
        TypeError: The application runs under another server than `stampede.server.run` configures.
    """
    protocol = websocket.scope.get("extensions", {}).get(EXTENSION)
    if not isinstance(protocol, DirectWebSocketProtocol):
        raise TypeError(
            "expected uvicorn with ws=stampede.server.http.websocket.DirectWebSocketProtocol:"
            " see stampede.server.run"
        )
    return protocol
