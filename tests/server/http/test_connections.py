"""HTTP connections on a simulated transport: heads, pipelines and numbers of connections, however the bytes are cut."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from stampede.server.http.limits import SPARE_PER_ADDRESS
from stampede.server.http.timeouts import MAX_HEADER_BYTES, MAX_PIPELINED
from stampede.server.run import make_config
from tests.server.http.wires import Wire, upgrade
from tests.server.servers import settings_for
from tests.waiting import until

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
OK = b"HTTP/1.1 200 "


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body and says its size; a WebSocket that stays open."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        return
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    body = str(size).encode()
    head = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


class Server:
    """Our protocol classes on wires."""

    def __init__(self, config: uvicorn.Config) -> None:
        config.load()
        self._config, self._state = config, ServerState()

    def connect(self, peer: str = "192.0.2.1") -> Wire:
        """A new connection."""
        wire = Wire((peer, 1000))
        protocol: Any = self._config.http_protocol_class
        wire.connect(protocol(self._config, self._state, {}))
        return wire

    async def ask(self, data: bytes, *, size: int | None = None) -> bytes:
        """Sends bytes on a new connection, in parts of a size; returns what comes back until nothing more does."""
        wire = self.connect()
        for begin in range(0, len(data), size or len(data)):
            if not wire.is_open:
                break
            await until("the server reads", lambda: wire.reading or not wire.is_open)
            if wire.is_open:
                wire.send(data[begin : begin + (size or len(data))])
        await until("an answer is there", lambda: bool(wire.peek()))
        found = wire.take()
        wire.close()
        await asyncio.sleep(0)
        return found


def served(
    folder: Path, scenario: Callable[[Server], Coroutine[Any, Any, None]], **changes: Any
) -> None:
    """Runs a scenario with a server that has these settings."""
    settings = settings_for(folder, **changes)

    async def run() -> None:
        await scenario(Server(make_config(settings, answer, None)))  # type: ignore[arg-type]

    asyncio.run(run())


HEADS = {
    "one long header": b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"x" * 120_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: here\r\n" + 6000 * b"X-A: 0123456789\r\n" + b"\r\n",
    "a long path": b"GET /" + b"x" * 120_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n",
    "a head without an end": b"GET / HTTP/1.1\r\nX: " + b"x" * 120_000,
    "the second request's": REQUEST + b"GET / HTTP/1.1\r\nX: " + b"x" * 120_000 + b"\r\n\r\n",
    "an upgrade's": upgrade("/", "X: " + "x" * 120_000),
    "trailers": b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"1\r\na\r\n0\r\nX: " + b"x" * 120_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("size", [None, 65536, 1000, 16], ids=["at once", "64 kB", "1 kB", "16 B"])
@pytest.mark.parametrize("name", HEADS)
def test_a_large_head_is_refused_however_it_is_cut(
    tmp_path: Path, name: str, size: int | None
) -> None:
    async def scenario(server: Server) -> None:
        assert b"HTTP/1.1 431 " in await server.ask(HEADS[name], size=size)

    served(tmp_path, scenario)


@pytest.mark.parametrize("size", [None, 1000], ids=["at once", "in parts"])
def test_a_head_within_the_limit_and_a_large_body_pass(tmp_path: Path, size: int | None) -> None:
    async def scenario(server: Server) -> None:
        head = b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"x" * (MAX_HEADER_BYTES - 100)
        assert (await server.ask(head + b"\r\n\r\n", size=size)).startswith(OK)
        body = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 90000\r\n\r\n" + b"x" * 90_000
        assert (await server.ask(body, size=size)).endswith(b"90000")

    served(tmp_path, scenario)


def test_a_client_who_waits_for_no_answer_is_cut_off(tmp_path: Path) -> None:
    """One read can hold ten thousand requests, each of which would wait in memory."""

    async def scenario(server: Server) -> None:
        wire = server.connect()
        wire.send((MAX_PIPELINED + 1) * REQUEST)
        await until("all are answered", lambda: wire.peek().count(OK) == MAX_PIPELINED + 1)
        wire = server.connect()
        wire.send(10_000 * REQUEST)
        await until("the connection ends", lambda: not wire.is_open)
        assert len(asyncio.all_tasks()) < 10

    served(tmp_path, scenario)


def test_an_address_has_a_share_of_the_connections_and_the_others_keep_theirs(
    tmp_path: Path,
) -> None:
    """Connections that send nothing, half a head or a whole request, and WebSockets: together they are bounded."""

    async def scenario(server: Server) -> None:
        share = 5 + SPARE_PER_ADDRESS
        wires = [server.connect() for _ in range(share)]
        for wire in wires[:20]:
            wire.send(REQUEST[:9])
        for wire in wires[20:30]:
            wire.send(upgrade("/"))
        await until("they are upgraded", lambda: all(b" 101 " in w.peek() for w in wires[20:30]))
        refused = server.connect()
        assert refused.take().startswith(b"HTTP/1.1 429 ")
        assert not refused.is_open
        other = server.connect("192.0.2.2")
        other.send(REQUEST)
        await until("the other is answered", lambda: other.peek().startswith(OK))
        for wire in (wires[0], wires[20], wires[90]):
            wire.close()
        await asyncio.sleep(0)
        again = [server.connect() for _ in range(4)]
        assert [wire.is_open for wire in again] == [True, True, True, False], "who goes makes room"

    served(tmp_path, scenario, max_sockets_per_address=5)


@pytest.mark.parametrize(
    ("trusted", "peer", "is_free"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("198.51.100.0/24, 192.0.2.0/24", "192.0.2.1", True),
        ("*", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::1", True),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.2", "192.0.2.1", False),
        ("", "192.0.2.1", False),
    ],
)
def test_a_trusted_proxy_carries_everybody_s_connections(
    tmp_path: Path, trusted: str, peer: str, is_free: bool
) -> None:
    async def scenario(server: Server) -> None:
        wires = [server.connect(peer) for _ in range(2 * SPARE_PER_ADDRESS)]
        assert all(wire.is_open for wire in wires) == is_free

    served(tmp_path, scenario, max_sockets_per_address=1, trusted_proxies=trusted)


def test_a_handshake_that_the_library_refuses_is_answered_and_ended(tmp_path: Path) -> None:
    async def scenario(server: Server) -> None:
        found = await server.ask(upgrade("/", "X: " + "x" * 20_000))
        assert found.startswith(b"HTTP/1.1 431 ")

    served(tmp_path, scenario)
