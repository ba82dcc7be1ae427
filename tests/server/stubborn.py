"""Players who never give up: whatever happens to the server, they send the same key again until it is answered."""

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from simulation.choices import choose_action
from tests.server.clients import Frame, Guest, Socket
from tests.waiting import until

LOST = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, httpx.TransportError)


@dataclass(slots=True)
class Acked:
    """What the server has acknowledged."""

    table: str
    seq: int
    key: str
    command: Frame


@dataclass(slots=True)
class Stubborn:
    """A player at one table."""

    guest: Guest
    table: str
    player: int
    rng: random.Random
    pause: float = 0.02
    acked: list[Acked] = field(default_factory=list)
    resent: int = 0
    cuts: int = 0
    last: int = 0
    elsewhere: Callable[[str], str] | None = None
    """Where to go when the line to this address is cut: what a load balancer does."""
    hold: asyncio.Event | None = None
    """Keeps them from acting again, and their game from ending, until it is set."""

    async def play(self) -> None:
        """Plays to the end, over as many sockets as it takes."""
        waiting: tuple[str, Frame] | None = None
        while True:
            try:
                async with self.guest.socket(
                    self.table, player=self.player, since=self.last
                ) as line:
                    await line.next()
                    if waiting is not None:
                        self.resent += 1
                        await self._settle(line, waiting)
                        waiting = None
                    while line.view["phase"] != "over":
                        self.last = line.view["seq"]
                        if not line.asked:
                            await line.next()
                            continue
                        await asyncio.sleep(self.rng.random() * self.pause)
                        if self.hold is not None and self.acked:
                            await self.hold.wait()
                        waiting = self._answer(line)
                        await self._settle(line, waiting)
                        waiting = None
                    return
            except LOST:
                self.cuts += 1
                if self.elsewhere is not None:
                    self.guest.base = self.elsewhere(self.guest.base)
                await asyncio.sleep(0.05)

    def _answer(self, line: Socket) -> tuple[str, Frame]:
        command = {
            "type": "act",
            "player": self.player,
            "decision": line.view["decision"]["id"],
            "action": choose_action(line.view["view"]["legal"], self.rng),
        }
        return self.guest.key(), command

    async def _settle(self, line: Socket, waiting: tuple[str, Frame]) -> None:
        key, command = waiting
        answer = await line.command(command, key)
        if answer["type"] == "ack":
            self.acked.append(Acked(self.table, answer["seq"], key, command))
        else:
            assert answer["status"] in (409, 429, 503), answer


async def insist(guest: Guest, method: str, path: str, body: Any = None, token: str = "") -> Frame:
    """Asks by HTTP until there is an answer."""
    answers: list[httpx.Response] = []

    async def answered() -> bool:
        try:
            answers.append(await guest.request(method, path, body, token or None))
        except LOST:
            return False
        return answers[-1].status_code not in (429, 503)

    await until(f"{method} {path} is answered", answered, lambda: answers[-1:], pause=0.1)
    assert answers[-1].status_code < 300, answers[-1].text
    answer: Frame = json.loads(answers[-1].text)
    return answer


async def open_and_sit(people: list[Guest], game: str, bots: int, **more: Any) -> str:
    """Opens a table for these people and some bots, and seats them, whatever happens meanwhile."""
    chairs: list[dict[str, str]] = [{} for _ in people] + [{"bot": "random"}] * bots
    body = {"key": people[0].key(), "game": game, "chairs": chairs, **more}
    opened = await insist(people[0], "POST", "/api/tables", body)
    table: str = opened["table"]
    for player, person in enumerate(people):
        command = {"type": "claim", "player": player, "name": f"P{player}"}
        claim = {"key": person.key(), "command": command}
        path = f"/api/tables/{table}/commands"
        await insist(person, "POST", path, claim, opened["invite"])
    return table
