"""What to compile of Buffalo's search ahead of time."""

from __future__ import annotations

from stampede.buffalo import Position
from stampede.kernels.warmup import Task
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.pvs import visit

__all__ = ["search_tasks"]


def search_tasks() -> tuple[Task, ...]:
    """Compiles the search and the evaluation."""
    return (Task("Buffalo: search", _search, visit, weight=12),)


def _search() -> None:
    Engine(entries=1).search(Position.start(), Limits(depth=2))
