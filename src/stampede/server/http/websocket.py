"""A WebSocket without detours: whole texts go straight to whoever listens, and answers straight into the socket.

uvicorn's class, on top of the library websockets, does the handshake and everything unusual: fragments, pings, binary
messages, what breaks the protocol, closing. But a table's messages are short texts in one frame each, thousands a
second: for these a queue, a task that reads it and two layers of dictionaries on the way cost more than the rules of
the game. So a frame that is whole, final and a text is read here, and a text is written here as one frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

try:
    from websockets.speedups import apply_mask
except ImportError:  # pragma: no cover - where it can't be compiled
    from websockets.utils import apply_mask

__all__ = ["Ending", "Line", "line_of"]

EXTENSION: Final = "stampede.line"
"""Where the application finds the line: among the connection's extensions."""
WHOLE_TEXT: Final = 0x81
MASKED: Final = 0x80
MEDIUM: Final = 126
"""A size of two bytes follows; 127: one of eight."""


class Ending(NamedTuple):
    """How we end a connection."""

    code: int
    reason: str


class Line(WebSocketsSansIOProtocol):
    """One WebSocket. Whoever serves it takes it with `line_of` and calls `listen`.

    Attributes:
        full: Whether more waits to be sent than should.
    """

    full = False

    _hear: Callable[[bytes], None] | None = None
    _drained: Callable[[], None] | None = None
    _ending: Ending | None = None

    # --- for whoever serves it ---

    def listen(self, hear: Callable[[bytes], None], drained: Callable[[], None]) -> None:
        """From now on texts go to `hear`, in the order in which they come; those that have come already, too.

        Args:
            hear: Takes a text, as it came: nobody has looked whether it is UTF-8. Empty for a binary message.
            drained: Called when the line isn't `full` any more.
        """
        self._hear, self._drained = hear, drained
        waiting = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for message in waiting:
            if message["type"] == "websocket.receive":
                hear((message.get("text") or "").encode())
            else:
                self.queue.put_nowait(message)
        if self.read_paused:
            self.resume()

    def say(self, *texts: bytes) -> None:
        """Sends texts together, unless the connection has ended."""
        if self.close_sent or self.transport.is_closing():
            return
        frames: list[bytes] = []
        for text in texts:
            size = len(text)
            if size < MEDIUM:
                head = bytes((WHOLE_TEXT, size))
            elif size < 1 << 16:
                head = bytes((WHOLE_TEXT, MEDIUM, size >> 8, size & 0xFF))
            else:
                head = bytes((WHOLE_TEXT, MEDIUM + 1)) + size.to_bytes(8, "big")
            frames += (head, text)
        self.transport.write(b"".join(frames))

    def pause(self) -> None:
        """Reads no more for now."""
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def resume(self) -> None:
        """Reads on."""
        if self.read_paused:
            self.read_paused = False
            if not self.transport.is_closing():
                self.transport.resume_reading()

    def end(self, ending: Ending) -> None:
        """Lets `ended` return; whoever waits there closes the connection."""
        if self._ending is None:
            self._ending = ending
            self.queue.put_nowait({"type": "websocket.disconnect", "code": ending.code})

    async def ended(self) -> Ending | None:
        """Waits for the end: ours, or None when the peer has gone."""
        while (await self.queue.get())["type"] != "websocket.disconnect":
            pass
        return self._ending

    def abort(self) -> None:
        """Drops a connection whose peer doesn't even take the farewell."""
        self.transport.abort()

    # --- for uvicorn ---

    def handle_connect(self, event: Request) -> None:
        """Lets the application find the line."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Lets go of everything that knows the line: what is in no circle is freed at once."""
        super().connection_lost(exc)
        self._hear = self._drained = None
        self.conn.parser.close()
        for error in (self.conn.handshake_exc, self.conn.parser_exc):
            if error is not None:  # its traceback knows everything that was on its way
                error.__traceback__ = error.__context__ = None
        scope = getattr(self, "scope", None)  # not there when there was no handshake
        if scope is not None:
            cast("dict[str, object]", scope["extensions"]).pop(EXTENSION, None)

    def data_received(self, data: bytes) -> None:
        """Reads whole texts; leaves the rest to the library."""
        conn = self.conn
        if self._hear is None or conn.reader.buffer or conn.current_size is not None:
            super().data_received(data)
            return
        rest = self._read_texts(data)
        if rest < len(data):
            super().data_received(data[rest:] if rest else data)

    def _read_texts(self, data: bytes) -> int:
        """Reads whole texts; returns where something else begins."""
        start, end = 0, len(data)
        while end - start > 6 and data[start] == WHOLE_TEXT and not self.close_sent:
            size, mask = data[start + 1] - MASKED, start + 2
            if size == MEDIUM:
                size, mask = int.from_bytes(data[mask : mask + 2], "big"), mask + 2
            elif not 0 <= size < MEDIUM:
                break
            body = mask + 4
            if body + size > end or size > self.config.ws_max_size:
                break
            start = body + size
            assert self._hear is not None, "somebody listens"
            self._hear(bytes(apply_mask(data[body:start], data[mask:body])))
        return start

    def send_receive_event_to_app(self) -> None:
        """A message that the library has read."""
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        text = b"".join(self.frames) if self.curr_msg_data_type == "text" else b""
        self.frames = []
        if not self.close_sent:
            self._hear(text)

    def pause_writing(self) -> None:
        """More waits to be sent than should."""
        super().pause_writing()
        self.full = True

    def resume_writing(self) -> None:
        """The line has room again."""
        super().resume_writing()
        self.full = False
        if self._drained is not None:
            self._drained()


def line_of(websocket: WebSocket) -> Line:
    """The line of a connection; TypeError when another server than ours runs the application."""
    line = websocket.scope.get("extensions", {}).get(EXTENSION)
    if not isinstance(line, Line):
        raise TypeError(
            "expected uvicorn with ws=stampede.server.http.websocket.Line: see stampede.server.run"
        )
    return line
