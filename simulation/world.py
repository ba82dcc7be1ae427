"""The simulated world: virtual time, the processes' loops, events between them, chance by name, and the trace."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any, Final, NamedTuple, NoReturn

from simulation.loop import SimulatedLoop

__all__ = ["Livelock", "Strike", "Violation", "World", "die"]

MAX_STEPS: Final = 200_000
"""Steps of loops at one moment of virtual time; more are a livelock."""
EPOCH_MS: Final = 1_800_000_000_000
"""The wall time, in milliseconds, at which every simulation begins."""
AFTERMATH: Final = 15.0
"""Seconds after a fault of disks, processes or workers' connections in which the server may still feel it."""


class Violation(Exception):
    """An invariant doesn't hold."""


class Livelock(Violation):
    """Something goes on for ever without time passing."""


class Strike(NamedTuple):
    """One fault at one point.

    Attributes:
        kind: What is done there: ``append``, ``read``, ``send`` or ``lock``.
        number: Which point of that kind, from 1.
        way: How it fails.
    """

    kind: str
    number: int
    way: str


def die() -> NoReturn:
    """Ends the running process on the spot: whatever catches the exception, it isn't run any more."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    loop.exit_code = 1
    raise SystemExit(1)


class World:
    """Virtual time and everything that happens in it.

    Attributes:
        seed: The seed from which everything is drawn.
        now: The time in seconds.
        loops: The processes that are run, in the order of their start.
        counts: How often things have happened, by name.
        trace: What happened, one line each.
    """

    def __init__(
        self, seed: int, *, keep_trace: bool = False, strike: Strike | None = None
    ) -> None:
        self.seed = seed
        self.now = 0.0
        self.loops: list[SimulatedLoop] = []
        self.counts: Counter[str] = Counter()
        self.trace: list[str] = []
        self.violations: list[str] = []
        self._troubles: list[tuple[float, float]] = []
        self.on_cut: Callable[[], None] = lambda: None
        self._strike = strike
        self._keep_trace = keep_trace
        self._digest = hashlib.blake2b(digest_size=16)
        self._events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._numbers = count()
        self._streams: dict[str, random.Random] = {}
        self._order = self.stream("order of processes")

    def stream(self, name: str) -> random.Random:
        """Returns the seed's generator of that name."""
        if name not in self._streams:
            self._streams[name] = random.Random(f"{self.seed} {name}")
        return self._streams[name]

    def time(self) -> float:
        """Returns the time in seconds."""
        return self.now

    # --- the trace ---

    def note(self, text: str) -> None:
        """Adds a line to the trace. All of it counts for the digest."""
        self._digest.update(f"{self.now:.6f} {text}\n".encode())
        if self._keep_trace:
            self.trace.append(f"{self.now:10.3f}  {text}")

    @property
    def keeps_trace(self) -> bool:
        """Whether lines are kept, not only digested."""
        return self._keep_trace

    @property
    def digest(self) -> str:
        """The digest of all that has happened."""
        return self._digest.hexdigest()

    def violate(self, text: str) -> None:
        """Notes that an invariant doesn't hold."""
        self.note(f"VIOLATION: {text}")
        self.violations.append(f"{self.now:.3f} s: {text}")

    def note_trouble(self) -> None:
        """Remembers that a disk, a process or a connection between workers doesn't work now."""
        if self._troubles and self._troubles[-1][1] >= self.now:
            self._troubles[-1] = (self._troubles[-1][0], self.now + AFTERMATH)
        else:
            self._troubles.append((self.now, self.now + AFTERMATH))

    def was_troubled(self, begin: float, end: float) -> bool:
        """Whether something of that kind didn't work between two moments, or had just begun to work again."""
        return any(first <= end and begin <= last for first, last in self._troubles)

    def reach(self, kind: str) -> str | None:
        """Counts a point at which something can fail; returns how it fails, if this is the one that does.

        Raises:
            SystemExit: The process dies here.
        """
        name = f"points: {kind}"
        self.counts[name] += 1
        strike = self._strike
        if strike is None or strike.kind != kind or strike.number != self.counts[name]:
            return None
        self.note(f"strike: {strike}")
        self.note_trouble()
        if strike.way == "crash" and kind != "append":
            die()
        if strike.way == "cut" and kind == "lock":
            self.on_cut()
        return strike.way

    # --- time ---

    def after(self, delay: float, function: Callable[..., None], *args: Any) -> None:
        """Calls a function later, outside of all processes."""
        item = (self.now + delay, next(self._numbers), function, args)
        heapq.heappush(self._events, item)

    def run(self, until: float, *, stop: Callable[[], bool] | None = None) -> None:
        """Runs the world until a moment, or until something holds, or until an invariant doesn't."""
        steps = 0
        while not self.violations and not (stop is not None and stop()):
            ready, soonest = self._find_ready()
            if ready:
                steps += 1
                if steps > MAX_STEPS:
                    raise Livelock(f"{ready[0].name} does something for ever at {self.now:.3f} s")
                loop = ready[0] if len(ready) == 1 else self._order.choice(ready)
                loop.step()
                self._collect_failures(loop)
                continue
            if self._events and (soonest is None or self._events[0][0] <= soonest):
                when, _, function, args = self._events[0]
                if when > until:
                    break
                heapq.heappop(self._events)
                if when > self.now:
                    self.now, steps = when, 0
                function(*args)
                continue
            if soonest is None or soonest > until:
                break
            self.now, steps = soonest, 0
        if not self.violations and not (stop is not None and stop()):
            self.now = max(self.now, until)

    def _find_ready(self) -> tuple[list[SimulatedLoop], float | None]:
        ready: list[SimulatedLoop] = []
        soonest: float | None = None
        now = self.now
        for loop in self.loops:
            when = loop.next_time()
            if when is None:
                continue
            if when <= now:
                ready.append(loop)
            elif soonest is None or when < soonest:
                soonest = when
        return ready, soonest

    def _collect_failures(self, loop: SimulatedLoop) -> None:
        for context in loop.failures:
            self.violate(f"{loop.name}: {context.get('message')}: {context.get('exception')!r}")
        loop.failures.clear()
