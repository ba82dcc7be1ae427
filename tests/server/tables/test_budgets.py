"""What one socket may cost: the whole server on a simulated transport, and a peer who reads nothing."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from uvicorn.server import ServerState

from stampede.server.app import create_app
from stampede.server.run import make_config
from stampede.server.tables.socket import MAX_REFUSALS
from tests.server.http.wires import HIGH_WATER, Wire, client_frame, upgrade
from tests.server.servers import settings_for
from tests.waiting import until

TEXT, PING, CLOSE, PONG = 1, 9, 8, 10
CLOSING = b"\x88"
"""The first byte of a close frame; no text that the server writes here holds it."""


class House:
    """A server without a socket: connections are wires."""

    def __init__(self, config: Any, app: Any, budget: int) -> None:
        self._config, self._state = config, ServerState()
        self.budget = budget
        self.registry = app.state.services.registry
        self._metrics = app.state.services.metrics.registry
        transport = httpx.ASGITransport(app, client=("192.0.2.1", 1))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://here")

    def count_refused(self) -> int:
        """How many commands were refused so far."""
        labels = {"outcome": "refused"}
        return int(self._metrics.get_sample_value("stampede_command_seconds_count", labels) or 0)

    def connect(self, peer: str = "192.0.2.1") -> Wire:
        """A new connection."""
        wire = Wire((peer, 1000))
        wire.connect(self._config.http_protocol_class(self._config, self._state, {}))
        return wire

    async def table(self) -> str:
        """Opens a table of Buffalo against a bot that takes its time, and sits down."""
        await self.client.get("/api/me")
        body: dict[str, Any] = {
            "key": "k",
            "pace_ms": 60_000,
            "game": "buffalo",
            "chairs": [{}, {"bot": "random"}],
        }
        answer = await self.client.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        body = {"key": "c", "command": {"type": "claim", "player": 0, "name": "Ann"}}
        answer = await self.client.post(f"/api/tables/{table}/commands", json=body)
        assert answer.status_code == 200, answer.text
        return table

    async def watch(self, table: str) -> Wire:
        """A WebSocket that has got its welcome."""
        wire = self.connect()
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        wire.send(upgrade(f"/api/tables/{table}/socket", f"Cookie: {cookies}"))
        await until("the welcome is there", lambda: wire.get_write_buffer_size() > 300)
        head, _, rest = wire.take().partition(b"\r\n\r\n")
        assert b" 101 " in head, head
        assert b'"welcome"' in rest
        return wire


@asynccontextmanager
async def house(folder: Path, **changes: Any) -> AsyncIterator[House]:
    """A server whose transports are simulated; rates are those that ship unless given."""
    settings = settings_for(folder, **{"rate": 20.0, "burst": 60, **changes})
    app = create_app(settings)
    config = make_config(settings, app, None)
    config.load()
    async with app.router.lifespan_context(app):
        found = House(config, app, settings.max_waiting)
        yield found
        await found.client.aclose()


def close_codes(wire: Wire) -> list[int]:
    """The codes of all close frames that were written."""
    return [int.from_bytes(f.data[:2], "big") for f in wire.frames() if f.opcode == CLOSE]


async def flood(wire: Wire, data: bytes, times: int, *, stubborn: bool = False) -> int:
    """Sends the same again and again as long as the server reads, at most until it closes; returns how often it did."""
    sent = 0
    while sent < times and wire.is_open and (stubborn or CLOSING not in wire.peek()):
        if wire.reading:
            wire.send(data)
            sent += 1
        await asyncio.sleep(0)
    return sent


def test_pings_that_nobody_reads_the_pongs_of_fill_no_memory(tmp_path: Path) -> None:
    """Pings of the WebSocket protocol count as messages; 100 too many end the connection."""

    async def scenario() -> None:
        async with house(tmp_path) as place:
            wire = await place.watch(await place.table())
            pings = 100 * client_frame(PING, b"p" * 125)
            assert await flood(wire, pings, 1000) < 50
            assert wire.most < HIGH_WATER
            assert close_codes(wire) == [1008]

    asyncio.run(scenario())


def test_pings_within_the_rate_never_write_above_the_high_water_mark(tmp_path: Path) -> None:
    """The last ping is answered when the peer reads again, which RFC 6455 allows."""

    async def scenario() -> None:
        async with house(tmp_path, rate=1e9, burst=10**9) as place:
            wire = await place.watch(await place.table())
            for number in range(3000):
                wire.send(client_frame(PING, number.to_bytes(2, "big") + b"p" * 120))
            assert wire.most < HIGH_WATER + 130
            pongs = [bytes(f.data) for f in wire.frames() if f.opcode == PONG]
            assert len(pongs) < 600
            late = [bytes(f.data) for f in wire.frames() if f.opcode == PONG]
            assert [int.from_bytes(data[:2], "big") for data in late] == [2999]
            wire.send(client_frame(PING, b"again"))
            assert [bytes(f.data) for f in wire.frames()] == [b"again"]

    asyncio.run(scenario())


def test_messages_above_the_rate_are_refused_a_hundred_times_and_then_the_socket_closes(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with house(tmp_path, rate=0.001, burst=60) as place:
            wire = await place.watch(await place.table())
            wire.send(1000 * client_frame(TEXT, b'{"type":"ping"}'))
            await until("the socket is closing", lambda: CLOSING in wire.peek())
            frames = wire.frames()
            texts = [json.loads(bytes(f.data)) for f in frames if f.opcode == TEXT]
            refused = [text for text in texts if text["type"] == "error"]
            assert len(refused) == MAX_REFUSALS
            assert {text["error"] for text in refused} == {"too_fast"}
            assert [int.from_bytes(f.data[:2], "big") for f in frames if f.opcode == CLOSE] == [
                1008
            ]

    asyncio.run(scenario())


def test_fragments_that_never_end_a_message_are_counted(tmp_path: Path) -> None:
    """Empty ones add nothing to a message's size."""

    async def scenario() -> None:
        async with house(tmp_path, rate=0.001, burst=60) as place:
            wire = await place.watch(await place.table())
            wire.send(client_frame(TEXT, b"", final=False))
            wire.send(1000 * client_frame(0, b"", final=False))
            await until("the socket is closing", lambda: CLOSING in wire.peek())
            assert close_codes(wire) == [1008]

    asyncio.run(scenario())


def test_a_few_refusals_between_heartbeats_do_no_harm(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with house(tmp_path, rate=0.001, burst=60, heartbeat=0.05) as place:
            wire = await place.watch(await place.table())
            for _ in range(4):
                wire.send((MAX_REFUSALS // 2) * client_frame(TEXT, b'{"type":"pong"}'))
                await until("a heartbeat is there", lambda: b'"ping"' in wire.peek())
                assert close_codes(wire) == []

    asyncio.run(scenario())


def test_stale_actions_whose_answers_nobody_reads_are_bounded_in_bytes(tmp_path: Path) -> None:
    """Each is answered with the whole view; the viewer is dropped when that is more than may wait."""

    async def scenario() -> None:
        async with house(tmp_path, rate=1e9, burst=10**9) as place:
            table = await place.table()
            wire = await place.watch(table)
            act = {"type": "act", "player": 0, "decision": "9.9", "action": "a7a6"}
            stale = json.dumps({"type": "command", "key": "s", "command": act}).encode()
            async with place.registry.lease(table) as actor:
                (viewer,) = actor.broadcaster.viewers
            sending = asyncio.create_task(flood(wire, 20 * client_frame(TEXT, stale), 1000))
            await until("the viewer is dropped", lambda: viewer.dropped)
            answered = place.count_refused()
            answers = [text for text in wire.texts() if text["type"] == "error"]
            assert {answer["error"] for answer in answers} == {"stale"}
            assert {answer["view"]["you"] for answer in answers} == {0}
            size = len(json.dumps(answers[0], separators=(",", ":")))
            assert (answered - 1) * size <= place.budget
            await until("the socket is closing", lambda: CLOSING in wire.peek())
            assert await sending < 50
            assert close_codes(wire) == [4008]

    asyncio.run(scenario())


def test_a_peer_who_answers_the_close_frame_with_a_flood_is_cut_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with house(tmp_path, rate=0.001, burst=10) as place:
            wire = await place.watch(await place.table())
            pings = 200 * client_frame(PING, b"p" * 125)
            await flood(wire, pings, 10**4, stubborn=True)
            assert wire.aborted

    asyncio.run(scenario())
