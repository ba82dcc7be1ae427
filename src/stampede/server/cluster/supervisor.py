"""Runs several worker processes behind one listening socket: starts them, replaces dead ones, stops them all.

Connections wait in the shared socket to be accepted, so none is lost when a worker dies.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Final

__all__ = ["Supervisor"]

log = logging.getLogger("stampede.server")

POLL_SECONDS: Final = 0.2
"""Seconds between checks for signals."""
EARLY_DEATH: Final = 10.0
"""A worker that dies within so many seconds is replaced after a delay, as its successor may die, too."""
MAX_DELAY: Final = 5.0
STOP_TIMEOUT: Final = 15.0
"""Seconds for workers to stop; then they are killed."""


@dataclass(slots=True)
class _Slot:
    """One of the workers, and its successors."""

    process: SpawnProcess
    started: float
    delay: float = 0.0
    due: float | None = None
    """When to start the successor; None while a worker runs."""


@dataclass(slots=True)
class Supervisor:
    """Keeps a number of workers running until SIGTERM or SIGINT.

    Attributes:
        work: A worker's main function; it must be picklable, arguments included.
        number: How many workers there are.
    """

    work: Callable[[], None]
    number: int
    _slots: list[_Slot] = field(default_factory=list)
    _stopping: bool = False

    def run(self) -> None:
        """Starts the workers; returns when all have stopped."""
        kept = {name: signal.signal(name, self._stop) for name in (signal.SIGTERM, signal.SIGINT)}
        try:
            self._slots = [
                _Slot(self._start_worker(), time.monotonic()) for _ in range(self.number)
            ]
            while not self._stopping:
                wait([slot.process.sentinel for slot in self._running_slots()], POLL_SECONDS)
                for slot in self._slots:
                    self._replace_if_dead(slot)
            self._stop_workers()
        finally:
            for name, handler in kept.items():
                signal.signal(name, handler)

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

    def _start_worker(self) -> SpawnProcess:
        process = multiprocessing.get_context("spawn").Process(target=self.work)
        process.start()
        return process

    def _running_slots(self) -> list[_Slot]:
        return [slot for slot in self._slots if slot.due is None]

    def _replace_if_dead(self, slot: _Slot) -> None:
        now = time.monotonic()
        if slot.due is None and not slot.process.is_alive():
            early = now - slot.started < EARLY_DEATH
            log.warning("worker %d has died (%s)", slot.process.pid, slot.process.exitcode)
            slot.delay = min(MAX_DELAY, 2 * slot.delay + 0.1) if early else 0.0
            slot.due = now + slot.delay
        if slot.due is not None and slot.due <= now and not self._stopping:
            slot.process = self._start_worker()
            slot.started = now
            slot.due = None

    def _stop_workers(self) -> None:
        """Asks all workers to stop, and kills those that don't."""
        running = [slot.process for slot in self._running_slots()]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + STOP_TIMEOUT
        for process in running:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
