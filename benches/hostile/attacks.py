"""What one hostile address does. Every attack is bounded: in seconds, in bytes, in connections.

    python -m benches.hostile.attacks NAMES HOST PORT SOURCE SECONDS [resisted]

prints as JSON what came of them; with "resisted" each ends as soon as the server does something about it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast

import orjson

from benches.load.socket import frame, handshake
from benches.load.tables import Http

__all__ = ["ATTACKS", "Outcome"]

PING: Final = 0x89
PINGS: Final = frame(b"x" * 125, PING) * 400
STALE: Final = frame(
    orjson.dumps(
        {
            "type": "command",
            "key": "stale",
            "command": {"type": "act", "player": 0, "decision": "0.0", "action": "a7a6"},
        }
    )
)
HEARTBEAT: Final = frame(b'{"type":"ping"}')
HALF_A_HEAD: Final = b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n"
MOST_BYTES: Final = 400_000_000
MOST_TABLES: Final = 2_200
MOST_CONNECTIONS: Final = 6_400
LOST: Final = (OSError, asyncio.IncompleteReadError)


@dataclass(slots=True)
class Outcome:
    """What came of an attack.

    Attributes:
        sent: Bytes.
        opened: Connections that the server took.
        cut: How many of them it ended before the attacker did.
        refused: Connections that it didn't take.
        statuses: Answers to requests.
    """

    sent: int = 0
    opened: int = 0
    cut: int = 0
    refused: int = 0
    statuses: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {
            "sent": self.sent,
            "opened": self.opened,
            "cut": self.cut,
            "refused": self.refused,
            "statuses": dict(self.statuses),
        }

    @property
    def resisted(self) -> bool:
        """Whether the server has done something about it."""
        return bool(self.cut or self.refused or self.statuses["429"] or self.statuses["503"])


@dataclass(slots=True)
class Attacker:
    """The hostile address: where it attacks, and until when."""

    host: str
    port: int
    source: str
    end: float
    until_resisted: bool = False
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def goes_on(self) -> bool:
        """Whether there is time left, and the attack is still worth it."""
        if self.until_resisted and self.outcome.resisted:
            return False
        return time.monotonic() < self.end

    async def http(self) -> Http:
        """A connection."""
        return await Http.open(self.host, self.port, self.source)

    async def ask(
        self, http: Http, method: str, path: str, body: object = None, cookie: str = ""
    ) -> tuple[int, Any, str]:
        """A request whose answer is counted."""
        status, text, new = await http.try_to_ask(method, path, body, cookie)
        self.outcome.statuses[str(status)] += 1
        return status, orjson.loads(text) if text else None, new or cookie

    async def guest(self, http: Http) -> str:
        """A new guest's cookie; waits while the address is limited."""
        while True:
            status, _, cookie = await self.ask(http, "GET", "/api/me")
            if status == 200 or not self.goes_on:
                return cookie
            await asyncio.sleep(0.1)

    async def table(
        self, http: Http, cookie: str, game: str, chairs: list[dict[str, str]]
    ) -> str | None:
        """Opens a table and sits down if there is a chair; None when it is refused."""
        body = {"key": f"o{time.monotonic_ns()}", "game": game, "chairs": chairs, "pace_ms": 0}
        status, opened, _ = await self.ask(http, "POST", "/api/tables", body, cookie)
        if status != 201:
            return None
        name: str = opened["table"]
        if {} in chairs:
            claim = {"key": "c", "command": {"type": "claim", "player": 0, "name": "Eve"}}
            await self.ask(http, "POST", f"/api/tables/{name}/commands", claim, cookie)
        return name

    async def socket(
        self, path: str, cookie: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A WebSocket that isn't read; None when the server doesn't take it."""
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(0)
        raw.bind((self.source, 0))
        await asyncio.get_running_loop().sock_connect(raw, (self.host, self.port))
        reader, writer = await asyncio.open_connection(sock=raw, limit=8192)
        writer.write(handshake(f"{self.host}:{self.port}", path, cookie))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            self.outcome.refused += 1
            writer.close()
            return None
        self.outcome.opened += 1
        return reader, writer

    async def flood(self, writer: asyncio.StreamWriter, data: bytes, pause: float = 0.0) -> None:
        """Writes the same again and again, and never reads, until the time is up or the server cuts the line."""
        try:
            while self.goes_on and self.outcome.sent < MOST_BYTES:
                writer.write(data)
                self.outcome.sent += len(data)
                async with asyncio.timeout(max(0.01, self.end - time.monotonic())):
                    await writer.drain()
                await asyncio.sleep(pause)
        except TimeoutError:  # the server doesn't read any more: good
            return
        except OSError:
            self.outcome.cut += 1

    @contextmanager
    def connection_that_may_be_cut(self) -> Iterator[None]:
        """Counts a connection that the server ends."""
        try:
            yield
        except TimeoutError:  # the time is up
            pass
        except LOST:
            self.outcome.cut += 1


async def pings(attacker: Attacker) -> None:
    """One socket: pings as fast as they go out; the pongs aren't read."""
    http = await attacker.http()
    cookie = await attacker.guest(http)
    table = await attacker.table(http, cookie, "buffalo", [{}, {}])
    found = await attacker.socket(f"/api/tables/{table}/socket", cookie)
    if found is not None:
        await attacker.flood(found[1], PINGS)


async def stale_actions(attacker: Attacker) -> None:
    """Twenty sockets at twenty tables: stale actions, each answered with a whole view that nobody reads."""
    http = await attacker.http()
    writers = []
    for _ in range(20):
        cookie = await attacker.guest(http)
        table = await attacker.table(http, cookie, "zoff", [{}, *({"bot": "random"},) * 3])
        found = table and await attacker.socket(f"/api/tables/{table}/socket", cookie)
        if found:
            writers.append(found[1])
    await asyncio.gather(*(attacker.flood(writer, STALE * 10, 0.1) for writer in writers))


async def tables(attacker: Attacker) -> None:
    """As many tables as the server gives, each with a socket that stays."""
    http = await attacker.http()
    cookie, kept = "", []
    for number in range(MOST_TABLES):
        if not attacker.goes_on:
            return
        if number % 8 == 0:
            cookie = await attacker.guest(http)
        table = await attacker.table(http, cookie, "buffalo", [{}, {}])
        if table is None:
            await asyncio.sleep(0.05)
            cookie = await attacker.guest(http)
            continue
        found = await attacker.socket(f"/api/tables/{table}/socket", cookie)
        kept.append(found)


class _HalfHead(asyncio.Protocol):
    """A connection that begins a request; an answer to it, or its end, counts as cut."""

    def __init__(self) -> None:
        self.is_cut = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        cast("asyncio.Transport", transport).write(HALF_A_HEAD)

    def data_received(self, _: bytes) -> None:
        self.is_cut = True

    def connection_lost(self, _: Exception | None) -> None:
        self.is_cut = True


async def half_heads(attacker: Attacker) -> None:
    """Connections that begin a request and never end it."""
    kept: list[_HalfHead] = []
    loop = asyncio.get_running_loop()
    for number in range(MOST_CONNECTIONS):
        if not attacker.goes_on:
            break
        try:
            _, one = await loop.create_connection(
                _HalfHead, attacker.host, attacker.port, local_addr=(attacker.source, 0)
            )
        except OSError:
            attacker.outcome.refused += 1
            continue
        kept.append(one)
        attacker.outcome.opened += 1
        if number % 50 == 49:
            await asyncio.sleep(0.01)
            attacker.outcome.cut = sum(one.is_cut for one in kept)
    while attacker.goes_on:
        await asyncio.sleep(0.1)
        attacker.outcome.cut = sum(one.is_cut for one in kept)


async def openapi(attacker: Attacker) -> None:
    """The largest answer, over eight connections."""

    async def ask() -> None:
        while attacker.goes_on:
            with attacker.connection_that_may_be_cut():
                http = await attacker.http()
                while attacker.goes_on:
                    status, _, _ = await http.try_to_ask("GET", "/api/openapi.json")
                    attacker.outcome.statuses[str(status)] += 1

    await asyncio.gather(*(ask() for _ in range(8)))


async def frames_over_the_rate(attacker: Attacker) -> None:
    """Heartbeats far over the rate, over sockets whose answers are read, opened again whenever they are cut."""
    http = await attacker.http()
    cookie = await attacker.guest(http)
    table = await attacker.table(http, cookie, "buffalo", [{}, {}])

    async def one() -> None:
        while attacker.goes_on:
            found = await attacker.socket(f"/api/tables/{table}/socket", cookie)
            if found is None:
                await asyncio.sleep(0.2)
                continue
            reading = asyncio.create_task(_read_all(found[0]))
            await attacker.flood(found[1], HEARTBEAT * 50, 0.01)
            found[1].close()
            await reading

    with attacker.connection_that_may_be_cut():
        await asyncio.gather(*(one() for _ in range(4)))


async def _read_all(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(65536):
            pass


async def bots(attacker: Attacker) -> None:
    """Tables at which the strongest bots play each other, each watched by a socket of their host."""
    http, kept = await attacker.http(), []
    strong = {"bot": "buffalo-10"}
    while attacker.goes_on:
        cookie = await attacker.guest(http)
        table = await attacker.table(http, cookie, "buffalo", [strong, strong])
        if table is None:
            await asyncio.sleep(0.1)
            continue
        start = {"key": "s", "command": {"type": "start"}}
        await attacker.ask(http, "POST", f"/api/tables/{table}/commands", start, cookie)
        kept.append(await attacker.socket(f"/api/tables/{table}/socket", cookie))


async def analysis(attacker: Attacker) -> None:
    """Analyses of a game, over sixteen connections and as many guests."""

    async def ask() -> None:
        with attacker.connection_that_may_be_cut():
            http = await attacker.http()
            cookie = await attacker.guest(http)
            table = await attacker.table(http, cookie, "buffalo", [{}, {"bot": "random"}])
            body = {"table": table, "lines": 5}
            while attacker.goes_on and table is not None:
                status, _, _ = await attacker.ask(http, "POST", "/api/analyse", body, cookie)
                await asyncio.sleep(0 if status == 200 else 0.1)

    await asyncio.gather(*(ask() for _ in range(16)))


ATTACKS: Final[dict[str, Callable[[Attacker], Awaitable[None]]]] = {
    "pings": pings,
    "stale actions": stale_actions,
    "tables": tables,
    "half heads": half_heads,
    "openapi": openapi,
    "frames over the rate": frames_over_the_rate,
    "bots": bots,
    "analysis": analysis,
}


async def _attack(
    names: list[str], host: str, port: int, source: str, seconds: float, *, until_resisted: bool
) -> None:
    async def one(name: str) -> tuple[str, Outcome]:
        attacker = Attacker(host, port, source, time.monotonic() + seconds, until_resisted)
        while attacker.goes_on:
            with attacker.connection_that_may_be_cut():  # then it begins anew
                async with asyncio.timeout(max(0.1, attacker.end - time.monotonic()) + 1):
                    await ATTACKS[name](attacker)
            await asyncio.sleep(0.1)
        return name, attacker.outcome

    found = await asyncio.gather(*(one(name) for name in names))
    print(json.dumps({name: outcome.to_json() for name, outcome in found}))


def _main(names: str, host: str, port: str, source: str, seconds: str, *more: str) -> None:
    wanted, until_resisted = names.split(","), "resisted" in more
    work = _attack(wanted, host, int(port), source, float(seconds), until_resisted=until_resisted)
    asyncio.run(work)


if __name__ == "__main__":
    _main(*sys.argv[1:])
