"""Opens tables over HTTP, and seats people: as a browser would, a cookie each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson

__all__ = ["Http", "Seat", "Table", "open_tables"]


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair that a person has taken; their cookie opens it."""

    table: str
    player: int
    cookie: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is full and has begun."""

    name: str
    seats: tuple[Seat, ...]


class Http:
    """One kept-alive connection; requests one after the other."""

    def __init__(
        self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._host = host
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, host: str, port: int, source: str = "") -> Http:
        """Connects, from a certain address of this machine if one is given."""
        local = (source, 0) if source else None
        return cls(f"{host}:{port}", *await asyncio.open_connection(host, port, local_addr=local))

    async def ask(
        self, method: str, path: str, body: object = None, cookie: str = ""
    ) -> tuple[Any, str]:
        """The answer's JSON, and the cookie that came with it."""
        status, text, cookie = await self.try_to_ask(method, path, body, cookie)
        if not 200 <= status < 300:
            raise RuntimeError(
                f"{method} {path}: expected a good answer, got {text.decode()[:300]}"
            )
        return orjson.loads(text), cookie

    async def try_to_ask(
        self, method: str, path: str, body: object = None, cookie: str = ""
    ) -> tuple[int, bytes, str]:
        """The answer's status and body, whatever they are, and the cookie that came with it."""
        payload = b"" if body is None else orjson.dumps(body)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}"]
        lines += [f"Content-Length: {len(payload)}", "Content-Type: application/json"]
        lines += [f"Cookie: {cookie}"] if cookie else []
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + payload)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = [line.partition(": ") for line in head[1:] if line]
        headers = {name.lower(): value for name, _, value in fields}
        text = await self._reader.readexactly(int(headers["content-length"]))
        return int(head[0].split()[1]), text, headers.get("set-cookie", "").partition(";")[0]

    def close(self) -> None:
        """Hangs up."""
        self._writer.close()


async def _open_table(http: Http, game: str, number: int) -> Table:
    cookies = [(await http.ask("GET", "/api/me"))[1] for _ in range(2)]
    body = {"key": f"o{number}", "game": game, "chairs": [{}, {}], "pace_ms": 0, "public": True}
    opened, _ = await http.ask("POST", "/api/tables", body, cookies[0])
    name = opened["table"]
    for player, cookie in enumerate(cookies):
        command = {"type": "claim", "player": player, "name": f"P{player}"}
        body = {"key": f"c{player}", "command": command}
        await http.ask("POST", f"/api/tables/{name}/commands", body, cookie)
    return Table(name, tuple(Seat(name, player, cookie) for player, cookie in enumerate(cookies)))


async def open_tables(host: str, port: int, game: str, many: int, lines: int = 16) -> list[Table]:
    """Opens so many tables, over several connections at once."""
    numbers = iter(range(many))

    async def work() -> list[Table]:
        http = await Http.open(host, port)
        found = [await _open_table(http, game, number) for number in numbers]
        http.close()
        return found

    parts = await asyncio.gather(*(work() for _ in range(min(lines, many))))
    return [table for part in parts for table in part]
