"""Real servers for tests: in a thread, or as a process that can be killed."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path

import httpx
import uvicorn

from stampede.server.app import create_app
from stampede.server.http.web_client import BUILT
from stampede.server.run import bind_socket, make_config
from stampede.server.runtime import Runtime, wall_milliseconds
from stampede.server.settings import ServerSettings
from tests.waiting import PATIENCE, wait_until

UNHURRIED: dict[str, object] = {
    "rate": 1e6,
    "burst": 1_000_000,
    "request_timeout": 2 * PATIENCE,
    "heartbeat": 2 * PATIENCE,
    "write_timeout": PATIENCE,
    "max_tables_per_address": 10_000,
    "max_tables_per_guest": 10_000,
    "max_tables_in_use_per_guest": 10_000,
    "max_sockets_per_guest": 10_000,
}
"""Limits for tests that aren't about them: a machine with much else to do is slow, and that is nobody's fault."""


def settings_for(folder: Path, **changes: object) -> ServerSettings:
    """Settings for a test: a new file, a free port, and no limit on speed unless asked for."""
    usual: dict[str, object] = {"database_url": f"sqlite:///{folder / 'tables.db'}", "port": 0}
    return ServerSettings.model_validate({**usual, **UNHURRIED, **changes})


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port that nobody else is given meanwhile, neither another test nor an outgoing connection of anybody.

    It is bound here without listening; a server that is told to reuse addresses, as ours are, may listen on it. Linux
    allows that; elsewhere the port is only likely to stay free.
    """
    with socket.socket() as placeholder:
        placeholder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        placeholder.bind(("127.0.0.1", 0))
        port: int = placeholder.getsockname()[1]
        if sys.platform != "linux":
            placeholder.close()
        yield port


@contextmanager
def running(
    settings: ServerSettings,
    now: Callable[[], int] = wall_milliseconds,
    entropy: Callable[[int], bytes] = os.urandom,
    send_buffer: int | None = None,
    client: Path = BUILT,
    monotonic: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """Runs a server in a thread, on a real socket; yields its address."""
    listener = bind_socket(settings)
    if send_buffer is not None:  # inherited by every connection
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    runtime = Runtime(wall=now, monotonic=monotonic, entropy=entropy)
    config = make_config(settings, create_app(settings, runtime, client), None)
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        wait_until("the server has started", lambda: server.started or not thread.is_alive())
        assert server.started, "the server didn't start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"the server doesn't stop:\n{_under_way(server)}"


def _under_way(server: uvicorn.Server) -> str:
    """What the tasks of a server wait for."""
    told = StringIO()
    for loop in {listening.get_loop() for listening in server.servers}:
        for task in asyncio.all_tasks(loop):
            task.print_stack(file=told)
    return told.getvalue()


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
            **{f"STAMPEDE_{name.upper()}": str(value) for name, value in UNHURRIED.items()},
            **(environment or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._reserved = ExitStack()  # as long as the test: it is to come back at the same address
        self._port = self._reserved.enter_context(reserved_port())
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
        told = f"http://localhost:{self._port}/".encode()
        wait_until("the server is open", lambda: told in self._said(begin), self._last_words)
        self.starts += 1
        wait_until("the server answers", self._answers, self._last_words)

    def _said(self, begin: int) -> bytes:
        assert self._process is not None
        ended = self._process.poll() is not None
        said = self.log.read_bytes()[begin:]
        assert not ended, f"the server didn't start: {self._last_words()}"
        return said

    def _answers(self) -> bool:
        try:
            httpx.get(f"{self.base}/healthz", timeout=PATIENCE)
        except httpx.TransportError:
            return False
        return True

    def _last_words(self) -> str:
        return self.log.read_bytes()[-2000:].decode(errors="replace")

    @property
    def pid(self) -> int:
        """The process's id."""
        assert self._process is not None
        return self._process.pid

    @property
    def workers(self) -> list[int]:
        """The ids of all processes that have served so far, in the order of their start."""
        said = self.log.read_bytes().decode(errors="replace")
        told = re.findall(r"Started server process \[(\d+)\]", said)
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
        return self._process.wait(PATIENCE)
