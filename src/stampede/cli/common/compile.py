"""Compiles kernels ahead of use: all of them for `stampede warmup`, or those that a command is about to need.

A kernel is compiled once on a machine and kept in a cache. Progress shows while a command waits for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from stampede.bots import Bot
from stampede.bots.preparation import needs_compiled_code, tasks_of
from stampede.core.processes import stop_with_parent
from stampede.games import GAMES

if TYPE_CHECKING:
    from stampede.kernels.warmup import Task

__all__ = [
    "Show",
    "compile_all",
    "compile_for",
    "compile_once",
    "progress",
    "warming",
    "worker_pool",
]

Show = Callable[[int, int, str], None]
"""Shows progress: the number of finished tasks, of all tasks, and the names of the running ones."""

MOST_PROCESSES: Final = 2
"""One task takes longest, so a third process would only compile the same things again."""
_BACKGROUND: Final = 10
"""How much less urgent compiling in the background is than serving (`nice`)."""


def compile_for(game: str, bots: Iterable[Bot | None]) -> None:
    """Compiles the kernels of a game's levels; low levels, random bots and bots from outside need none."""
    if any(needs_compiled_code(bot) for bot in bots):
        compile_once(game)


def compile_once(game: str) -> None:
    """Compiles what a game's bots and analysis need and isn't cached, with progress on standard error."""
    tasks = [task for task in tasks_of(game) if not task.is_done]
    if not tasks:
        return
    with progress(f"Compiling for {game.capitalize()}, once on this machine") as show:
        for done, task in enumerate(tasks):
            show(done, len(tasks), task.name)
            task.run()


def compile_all(show: Show) -> None:
    """Compiles everything, in two processes if there are two processors."""
    tasks = {task.name: task for task in _all_tasks()}
    waiting = sorted(tasks, key=lambda name: -tasks[name].weight)
    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    with worker_pool(processes) as pool:
        running: dict[Future[None], str] = {}
        while waiting or running:
            while waiting and len(running) < processes:
                name = waiting.pop(0)
                running[pool.submit(_run, name)] = name
            left = len(waiting) + len(running)
            show(len(tasks) - left, len(tasks), ", ".join(running.values()))
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                future.result()
    show(len(tasks), len(tasks), "")


def worker_pool(processes: int) -> ProcessPoolExecutor:
    """Makes a pool of new processes, which end with this one, however it ends.

    A pool's processes wait for more work for ever when the process that feeds them is killed; these are watched.
    """
    return ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=stop_with_parent
    )


@contextmanager
def warming() -> Iterator[None]:
    """Compiles the bots and builds small tablebases in the background; takes a moment if all is done already."""
    process = get_context("spawn").Process(target=_warm_up)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _warm_up() -> None:
    """Does what `stampede warmup --quiet --tablebases` does, as long as the parent process lives."""
    from stampede.cli.server.warmup import build_tablebases  # noqa: PLC0415 - it imports this module

    stop_with_parent()
    if hasattr(os, "nice"):
        os.nice(_BACKGROUND)  # games and pages come first
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    compile_all(lambda *_: None)
    build_tablebases(quiet=True)


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Show]:
    """Shows a progress bar on standard error, or a line for each step if that is no terminal."""
    out = Console(stderr=True, quiet=quiet)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task(what, total=None)
        said: set[str] = set()

        def show(done: int, total: int, names: str) -> None:
            bar.update(task, completed=done, total=total, description=f"{what}: {names}")
            if names and names not in said and not out.is_terminal:
                out.print(f"{what}: {names}", markup=False, soft_wrap=True)
            said.add(names)

        yield show


def _all_tasks() -> tuple[Task, ...]:
    from stampede.kernels.warmup import kernel_tasks  # noqa: PLC0415 - loads compiled code

    return (*kernel_tasks(), *(task for game in GAMES for task in tasks_of(game)))


def _run(name: str) -> None:
    """Compiles one task, in a process of its own."""
    for task in _all_tasks():
        if task.name == name:
            task.run()
