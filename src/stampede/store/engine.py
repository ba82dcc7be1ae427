"""Database addresses, engines, and schema migration."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.url import URL
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from stampede.core.errors import InputError
from stampede.store.log.sqlite import PRAGMAS

__all__ = ["database_url", "make_engine", "migrate", "sqlite_path"]

DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
MIGRATIONS = Path(__file__).with_name("migrations")
MIGRATION_LOCK = 0x57A3_9EDE
"""The PostgreSQL advisory lock that lets one process at a time change the schema."""


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...


class _DbapiConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> _Cursor: ...


def database_url(text: str) -> URL:
    """Parses ``sqlite:///file.db`` or ``postgresql://…`` and sets our driver."""
    try:
        url = make_url(text)
    except ArgumentError as error:
        raise InputError(
            "database: expected sqlite:///PATH or postgresql://…, got another text"
        ) from error
    kind = url.drivername.split("+")[0]
    if kind not in DRIVERS:
        raise InputError(f"database: expected sqlite or postgresql, got {kind!r}")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise InputError("database: expected the path of a SQLite file, got none")
    return url.set(drivername=DRIVERS[kind])


def sqlite_path(url: URL) -> Path | None:
    """Returns the file of a SQLite address; None for PostgreSQL."""
    if not url.drivername.startswith("sqlite"):
        return None
    return Path(url.database or "")


def make_engine(url: URL) -> AsyncEngine:
    """Makes the engine for everything but the log's hot path."""
    path = sqlite_path(url)
    if path is None:
        return create_async_engine(
            url, pool_pre_ping=True, pool_size=5, max_overflow=5, hide_parameters=True
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url, connect_args={"timeout": 10}, hide_parameters=True)

    event.listen(engine.sync_engine, "connect", _set_pragmas)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _set_pragmas(connection: _DbapiConnection, _: object) -> None:
    connection.isolation_level = (
        None  # we begin transactions ourselves, also those that change the schema
    )
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


async def migrate(engine: AsyncEngine) -> None:
    """Migrates the schema to the latest version."""
    async with engine.execution_options(writes=True).begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(
                text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK}
            )
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
