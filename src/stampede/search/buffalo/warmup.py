"""What to compile ahead of time of Buffalo's search."""

from __future__ import annotations

from stampede.buffalo import Position
from stampede.kernels.warmup import Task
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.pvs import pvs

__all__ = ["search_tasks"]


def search_tasks() -> tuple[Task, ...]:
    """The search and its evaluation."""
    return (Task("Buffalo: search", _search, pvs, weight=12),)


def _search() -> None:
    Engine(entries=1).search(Position.start(), Limits(depth=2))
