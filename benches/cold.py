"""How long people wait on a machine that has never run Stampede: ``python -m benches cold``.

Every level has a server of its own, with empty folders for compiled kernels and tablebases, so nothing is compiled and
everything compiles in the background, as after an installation. A person opens a game against bots of the level, acts
as soon as they are asked, and notes how long it takes until the bots have answered, and until they are asked again.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from benches.load.process import Running, serving
from benches.load.socket import Line, connect
from benches.load.tables import Http
from benches.rules import fixed_loop
from simulation.choices import choose_action
from stampede.bots import bot_names
from stampede.core.json import JsonObject
from stampede.games import GAMES

__all__ = ["Cold", "Report", "all_levels", "measure"]

SEATS: Final = {"buffalo": 2, "zoff": 4}
"""Seats of a quick game."""
PATIENCE: Final = 600.0
"""Seconds after which a person gives up."""
READY_GOAL: Final = 5.0
"""Seconds of processor time until a server answers."""
ANSWER_GOAL: Final = 3.0
"""Seconds until a bot has first answered."""
LOOPS: Final = 5


@dataclass(frozen=True, slots=True)
class Cold:
    """What a person waits for who plays against a level.

    Attributes:
        level: The level.
        ready: Seconds of processor time that the server's own process uses until it answers a request.
        first: Seconds on the clock from the person's first action until the bots have answered it: a move, or all of a
            round's secret choices.
        waits: Seconds on the clock from each of the person's actions until they are asked again, in order.
        loop: Seconds that the fixed loop takes just before.
    """

    level: str
    ready: float
    first: float
    waits: tuple[float, ...]
    loop: float

    @property
    def is_quick(self) -> bool:
        """Whether server and first answer reach their goals."""
        return self.ready <= READY_GOAL and self.first <= ANSWER_GOAL

    def to_json(self) -> JsonObject:
        """As JSON."""
        return {
            "ready_seconds": round(self.ready, 2),
            "first_answer_seconds": round(self.first, 2),
            "longest_wait_seconds": round(max(self.waits), 2),
            "ready_in_loops": round(self.ready / self.loop, 1),
            "first_answer_in_loops": round(self.first / self.loop, 1),
        }


@dataclass(slots=True)
class Report:
    """All levels that were measured."""

    levels: list[Cold] = field(default_factory=list)

    def to_json(self) -> JsonObject:
        """As JSON, by level."""
        loop = statistics.median(cold.loop for cold in self.levels)
        return {
            "loop_seconds": round(loop, 4),
            "levels": {cold.level: cold.to_json() for cold in self.levels},
        }


def all_levels() -> list[str]:
    """The levels of both games, without the random bots."""
    return [name for game in sorted(GAMES) for name in bot_names(game) if name != "random"]


def measure(
    levels: Sequence[str], answers: int, track: Callable[[Sequence[str]], Iterable[str]]
) -> Report:
    """Measures levels one after the other, each on a server of its own.

    Args:
        levels: Their names.
        answers: How many answers the person waits for.
        track: Shows progress.
    """
    report = Report()
    for level in track(levels):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            report.levels.append(_measure(level, answers, Path(folder)))
    return report


def _measure(level: str, answers: int, folder: Path) -> Cold:
    loop = statistics.median(_timed_loop() for _ in range(LOOPS))
    command = ["-m", "stampede.cli", "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{folder / 'tables.db'}"]
    environment = {
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "STAMPEDE_TABLEBASES": str(folder / "tablebases"),
    }
    with serving(command, environment, core=None) as server:
        ready, person = asyncio.run(_play(server, level, answers))
    return Cold(level, ready, person.first, tuple(person.waits), loop)


def _timed_loop() -> float:
    begin = time.process_time()
    fixed_loop()
    return time.process_time() - begin


async def _play(server: Running, level: str, answers: int) -> tuple[float, _Person]:
    """The processor time until the server is ready, and a person who has played."""
    http = await Http.open(server.host, server.port)
    _, cookie = await http.ask("GET", "/api/me")
    ready = server.own_seconds()
    game = level.partition("-")[0]
    chairs: list[JsonObject] = [{}, *[{"bot": level} for _ in range(SEATS[game] - 1)]]
    body = {"key": "open", "game": game, "chairs": chairs, "pace_ms": 0}
    opened, _ = await http.ask("POST", "/api/tables", body, cookie)
    path = f"/api/tables/{opened['table']}"
    claim = {"key": "claim", "command": {"type": "claim", "player": 0, "name": "Ann"}}
    await http.ask("POST", f"{path}/commands", claim, cookie)
    line = await connect(server.host, server.port, f"{path}/socket", cookie)
    person = _Person(line, answers)
    async with asyncio.timeout(PATIENCE):
        await person.done.wait()
    if person.problem:
        raise RuntimeError(f"{level}: expected an acknowledgement, got {person.problem}")
    http.close()
    line.transport.close()
    return ready, person


class _Person:
    """A person on chair 0 who acts at once, and notes how long it takes until they are asked again."""

    def __init__(self, line: Line, answers: int) -> None:
        self.first = 0.0
        self.waits: list[float] = []
        self.done = asyncio.Event()
        self.problem = ""
        self._answers = answers
        self._line = line
        self._rng = random.Random(3)
        self._asked = ""
        self._is_answered = False
        self._sent = 0.0
        self._view: dict[str, Any] = {}
        line.listen(self._hear)

    def _hear(self, text: bytes) -> None:
        frame = orjson.loads(text)
        if frame["type"] == "ping":
            self._line.send(b'{"type":"pong"}')
        elif frame["type"] in {"welcome", "update"}:
            self._see(frame)
            if self._asked and any(
                one["kind"] == "act" and one["player"] != 0 for one in frame["messages"]
            ):
                self._is_answered = True
            self._look(self._view)
        elif frame["type"] == "error":
            self.problem = frame["message"]
            self.done.set()

    def _see(self, frame: dict[str, Any]) -> None:
        """Takes the whole view, or what has changed of it."""
        if (view := frame.get("view")) is None:
            changes = frame["changes"]
            inner = {**(self._view["view"] or {}), **(changes.get("view") or {})}
            view = {**self._view, **changes, "view": inner}
        self._view = view

    def _look(self, view: dict[str, Any]) -> None:
        decision = view["decision"]
        is_new = decision is None or decision["id"] != self._asked
        if self._sent and self._is_answered and is_new and not self.first:
            self.first = time.perf_counter() - self._sent
        is_over = view["phase"] == "over"
        is_asked = decision and 0 in decision["awaited"] and decision["id"] != self._asked
        if not is_asked and not is_over:
            return
        if self._sent:
            self.waits.append(time.perf_counter() - self._sent)
        if is_over or len(self.waits) == self._answers:
            self.done.set()
            return
        self._asked = decision["id"]
        action = choose_action(view["view"]["legal"], self._rng)
        command = {"type": "act", "player": 0, "decision": self._asked, "action": action}
        self._sent = time.perf_counter()
        told = {"type": "command", "key": f"a{len(self.waits)}", "command": command}
        self._line.send(orjson.dumps(told))
