"""One run: a server with the limits that it ships with, ordinary people, and one attack after the other."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benches.hostile.attacks import ATTACKS
from benches.hostile.others import Noticed, Others
from benches.load.process import Running, pin, pinning, serving
from benches.load.report import quantile
from stampede.core.json import JsonObject

__all__ = ["ALL", "CALM", "HOSTILE", "MOST_MEMORY", "MOST_WAIT", "Attacked", "run"]

HOSTILE: Final = "127.0.0.2"
ALL: Final = "all at once"
CALM: Final = "nothing"
THINKING: Final = {"bots", "analysis", ALL}
"""Attacks that let the server think."""
WARM: Final = 3.0
MOST_MEMORY: Final = 100.0
"""Megabytes by which the server may grow."""
MOST_WAIT: Final = 100.0
"""Milliseconds that others may wait for an acknowledgement, in 99 % of all cases."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """What an attack came to.

    Attributes:
        name: The attack.
        grown: Megabytes by which the server's resident memory was at most over what it was before all attacks; for one
            that lets the server think, over what thinking had needed then.
        noticed: What the others noticed.
        outcomes: What the attacker noticed, by attack.
    """

    name: str
    grown: float
    noticed: Noticed
    outcomes: dict[str, dict[str, Any]]

    def to_json(self) -> JsonObject:
        """The result as JSON."""
        seen = self.noticed
        return {
            "attack": self.name,
            "memory_mb": round(self.grown, 1),
            "p50_ms": round(1000 * quantile(seen.acks, 0.5), 1),
            "p99_ms": round(seen.p99, 1),
            "request_p99_ms": round(1000 * quantile(seen.requests, 0.99), 1),
            "bot_p99_ms": round(1000 * quantile(seen.bots, 0.99), 1),
            "actions": len(seen.acks),
            "statuses": dict(seen.statuses),
            "faults": seen.faults[:5],
            "attacker": self.outcomes,
        }

    @property
    def misses(self) -> list[str]:
        """Which promises weren't kept."""
        missed = [f"others: {fault}" for fault in self.noticed.faults[:3]]
        if self.grown > MOST_MEMORY:
            missed.append(f"memory + {self.grown:.0f} MB")
        if self.noticed.p99 > MOST_WAIT:
            missed.append(f"p99 {self.noticed.p99:.0f} ms")
        return missed


def run(
    names: Iterable[str],
    seconds: float,
    *,
    server_core: int = 1,
    client_core: int = 0,
    until_resisted: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Attacked]:
    """Attacks one server in each of these ways, one after the other.

    Args:
        names: The attacks; `CALM` is none, for comparison.
        seconds: How long each takes.
        server_core: Where the server runs.
        client_core: Where all others run.
        until_resisted: Whether an attack ends as soon as the server does something about it.
        tell: Says what is being done.
    """
    before = pinning()
    pinned = pin(client_core)
    try:
        with tempfile.TemporaryDirectory(prefix="stampede-hostile-") as folder:
            work = _run(list(names), seconds, Path(folder), server_core, tell, until_resisted)
            return asyncio.run(work)
    finally:
        if pinned:
            os.sched_setaffinity(0, before)


async def _run(
    names: list[str],
    seconds: float,
    folder: Path,
    core: int,
    tell: Callable[[str], None],
    until_resisted: bool,  # noqa: FBT001 - handed on
) -> list[Attacked]:
    environment = {"STAMPEDE_DATABASE_URL": f"sqlite:///{folder / 'tables.db'}"}
    command = ["-m", "stampede.cli", "serve", "--port", "0", "--no-warmup"]
    with serving(command, environment, core) as server:
        thinks = bool(THINKING.intersection(names))
        others = await Others.gather(server, "buffalo-1" if thinks else "random")
        usual = MemoryWatch(server)
        watching = asyncio.create_task(usual.watch())
        if thinks:
            await others.load_engine()
        await others.go_on(_for(min(WARM, seconds)))
        watching.cancel()
        idle = resident(server)
        found = []
        for name in names:
            tell(name)
            start = usual.most if name in THINKING else idle
            found.append(await _attacked(server, others, name, seconds, start, until_resisted))
            await asyncio.sleep(1)
        return found


async def _attacked(
    server: Running,
    others: Others,
    name: str,
    seconds: float,
    start: float,
    until_resisted: bool,  # noqa: FBT001 - handed on
) -> Attacked:
    wanted = ",".join(ATTACKS) if name == ALL else name
    outcomes: dict[str, dict[str, Any]] = {}
    memory = MemoryWatch(server)
    watching = asyncio.create_task(memory.watch())
    if name == CALM:
        noticed = await others.go_on(_for(seconds))
    else:
        where = (server.host, str(server.port), HOSTILE, str(seconds))
        more = ("resisted",) if until_resisted else ()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benches.hostile.attacks", wanted, *where, *more),
            stdout=asyncio.subprocess.PIPE,
        )
        attacking = asyncio.create_task(process.communicate())
        noticed = await others.go_on(lambda: not attacking.done())
        told, _ = await attacking
        outcomes = json.loads(told)
    watching.cancel()
    return Attacked(name, max(0.0, memory.most - start), noticed, outcomes)


def _for(seconds: float) -> Callable[[], bool]:
    """Is true for so long."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


class MemoryWatch:
    """Looks at a server's memory again and again; `most` is the most it has seen, in megabytes."""

    def __init__(self, server: Running) -> None:
        self._server = server
        self.most = resident(server)

    async def watch(self) -> None:
        """Goes on until it is cancelled."""
        while True:
            self.most = max(self.most, resident(self._server))
            await asyncio.sleep(0.1)


def resident(server: Running) -> float:
    """The server's resident memory in megabytes."""
    pages = int(Path(f"/proc/{server.process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6
