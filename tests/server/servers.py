"""Real servers for tests: in a thread, or as a process that can be killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn

from stampede.server.app import create_app
from stampede.server.client import BUILT
from stampede.server.run import bound_socket, make_config
from stampede.server.services import milliseconds
from stampede.server.settings import ServerSettings
from stampede.server.tokens import new_secret

WAIT = 120.0
"""Seconds; a machine with much else to do is slow, and that is no fault of the server."""


def settings_for(folder: Path, **changes: object) -> ServerSettings:
    """Settings for a test: a new file, a free port, and no limit on speed unless asked for."""
    usual: dict[str, object] = {
        "database_url": f"sqlite:///{folder / 'tables.db'}",
        "port": 0,
        "rate": 1e6,
        "burst": 1_000_000,
    }
    return ServerSettings.model_validate({**usual, **changes})


@contextmanager
def running(
    settings: ServerSettings,
    now: Callable[[], int] = milliseconds,
    entropy: Callable[[], str] = new_secret,
    send_buffer: int | None = None,
    client: Path = BUILT,
) -> Iterator[str]:
    """Runs a server in a thread, on a real socket; yields its address."""
    listener = bound_socket(settings)
    if send_buffer is not None:  # inherited by every connection
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    config = make_config(settings, create_app(settings, now, entropy, client), None)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        deadline = time.monotonic() + WAIT
        while not server.started:
            assert thread.is_alive(), "the server didn't start"
            assert time.monotonic() < deadline, "the server takes too long to start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


class ServerProcess:
    """`stampede serve` as a process of its own, which can be killed and started again at the same address."""

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *options: str,
        prefix: Sequence[str] = (),
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.log = folder / "server.log"
        self._options = options
        self._prefix = prefix
        self.starts = 0
        self._environment = {
            **os.environ,
            "STAMPEDE_DATABASE_URL": f"sqlite:///{folder / 'tables.db'}",
            "STAMPEDE_RATE": "1e6",
            "STAMPEDE_BURST": "1000000",
            **(environment or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0
        self.start()

    @property
    def base(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Starts the server, and waits until it answers."""
        command = [sys.executable, "-m", "stampede.cli", "serve", "--verbose", "--no-warmup"]
        begin = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*self._prefix, *command, *self._options, "--port", str(self._port)],
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._port = self._told_port(begin)
        self.starts += 1
        self._wait()

    def _told_port(self, begin: int) -> int:
        deadline = time.monotonic() + WAIT
        while time.monotonic() < deadline:
            told = self.log.read_bytes()[begin:].decode(errors="replace")
            found = re.search(r"http://localhost:(\d+)/", told)
            if found is not None:
                return int(found[1])
            time.sleep(0.02)
        raise AssertionError(f"the server didn't start; {self.log.read_text()[-2000:]}")

    def _wait(self) -> None:
        deadline = time.monotonic() + WAIT
        while time.monotonic() < deadline:
            try:
                httpx.get(f"{self.base}/healthz", timeout=1)
            except httpx.TransportError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError(f"the server doesn't answer; {self.log.read_text()[-2000:]}")

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self._process is not None
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The ids of all processes that have served so far, in the order of their start."""
        told = re.findall(r"Started server process \[(\d+)\]", self.log.read_text())
        return [int(number) for number in told]

    def kill(self) -> None:
        """Kills the process without a word of warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Asks the process to stop, and waits until it has; returns its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait()
