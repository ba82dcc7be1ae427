"""People at sockets: they answer when they are asked, at once or by the clock, and note how long they waited."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from benches.load.socket import Line
from simulation.choices import choose_action

__all__ = ["Person", "Tally", "stay"]

DECODE = orjson.loads
ENCODE = orjson.dumps
ACK = b'{"type":"ack"'
UPDATE = b'{"type":"update"'
WELCOME = b'{"type":"welcome"'
PING = b'{"type":"ping"'


@dataclass(slots=True)
class Tally:
    """What everybody has noted.

    Attributes:
        acks: Answers to actions in the game: seconds from when it was due to its acknowledgement.
        votes: How many other commands were acknowledged.
        told: Seconds from when an action was due until the other player had heard of it.
        errors: What was refused.
        frames: How many messages came in.
    """

    acks: list[float] = field(default_factory=list)
    votes: int = 0
    told: list[float] = field(default_factory=list)
    errors: list[bytes] = field(default_factory=list)
    frames: int = 0


class Person:
    """A person who plays at a socket.

    Args:
        line: The socket.
        rng: Where their choices come from.
    """

    __slots__ = (
        "_asked",
        "_due",
        "_key",
        "_others",
        "_pace",
        "_rng",
        "_sent",
        "_view",
        "_vote",
        "line",
        "resting",
        "tally",
    )

    def __init__(self, line: Line, rng: random.Random) -> None:
        self.line = line
        self.tally = Tally()
        self.resting = True
        self._rng = rng
        self._view: dict[str, Any] = {}
        self._asked = ""
        self._sent = ""
        self._key = 0
        self._due = 0.0
        self._vote = False
        self._pace: Callable[[Callable[[float], None]], None] | None = None
        self._others: tuple[Person, ...] = ()
        line.listen(self.hear)

    def sit_with(self, others: tuple[Person, ...]) -> None:
        """Learns who else is at the table."""
        self._others = others

    def begin(self, tally: Tally, pace: Callable[[Callable[[float], None]], None] | None) -> None:
        """Plays from now on."""
        self.tally, self._pace, self.resting, self._asked = tally, pace, False, ""
        self._answer()

    def hear(self, text: bytes) -> None:
        """Takes what the server says."""
        self.tally.frames += 1
        if text.startswith(ACK):
            waited = time.perf_counter() - self._due
            if self._vote:
                self.tally.votes += 1
            else:
                self.tally.acks.append(waited)
        elif text.startswith((UPDATE, WELCOME)):
            self._look(DECODE(text))
        elif text.startswith(PING):
            self.line.send(b'{"type":"pong"}')
        else:
            self.tally.errors.append(text)

    def _look(self, frame: dict[str, Any]) -> None:
        view = frame.get("view")
        if view is not None:
            self._view = view
        else:
            changes = frame["changes"]
            inner = {**(self._view["view"] or {}), **(changes.get("view") or {})}
            self._view = {**self._view, **changes, "view": inner}
        acted = [m for m in frame["messages"] if m["kind"] == "act"]
        if acted and not self.resting and acted[-1]["player"] != self._view["you"]:
            for other in self._others:
                if other._view.get("you") == acted[-1]["player"]:  # noqa: SLF001 - a fellow
                    self.tally.told.append(time.perf_counter() - other._due)  # noqa: SLF001
        if not self.resting:
            self._answer()

    def _answer(self) -> None:
        """Answers when asked: at once, or when it is due."""
        view = self._view
        if not view:  # not welcomed yet
            return
        if view["phase"] == "over":
            ballots = view["proposals"]
            mine = (1 if ballots and 0 in ballots[0]["agreed"] else 0) == view["you"]
            if mine and self._sent != f"after {view['number']}":
                self._sent = f"after {view['number']}"
                self._send({"type": "vote", "player": view["you"], "on": "next"}, 0.0)
        elif view["decision"] and view["you"] in view["decision"]["awaited"]:
            decision = view["decision"]["id"]
            if decision == self._sent:
                return
            if self._pace is None:
                self._act(0.0)
            elif self._asked != decision:
                self._asked = decision
                self._pace(self._act)

    def _act(self, due: float) -> None:
        view = self._view
        if self.resting:
            return
        self._sent = view["decision"]["id"]
        action = choose_action(view["view"]["legal"], self._rng)
        you, decision = view["you"], view["decision"]["id"]
        self._send({"type": "act", "player": you, "decision": decision, "action": action}, due)

    def _send(self, command: dict[str, Any], due: float) -> None:
        self._key += 1
        self._vote = command["type"] == "vote"
        self._due = due or time.perf_counter()
        self.line.send(ENCODE({"type": "command", "key": f"k{self._key}", "command": command}))


def stay(line: Line) -> None:
    """A person who only shows that they are still there."""

    def hear(text: bytes) -> None:
        if text.startswith(PING):
            line.send(b'{"type":"pong"}')

    line.listen(hear)
