"""A server for all browser tests, and a browser for each file of them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from stampede.server.settings import ServerSettings
from tests.server.servers import ServerProcess
from tests.web.browsers import missing, running_chromium


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
