"""Compiling before it is needed: everything at once for `stampede warmup`, or what a command is about to use.

A kernel is compiled once on a machine and kept in a cache. Nobody should wait for that in front of a silent screen.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from stampede.bots import Bot, RandomBot

if TYPE_CHECKING:
    from stampede.kernels.warmup import Task

__all__ = ["Show", "compile_all", "compile_for", "compile_once", "progress", "warming"]

Show = Callable[[int, int, str], None]
"""Is told how many tasks are done, how many there are, and the names of those under way."""

MOST_PROCESSES: Final = 2
"""One alone takes longest, so that a third process would only compile the same things again."""


def compile_for(game: str, bots: Iterable[Bot | None]) -> None:
    """Compiles what the bots of a game think with, if there are any that think."""
    if any(bot is not None and not isinstance(bot, RandomBot) for bot in bots):
        compile_once(game)


def compile_once(game: str) -> None:
    """Compiles what a game's bots and analysis need, with progress on standard error, unless it is done already."""
    tasks = [task for task in _tasks_of(game) if not task.is_done]
    if not tasks:
        return
    with progress(f"Compiling for {game.capitalize()}, once on this machine") as show:
        for done, task in enumerate(tasks):
            show(done, len(tasks), task.name)
            task.run()


def compile_all(show: Show) -> None:
    """Compiles everything, in two processes where there are two processors."""
    from stampede.kernels.warmup import kernel_tasks  # noqa: PLC0415 - loads compiled code

    tasks = {
        task.name: task for task in (*kernel_tasks(), *_tasks_of("buffalo"), *_tasks_of("zoff"))
    }
    waiting = sorted(tasks, key=lambda name: -tasks[name].weight)
    processes = min(MOST_PROCESSES, os.cpu_count() or 1)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
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


@contextmanager
def warming() -> Iterator[None]:
    """Compiles the bots and builds small tables in a process beside this one; a moment's work when that is done."""
    command = [sys.executable, "-m", "stampede.cli", "warmup", "--quiet", "--tablebases"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603 - our own
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Show]:
    """A bar on standard error; a line for each step where that is no terminal."""
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


def _tasks_of(game: str) -> tuple[Task, ...]:
    # Compiled code loads slowly, so it is loaded here.
    if game == "buffalo":
        from stampede.search.buffalo.warmup import search_tasks  # noqa: PLC0415

        return search_tasks()
    from stampede.search.zoff.warmup import zoff_tasks  # noqa: PLC0415

    return zoff_tasks()


def _run(name: str) -> None:
    """Compiles one thing, in a process of its own."""
    from stampede.kernels.warmup import kernel_tasks  # noqa: PLC0415 - loads compiled code

    for task in (*kernel_tasks(), *_tasks_of("buffalo"), *_tasks_of("zoff")):
        if task.name == name:
            task.run()
