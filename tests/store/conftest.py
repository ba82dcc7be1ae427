"""Every test of the log runs on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.databases import PostgresServer, running_postgres, sqlite_address


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_address(tmp_path)
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()
