"""One run: the ceilings, a server, the crowd, the report."""

from __future__ import annotations

import asyncio
import os
import platform
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from benches.load.ceilings import echo_rate, group_commit_rate, loop_seconds
from benches.load.phases import gather
from benches.load.process import pin, pinning, serving
from benches.load.report import Report

__all__ = ["Plan", "run"]


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
    loop_of: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):
        import uvloop

        loop_of = uvloop.new_event_loop
    before = pinning()
    pinned = pin(plan.client_core)
    conditions = {
        **asdict(plan),
        "database": plan.database.partition(":")[0] or "sqlite",
        "python": platform.python_version(),
        "pinned": pinned,
    }
    with (
        tempfile.TemporaryDirectory(prefix="stampede-load-") as folder,
        asyncio.Runner(loop_factory=loop_of) as runner,
    ):
        report = Report(conditions)
        try:
            runner.run(_run(plan, Path(folder), report, tell))
        finally:
            if pinned:
                os.sched_setaffinity(0, before)
    return report


async def _run(plan: Plan, folder: Path, report: Report, tell: Callable[[str], None]) -> None:
    tell("the bare log")
    bare = plan.database or f"sqlite:///{folder / 'bare.db'}"
    group = group_commit_rate(bare, plan.tables, min(5.0, plan.seconds), plan.server_core)
    tell("bare sockets")
    echo = await echo_rate(2 * plan.tables, min(5.0, plan.seconds), plan.server_core)
    environment = {
        "STAMPEDE_DATABASE_URL": plan.database or f"sqlite:///{folder / 'tables.db'}",
        "STAMPEDE_RATE": "1e6",
        "STAMPEDE_BURST": "1000000",
        "STAMPEDE_MAX_SOCKETS": str(plan.sockets + 100),
        "STAMPEDE_MAX_SOCKETS_OF_ADDRESS": str(plan.sockets + 100),
    }
    command = ["-m", "stampede.cli", "serve", "--port", "0", "--no-warmup"]
    if plan.workers > 1:
        command += ["--workers", str(plan.workers)]
    with serving(command, environment, plan.server_core) as server:
        tell("people come in")
        crowd = await gather(server, plan.game, plan.tables, plan.sockets, plan.audience)
        tell("everybody plays")
        await crowd.rush(min(3.0, plan.seconds))  # warm
        loop = loop_seconds(plan.server_core)
        rush = await crowd.rush(plan.seconds)
        tell("everybody strolls")
        stroll = await crowd.stroll(plan.seconds, plan.steady)
        await crowd.leave()
    report.add_rush(rush, group, echo)
    report.add("a fixed loop of plain Python on the server's core", 1000 * loop, "ms")
    report.add_stroll(stroll, plan.steady)
    report.add("memory a socket", crowd.memory / 1000, "kB", 60, at_most=True)
