"""A server for all browser tests, and a browser for each file of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from stampede.server.settings import ServerSettings
from tests.server.servers import ServerProcess
from tests.web.browsers import missing, running_chromium

HERE = Path(__file__).parent
LIMIT = 1200
"""Seconds for a test: more than it waits for any one thing, so that a failure tells what is missing."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives every browser test time: a whole game takes long where everything else is tested beside."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(LIMIT))


# For a file, not for the whole run: while it is there, no other test of the process can have an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A running Chromium."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    with running_chromium() as found:
        yield found


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """`stampede serve` as a process of its own: one for all browser tests, since its bots take a while to wake up."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    # Pages expect signs of life as often as the server usually gives them.
    heartbeat = {"STAMPEDE_HEARTBEAT": str(ServerSettings.model_fields["heartbeat"].default)}
    process = ServerProcess(tmp_path_factory.mktemp("server"), heartbeat)
    yield process
    process.stop()
