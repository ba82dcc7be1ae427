"""Clients for tests: guests with a browser's cookie, and sockets. Everything that they get is kept."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from simulation.choices import choose_action
from tests.waiting import PATIENCE, until

Frame = dict[str, Any]


class Guest:
    """A guest: their cookie, and every byte that they got."""

    def __init__(self, base: str, client: httpx.AsyncClient, token: str | None = None) -> None:
        self.base = base
        self.client = client
        self.token = token
        self.got: list[str] = []
        self._keys = count(1)

    def key(self) -> str:
        """A new key."""
        return f"k{next(self._keys)}"

    async def request(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> httpx.Response:
        """Asks, and keeps the answer."""
        shown = token or self.token
        headers = {"Authorization": f"Bearer {shown}"} if shown else {}
        response = await self.client.request(method, path, json=body, headers=headers)
        self.got.append(f"{response.status_code} {response.text}")
        return response

    async def open(
        self, game: str, chairs: list[dict[str, str]], key: str | None = None, **more: Any
    ) -> Frame:
        """Opens a table; returns ``table`` and ``invite``."""
        body = {"key": key or self.key(), "game": game, "chairs": chairs, "pace_ms": 0, **more}
        response = await self.request("POST", "/api/tables", body)
        assert response.status_code == 201, response.text
        answer: Frame = response.json()
        return answer

    async def send(
        self, table: str, command: Frame, key: str | None = None, token: str | None = None
    ) -> httpx.Response:
        """Sends a command over HTTP."""
        body = {"key": key or self.key(), "command": command}
        return await self.request("POST", f"/api/tables/{table}/commands", body, token)

    async def claim(self, table: str, player: int | None, name: str, token: str = "") -> Frame:
        """Sits down; returns the acknowledgement, with the seat's token."""
        command = {"type": "claim", "player": player, "name": name}
        response = await self.send(table, command, token=token or None)
        assert response.status_code == 200, response.text
        answer: Frame = response.json()
        return answer

    async def look(self, table: str, **query: int) -> Frame:
        """Where the table stands."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        response = await self.request("GET", f"/api/tables/{table}?{asked}")
        answer: Frame = response.json()
        return answer

    @asynccontextmanager
    async def socket(self, table: str, **query: int) -> "AsyncIterator[Socket]":
        """Looks on, and plays."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        address = f"{self.base.replace('http', 'ws')}/api/tables/{table}/socket?{asked}"
        async with connect(
            address, additional_headers=headers, ping_interval=None, open_timeout=PATIENCE
        ) as raw:
            yield Socket(self, raw)


class Socket:
    """A guest's socket: the last view, and how to act on it."""

    def __init__(self, guest: Guest, raw: ClientConnection) -> None:
        self.guest = guest
        self.raw = raw
        self.view: Frame = {}
        self.welcome: Frame = {}
        self.messages: list[Frame] = []

    async def next(self) -> Frame:
        """The next message; views and events are remembered."""
        try:
            text = await asyncio.wait_for(self.raw.recv(), PATIENCE)
        except TimeoutError as error:
            last = self.guest.got[-1:]
            raise TimeoutError(f"no message for {PATIENCE:g} s; the last one was {last}") from error
        assert isinstance(text, str)
        self.guest.got.append(text)
        frame: Frame = json.loads(text)
        if frame["type"] == "ping":
            await self.raw.send('{"type":"pong"}')
        if frame["type"] == "welcome":
            self.welcome = frame
        self.messages += frame.get("messages", [])
        if frame.get("view"):
            self.view = frame["view"]
        elif "changes" in frame:  # as docs/protocol.md says
            changes = frame["changes"]
            game = {**(self.view["view"] or {}), **changes.get("view", {})}
            self.view = {**self.view, **changes, "view": game or None}
        return frame

    async def until(self, wanted: Callable[[Frame], bool]) -> Frame:
        """Reads on until a message is the wanted one."""
        while True:
            frame = await self.next()
            if wanted(frame):
                return frame

    async def command(self, command: Frame, key: str | None = None) -> Frame:
        """Sends a command; returns its acknowledgement or error."""
        chosen_key = key or self.guest.key()
        await self.raw.send(json.dumps({"type": "command", "key": chosen_key, "command": command}))
        return await self.until(lambda frame: frame.get("key") == chosen_key)

    async def act(self, action: Any, key: str | None = None) -> Frame:
        """Answers the present decision."""
        player, decision = self.view["you"], self.view["decision"]["id"]
        command = {"type": "act", "player": player, "decision": decision, "action": action}
        return await self.command(command, key)

    @property
    def asked(self) -> bool:
        """Whether this player's answer is awaited."""
        decision = self.view.get("decision")
        return decision is not None and self.view["you"] in decision["awaited"]

    async def play(self, rng: random.Random) -> None:
        """Plays at random until the game is over."""
        while self.view.get("phase") != "over":
            if self.asked:
                answer = await self.act(choose_action(self.view["view"]["legal"], rng))
                assert answer["type"] == "ack" or answer["status"] == 409, answer
            else:
                await self.next()


@asynccontextmanager
async def guests(base: str, number: int) -> AsyncIterator[list[Guest]]:
    """So many guests, each with a cookie of their own."""
    clients = [httpx.AsyncClient(base_url=base, timeout=PATIENCE) for _ in range(number)]
    try:
        people = [Guest(base, client) for client in clients]
        for person in people:
            await _welcomed(person.client)
        yield people
    finally:
        for client in clients:
            await client.aclose()


async def _welcomed(client: httpx.AsyncClient) -> None:
    """Gets a cookie; also from a server that is just being killed and started again, or whose database is away."""

    async def answered() -> bool:
        try:
            response = await client.get("/api/me")
        except httpx.TransportError:
            return False
        if response.status_code != 503:
            response.raise_for_status()
        return response.status_code != 503

    await until("the server gives a cookie", answered)


async def closed(socket: Socket) -> int:
    """Reads until the server closes the socket; returns the code; 0 when the line was cut."""
    try:
        while True:
            await socket.next()
    except ConnectionClosed as error:
        return 0 if error.rcvd is None else error.rcvd.code
