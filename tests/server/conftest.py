"""A server that the tests of a file share, and PostgreSQL."""

from collections.abc import Iterator

import pytest

from tests.server.servers import running, settings_for
from tests.store.databases import PostgresServer, running_postgres


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    with running(settings_for(tmp_path_factory.mktemp("server"))) as address:
        yield address


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A running PostgreSQL."""
    with running_postgres() as server:
        yield server
