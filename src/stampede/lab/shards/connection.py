"""Connections to a Ray cluster, each in a process of its own.

That process is a child of the one that wants something of the cluster: when a cluster goes away, Ray may end the
processes that use it without an error that could be caught.
"""

from __future__ import annotations

import os
import signal
import socket
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from stampede.core.errors import InputError, JobStopped, StampedeError
from stampede.core.extras import require
from stampede.core.processes import stop_with_parent

__all__ = ["LOCAL", "ClusterGone", "RayProcess", "connected_ray", "remote_task"]

LOCAL: Final = "local"
_PROBE_SECONDS: Final = 10.0
_STARTS: Final = 3
"""How often a local cluster may fail to start: Ray gives up after half a minute, which a busy machine may need."""


class ClusterGone(JobStopped):
    """The cluster doesn't exist any more."""


class RayProcess:
    """A process that is connected to a cluster, and the line to it.

    Args:
        address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
        jobs: How many processors a local cluster has; None for all.
        work: What the process does: ``work(ray, line, *more)``; it is found by its name.
        more: Its further arguments.
    """

    def __init__(
        self, address: str, jobs: int | None, work: Callable[..., None], *more: object
    ) -> None:
        require("ray")
        context = get_context("spawn")
        self._address = address
        self._line, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, address, jobs, work, more), daemon=True
        )
        self._process.start()
        theirs.close()  # so that the death of the process ends the line

    def send(self, value: object) -> None:
        """Sends the process something.

        Raises:
            JobStopped: The cluster has gone away.
        """
        try:
            self._line.send(value)
        except OSError as error:
            raise self._gone() from error

    def receive(self) -> Any:
        """Returns what the process says next.

        Raises:
            InputError: There is no such cluster.
            JobStopped: The cluster has gone away, or the work can't go on.
        """
        try:
            told = self._line.recv()
        except (EOFError, OSError) as error:
            raise self._gone() from error
        if isinstance(told, ClusterGone):
            raise self._gone()
        if isinstance(told, StampedeError):
            raise told
        return told

    def close(self) -> None:
        """Ends the process, and a cluster that was started for it."""
        self._process.kill()
        self._process.join()
        self._line.close()

    def _gone(self) -> JobStopped:
        return JobStopped(f"the Ray cluster at {self._address} went away")


def _serve(
    line: Connection,
    address: str,
    jobs: int | None,
    work: Callable[..., None],
    more: tuple[object, ...],
) -> None:
    """The child: connects, works, and says why it can't."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    stop_with_parent()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # Ray tells there how it dies
    try:
        with connected_ray(address, jobs) as ray:
            work(ray, line, *more)
    except StampedeError as error:
        line.send(error)
    except OSError as error:
        told = f"{error.filename}: " if error.filename else ""
        line.send(JobStopped(f"{told}{error.strerror or error}"))
    except Exception:  # noqa: BLE001 - the parent shows it
        line.send(JobStopped(f"Ray failed: {traceback.format_exc()[-2000:]}"))


@contextmanager
def connected_ray(address: str = LOCAL, jobs: int | None = None) -> Iterator[ModuleType]:
    """Yields Ray, connected to a cluster until the context ends.

    Args:
        address: ``host:port`` or ``auto`` for a running cluster, or ``local`` to start one on this machine.
        jobs: How many processors a local cluster has; default: all.

    Raises:
        InputError: There is no such cluster.
        JobStopped: This machine is too busy to start one.
    """
    require("ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = import_module("ray")  # an extra, and slow to load

    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options |= {"address": LOCAL, "num_cpus": jobs, "include_dashboard": False}
    else:
        options |= {"address": address}
    try:
        _probe(address)
        _start(ray, options, _STARTS if address == LOCAL else 1)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        what = " ".join(str(error).split())[:200]
        raise InputError(f"--ray: expected a cluster at {address}, but {what}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _start(ray: ModuleType, options: Mapping[str, Any], starts: int) -> None:
    """Connects, or starts a cluster here; JobStopped if it hasn't come up after so many starts."""
    for left in reversed(range(starts)):
        try:
            ray.init(**options)
        except Exception as error:
            # What Ray raises when a process of its own doesn't come up in time has no type of its own.
            if type(error) is not Exception:
                raise
            ray.shutdown()
            if not left:
                what = " ".join(str(error).split())[:200]
                raise JobStopped(f"Ray didn't start: {what}") from error
        else:
            return


def remote_task(ray: ModuleType, function: Callable[..., Any]) -> Any:
    """Returns a function as a task of one processor, which a lost worker ends for good: its caller asks again."""
    environment = {"env_vars": {"NUMBA_NUM_THREADS": "1"}}
    return ray.remote(max_retries=0, num_cpus=1, runtime_env=environment)(function)


def _probe(address: str) -> None:
    """Asks whether a machine listens at ``host:port``; ConnectionError at once, where Ray asks for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), _PROBE_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise ConnectionError(f"it doesn't answer: {error}") from error
