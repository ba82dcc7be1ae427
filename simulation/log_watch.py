"""Reads what the server logs: an error is a violation, unless it is what a broken database must lead to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from simulation.world import World
from stampede.store import StoreBusy, StoreFull, StoreUnavailable

__all__ = ["watched_logs"]

LOGGERS: Final = ("stampede", "uvicorn", "asyncio", "sqlalchemy")
EXCUSED: Final = (StoreUnavailable, StoreFull, StoreBusy, ConnectionError, TimeoutError)
"""What may be logged while a disk or a connection between workers fails. A damaged log is never excused."""
EXCUSED_TEXTS: Final = ("StoreUnavailable", "Application startup failed")


class _LogWatch(logging.Handler):
    """Takes every error that is logged for a violation, unless something is broken that explains it."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.WARNING)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        """Notes a line of the log."""
        text = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        self._world.note(f"log: {record.levelname} {text} {type(error).__name__}")
        if record.levelno >= logging.ERROR and not self._is_expected(text, error):
            self._world.violate(f"the log says: {text}: {error!r}")

    def _is_expected(self, text: str, error: BaseException | None) -> bool:
        if "graceful shutdown exceeded" in (text if error is None else str(error)):
            return error is None or isinstance(error, asyncio.CancelledError)
        if not self._world.was_troubled(self._world.now, self._world.now):
            return False
        if error is None:
            return any(excuse in text for excuse in EXCUSED_TEXTS)
        # SystemExit: uvicorn catches even that when a process dies inside a request.
        return isinstance(error, (*EXCUSED, SystemExit))


@contextmanager
def watched_logs(world: World) -> Iterator[None]:
    """Lets the world see what is logged, and nobody else."""
    watch = _LogWatch(world)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [watch], False
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)
