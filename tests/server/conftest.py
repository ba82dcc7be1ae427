"""A server that the tests of a file share, its guests, and PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.people import browsers
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


@pytest.fixture(scope="session")
def compiled() -> None:
    """What analysis is compiled from: on a new machine that takes longer than anybody should wait for an answer."""
    from stampede.search.buffalo.warmup import search_tasks  # noqa: PLC0415 - loads compiled code

    for task in search_tasks():
        if not task.is_done:
            task.run()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server's address, and the folder of its database."""
    folder = tmp_path_factory.mktemp("place")
    with running(settings_for(folder)) as address:
        yield address, folder


@pytest.fixture
def ann(place: tuple[str, Path]) -> Iterator[httpx.Client]:
    """A guest's browser."""
    with browsers(place[0], 1) as (client,):
        yield client


@pytest.fixture
def eve(place: tuple[str, Path]) -> Iterator[httpx.Client]:
    """Another guest's browser."""
    with browsers(place[0], 1) as (client,):
        yield client
