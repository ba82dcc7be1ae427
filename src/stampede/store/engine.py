"""Database addresses, engines, and schema migration."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol
from urllib.parse import parse_qsl

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.url import URL
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from stampede.core.errors import InputError
from stampede.store.asyncpg_connection import CONNECTION_TIMEOUT
from stampede.store.errors import OldSchema, UnknownSchema
from stampede.store.files.side_files import SideFiles, reading_mode, side_files
from stampede.store.log.sqlite import NO_CHECKPOINT, PRAGMAS
from stampede.store.transactions import count_write

__all__ = [
    "close_engine",
    "database_url",
    "expect_schema",
    "make_engine",
    "make_reading_engine",
    "migrate",
    "prepare_sqlite",
    "sqlite_path",
]

log = logging.getLogger("stampede.store")

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
    engine = create_async_engine(
        url,
        connect_args={"timeout": 10},
        hide_parameters=True,
        execution_options={"side_files": SideFiles(path)},
    )
    prepare_sqlite(engine)
    return engine


def prepare_sqlite(engine: AsyncEngine) -> None:
    """Makes an engine's connections durable, and lets it begin transactions itself."""
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    event.listen(engine.sync_engine, "begin", _begin)


def make_reading_engine(url: URL) -> AsyncEngine:
    """Makes an engine that reads an existing database, and neither makes nor changes one."""
    path = sqlite_path(url)
    if path is None:
        return make_engine(url)
    if not path.is_file():
        raise InputError(f"{path}: expected a database, got no file")
    query = dict(parse_qsl(f"mode={reading_mode(path)}&uri=true"))
    address = url.set(database=path.absolute().as_uri(), query=query)
    engine = create_async_engine(address, connect_args={"timeout": 10}, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _leave_transactions)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _leave_transactions(connection: _DbapiConnection, _: object) -> None:
    connection.isolation_level = None


def _set_pragmas(connection: _DbapiConnection, _: object) -> None:
    connection.isolation_level = (
        None  # we begin transactions ourselves, also those that change the schema
    )
    cursor = connection.cursor()
    for pragma in (*PRAGMAS, NO_CHECKPOINT):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


async def close_engine(
    engine: AsyncEngine, before: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Closes an engine. In SQLite the file is complete then, and its mark says so.

    Args:
        engine: The engine.
        before: Closes other connections to the same database.
    """
    side = side_files(engine)
    async with AsyncExitStack() as stack:
        if side is not None:
            finishing = side.finishing()
            await asyncio.to_thread(finishing.__enter__)
            stack.push_async_callback(asyncio.to_thread, finishing.__exit__, None, None, None)
        if before is not None:
            await before()
        try:
            async with asyncio.timeout(CONNECTION_TIMEOUT):
                await engine.dispose()
        except TimeoutError:  # closing a connection waits for the database's answer
            log.warning("the database didn't answer while closing: dropped its connections")


async def migrate(engine: AsyncEngine) -> None:
    """Migrates the schema to the latest version.

    Raises:
        UnknownSchema: A newer version of Stampede has made the database.
    """
    async with engine.execution_options(writes=True).begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(
                text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK}
            )
        changed, number = await connection.run_sync(_upgrade), 0
        side = side_files(engine)
        if side is not None and changed:
            number = await count_write(connection)
    if side is not None:
        await asyncio.to_thread(side.note, writes=number)


def _upgrade(connection: Connection) -> bool:
    """Migrates; returns whether there was something to do."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    head, found = _schemas(connection, config)
    command.upgrade(config, "head")
    return found != head


def expect_schema(connection: Connection) -> None:
    """Raises UnknownSchema if a database has another schema than this version, older or newer."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    head, found = _schemas(connection, config)
    if found != head:
        raise OldSchema(
            f"expected a database of schema {head}, got {found or 'an empty one'}:"
            " `stampede db migrate` brings it up to date"
        )


def _schemas(connection: Connection, config: Config) -> tuple[str | None, str | None]:
    """Returns the version of the schema here and in a database."""
    scripts = ScriptDirectory.from_config(config)
    head = scripts.get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise UnknownSchema(
            f"expected a database of schema {head} or older, got {found}:"
            " a newer version of Stampede has made it, and only that one can use it"
        )
    return head, found
