"""RFC 6455, frame by frame: whatever a client sends and however its bytes are cut, the same is heard and answered."""

import asyncio
from dataclasses import dataclass, field

import pytest
from websockets.frames import Opcode

from tests.server.http.wires import Listener, client_frame

MAX_SIZE = 300
TEXT, BINARY, CONT, CLOSE, PING, PONG = (
    Opcode.TEXT,
    Opcode.BINARY,
    Opcode.CONT,
    Opcode.CLOSE,
    Opcode.PING,
    Opcode.PONG,
)
MASK = b"\x11\x22\x33\x44"


@dataclass(frozen=True)
class Case:
    """Bytes from a client, and what comes of them.

    Attributes:
        name: What is special about them.
        data: The bytes.
        texts: The messages that the application gets.
        pongs: The payloads of the pongs that the client gets.
        code: The close code that the client gets; None if the connection stays open; -1 for a close frame without one.
        max_size: Bytes of a message.
    """

    name: str
    data: bytes
    texts: tuple[bytes, ...] = ()
    pongs: tuple[bytes, ...] = ()
    code: int | None = None
    max_size: int = field(default=MAX_SIZE)


def head(first: int, second: int, more: bytes = b"") -> bytes:
    """The first bytes of a frame, as they are."""
    return bytes([first, second]) + more + MASK


def close_payload(code: int, reason: bytes = b"") -> bytes:
    return code.to_bytes(2, "big") + reason


def texts() -> list[Case]:
    """Messages in one frame, of every form of the length."""
    sizes = (0, 1, 4, 5, 124, 125, 126, 127, 128, 255, 256, 299, 300)
    found = [Case(f"text of {n}", client_frame(TEXT, b"x" * n), (b"x" * n,)) for n in sizes]
    return [
        *found,
        Case("text of 65535", client_frame(TEXT, b"x" * 65535), (b"x" * 65535,), max_size=70_000),
        Case("text of 65536", client_frame(TEXT, b"x" * 65536), (b"x" * 65536,), max_size=70_000),
        Case("binary", client_frame(BINARY, b"\xff\xfe"), (b"",)),
        Case("mask of zeros", client_frame(TEXT, b"abcde", mask=b"\0\0\0\0"), (b"abcde",)),
        Case("two texts", 2 * client_frame(TEXT, b"ab"), (b"ab", b"ab")),
        Case("no bytes", b""),
        Case("one byte", b"\x81"),
        Case("a head without a mask", b"\x81\x85\x11"),
        Case("half a text", client_frame(TEXT, b"abcd")[:-1]),
        Case("half a length", b"\x81\xfe\x01"),
        Case("text and half", client_frame(TEXT, b"a") + b"\x81", (b"a",)),
    ]


def fragments() -> list[Case]:
    """Messages in several frames."""
    first, rest = client_frame(TEXT, b"ab", final=False), client_frame(CONT, b"cd")
    middle = client_frame(CONT, b"-", final=False)
    empty = client_frame(CONT, b"", final=False)
    ping = client_frame(PING, b"?")
    long = client_frame(TEXT, b"x" * 200, final=False)
    binary = client_frame(BINARY, b"\xff", final=False)
    return [
        Case("two fragments", first + rest, (b"abcd",)),
        Case("three fragments", first + middle + rest, (b"ab-cd",)),
        Case("empty fragments", first + 5 * empty + rest, (b"abcd",)),
        Case("only empty", client_frame(TEXT, b"", final=False) + client_frame(CONT, b""), (b"",)),
        Case("a ping between", first + ping + rest, (b"abcd",), (b"?",)),
        Case("a pong between", first + client_frame(PONG, b"!") + rest, (b"abcd",)),
        Case("binary fragments", binary + client_frame(CONT, b"\xff"), (b"",)),
        Case("no end", first + middle),
        Case("a close between", first + client_frame(CLOSE, close_payload(1000)), code=1000),
        Case("continuation of nothing", rest, code=1002),
        Case("open continuation of nothing", middle, code=1002),
        Case("continuation after the end", first + rest + rest, (b"abcd",), code=1002),
        Case("text within a text", first + client_frame(TEXT, b"cd"), code=1002),
        Case("open text within a text", first + first, code=1002),
        Case("binary within a text", first + client_frame(BINARY, b"cd"), code=1002),
        Case("text within a binary", binary + client_frame(TEXT, b"cd"), code=1002),
        Case("text after a message", first + rest + client_frame(TEXT, b"e"), (b"abcd", b"e")),
        Case("too large together", long + client_frame(CONT, b"x" * 101), code=1009),
        Case("just not too large", long + client_frame(CONT, b"x" * 100), (b"x" * 300,)),
    ]


def reserved() -> list[Case]:
    """Bits and opcodes that have no meaning."""
    bits = (0x40, 0x20, 0x10, 0x50, 0x60, 0x30, 0x70)
    found = [
        Case(f"reserved bits {bit:#x} of a text", head(0x81 | bit, 0x80), code=1002) for bit in bits
    ]
    found += [
        Case(f"reserved bit {bit:#x} of {name}", head(0x80 | opcode | bit, 0x80), code=1002)
        for bit in (0x40, 0x20, 0x10)
        for name, opcode in (("a ping", PING), ("a close", CLOSE), ("a binary", BINARY))
    ]
    opcodes = (3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF)
    found += [Case(f"opcode {code:#x}", head(0x80 | code, 0x80), code=1002) for code in opcodes]
    found += [Case(f"open opcode {code:#x}", head(code, 0x80), code=1002) for code in (3, 7, 0xB)]
    return found


def unmasked() -> list[Case]:
    """A client has to mask every frame."""
    names = {"text": TEXT, "binary": BINARY, "close": CLOSE, "ping": PING, "pong": PONG}
    found = [
        Case(f"unmasked {name}", bytes([0x80 | op, 0]), code=1002) for name, op in names.items()
    ]
    return [
        *found,
        Case("unmasked text of 2", b"\x81\x02{}", code=1002),
        Case("unmasked text of 126", b"\x81\x7e\x00\x7e" + b"x" * 126, code=1002),
        Case("unmasked after a text", client_frame(TEXT, b"a") + b"\x81\x00", (b"a",), code=1002),
    ]


def lengths() -> list[Case]:
    """A length has one form, the shortest."""
    short = [0, 1, 5, 124, 125]
    found = [
        Case(f"{n} in two bytes", head(0x81, 0xFE, n.to_bytes(2, "big")), code=1002) for n in short
    ]
    found += [
        Case(f"{n} in eight bytes", head(0x81, 0xFF, n.to_bytes(8, "big")), code=1002)
        for n in (0, 5, 125, 126, 300, 65535)
    ]
    found += [
        Case(f"{n} in two bytes, binary", head(0x82, 0xFE, n.to_bytes(2, "big")), code=1002)
        for n in (0, 125)
    ]
    found += [
        Case(f"{n} too large", head(0x81, 0xFE, n.to_bytes(2, "big")), code=1009)
        for n in (301, 1000, 65535)
    ]
    found += [
        Case(f"{n:#x} too large", head(0x81, 0xFF, n.to_bytes(8, "big")), code=1009)
        for n in (1 << 16, 1 << 32, (1 << 63) - 1)
    ]
    return [
        *found,
        Case("highest bit of the length", head(0x81, 0xFF, b"\x80" + 7 * b"\0"), code=1002),
        Case("all bits of the length", head(0x81, 0xFF, 8 * b"\xff"), code=1002),
        Case("large fragment", head(0x01, 0xFE, (301).to_bytes(2, "big")), code=1009),
    ]


def control() -> list[Case]:
    """Pings and pongs."""
    found = [
        Case(f"ping of {n}", client_frame(PING, b"p" * n), pongs=(b"p" * n,))
        for n in (0, 1, 4, 125)
    ]
    found += [Case(f"pong of {n}", client_frame(PONG, b"p" * n)) for n in (0, 1, 125)]
    names = {"close": CLOSE, "ping": PING, "pong": PONG}
    for name, opcode in names.items():
        found += [
            Case(f"long {name}", client_frame(opcode, b"p" * 126), code=1002),
            Case(f"longest {name}", head(0x80 | opcode, 0xFF, 8 * b"\x01"), code=1002),
            Case(f"{name} in two bytes", head(0x80 | opcode, 0xFE, b"\0\x01"), code=1002),
            Case(f"open {name}", client_frame(opcode, b"", final=False), code=1002),
        ]
    return [
        *found,
        Case("binary ping", client_frame(PING, b"\xff\0"), pongs=(b"\xff\0",)),
        Case("three pings", 3 * client_frame(PING, b"a"), pongs=(b"a", b"a", b"a")),
        Case(
            "ping and text",
            client_frame(PING, b"a") + client_frame(TEXT, b"b"),
            (b"b",),
            (b"a",),
        ),
    ]


def closes() -> list[Case]:
    """Codes that may be sent come back; the others break the protocol."""
    good = (
        1000,
        1001,
        1002,
        1003,
        1007,
        1008,
        1009,
        1010,
        1011,
        1012,
        1013,
        1014,
        3000,
        3999,
        4000,
        4408,
        4999,
    )
    bad = (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
    found = [
        Case(f"close {code}", client_frame(CLOSE, close_payload(code)), code=code) for code in good
    ]
    found += [
        Case(f"close {code}", client_frame(CLOSE, close_payload(code)), code=1002) for code in bad
    ]
    text = client_frame(TEXT, b"a")
    return [
        *found,
        Case("empty close", client_frame(CLOSE, b""), code=-1),
        Case("close of one byte", client_frame(CLOSE, b"\x03"), code=1002),
        Case("reason", client_frame(CLOSE, close_payload(1000, b"bye")), code=1000),
        Case("longest reason", client_frame(CLOSE, close_payload(1000, b"r" * 123)), code=1000),
        Case("reason in UTF-8", client_frame(CLOSE, close_payload(1000, b"\xc3\xbc")), code=1000),
        Case("reason, no UTF-8", client_frame(CLOSE, close_payload(1000, b"\xc3")), code=1007),
        Case("text after a close", client_frame(CLOSE, close_payload(1000)) + text, code=1000),
        Case("text before a close", text + client_frame(CLOSE, b""), (b"a",), code=-1),
    ]


def utf8() -> list[Case]:
    """Texts are UTF-8, all of it and nothing else."""
    good = ("é", "€", "\U0001f403", "\x00", "\ufeff", "\U0010ffff", "aé€b", "\ud7ff", "\ue000")
    bad = {
        "a byte that never occurs": b"\xff",
        "a continuation byte alone": b"\x80",
        "half a letter": b"\xc3",
        "half a letter before another": b"\xe2\x82x",
        "an overlong slash": b"\xc0\xaf",
        "an overlong nothing": b"\xe0\x80\x80",
        "a surrogate": b"\xed\xa0\x80",
        "beyond the last letter": b"\xf4\x90\x80\x80",
        "five bytes": b"\xf8\x88\x80\x80\x80",
        "JSON with a bad byte": b'{"type":"\xff"}',
    }
    found = [
        Case(f"text {letter!r}", client_frame(TEXT, letter.encode()), (letter.encode(),))
        for letter in good
    ]
    found += [Case(name, client_frame(TEXT, data), code=1007) for name, data in bad.items()]
    euro = "€".encode()
    return [
        *found,
        Case(
            "a letter in two fragments",
            client_frame(TEXT, euro[:1], final=False) + client_frame(CONT, euro[1:]),
            (euro,),
        ),
        Case(
            "half a letter in two fragments",
            client_frame(TEXT, b"a", final=False) + client_frame(CONT, euro[:2]),
            code=1007,
        ),
        Case(
            "a bad byte after a good text",
            client_frame(TEXT, b"a") + client_frame(TEXT, b"\xff"),
            (b"a",),
            code=1007,
        ),
    ]


CASES = [
    *texts(),
    *fragments(),
    *reserved(),
    *unmasked(),
    *lengths(),
    *control(),
    *closes(),
    *utf8(),
]


def test_the_table_is_large_and_names_every_case_once() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert len(names) >= 115


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_frame_gets_its_answer_wherever_its_bytes_are_cut(case: Case) -> None:
    """At once, in two parts for every boundary, and byte by byte."""

    async def scenario() -> None:
        size = len(case.data)
        await check(case, [case.data])
        for cut in range(1, size):
            if (
                size < 50 or not 20 < cut < size - 3
            ):  # within a long payload one cut is like the other
                await check(case, [case.data[:cut], case.data[cut:]])
        if size < 1000:
            await check(case, [bytes([byte]) for byte in case.data])

    asyncio.run(scenario())


async def check(case: Case, parts: list[bytes]) -> None:
    """Sends the parts; compares what is heard and answered."""
    listener = await Listener.open(case.max_size)
    wire = listener.wire
    for part in parts:
        if wire.is_open:
            wire.send(part)
    frames = wire.frames()
    assert tuple(listener.heard) == case.texts
    assert tuple(bytes(f.data) for f in frames if f.opcode == PONG) == case.pongs
    closing = [bytes(f.data) for f in frames if f.opcode == CLOSE]
    codes = [int.from_bytes(data[:2], "big") if data else -1 for data in closing]
    assert codes == ([] if case.code is None else [case.code])
    assert wire.is_open == (case.code is None)
    assert all(len(data) <= 125 for data in closing)
    listener.protocol.connection_lost(None)
    await asyncio.sleep(0)


def test_a_message_is_handed_over_only_when_the_one_before_is_answered() -> None:
    """Meanwhile nothing more is read: what the peer sends waits in its own buffers."""

    async def scenario() -> None:
        listener = await Listener.open(MAX_SIZE)
        protocol, wire = listener.protocol, listener.wire
        heard = listener.heard

        def hold(text: bytes) -> None:
            heard.append(text)
            protocol.hold()

        protocol.set_handlers(hold, listener.other, lambda: None)
        wire.send(b"".join(client_frame(TEXT, bytes([65 + n])) for n in range(4)))
        assert (heard, wire.reading) == ([b"A"], False)
        assert protocol.waiting == 3 * 7
        protocol.release()
        assert (heard, wire.reading) == ([b"A", b"B"], False)
        protocol.release()
        protocol.release()
        assert (heard, wire.reading) == ([b"A", b"B", b"C", b"D"], False)
        protocol.release()
        assert wire.reading
        wire.send(client_frame(TEXT, b"E"))
        assert (heard[4:], wire.reading) == ([b"E"], True), "the socket is paused only if it must"
        wire.send(client_frame(TEXT, b"F"))
        assert (heard[4:], wire.reading) == ([b"E"], False)
        protocol.release()
        assert (heard[4:], wire.reading, protocol.waiting) == ([b"E", b"F"], False, 0)

    asyncio.run(scenario())
