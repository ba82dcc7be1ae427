"""Output of commands: text for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stampede.core.json import Json

__all__ = ["LINE_EVERY", "console", "counting", "tracked", "waiting", "write_json"]

PIPE_WIDTH = 120
"""The width of tables in a pipe, unless COLUMNS says otherwise."""

LINE_EVERY = 30.0
"""Seconds between two lines of progress of a long job when standard error isn't a terminal."""

T = TypeVar("T")


class PipeConsole(Console):
    """A console that leaves broken pipes to the guard."""

    def on_broken_pipe(self) -> None:
        """Raises the error that Rich caught."""
        raise  # noqa: PLE0704 - called while the error is handled


def console() -> Console:
    """Returns the console for reports: standard output, coloured on a terminal, plain in a pipe."""
    asked = os.environ.get("COLUMNS")
    piped = not sys.stdout.isatty() and not asked
    return PipeConsole(width=PIPE_WIDTH if piped else None, highlight=False)


def write_json(value: Json) -> None:
    """Writes the JSON object of a command with ``--json``: indented on a terminal, one line in a pipe."""
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Shows a spinner on standard error, if that is a terminal, around work whose length isn't known."""
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(f"{what} …"):
        yield


def tracked(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yields the items with a progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _bar() as bar:
        yield from bar.track(items, total=total, description=what)


@contextmanager
def counting(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Yields the function that shows how many of the items are there, with a progress bar as `tracked`."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with _bar() as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
