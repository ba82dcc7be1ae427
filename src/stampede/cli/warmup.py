"""`stampede warmup`: compiles everything ahead of time, so that nobody waits for it in a game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["app"]

app = typer.Typer()


@app.command("warmup")
def warmup_command(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False,
) -> None:
    """Compiles the kernels and the search, or checks that they are compiled. Needed once on a machine.

    Without it the first game does the same and takes up to a minute to begin.
    """
    begin = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    out = Console(stderr=True, quiet=quiet)
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("Loading", total=None)

        def show(done: int, total: int, name: str) -> None:
            bar.update(task, completed=done, total=total, description=f"Compiling {name}")
            if name and not out.is_terminal and not quiet:
                out.print(f"Compiling {name}", markup=False)

        _compile(show)
    if not quiet:
        print(f"All is compiled: {time.perf_counter() - begin:.1f} s.")


def _compile(show: Callable[[int, int, str], None]) -> None:
    from stampede.kernels.warmup import warmup  # noqa: PLC0415 - compiled code loads slowly
    from stampede.search.buffalo.warmup import search_tasks  # noqa: PLC0415
    from stampede.search.zoff.warmup import zoff_tasks  # noqa: PLC0415

    warmup(show, (*search_tasks(), *zoff_tasks()))
