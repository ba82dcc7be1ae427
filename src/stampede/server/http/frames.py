"""Reads and writes WebSocket frames by the rules of RFC 6455, without a socket.

`FrameReader` is given bytes however they are cut, and returns whole messages and control frames. The library websockets
reads frames, too, but keeps quiet about lengths that aren't minimal, and writes its pongs before they can be counted.
"""

from __future__ import annotations

from typing import Final, NamedTuple

try:
    from websockets.speedups import apply_mask
except ImportError:  # pragma: no cover - the compiled module is missing on some platforms
    from websockets.utils import apply_mask

__all__ = [
    "BINARY",
    "CLOSE",
    "CONTINUATION",
    "PING",
    "PONG",
    "TEXT",
    "CloseFrame",
    "FrameError",
    "FrameReader",
    "write_frame",
]

CONTINUATION: Final = 0x0
TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA

FINAL: Final = 0x80
PLAIN_TEXT: Final = FINAL | TEXT
"""The first byte of a text in one frame."""
RESERVED_BITS: Final = 0x70
OPCODE: Final = 0x0F
MASKED: Final = 0x80
"""In a frame's second byte: a mask follows the length."""
SIZE_16_BIT: Final = 126
SIZE_64_BIT: Final = 127
"""Values of the length field that say that the length follows in two or in eight bytes."""
MAX_CONTROL_SIZE: Final = 125

PROTOCOL_ERROR: Final = 1002
NO_CODE: Final = 1005
NOT_UTF8: Final = 1007
TOO_LARGE: Final = 1009
SENDABLE_CODES: Final = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
"""Close codes that a peer may send; the others are reserved, or not for the wire."""


class CloseFrame(NamedTuple):
    """The code and reason with which one side closes a connection."""

    code: int
    reason: str


class FrameError(Exception):
    """A frame that breaks the protocol: the connection ends with this code.

    Attributes:
        code: The close code.
        reason: What was expected.
    """

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class FrameReader:
    """Reads a client's frames.

    Args:
        max_size: Bytes of a message, all its fragments together.
    """

    __slots__ = ("_at", "_data", "_fragments", "_max_size", "_opcode")

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._data = b""
        self._at = 0  # where the next frame begins
        self._opcode = CONTINUATION  # of the message whose fragments are being read
        self._fragments = b""

    @property
    def waiting(self) -> int:
        """Bytes that were fed and not yet returned."""
        return len(self._data) - self._at + len(self._fragments)

    def feed(self, data: bytes) -> None:
        """Takes bytes from the peer."""
        if self._at == len(self._data):
            self._data = data
        else:
            self._data = self._data[self._at :] + data
        self._at = 0

    def read(self) -> tuple[int, bytes] | None:
        """Returns the next message or control frame, None if it isn't complete.

        A message is ``(TEXT, its bytes)`` or ``(BINARY, its bytes)``. A fragment that doesn't end a message is
        ``(CONTINUATION, b"")``, as it costs something, too.

        Raises:
            FrameError: The peer breaks the protocol. The reader must not be used any more.
        """
        data, at = self._data, self._at
        length = len(data)
        mask = at + 2
        if length < mask:
            return None
        first, size = data[at], data[at + 1] - MASKED
        opcode = first & OPCODE
        is_plain = first == PLAIN_TEXT and size >= 0 and not self._opcode
        if not is_plain:  # nearly all are, and cost a sixth less this way
            self._check_head(first, opcode, size)
        if size >= SIZE_16_BIT:
            mask += 2 if size == SIZE_16_BIT else 8
            if length < mask:
                return None
            least = SIZE_16_BIT if size == SIZE_16_BIT else 1 << 16
            size = int.from_bytes(data[at + 2 : mask], "big")
            if size < least or size >> 63:
                raise FrameError(PROTOCOL_ERROR, "expected the shortest form of the length")
        if size + len(self._fragments) > self._max_size and opcode < CLOSE:
            raise FrameError(TOO_LARGE, f"expected a message of at most {self._max_size} bytes")
        body = mask + 4
        end = body + size
        if length < end:
            return None
        payload = apply_mask(data[body:end], data[mask:body])
        if end == length:  # frees the bytes of a socket that says nothing more
            self._data, self._at = b"", 0
        else:
            self._at = end
        if opcode >= CLOSE:
            return opcode, payload
        if is_plain:
            if not payload.isascii():
                _check_utf8(payload)
            return opcode, payload
        return self._add_fragment(opcode, payload, is_final=first >= FINAL)

    def _check_head(self, first: int, opcode: int, size: int) -> None:
        """Checks the first two bytes of a frame; `size` is negative without a mask."""
        if first & RESERVED_BITS:
            raise FrameError(PROTOCOL_ERROR, "expected reserved bits of 0")
        if size < 0:
            raise FrameError(PROTOCOL_ERROR, "expected a masked frame")
        if opcode >= CLOSE:
            if opcode > PONG:
                raise FrameError(PROTOCOL_ERROR, "expected a known opcode")
            if first < FINAL or size > MAX_CONTROL_SIZE:
                raise FrameError(PROTOCOL_ERROR, "expected a short control frame in one piece")
        elif opcode > BINARY:
            raise FrameError(PROTOCOL_ERROR, "expected a known opcode")
        elif (opcode == CONTINUATION) != (self._opcode != CONTINUATION):
            expected = "a message" if opcode == CONTINUATION else "the rest of a message"
            raise FrameError(PROTOCOL_ERROR, f"expected the beginning of {expected}")

    def _add_fragment(self, opcode: int, payload: bytes, *, is_final: bool) -> tuple[int, bytes]:
        """Adds a data frame to its message; returns the message if this is its last frame."""
        if opcode == CONTINUATION:
            opcode, payload = self._opcode, self._fragments + payload
        if not is_final:
            self._opcode, self._fragments = opcode, payload
            return CONTINUATION, b""
        self._opcode, self._fragments = CONTINUATION, b""
        if opcode == TEXT and not payload.isascii():
            _check_utf8(payload)
        return opcode, payload


def read_close(payload: bytes) -> CloseFrame:
    """Reads the payload of a close frame; an empty one has the code 1005.

    Raises:
        FrameError: It breaks the protocol.
    """
    if not payload:
        return CloseFrame(NO_CODE, "")
    code = int.from_bytes(payload[:2], "big")
    if len(payload) < 2 or code not in SENDABLE_CODES:
        raise FrameError(PROTOCOL_ERROR, "expected a close code that may be sent")
    _check_utf8(payload[2:])
    return CloseFrame(code, payload[2:].decode())


def write_frame(opcode: int, payload: bytes) -> bytes:
    """Returns a server's frame: final, not masked."""
    return frame_head(opcode, len(payload)) + payload


def frame_head(opcode: int, size: int) -> bytes:
    """Returns what comes before a payload of so many bytes."""
    if size < SIZE_16_BIT:
        return bytes((FINAL | opcode, size))
    if size < 1 << 16:
        return bytes((FINAL | opcode, SIZE_16_BIT, size >> 8, size & 0xFF))
    return bytes((FINAL | opcode, SIZE_64_BIT)) + size.to_bytes(8, "big")


def _check_utf8(payload: bytes) -> None:
    try:
        payload.decode()
    except UnicodeDecodeError as error:
        raise FrameError(NOT_UTF8, f"expected UTF-8 at byte {error.start}") from None
