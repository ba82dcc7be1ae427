"""WebSockets on real connections: however the bytes come, the same is heard. `test_frames` has every kind of frame."""

import asyncio
import json
import os
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.websockets import WebSocket
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from stampede.server.run import bind_socket, make_config
from stampede.server.settings import ServerSettings
from tests.server.clients import Guest, guests
from tests.waiting import PATIENCE, until

PINGS = 12


def masked(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """A client's frame."""
    mask = os.urandom(4)
    head = bytes([(0x80 if final else 0) | opcode])
    size = len(payload)
    head += bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def ping(rng: random.Random) -> bytes:
    """A message that asks for an answer, in one frame or in parts, a ping of the protocol in between."""
    text = json.dumps({"type": "ping"}).encode() + b" " * rng.choice((0, 3, 200))
    if rng.random() < 0.6:
        return masked(Opcode.TEXT, text)
    cut = rng.randrange(1, len(text))
    between = masked(Opcode.PING, b"?") if rng.random() < 0.5 else b""
    first = masked(Opcode.TEXT, text[:cut], final=False)
    return first + between + masked(Opcode.CONT, text[cut:])


class Raw:
    """A socket whose bytes are the test's."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer
        self._frames = StreamReader()

    @classmethod
    async def open(cls, guest: Guest, table: str) -> "Raw":
        """Shakes hands, and takes the welcome."""
        where = urlsplit(guest.base)
        assert where.hostname is not None
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {where.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        raw = cls(reader, writer)
        assert (await raw.text())["type"] == "welcome"
        return raw

    async def close(self) -> None:
        """Hangs up."""
        self.writer.close()
        await self.writer.wait_closed()

    async def text(self) -> dict[str, Any]:
        """The next frame's JSON."""
        found: dict[str, Any] = json.loads(bytes((await self.next()).data))
        return found

    async def next(self) -> Frame:
        """The next frame."""
        parsing: Iterator[None] = Frame.parse(self._frames.read_exact, mask=False)
        while True:
            try:
                next(parsing)
            except StopIteration as done:
                frame: Frame = done.value
                return frame
            data = await asyncio.wait_for(self._reader.read(65536), PATIENCE)
            assert data, "the line was cut"
            self._frames.feed_data(data)


async def watched(guest: Guest) -> str:
    opened = await guest.open("buffalo", [{}, {"bot": "random"}])
    table: str = opened["table"]
    return table


@pytest.mark.parametrize("seed", range(6))
def test_messages_are_heard_once_and_in_order_wherever_the_bytes_are_cut(
    base: str, seed: int
) -> None:
    async def scenario() -> None:
        rng = random.Random(seed)
        async with guests(base, 1) as (ann,):
            raw = await Raw.open(ann, await watched(ann))
            data = b"".join(ping(rng) for _ in range(PINGS)) + masked(Opcode.TEXT, b"no JSON")
            while data:
                size = rng.choice((1, 2, 7, 50, 1000))
                raw.writer.write(data[:size])
                await raw.writer.drain()
                data = data[size:]
                await asyncio.sleep(0)
            answers = [
                f for f in [await raw.next() for _ in range(PINGS)] if f.opcode == Opcode.TEXT
            ]
            while len(answers) < PINGS + 1:
                frame = await raw.next()
                answers += [frame] if frame.opcode == Opcode.TEXT else []
            assert [json.loads(bytes(frame.data))["type"] for frame in answers] == [
                "pong"
            ] * PINGS + ["error"]
            await raw.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (bytes([0x81, 0x02]) + b"{}", 1002),  # a client has to mask
        (masked(Opcode.TEXT, b"x" * 20_000), 1009),  # too large
        (masked(Opcode.CONT, b"x"), 1002),  # of nothing
        (masked(Opcode.TEXT, b"{", final=False) + masked(Opcode.TEXT, b"}"), 1002),  # not the rest
        (masked(Opcode.TEXT, b'{"type":"\xff"}'), 1007),
        (bytes([0x81, 0xFE, 0, 2]) + 4 * b"\0" + b"{}", 1002),  # a length has one form
    ],
    ids=(
        "unmasked",
        "too large",
        "a part of nothing",
        "a message within a message",
        "no UTF-8",
        "a long length",
    ),
)
def test_what_breaks_the_protocol_ends_the_line(base: str, data: bytes, code: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            raw = await Raw.open(ann, await watched(ann))
            raw.writer.write(masked(Opcode.TEXT, b'{"type":"ping"}') + data)
            assert b"pong" in (await raw.next()).data
            frame = await raw.next()
            assert frame.opcode == Opcode.CLOSE
            assert int.from_bytes(frame.data[:2], "big") == code
            await raw.close()

    asyncio.run(scenario())


def test_messages_that_come_while_a_command_is_under_way_wait_for_its_answer(base: str) -> None:
    """One read can hold tens of thousands of messages: they are read one after the other."""

    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            raw = await Raw.open(ann, await watched(ann))
            command = b'{"type":"command","key":"k","command":{"type":"claim","name":"Ann"}}'
            raw.writer.write(
                masked(Opcode.TEXT, command) + 2000 * masked(Opcode.TEXT, b'{"type":"ping"}')
            )
            found = [(await raw.text())["type"] for _ in range(2001)]
            assert found == ["error"] + 2000 * ["pong"]
            await raw.close()

    asyncio.run(scenario())


def test_a_handshake_that_is_under_way_when_the_server_stops_gets_503(tmp_path: Path) -> None:
    """Uvicorn's own answer is 500, which would say that something has gone wrong."""

    async def scenario() -> bytes:
        app, asked = FastAPI(), asyncio.Event()

        @app.websocket("/socket")
        async def wait_for_the_end(socket: WebSocket) -> None:
            await socket.receive()
            asked.set()
            await socket.receive()

        settings = ServerSettings(database_url=f"sqlite:///{tmp_path / 't.db'}", port=0)
        listener = bind_socket(settings)
        server = uvicorn.Server(make_config(settings, app, None))
        serving = asyncio.create_task(server.serve([listener]))
        await until("the server listens", lambda: server.started)
        reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
        writer.write(
            b"GET /socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        await asked.wait()
        server.should_exit = True
        answer = await reader.read()
        writer.close()
        await serving
        return answer

    assert b" 503 " in asyncio.run(scenario()).splitlines()[0]
