"""`stampede warmup`: compiles everything ahead of time, so that nobody waits for it in a game."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from stampede.cli.compile import compile_all, progress

__all__ = ["app"]

app = typer.Typer()


@app.command("warmup")
def warmup_command(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
) -> None:
    """Compiles the kernels and the search, or checks that they are compiled. Needed once on a machine.

    Without it the first game does the same for what it needs and takes up to a minute to begin.
    """
    begin = time.perf_counter()
    with progress("Compiling", quiet=quiet) as show:
        compile_all(show)
    if not quiet:
        print(f"All is compiled: {time.perf_counter() - begin:.1f} s.")
