"""Simulated people: devices that come and go, open tables, sit down, act, vote, watch and reconnect."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from simulation.client import ClientSocket, Disconnected, HttpAnswer, Line, request
from simulation.loop import SimulatedLoop
from simulation.network import Network
from simulation.observations import AckSeen, BodySeen, Identity, Observations, ViewSeen
from simulation.world import World

__all__ = ["City", "Device", "KnownTable", "Pending", "Seat", "TableSocket"]

PASSPHRASE: Final = "eleven buffaloes and a chief"  # noqa: S105 - of nobody


@dataclass(slots=True)
class KnownTable:
    """A table that people know of."""

    table_id: str
    game: str
    invite: str
    host: Device
    settings: dict[str, Any]


@dataclass(slots=True)
class Seat:
    """A seat that a person has taken, and its token."""

    table: KnownTable
    player: int
    token: str


@dataclass(slots=True)
class Pending:
    """A command that isn't answered yet."""

    table: str
    key: str
    command: dict[str, Any]
    identity: Identity
    answer: Any = None


class TableSocket:
    """A device's socket at a table: its view, merged as docs/protocol.md says.

    Attributes:
        seq: The last number seen.
        view: The view.
        is_open: Whether it is connected.
        flawed: Whether its owner has done something to it that ends it.
    """

    def __init__(self, device: Device, table: KnownTable, line: Line, identity: Identity) -> None:
        self.device = device
        self.table = table
        self.identity = identity
        self.seq = 0
        self.view: dict[str, Any] = {}
        self.player: int | None = None
        self.is_open = True
        self.welcomed = False
        self.silent = False
        self.flawed = False
        self.on_welcome: Callable[[TableSocket], None] = lambda _: None
        self.least = 0
        self.raw = ClientSocket(line, device.rng, self._receive)

    @property
    def asked(self) -> bool:
        """Whether this player's answer is awaited."""
        decision = self.view.get("decision")
        return decision is not None and self.view.get("you") in decision["awaited"]

    def send(self, frame: dict[str, Any]) -> None:
        """Sends a message."""
        self.raw.send(json.dumps(frame).encode())

    def _receive(self, text: bytes) -> None:
        city = self.device.city
        city.observed.search(self.device.person, self.device.name, text)
        frame = json.loads(text)
        kind = frame["type"]
        if kind == "ping":
            if not self.silent:
                self.send({"type": "pong"})
        elif kind in ("welcome", "update"):
            self._take_view(frame, text)
        elif kind == "ack":
            self.device.take_ack(self.table, self.identity, frame)
        elif kind == "error":
            self._take_error(frame, text)

    def _take_view(self, frame: dict[str, Any], text: bytes) -> None:
        messages = frame["messages"]
        if frame["type"] == "welcome":
            self.player, self.view, self.welcomed = frame["player"], frame["view"], True
        else:
            numbers = [message["seq"] for message in messages]
            if numbers != list(range(self.seq + 1, frame["seq"] + 1)):
                self.device.city.world.violate(
                    f"{self.device.name} has {self.seq} and gets an update with messages {numbers}"
                )
            if "changes" in frame:
                changes = frame["changes"]
                game = {**(self.view["view"] or {}), **changes.get("view", {})}
                self.view = {**self.view, **changes, "view": game or None}
            else:
                self.view = frame["view"]
        self.seq = frame["seq"]
        self._observe(self.view, self.player, self.seq, messages, text)
        self.device.city.observed.views[self.table.table_id][-1].live = frame["type"] == "update"
        if frame["type"] == "welcome":
            self.device.check_fresh(self.table, self.seq, self.least)
            self.on_welcome(self)

    def _take_error(self, frame: dict[str, Any], text: bytes) -> None:
        world = self.device.city.world
        world.counts[f"refused {frame['status']}"] += 1
        if frame["status"] == 500:
            world.violate(f"{self.device.name} gets an error 500 over a socket")
        if frame.get("view"):
            view = frame["view"]
            self._observe(view, view["you"], view["seq"], None, text)
        if frame.get("key") is not None:
            self.device.take_refusal(frame["key"], frame["status"])

    def _observe(
        self, view: Any, player: int | None, seq: int, messages: list[Any] | None, text: bytes
    ) -> None:
        city = self.device.city
        end = self.raw.line.end
        seen = ViewSeen(
            self.table.table_id,
            self.identity,
            player,
            seq,
            view,
            messages,
            text,
            city.world.now,
            0 if end is None else end.link,
        )
        city.observed.views[self.table.table_id].append(seen)
        world = city.world
        if world.keeps_trace:
            world.note(f"{self.device.name} sees {self.table.table_id[:6]} at {seq} as {player}")


class Device:
    """One browser of a person: its cookies, its sockets, and what it has sent."""

    def __init__(self, city: City, number: int, person: int) -> None:
        self.city = city
        self.number = number
        self.person = person
        self.name = f"device {number} of person {person}"
        self.address = f"10.1.{person}.{number + 1}"
        self.cookies: dict[str, str] = {}
        self.account: str | None = None
        self.sockets: list[TableSocket] = []
        self.pending: dict[str, Pending] = {}
        self.last_seq: dict[str, int] = {}
        self.forged: set[str] = set()
        self.rng = random.Random(f"{city.world.seed} device {number}")
        self._keys = 0

    @property
    def guest(self) -> str | None:
        """The guest's id, which its cookie holds."""
        cookie = self.cookies.get("stampede_guest", "")
        return cookie.rpartition(".")[0] or None

    def identity(self, token: str | None = None) -> Identity:
        """Who this device is for the server now."""
        if self.account is not None:
            return Identity(None, self.account, token)
        return Identity(self.guest, None, token)

    def key(self) -> str:
        """Returns a new idempotency key."""
        self._keys += 1
        return f"d{self.number}-{self._keys}"

    def open_sockets(self) -> list[TableSocket]:
        """Returns the sockets that are connected and show a view."""
        return [socket for socket in self.sockets if socket.is_open and socket.view]

    # --- HTTP ---

    def headers(self, token: str | None = None) -> dict[str, str]:
        """Returns what a browser sends along."""
        found = {"Origin": "http://table.example"}
        if self.cookies:
            found["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if token:
            found["Authorization"] = f"Bearer {token}"
        return found

    async def ask(
        self, method: str, path: str, body: Any = None, token: str | None = None
    ) -> HttpAnswer:
        """Sends a request over a new connection; raises Disconnected."""
        city = self.city
        line = Line(city.loop)
        # Before anything is awaited: it may sign in meanwhile.
        headers, identity = self.headers(token), self.identity(token)
        try:
            await line.connect(city.network, self.address, self.rng)
            data = None if body is None else json.dumps(body).encode()
            answer = await request(line, method, path, headers, data)
        finally:
            line.close()
        for name, value in answer.cookies.items():
            if value:
                self.cookies[name] = value
                if name == "stampede_guest" and (guest := self.guest):
                    city.observed.add_secret(guest, self.person)
            else:
                self.cookies.pop(name, None)
        city.world.counts["requests"] += 1
        if answer.status == 500:
            city.world.violate(f"{method} {path} answers 500: {answer.body[:200]!r}")
        city.observed.search(self.person, self.name, answer.body)
        if path.startswith("/api/tables/"):
            table = path.split("/")[3]
            seen = BodySeen(identity, path, answer.body, city.world.now)
            city.observed.bodies[table].append(seen)
        return answer

    async def command(
        self, table: KnownTable, command: dict[str, Any], token: str | None = None
    ) -> Any:
        """Sends a command over HTTP; returns the acknowledgement, or None."""
        pending = Pending(table.table_id, self.key(), command, self.identity(token))
        self.pending[pending.key] = pending
        return await self.send_pending(table, pending)

    async def send_pending(self, table: KnownTable, pending: Pending) -> Any:
        """Sends a command that isn't answered, perhaps again."""
        body = {"key": pending.key, "command": pending.command}
        path = f"/api/tables/{pending.table}/commands"
        answer = await self.ask("POST", path, body, pending.identity.token)
        found = answer.json()
        if answer.status == 200:
            self.take_ack(table, pending.identity, found)
            return found
        self.city.world.counts[f"refused {answer.status}"] += 1
        self.city.world.note(f"{self.name}: {pending.key} is refused: {answer.status} {found}")
        self.take_refusal(pending.key, answer.status)
        return None

    def command_over(self, socket: TableSocket, command: dict[str, Any]) -> None:
        """Sends a command over a socket; the answer comes later."""
        pending = Pending(socket.table.table_id, self.key(), command, socket.identity)
        self.pending[pending.key] = pending
        socket.send({"type": "command", "key": pending.key, "command": command})

    def take_ack(self, table: KnownTable, identity: Identity, answer: dict[str, Any]) -> None:
        """Takes an acknowledgement."""
        world, key, seq = self.city.world, answer["key"], answer["seq"]
        pending = self.pending.get(key)
        if pending is None:
            if key in self.forged:
                return
            world.violate(f"{self.name} gets an acknowledgement of {key}, which it never sent")
            return
        answer = {name: value for name, value in answer.items() if name != "type"}
        if isinstance(pending.answer, dict) and pending.answer != answer:
            world.violate(f"{self.name} gets {answer} for {key}, but got {pending.answer} before")
        pending.answer = answer
        acked = self.city.acked
        acked[table.table_id] = max(seq, acked.get(table.table_id, 0))
        world.counts["acks"] += 1
        world.note(f"{self.name}: {pending.command['type']} {key} is acknowledged as {seq}")
        self.city.observed.acks[table.table_id].append(
            AckSeen(table.table_id, identity, key, seq, pending.command, world.now)
        )
        token = answer.get("token")
        if token is None:
            return
        if pending.command["type"] == "invite":
            table.invite = token
            self.city.observed.add_secret(token, *range(self.city.people))
        else:
            self.city.observed.add_secret(token, self.person)
            seats = self.city.seats[self.person]
            seats[:] = [
                seat for seat in seats if (seat.table, seat.player) != (table, answer["player"])
            ]
            seats.append(Seat(table, answer["player"], token))

    def take_refusal(self, key: str, status: int) -> None:
        """Takes a refusal: the command changed nothing, unless the server says that it doesn't know."""
        if status < 500 and status != 429 and key in self.pending:
            self.pending[key].answer = self.pending[key].answer or status

    async def look(self, table: KnownTable) -> None:
        """Reads a view over HTTP."""
        identity, least = self.identity(), self.city.acked.get(table.table_id, 0)
        answer = await self.ask("GET", f"/api/tables/{table.table_id}")
        if answer.status == 200:
            self.check_fresh(table, answer.json()["seq"], least)
            self._take_look(table, identity, answer)

    def check_fresh(self, table: KnownTable, seq: int, least: int) -> None:
        """Checks that a view holds everything that was acknowledged before it was asked for."""
        if seq < least:
            self.city.world.violate(
                f"{self.name} is shown {table.table_id[:6]} at {seq}, but {least} was acknowledged"
            )

    def _take_look(self, table: KnownTable, identity: Identity, answer: HttpAnswer) -> None:
        found = answer.json()
        seen = ViewSeen(
            table.table_id,
            identity,
            found["player"],
            found["seq"],
            found["view"],
            None,
            answer.body,
            self.city.world.now,
            0,
        )
        self.city.observed.views[table.table_id].append(seen)

    # --- sockets ---

    async def watch(
        self,
        table: KnownTable,
        player: int | None = None,
        token: str | None = None,
        *,
        changes: bool = True,
        resume: bool = True,
        welcomed: Callable[[TableSocket], None] = lambda _: None,
    ) -> TableSocket | None:
        """Connects to a table; returns when the connection ends. `welcomed` is called with the first view."""
        line = Line(self.city.loop)
        headers, identity = self.headers(token), self.identity(token)
        await line.connect(self.city.network, self.address, self.rng)
        socket = TableSocket(self, table, line, identity)
        socket.on_welcome, socket.least = welcomed, self.city.acked.get(table.table_id, 0)
        query = {"changes": "true"} if changes else {}
        if player is not None:
            query["player"] = str(player)
        since = self.last_seq.get(table.table_id)
        if resume and since is not None:
            query["since"] = str(since)
        text = "&".join(f"{name}={value}" for name, value in query.items())
        path = f"/api/tables/{table.table_id}/socket?{text}"
        try:
            refused = await socket.raw.open(path, headers)
        except BaseException:
            line.close()
            raise
        if refused is not None:
            line.close()
            if refused.status == 500:
                self.city.world.violate(f"{path} answers 500")
            return None
        self.sockets.append(socket)
        self.city.world.counts["sockets"] += 1
        try:
            await socket.raw.read()
        finally:
            socket.is_open = False
            self.sockets.remove(socket)
            if socket.seq:
                self.last_seq[table.table_id] = socket.seq
            self.city.world.counts[f"closed {socket.raw.code or 'cut'}"] += 1
        return socket


@dataclass(slots=True)
class City:
    """Everybody, and what they know of each other.

    Attributes:
        tables: The tables that people know of.
        seats: By person: the seats they have taken.
        devices: All devices.
        acked: By table: the highest number that anybody was told as an acknowledgement.
    """

    world: World
    loop: SimulatedLoop
    network: Network
    observed: Observations
    people: int
    tables: list[KnownTable] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    seats: list[list[Seat]] = field(default_factory=list)
    accounts: dict[str, None] = field(default_factory=dict)
    acked: dict[str, int] = field(default_factory=dict)
    tasks: dict[asyncio.Task[None], None] = field(default_factory=dict)

    def populate(self, devices: int) -> None:
        """Gives every person devices."""
        self.seats = [[] for _ in range(self.people)]
        for number in range(self.people * devices):
            self.devices.append(Device(self, number, number % self.people))

    def spawn(self, work: Callable[[], Any]) -> None:
        """Runs a person's activity; a lost connection ends it quietly."""

        async def run() -> None:
            try:
                await work()
            except Disconnected:
                self.world.counts["requests without an answer"] += 1

        if self.loop.is_closed():
            return
        task: asyncio.Task[None] = self.loop.run_now(self.loop.create_task, run())
        self.tasks[task] = None
        task.add_done_callback(lambda done: self.tasks.pop(done, None))
