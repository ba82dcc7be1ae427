"""One run: the ceilings, a server, the crowd, the report."""

from __future__ import annotations

import asyncio
import os
import platform
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from benches.load.ceilings import echo_rate, group_commit_rate, loop_seconds
from benches.load.peer import Comparison, PeerCrowd, Rival, install, serving_peer
from benches.load.phases import gather
from benches.load.process import Running, pin, pinning, serving
from benches.load.report import Report
from stampede.core.json import JsonObject

__all__ = ["Plan", "compare", "run"]

Result = TypeVar("Result")

WARM: Final = 3.0
"""Seconds of play before anything is measured."""
ROUNDS: Final = 5
"""How often servers take turns when they are compared."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured.

    Attributes:
        game: What is played.
        sockets: How many there are.
        tables: How many busy tables, two sockets each.
        audience: How many of the other sockets look on at the busy tables; the rest sit at quiet ones.
        seconds: How long each phase is.
        steady: Actions a second of the steady phase.
        database: Where the server keeps its log; a new SQLite file if empty.
        workers: How many worker processes serve.
        server_core: Where the server runs, and what is bare.
        client_core: Where the client runs.
    """

    game: str = "buffalo"
    sockets: int = 2000
    tables: int = 200
    audience: int = 0
    seconds: float = 10.0
    steady: float = 2000.0
    database: str = ""
    workers: int = 1
    server_core: int = 1
    client_core: int = 0


def run(plan: Plan, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Measures, and says by `tell` what is being done."""
    report = Report(_conditions(plan))
    with _pinned(plan) as pinned, tempfile.TemporaryDirectory(prefix="stampede-load-") as folder:
        report.conditions = {**report.conditions, "pinned": pinned}
        _run_async(_run(plan, Path(folder), report, tell))
    return report


def compare(plan: Plan, tell: Callable[[str], None] = lambda _: None) -> Comparison:
    """Measures our server and boardgame.io one after the other: as many matches, two clients each."""
    with _pinned(plan), tempfile.TemporaryDirectory(prefix="stampede-load-") as folder:
        tell("fetching boardgame.io")
        node = install()
        return _run_async(_compare(plan, Path(folder), node, tell))


def _conditions(plan: Plan) -> JsonObject:
    return {
        **asdict(plan),
        "database": plan.database.partition(":")[0] or "sqlite",
        "python": platform.python_version(),
    }


@contextmanager
def _pinned(plan: Plan) -> Iterator[bool]:
    """Keeps this process on the client's core meanwhile."""
    before = pinning()
    pinned = pin(plan.client_core)
    try:
        yield pinned
    finally:
        if pinned:
            os.sched_setaffinity(0, before)


def _run_async(work: Coroutine[Any, Any, Result]) -> Result:
    loop_of: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):
        import uvloop

        loop_of = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=loop_of) as runner:
        return runner.run(work)


async def _compare(plan: Plan, folder: Path, node: str, tell: Callable[[str], None]) -> Comparison:
    """All servers are there all the time, and take turns on the core, so that other work slows all of them alike."""
    ours, memory, flat = (
        Rival("Stampede, SQLite"),
        Rival("boardgame.io, memory"),
        Rival("boardgame.io, FlatFile"),
    )
    with (
        _ours(plan, folder) as server,
        serving_peer(node, "memory", plan.server_core) as in_memory,
        serving_peer(node, str(folder / "flat"), plan.server_core) as in_files,
    ):
        tell("people come in")
        crowd = await gather(server, plan.game, plan.tables, 2 * plan.tables)
        peers = {
            memory.name: (memory, await PeerCrowd.gather(in_memory, plan.tables)),
            flat.name: (flat, await PeerCrowd.gather(in_files, plan.tables)),
        }
        await crowd.rush(min(WARM, plan.seconds))
        for name, (_, others) in peers.items():
            await others.rush(Rival(name), min(WARM, plan.seconds))
        for number in range(ROUNDS):
            tell(f"round {number + 1} of {ROUNDS}")
            phase = await crowd.rush(plan.seconds / ROUNDS)
            tally, busy = phase.tally, phase.busy * phase.seconds
            ours.add(tally.acks, phase.seconds, busy, tally.votes)
            for rival, others in peers.values():
                await others.rush(rival, plan.seconds / ROUNDS)
        await crowd.leave()
    return Comparison(ours, (ours, memory, flat))


@contextmanager
def _ours(plan: Plan, folder: Path) -> Iterator[Running]:
    """Our own server, with limits that this many sockets of one address need."""
    environment = {
        "STAMPEDE_DATABASE_URL": plan.database or f"sqlite:///{folder / 'tables.db'}",
        "STAMPEDE_RATE": "1e6",
        "STAMPEDE_BURST": "1000000",
        "STAMPEDE_MAX_SOCKETS": str(plan.sockets + 100),
        "STAMPEDE_MAX_SOCKETS_PER_ADDRESS": str(plan.sockets + 100),
        "STAMPEDE_MAX_TABLES_PER_ADDRESS": "100000",
        "STAMPEDE_MAX_TABLES_PER_GUEST": "100000",
        "STAMPEDE_MAX_TABLES_IN_USE_PER_GUEST": "100000",
        "STAMPEDE_MAX_SOCKETS_PER_GUEST": str(plan.sockets + 100),
    }
    command = ["-m", "stampede.cli", "serve", "--port", "0", "--no-warmup"]
    if plan.workers > 1:
        command += ["--workers", str(plan.workers)]
    with serving(command, environment, plan.server_core) as server:
        yield server


async def _run(plan: Plan, folder: Path, report: Report, tell: Callable[[str], None]) -> None:
    tell("the bare log")
    bare = plan.database or f"sqlite:///{folder / 'bare.db'}"
    group = group_commit_rate(bare, plan.tables, min(5.0, plan.seconds), plan.server_core)
    tell("bare sockets")
    echo = await echo_rate(2 * plan.tables, min(5.0, plan.seconds), plan.server_core)
    with _ours(plan, folder) as server:
        tell("people come in")
        crowd = await gather(server, plan.game, plan.tables, plan.sockets, plan.audience)
        tell("everybody plays")
        await crowd.rush(min(WARM, plan.seconds))
        loop = loop_seconds(plan.server_core)
        rush = await crowd.rush(plan.seconds)
        tell("everybody strolls")
        stroll = await crowd.stroll(plan.seconds, plan.steady)
        await crowd.leave()
    report.add_rush(rush, group, echo)
    report.add("a fixed loop of plain Python on the server's core", 1000 * loop, "ms")
    report.add_stroll(stroll, plan.steady)
    report.add("memory a socket", crowd.memory / 1000, "kB", 60, at_most=True)
