"""Ordinary people beside an attack: they play each other and a bot, read, come in anew, and note what they notice."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from benches.load.people import PING, Person, Tally
from benches.load.phases import gather
from benches.load.process import Running
from benches.load.report import quantile
from benches.load.socket import Line, connect
from benches.load.tables import Http
from simulation.choices import choose_action

__all__ = ["Noticed", "Others"]

TABLES: Final = 8
ACTIONS: Final = 24.0
"""A second, at all tables together."""
THINKING: Final = 0.25
"""Seconds before the bot's opponent moves."""
LOOKS: Final = 5.0
"""Requests a second of the one who reads and comes in anew."""
PATHS: Final = ("/api/me", "/api/tables", "/api/games", "/healthz")
STRONG: Final = {"bot": "buffalo-10"}
ENGINES: Final = 4
"""Games of strong bots at the beginning: more than there are threads for bots."""
ENGINE_SECONDS: Final = 5.0
QUIET: Final = 1.0
PATIENCE: Final = 100.0
"""Seconds after which a player gives up."""


@dataclass(slots=True)
class Noticed:
    """What ordinary people noticed: seconds that they waited, and what failed.

    Attributes:
        acks: For acknowledgements.
        requests: For answers over a new connection.
        bots: For a bot's move.
        statuses: What requests were answered with.
        faults: What must not happen.
    """

    acks: list[float] = field(default_factory=list)
    requests: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def p99(self) -> float:
        """The wait for an acknowledgement that 99 % don't exceed, in milliseconds."""
        return 1000 * quantile(self.acks, 0.99)


class Others:
    """Everybody who is no attacker, from the machine's usual address."""

    def __init__(self, server: Running, playing: list[list[Person]], opponent: BotOpponent) -> None:
        self._server = server
        self._playing = playing
        self._opponent = opponent
        self._looked = 0

    @classmethod
    async def gather(cls, server: Running, level: str) -> Others:
        """Opens tables and sits down; one plays against a bot of this level."""
        crowd = await gather(server, "buffalo", TABLES, 2 * TABLES)
        return cls(server, crowd.playing, await BotOpponent.sit(server, level))

    async def load_engine(self) -> None:
        """Asks for an analysis and watches strong bots for a while.

        The engine loads at its first use, and each of its threads has a hash table while it thinks: an attacker has no
        part in that.
        """
        server = self._server
        http = await Http.open(server.host, server.port)
        cookie = self._opponent.cookie
        body = {"table": self._opponent.table, "lines": 5}
        await http.try_to_ask("POST", "/api/analyse", body, cookie)
        lines = []
        for number in range(ENGINES):
            body = {
                "key": f"e{number}",
                "game": "buffalo",
                "chairs": [STRONG, STRONG],
                "pace_ms": 0,
            }
            opened, _ = await http.ask("POST", "/api/tables", body, cookie)
            path = f"/api/tables/{opened['table']}"
            start = {"key": f"s{number}", "command": {"type": "start"}}
            await http.ask("POST", f"{path}/commands", start, cookie)
            lines.append(await connect(server.host, server.port, f"{path}/socket", cookie))
        await asyncio.sleep(ENGINE_SECONDS)
        for line in lines:
            line.transport.close()
        http.close()

    async def go_on(self, goes_on: Callable[[], bool]) -> Noticed:
        """Plays, reads and comes in as long as that is true."""
        noticed = Noticed()
        self._opponent.noticed = noticed
        people = [person for seats in self._playing for person in seats]
        begin = time.perf_counter()
        for number, seats in enumerate(self._playing):
            pace = _Pace(begin + number / ACTIONS, TABLES / ACTIONS)
            for person in seats:
                person.begin(Tally(), pace)
        while goes_on() or not any(person.tally.acks for person in people):
            await self._look(noticed)
            await asyncio.sleep(1 / LOOKS)
            if time.perf_counter() > begin + PATIENCE:
                break
        for person in people:
            noticed.acks += person.tally.acks
            noticed.faults += [text.decode()[:200] for text in person.tally.errors]
            person.resting = True
        await asyncio.sleep(QUIET)  # what is due comes to its end
        lost = sum(person.line.lost for person in people) + self._opponent.line.lost
        if lost:
            noticed.faults.append(f"{lost} lines lost")
        if not noticed.acks:
            noticed.faults.append("no action was acknowledged")
        return noticed

    async def _look(self, noticed: Noticed) -> None:
        """Reads over a new connection each time, as a newcomer does."""
        self._looked += 1
        path = PATHS[self._looked % len(PATHS)]
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                http = await Http.open(self._server.host, self._server.port)
                status, _, _ = await http.try_to_ask("GET", path)
                http.close()
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            noticed.faults.append(f"{path} wasn't answered: {error!r}")
            return
        noticed.requests.append(time.perf_counter() - begin)
        noticed.statuses[str(status)] += 1
        if status >= 500:
            noticed.faults.append(f"{path} was answered with {status}")


class _Pace:
    """Asks for an answer at regular moments; the wait counts from the moment it was due."""

    def __init__(self, due: float, between: float) -> None:
        self._due = due
        self._between = between

    def __call__(self, answer: Any) -> None:
        moment = max(self._due, time.perf_counter())
        self._due = moment + self._between
        asyncio.get_running_loop().call_later(
            max(0.0, moment - time.perf_counter()), answer, moment
        )


class BotOpponent:
    """A player against a bot, who notes how long it thinks."""

    def __init__(self, line: Line, table: str, cookie: str) -> None:
        self.line = line
        self.table = table
        self.cookie = cookie
        self.noticed = Noticed()
        self._rng = random.Random(3)
        self._view: dict[str, Any] = {}
        self._sent = 0.0
        self._key = 0
        self._asked = ""
        line.listen(self._hear)

    @classmethod
    async def sit(cls, server: Running, level: str) -> BotOpponent:
        """Opens a table against a bot."""
        http = await Http.open(server.host, server.port)
        _, cookie = await http.ask("GET", "/api/me")
        body = {"key": "b", "game": "buffalo", "chairs": [{}, {"bot": level}], "pace_ms": 0}
        opened, _ = await http.ask("POST", "/api/tables", body, cookie)
        table = opened["table"]
        claim = {"key": "c", "command": {"type": "claim", "player": 0, "name": "Ann"}}
        await http.ask("POST", f"/api/tables/{table}/commands", claim, cookie)
        http.close()
        path = f"/api/tables/{table}/socket"
        return cls(await connect(server.host, server.port, path, cookie), table, cookie)

    def _hear(self, text: bytes) -> None:
        if text.startswith(PING):
            self.line.send(b'{"type":"pong"}')
            return
        frame = orjson.loads(text)
        if frame["type"] not in {"welcome", "update"}:
            return
        self._view = frame["view"]
        view, loop = self._view, asyncio.get_running_loop()
        if view["phase"] == "over" and self._asked != f"over {view['number']}":
            self._asked = f"over {view['number']}"
            loop.call_later(THINKING, self._send, {"type": "vote", "player": 0, "on": "next"})
        elif view["decision"] and 0 in view["decision"]["awaited"]:
            if self._sent:
                self.noticed.bots.append(time.perf_counter() - self._sent)
                self._sent = 0.0
            if self._asked != view["decision"]["id"]:
                self._asked = view["decision"]["id"]
                loop.call_later(THINKING, self._act)

    def _act(self) -> None:
        view = self._view
        if view["decision"] is None or view["view"]["legal"] is None:
            return
        action = choose_action(view["view"]["legal"], self._rng)
        self._sent = time.perf_counter()
        decision = view["decision"]["id"]
        self._send({"type": "act", "player": 0, "decision": decision, "action": action})

    def _send(self, command: dict[str, Any]) -> None:
        self._key += 1
        with suppress(RuntimeError):  # the line is lost: that is noted elsewhere
            key = f"b{self._key}"
            self.line.send(orjson.dumps({"type": "command", "key": key, "command": command}))
