"""Shows progress on standard error: a bar on a terminal, otherwise a line now and then, fit for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track

__all__ = ["show_progress"]

T = TypeVar("T")
_EVERY = 20.0
"""Seconds between lines where there is no terminal."""


def show_progress(items: Sequence[T], title: str, every: float = _EVERY) -> Iterator[T]:
    """Yields the items one by one and shows the progress."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(items, title, console=console)
        return
    shown = time.monotonic()
    for index, item in enumerate(items):
        yield item
        now = time.monotonic()
        if now - shown >= every or index + 1 == len(items):
            shown = now
            print(f"{title}: {index + 1} of {len(items)}", file=sys.stderr, flush=True)  # noqa: T201
