"""Several processes behind one listening socket: starts them, replaces those that die, stops them all in order.

What waits to be accepted waits in the socket that all share, so that nothing is lost with a process.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Final

__all__ = ["Supervisor", "stop_with_parent"]

log = logging.getLogger("stampede.server")

LONGEST_LOOK: Final = 0.2
"""Seconds after which a signal is noticed at the latest."""
YOUNG: Final = 10.0
"""A worker that dies younger than this, in seconds, isn't replaced at once: it would only die again."""
LONGEST_DELAY: Final = 5.0
PATIENCE: Final = 15.0
"""Seconds that workers have to stop in order; then they are killed."""


@dataclass(slots=True)
class _Place:
    """Where a worker runs, one after the other."""

    process: SpawnProcess
    started: float
    delay: float = 0.0
    due: float | None = None
    """When to start the next one; None while one runs."""


@dataclass(slots=True)
class Supervisor:
    """Keeps a number of workers running until it is told to stop by SIGTERM or SIGINT.

    Attributes:
        work: What a worker does; it must be importable by a new process, arguments included.
        number: How many workers there are.
    """

    work: Callable[[], None]
    number: int
    _places: list[_Place] = field(default_factory=list)
    _stopping: bool = False

    def run(self) -> None:
        """Starts the workers; returns when all have stopped."""
        kept = {name: signal.signal(name, self._stop) for name in (signal.SIGTERM, signal.SIGINT)}
        try:
            self._places = [_Place(self._started(), time.monotonic()) for _ in range(self.number)]
            while not self._stopping:
                wait([place.process.sentinel for place in self._running()], LONGEST_LOOK)
                for place in self._places:
                    self._look_after(place)
            self._end()
        finally:
            for name, handler in kept.items():
                signal.signal(name, handler)

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

    def _started(self) -> SpawnProcess:
        process = multiprocessing.get_context("spawn").Process(target=self.work)
        process.start()
        return process

    def _running(self) -> list[_Place]:
        return [place for place in self._places if place.due is None]

    def _look_after(self, place: _Place) -> None:
        now = time.monotonic()
        if place.due is None and not place.process.is_alive():
            young = now - place.started < YOUNG
            log.warning("worker %d has died (%s)", place.process.pid, place.process.exitcode)
            place.delay = min(LONGEST_DELAY, 2 * place.delay + 0.1) if young else 0.0
            place.due = now + place.delay
        if place.due is not None and place.due <= now and not self._stopping:
            place.process = self._started()
            place.started = now
            place.due = None

    def _end(self) -> None:
        """Lets everybody finish what is under way."""
        running = [place.process for place in self._running()]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in running:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def stop_with_parent(seconds: float = 1.0) -> None:
    """In a worker: stops it when its supervisor was killed, as nobody else would."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
