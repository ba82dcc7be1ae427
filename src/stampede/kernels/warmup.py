"""Compiles all kernels ahead of time, so that no game has to wait for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stampede.kernels.jit import is_cached

__all__ = ["Progress", "Task", "kernel_tasks", "warmup"]

Progress = Callable[[int, int, str], None]
"""Called with the number of tasks done, the number of all, and the name of the next one; an empty name at the end."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to compile.

    Attributes:
        name: What it is, for a progress bar.
        run: Calls the kernel with small arguments of the types that it will be called with.
        entry: The kernel that is compiled last, when all others are.
        weight: About how many seconds it takes when nothing is compiled yet. The longest are begun first.
    """

    name: str
    run: Callable[[], object]
    entry: Callable[..., object]
    weight: int = 1

    @property
    def is_done(self) -> bool:
        """Whether it was compiled by an earlier process, from the same sources."""
        return is_cached(self.entry)


def kernel_tasks() -> tuple[Task, ...]:
    """The tasks of all kernels. Packages above this one, such as `search`, have their own."""
    from stampede.kernels.buffalo.warmup import buffalo_tasks  # noqa: PLC0415 - it needs Task

    return buffalo_tasks()


def warmup(progress: Progress, more: Sequence[Task] = ()) -> None:
    """Compiles all kernels and then what `more` asks for, or loads them where the cache has them."""
    tasks = (*kernel_tasks(), *more)
    for done, task in enumerate(tasks):
        progress(done, len(tasks), task.name)
        task.run()
    progress(len(tasks), len(tasks), "")
