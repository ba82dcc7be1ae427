"""Devices that play and look on, and record what they sent and saw, and when."""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from math import inf

import httpx

from simulation.choices import choose_action
from tests.server.clients import Frame, Guest, Socket
from tests.server.history.checker import Attempt, History, Read
from tests.server.stubborn import LOST

ANSWER_SECONDS = 1.0
"""After so long a device gives an answer up; what became of the command is unknown then."""
MOST_TRIES = 5
UNSETTLED = {429, 503}
"""Such an answer says nothing about the table: the command counts as unanswered."""


class NoAnswer(Exception):
    """The connection is lost, or the answer was given up."""


@dataclass(slots=True)
class Device:
    """A device at one table, which uses any of the servers.

    Attributes:
        name: For messages and keys.
        client: Its browser; devices of one player share it.
        bases: The addresses of the servers.
        table: The table's id.
        player: The chair; None for a spectator.
        history: Where it records.
        rng: Where its choices come from.
        hold: It doesn't act for a second time before this is set, so that the game lasts.
        seq: The last number that it saw.
    """

    name: str
    client: httpx.AsyncClient
    bases: Sequence[str]
    table: str
    player: int | None
    history: History
    rng: random.Random
    hold: asyncio.Event
    view: Frame = field(default_factory=dict)
    seq: int = 0
    _keys: "count[int]" = field(default_factory=lambda: count(1))

    @property
    def is_over(self) -> bool:
        """Whether it has seen the game's end."""
        return self.view.get("phase") == "over"

    @property
    def may_act(self) -> bool:
        """Whether its answer is awaited, as far as it knows."""
        decision = self.view.get("decision")
        return (
            self.player is not None
            and decision is not None
            and self.player in decision["awaited"]
            and "legal" in (self.view["view"] or {})
        )

    def saw(self, view: Frame, seq: int, begin: float) -> None:
        """Records what it was shown."""
        read = Read(self.name, begin, time.monotonic(), seq, view["you"], deepcopy(view))
        self.history.reads.append(read)
        if seq >= self.seq:
            self.view, self.seq = read.view, seq

    def answer(self) -> tuple[str, Frame]:
        """A new key, and an answer to the decision that it knows of."""
        command = {
            "type": "act",
            "player": self.player,
            "decision": self.view["decision"]["id"],
            "action": choose_action(self.view["view"]["legal"], self.rng),
        }
        return f"{self.name}-{next(self._keys)}", command

    def tried(self, key: str, command: Frame, begin: float, answer: Frame | None) -> None:
        """Records an attempt; the answer is an acknowledgement, an error with its status, or nothing."""
        end = time.monotonic()
        settled = answer is not None and answer.get("status", 200) not in UNSETTLED
        if not settled:
            end = inf
        seq = answer["seq"] if answer is not None and settled and "error" not in answer else None
        refusal = answer["error"] if answer is not None and settled and seq is None else None
        attempt = Attempt(f"player {self.player}", key, command, begin, end, seq, refusal)
        self.history.attempts.append(attempt)
        if answer is not None and answer.get("view"):
            self.saw(answer["view"], answer["view"]["seq"], begin)

    async def pause(self) -> None:
        """Thinks for a moment."""
        await asyncio.sleep(self.rng.random() * 0.05)


class Requester(Device):
    """A device that asks by HTTP: it reads, and acts on what it has read, which may be old by then."""

    async def run(self) -> None:
        """Reads and acts until the game is over."""
        while not self.is_over:
            await self.pause()
            if self.may_act and self.rng.random() < 0.6:
                if not self.hold.is_set() and self.history.attempts:
                    await self.hold.wait()
                await self.act()
            else:
                await self.look()

    async def look(self) -> None:
        """Reads the table from any server."""
        begin = time.monotonic()
        try:
            status, answer = await self._ask("GET", f"/api/tables/{self.table}")
        except NoAnswer:
            return
        if status not in UNSETTLED:
            assert status == 200, answer
            self.saw(answer["view"], answer["seq"], begin)

    async def act(self) -> None:
        """Sends an answer; when none comes back, mostly sends it again, to any server."""
        key, command = self.answer()
        for _ in range(MOST_TRIES):
            begin = time.monotonic()
            try:
                status, answer = await self._ask(
                    "POST", f"/api/tables/{self.table}/commands", {"key": key, "command": command}
                )
            except NoAnswer:
                self.tried(key, command, begin, None)
            else:
                self.tried(key, command, begin, {**answer, "status": status})
                if status not in UNSETTLED:
                    assert status in (200, 409), answer
                    return
            if self.rng.random() < 0.3:
                return
            await self.pause()

    async def _ask(self, method: str, path: str, body: Frame | None = None) -> tuple[int, Frame]:
        try:
            response = await self.client.request(
                method, self.rng.choice(self.bases) + path, json=body, timeout=ANSWER_SECONDS
            )
        except LOST as error:
            await asyncio.sleep(0.2)
            raise NoAnswer from error
        answer: Frame = response.json()
        return response.status_code, answer


class Streamer(Device):
    """A device with a WebSocket, which it cuts now and then."""

    cuts = 0.05
    """The share of its actions after which it pulls the plug at once."""

    async def run(self) -> None:
        """Streams until the game is over, over as many sockets as it takes."""
        unanswered: tuple[str, Frame] | None = None
        while not self.is_over:
            guest = Guest(self.rng.choice(self.bases), self.client)
            query = {"since": self.seq, "changes": 1}
            if self.player is not None:
                query["player"] = self.player
            begin = time.monotonic()
            try:
                async with guest.socket(self.table, **query) as socket:
                    numbers: list[int] = []
                    self.history.streams.append((self.seq, numbers))
                    await self._hear(socket, numbers, begin)
                    unanswered = await self._play(socket, numbers, unanswered)
            except (*LOST, NoAnswer):
                await asyncio.sleep(0.2)

    async def _play(
        self, socket: Socket, numbers: list[int], unanswered: tuple[str, Frame] | None
    ) -> tuple[str, Frame] | None:
        """Acts when asked; returns a command that is to be sent again over the next socket."""
        while not self.is_over:
            if unanswered is None and not (self.may_act and socket.asked):
                await self._hear(socket, numbers, -inf)
                continue
            await self.pause()
            if not self.hold.is_set() and self.history.attempts:
                await self.hold.wait()
            sent = unanswered or self.answer()
            unanswered = None
            if not await self._act(socket, numbers, *sent):
                return sent if self.rng.random() < 0.7 else None
        return None

    async def _act(self, socket: Socket, numbers: list[int], key: str, command: Frame) -> bool:
        """Sends a command and reads until it is answered; returns whether it was."""
        begin = time.monotonic()
        try:
            text = json.dumps({"type": "command", "key": key, "command": command})
            await socket.raw.send(text)
            if self.rng.random() < self.cuts:
                socket.raw.transport.abort()
            async with asyncio.timeout(ANSWER_SECONDS):
                frame = await self._hear(socket, numbers, -inf)
                while frame.get("key") != key:
                    frame = await self._hear(socket, numbers, -inf)
        except LOST:
            self.tried(key, command, begin, None)
            return False
        self.tried(key, command, begin, frame)
        if frame["type"] == "error":
            assert frame["status"] in (409, *UNSETTLED), frame
        return frame.get("status") not in UNSETTLED

    async def _hear(self, socket: Socket, numbers: list[int], begin: float) -> Frame:
        """Takes one message, and records what it shows."""
        frame = await socket.next()
        if frame["type"] in ("welcome", "update"):
            numbers += [message["seq"] for message in frame["messages"]]
            self.saw(socket.view, frame["seq"], begin)
        elif frame["type"] == "error" and frame.get("key") is None:
            assert frame["status"] in UNSETTLED, frame
            raise NoAnswer
        return frame
