"""`stampede warmup`: compiles everything ahead of time, so that no game waits for it."""

from __future__ import annotations

import os
import time
from typing import Annotated, Final

import typer

from stampede.cli.common.compile import compile_all, progress
from stampede.core.extras import require

__all__ = ["app", "build_endgames", "build_tablebases"]

app = typer.Typer()

ENDGAMES: Final = "endgame/11/3/4"
"""What `--endgames` builds."""


@app.command("warmup")
def warmup_command(
    *,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
    tablebases: Annotated[
        bool,
        typer.Option(
            "--tablebases",
            "--tables",
            help="Build Buffalo's small tablebases, too: half a minute, 0.6 GB.",
        ),
    ] = False,
    endgames: Annotated[
        bool,
        typer.Option(
            "--endgames",
            help="Build its endgame tablebase, too: 4 minutes of one core, 2.9 GB on disk, 5 GB of memory meanwhile.",
        ),
    ] = False,
) -> None:
    """Compiles the kernels and the search, or checks that they are compiled. Needed once on a machine.

    Otherwise the first game against level 3 or above compiles what it needs and takes up to a minute to begin; lower
    levels need nothing. With --tablebases the engine, the analysis and level 10 of Buffalo know most endings exactly
    from then on; see docs/engine.md. With --endgames analysis, reviews, bots of the top level and games against a proof
    know which three buffaloes win; see docs/tablebases.md. Stop it at any time: the same command resumes.

    Examples:
    stampede warmup
    stampede warmup --tablebases
    """
    require("numpy", "numba")
    begin = time.perf_counter()
    with progress("Compiling", quiet=quiet) as show:
        compile_all(show)
    if not quiet:
        print(f"Everything is compiled: {time.perf_counter() - begin:.1f} s.")
    if tablebases:
        build_tablebases(quiet=quiet)
    if endgames:
        build_endgames(ENDGAMES, quiet=quiet)


def build_endgames(name: str, *, quiet: bool) -> None:
    """Builds an endgame tablebase, unless it is there."""
    from stampede.tablebase.build import BuildProgress  # noqa: PLC0415
    from stampede.tablebase.endgames.build import build_endgame  # noqa: PLC0415 - loads compiled code
    from stampede.tablebase.endgames.spec import EndgameSpec  # noqa: PLC0415
    from stampede.tablebase.tablebase import tablebase_folder  # noqa: PLC0415

    begin, folder = time.perf_counter(), tablebase_folder()
    with progress("Building", quiet=quiet) as show:

        def report(now: BuildProgress) -> None:
            show(now.done, now.states, name)

        path = build_endgame(
            EndgameSpec.parse(name), folder, cores=os.cpu_count() or 1, report=report
        )
    if not quiet:
        print(f"{path}: {time.perf_counter() - begin:.1f} s.")


def build_tablebases(*, quiet: bool) -> None:
    """Builds Buffalo's small tablebases, unless they are there or another process is at it."""
    from stampede.tablebase.build import BuildProgress  # noqa: PLC0415
    from stampede.tablebase.small import SMALL, build_small  # noqa: PLC0415 - loads compiled code
    from stampede.tablebase.spec import TablebaseSpec  # noqa: PLC0415
    from stampede.tablebase.tablebase import tablebase_folder  # noqa: PLC0415

    begin, folder = time.perf_counter(), tablebase_folder()
    with progress("Building", quiet=quiet) as show:

        def report(spec: TablebaseSpec, now: BuildProgress) -> None:
            done = SMALL.index(spec) * 1000 + round(1000 * now.done / now.states)
            show(done, 1000 * len(SMALL), str(spec))

        done = build_small(folder, cores=os.cpu_count() or 1, report=report)
    if quiet:
        return
    if done:
        print(f"{len(SMALL)} tablebases are in {folder}: {time.perf_counter() - begin:.1f} s.")
    else:
        print(f"Another process is building the tablebases in {folder}.")
