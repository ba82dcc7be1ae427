"""How a store reaches its database. The defaults are SQLAlchemy's engines, our log writers, and asyncpg."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.engine.url import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.asyncpg_connection import AsyncpgConnection, connect
from stampede.store.engine import make_engine, sqlite_path
from stampede.store.files.lock import ServerLock
from stampede.store.files.side_files import side_files
from stampede.store.log.group_commit import LogBackend
from stampede.store.log.postgres import PostgresLog
from stampede.store.log.sqlite import SqliteLog

__all__ = ["STANDARD", "Backends", "make_log"]


def make_log(url: URL, engine: AsyncEngine, busy: float) -> LogBackend:
    """Makes the log writer that fits a database.

    Args:
        url: The database.
        engine: Its engine.
        busy: Seconds for which SQLite itself waits for a lock.
    """
    path = sqlite_path(url)
    return (
        PostgresLog(engine) if path is None else SqliteLog(path, busy=busy, side=side_files(engine))
    )


@dataclass(frozen=True, slots=True)
class Backends:
    """The ways to a database.

    Attributes:
        make_engine: Makes the engine for everything but the log's hot path.
        make_log: Makes the log's writer.
        connect: Opens a connection of its own to PostgreSQL, for the channel between workers.
        make_lock: Keeps other servers out of a SQLite file.
        shared: Whether other processes may write to the same log; None: PostgreSQL allows it, SQLite doesn't.
    """

    make_engine: Callable[[URL], AsyncEngine] = make_engine
    make_log: Callable[[URL, AsyncEngine, float], LogBackend] = make_log
    connect: Callable[[AsyncEngine], Awaitable[AsyncpgConnection]] = connect
    make_lock: Callable[[Path], ServerLock] = ServerLock
    shared: bool | None = None


STANDARD: Final = Backends()
