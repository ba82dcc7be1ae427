"""A simulated worker: the real application under the real uvicorn server, in a process that can stop and die."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

import uvicorn
from fastapi.routing import APIRoute, _IncludedRouter
from starlette.routing import BaseRoute

from simulation.clock import WallClock
from simulation.disk import Disk
from simulation.loop import SimulatedLoop
from simulation.network import Network, SocketAddress
from simulation.postgres import DatabaseServer
from simulation.world import World
from stampede.server.app import create_app
from stampede.server.run import make_config
from stampede.server.runtime import HashingCost, Runtime
from stampede.server.services import Services
from stampede.server.settings import ServerSettings

__all__ = ["OrderedSet", "Worker", "shared_handlers"]


_CONTEXTS: Final[dict[tuple[int, str], Any]] = {}
"""FastAPI's handlers by route and path. They depend on nothing else, and making them takes half a second an app."""


@contextmanager
def shared_handlers() -> Iterator[None]:
    """Lets all applications share FastAPI's handlers."""
    build = _IncludedRouter._build_effective_context

    def build_once(self: _IncludedRouter, route: BaseRoute) -> Any:
        if not isinstance(route, APIRoute):
            return build(self, route)
        key = (id(route), self.include_context.path_for(route))
        if key not in _CONTEXTS:
            _CONTEXTS[key] = build(self, route)
        return _CONTEXTS[key]

    with patch.object(_IncludedRouter, "_build_effective_context", build_once):
        yield


class OrderedSet(dict[Any, None]):
    """Takes the place of uvicorn's sets of connections and tasks, whose order would change from run to run."""

    def add(self, item: object) -> None:
        """Adds an item."""
        self[item] = None

    def discard(self, item: object) -> None:
        """Removes an item, if it is there."""
        self.pop(item, None)

    def remove(self, item: object) -> None:
        """Removes an item."""
        del self[item]


class Worker:
    """One worker of the server, over all its restarts.

    Attributes:
        name: Its name.
        clock: Its machine's wall clock.
        loop: The running process; None while there is none.
        stopped: Whether the process is stopped (SIGSTOP).
    """

    def __init__(
        self,
        world: World,
        number: int,
        settings: ServerSettings,
        *,
        network: Network,
        disk: Disk,
        cluster: DatabaseServer | None,
        clock: WallClock,
    ) -> None:
        self.world = world
        self.name = f"worker {number}"
        self.clock = clock
        self.loop: SimulatedLoop | None = None
        self.stopped = False
        self.starts = 0
        self._settings = settings
        self._network = network
        self._disk = disk
        self._cluster = cluster
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None
        self._app: Any = None
        self._buried: list[tuple[SimulatedLoop, list[asyncio.Task[Any]], object]] = []
        self._rng = world.stream(f"{self.name} delays")
        self._entropy = world.stream(f"{self.name} entropy")

    @property
    def is_up(self) -> bool:
        """Whether its process serves: it is started, and runs."""
        return (
            self.loop is not None
            and not self.stopped
            and self._server is not None
            and self._server.started
        )

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self.loop is not None

    @property
    def services(self) -> Services | None:
        """The running parts of its server; None before and after."""
        if self.loop is None or self._app is None:
            return None
        found: Services | None = getattr(self._app.state, "services", None)
        return found

    def start(self) -> None:
        """Starts a process."""
        assert self.loop is None, "one process at a time"
        self.starts += 1
        self.world.note(f"{self.name} starts")
        world = self.world
        order = world.stream(f"{self.name} order")
        loop = SimulatedLoop(self.name, world.time, order, self._draw_delay, self._network)
        booted = self._entropy.uniform(
            0.0, 1e6
        )  # each machine counts its seconds from another moment
        loop.put_off = order.choice((0.0, 0.1, 0.3))
        more: dict[str, Any] = {}
        if self._cluster is not None:
            cluster = self._cluster
            more = {"shared": True, "connect": lambda _: cluster.connect(loop)}
        runtime = Runtime(
            wall=self.clock,
            monotonic=lambda: world.now + booted,
            entropy=self._entropy.randbytes,
            hashing=HashingCost(1, 8),
            backends=self._disk.backends(loop, **more),
        )
        self.loop = loop
        world.loops.append(loop)
        loop.run_now(self._launch, runtime)

    def _launch(self, runtime: Runtime) -> None:
        assert self.loop is not None
        self._app = create_app(self._settings, runtime)
        config = make_config(self._settings, self._app, None)
        config.date_header = False  # it would show the machine's own time
        self._server = uvicorn.Server(config)
        state: Any = self._server.server_state
        state.connections, state.tasks = OrderedSet(), OrderedSet()
        sockets: Any = [SocketAddress(80)]
        self._task = self.loop.create_task(self._server._serve(sockets))

    def _draw_delay(self) -> float:
        rng: random.Random = self._rng
        return self._disk.slow * (0.0005 + 0.003 * rng.random())

    @property
    def has_ended(self) -> bool:
        """Whether its process has come to its end, or there is none."""
        return self.has_died or self.loop is None or self._task is None or self._task.done()

    @property
    def has_died(self) -> bool:
        """Whether its process has ended on the spot."""
        return self.loop is not None and self.loop.exit_code is not None

    @property
    def max_tables(self) -> int:
        """How many tables it may hold in memory."""
        return self._settings.max_tables

    def abandon(self, *, silently: bool = False) -> None:
        """Ends the process without a word, and without anything happening to the disk."""
        if self.loop is not None:
            self._network.kill(self.loop, silently=silently)
            if self._cluster is not None:
                self._cluster.forget_process(self.loop, 0.0)
            self._bury(disconnect=False)

    def check_exit(self) -> bool:
        """Buries a process that has ended by itself; returns whether it has."""
        if self.loop is None or self.stopped:
            return False
        ended = self._task is not None and self._task.done()
        if self.loop.exit_code is None and not ended:
            return False
        self.world.note(f"{self.name} ends with {self.loop.exit_code}")
        self._network.kill(self.loop, silently=False)
        if self._cluster is not None:
            self._cluster.forget_process(self.loop, 0.0)
        self._bury()
        return True

    def ask_to_stop(self) -> None:
        """Asks the process to stop (SIGTERM)."""
        if self._server is not None and self.loop is not None:
            self.world.note(f"{self.name} is asked to stop")
            self._server.should_exit = True

    def freeze(self) -> None:
        """Stops the process (SIGSTOP): it keeps everything and does nothing."""
        if self.loop is not None and not self.stopped:
            self.world.note(f"{self.name} is frozen")
            self.stopped = True
            self.world.loops.remove(self.loop)

    def thaw(self) -> None:
        """Lets a stopped process go on (SIGCONT)."""
        if self.loop is not None and self.stopped:
            self.world.note(f"{self.name} goes on")
            self.stopped = False
            self.world.loops.append(self.loop)

    def kill(self, *, silently: bool = False, patience: float = 2.0) -> None:
        """Kills the process without a warning (SIGKILL).

        Args:
            silently: Whether its machine vanishes, so that peers are never told.
            patience: Seconds after which the database server notices.
        """
        if self.loop is None:
            return
        self.world.note(f"{self.name} is killed")
        self._network.kill(self.loop, silently=silently)
        if self._cluster is not None:
            self._cluster.forget_process(self.loop, patience)
        self._bury()

    def _bury(self, *, disconnect: bool = True) -> None:
        """Takes the process off the world. Its objects are kept, so that no destructor runs at a random moment."""
        assert self.loop is not None
        tasks = list(asyncio.all_tasks(self.loop))
        if disconnect:
            self._disk.kill(self.loop)
        if self.loop in self.world.loops:
            self.world.loops.remove(self.loop)
        self._buried.append((self.loop, tasks, (self._server, self._app)))
        self.loop = self._server = self._task = self._app = None
        self.stopped = False

    def tasks(self) -> list[asyncio.Task[Any]]:
        """Returns the tasks of the running process."""
        return [] if self.loop is None else list(asyncio.all_tasks(self.loop))

    def dispose(self) -> None:
        """Closes the loops of all its processes."""
        for loop, tasks, _ in self._buried:
            loop.abandon(tasks)
        self._buried.clear()
