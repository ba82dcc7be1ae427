"""Processes on cores of their own: a server, and what the system says of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Running", "pin", "pinning", "serving"]

TICKS = os.sysconf("SC_CLK_TCK")


def pin(core: int, process: int = 0) -> bool:
    """Keeps a process (0: this one) and its threads on one core; False where there is no other one."""
    if not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2:
        return False
    try:
        os.sched_setaffinity(process, {core})
    except OSError:  # a container may have other cores, or fewer
        return False
    return True


def pinning() -> set[int]:
    """The cores on which this process may run."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves: where, and which one."""

    host: str
    port: int
    process: int

    def memory(self) -> int:
        """Bytes that are this process's alone, its workers' included."""
        texts = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in _family(self.process)]
        found = [re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.MULTILINE) for text in texts]
        return 1024 * sum(int(amount) for amounts in found for amount in amounts)

    def seconds(self) -> float:
        """Seconds of a core that it and its workers have used so far, the kernel's work for them included."""
        return sum(_seconds(one) for one in _family(self.process))

    def own_seconds(self) -> float:
        """The same of the process alone, without those that it has started."""
        return _seconds(self.process)


def _seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _family(process: int) -> list[int]:
    """A process and all that it has started."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for found in lists for child in found.read_text().split()]
    return [process, *(one for child in children for one in _family(child))]


@contextmanager
def serving(
    command: list[str],
    environment: Mapping[str, str],
    core: int | None = 1,
    program: str = sys.executable,
) -> Iterator[Running]:
    """Runs a server, which says its address in its first line, on a core of its own; None for all cores."""
    with subprocess.Popen(  # noqa: S603 - our own command
        [program, *command],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if core is not None:
            pin(core, process.pid)
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):(\d+)", line)
        try:
            if found is None:
                raise RuntimeError(f"expected a server that says its address, got {line!r}")
            running = Running("127.0.0.1", int(found[1]), process.pid)
            _wait(running, process)
            yield running
        finally:
            process.terminate()


def _wait(running: Running, process: subprocess.Popen[str], patience: float = 60.0) -> None:
    import socket as plain

    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and process.poll() is None:
        try:
            plain.create_connection((running.host, running.port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"expected an answer within {patience:g} s, got none")
