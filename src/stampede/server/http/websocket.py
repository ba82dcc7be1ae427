"""A WebSocket protocol that reads and writes frames itself, and leaves the handshake to uvicorn.

uvicorn's class, on top of the `websockets` library, does the opening handshake and the bookkeeping of a connection. But
a table's messages are short texts, thousands a second: uvicorn's queue, the task that reads it and two layers of
dictionaries cost more than the rules of the game. It also answers every ping at once, however full the write buffer.
So this class takes over after the handshake: every byte goes through `FrameReader`, one message at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from stampede.server.http.frames import (
    BINARY,
    CLOSE,
    NO_CODE,
    PING,
    PONG,
    TEXT,
    CloseFrame,
    FrameError,
    FrameReader,
    frame_head,
    read_close,
    write_frame,
)
from stampede.server.http.limits import AddressShares

__all__ = ["DirectWebSocketProtocol", "protocol_of"]

EXTENSION: Final = "stampede.websocket"
"""The key of the protocol object among the ASGI scope's extensions."""
MAX_AFTER_CLOSE: Final = 256 * 1024
"""Bytes that are read after our close frame until the peer answers it; a peer that sends more is cut off."""


class DirectWebSocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket. The application gets it with `protocol_of` and calls `set_handlers`.

    It reads on only while it can hand messages over: not before `set_handlers` and not between `hold` and `release`.
    Then at most what one read has brought waits here, and the rest in the peer's buffers (backpressure).

    Attributes:
        backpressure: Whether the transport's write buffer is above its high-water mark.
        shares: The connections of each address, of which this is one since before its handshake; None without a limit.
    """

    backpressure = False
    shares: AddressShares | None = None

    _reader: FrameReader | None = None  # after the handshake
    _on_text: Callable[[bytes], None] | None = None
    _on_other: Callable[[], bool] | None = None
    _on_drain: Callable[[], None] | None = None
    _close_frame: CloseFrame | None = None
    _late_pong: bytes | None = None
    _is_held = True
    _is_reading = False
    _after_close = 0

    # --- for the application ---

    def set_handlers(
        self,
        on_text: Callable[[bytes], None],
        on_other: Callable[[], bool],
        on_drain: Callable[[], None],
    ) -> None:
        """Delivers messages from now on, in order, including those that have arrived already.

        Args:
            on_text: Receives a text in UTF-8; empty for a binary message.
            on_other: Called for every ping, pong and fragment. Whether a ping is answered.
            on_drain: Called when `backpressure` ends.
        """
        self._on_text, self._on_other, self._on_drain = on_text, on_other, on_drain
        self.release()

    @property
    def waiting(self) -> int:
        """Bytes in memory for this connection: written and not yet sent, or received and not yet handed over."""
        received = 0 if self._reader is None else self._reader.waiting
        return self.transport.get_write_buffer_size() + received

    def write_texts(self, *texts: bytes) -> None:
        """Writes texts in one go, unless the connection has ended."""
        if self.close_sent or self.transport.is_closing():
            return
        frames: list[bytes] = []
        for text in texts:
            frames += (frame_head(TEXT, len(text)), text)
        self.transport.write(b"".join(frames))

    def hold(self) -> None:
        """Hands nothing over until `release`: the last message has to be answered first."""
        self._is_held = True

    def release(self) -> None:
        """Hands over what has arrived meanwhile, and reads on."""
        if self._close_frame is not None:
            return
        self._is_held = False
        self._read_frames()
        if not self._is_held:
            self.resume_reading()

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
        """Makes `wait_closed` return the frame; its caller closes the connection. Later requests don't count.

        Nothing is handed over any more.
        """
        if self._close_frame is None:
            self._close_frame = frame
            self._is_held = True
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
        """Puts the protocol into the scope, for `protocol_of`; what follows are frames."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[EXTENSION] = self
            self._reader = FrameReader(self.config.ws_max_size)

    def connection_lost(self, exc: Exception | None) -> None:
        """Breaks all reference cycles, so that everything is freed without the cyclic garbage collector."""
        super().connection_lost(exc)
        if self.shares is not None and self.client is not None:
            self.shares.close(self.client[0])
        self._on_text = self._on_other = self._on_drain = None
        self.conn.parser.close()
        for error in (self.conn.handshake_exc, self.conn.parser_exc):
            if error is not None:  # its traceback refers to the frames that led here
                error.__traceback__ = error.__context__ = None
        scope = getattr(self, "scope", None)  # missing without a handshake
        if scope is not None:
            cast("dict[str, object]", scope["extensions"]).pop(EXTENSION, None)

    def shutdown(self) -> None:
        """Asks the peer to connect again, unless the connection is closing anyway."""
        if self.transport.is_closing():
            return
        if not self.handshake_complete and self.initial_response is None:
            # uvicorn would answer 500, but nothing has gone wrong.
            self.conn.send_response(self.conn.reject(503, "the server stops; connect again\n"))
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Reads frames; the library reads the request of the handshake."""
        reader = self._reader
        if reader is None:
            self._read_request(data)
            return
        reader.feed(data)
        if self.close_sent:
            self._after_close += len(data)
            if self._after_close > MAX_AFTER_CLOSE:
                self.transport.abort()
                return
        self._read_frames()

    def _read_request(self, data: bytes) -> None:
        """Reads the handshake's request; answers one that the library refuses, which uvicorn leaves open."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def _read_frames(self) -> None:
        """Handles frames until one has to wait. Not reentrant: an answer may come while its message is handled."""
        reader = self._reader
        if self._is_reading or reader is None:
            return
        self._is_reading = True
        try:
            while not self._is_held or self.close_sent:
                frame = reader.read()
                if frame is None:
                    break
                opcode, payload = frame
                if opcode == TEXT and self._on_text is not None and not self.close_sent:
                    self._on_text(payload)
                else:
                    self._handle_frame(opcode, payload)
        except FrameError as error:
            self._fail(error)
        finally:
            self._is_reading = False
        if self._is_held and not self.close_sent and reader.waiting:
            self.pause_reading()

    def _handle_frame(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self._finish(read_close(payload))
        elif self.close_sent or self._on_text is None or self._on_other is None:
            pass  # we only wait for the peer's close frame
        elif opcode == BINARY:
            self._on_text(b"")
        elif self._on_other() and opcode == PING:
            self._answer_ping(payload)

    def _answer_ping(self, payload: bytes) -> None:
        """Answers a ping; while the peer doesn't read, only the last one waits (RFC 6455, 5.5.3)."""
        if self.backpressure:
            self._late_pong = payload
        elif not self.transport.is_closing():
            self.transport.write(write_frame(PONG, payload))

    def _finish(self, frame: CloseFrame) -> None:
        """The peer closes, or answers our close frame."""
        if self.close_sent:
            if self.close_timer is not None:
                self.close_timer.cancel()
                self.close_timer = None
            self.transport.close()
            return
        self._is_held = True
        code, reason = frame
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        if self.conn.state is State.OPEN:
            self.conn.send_close(None if code == NO_CODE else code)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def _fail(self, error: FrameError) -> None:
        """Ends a connection whose peer breaks the protocol."""
        self._is_held = True
        if self.conn.state is not State.OPEN:  # we have closed it already
            self.transport.close()
            return
        self.conn.send_close(error.code, error.reason)
        self.handle_parser_exception()

    def pause_writing(self) -> None:
        """Notes backpressure: the peer reads more slowly than we write."""
        super().pause_writing()
        self.backpressure = True

    def resume_writing(self) -> None:
        """Notes that the write buffer has drained."""
        super().resume_writing()
        self.backpressure = False
        if self._late_pong is not None:
            payload, self._late_pong = self._late_pong, None
            self._answer_ping(payload)
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
