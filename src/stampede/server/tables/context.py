"""What live tables share: their surroundings, and small tools for tasks and answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from stampede.matches.commands import Command
from stampede.matches.settings import Catalogue
from stampede.matches.state import TableState
from stampede.server.cluster.membership import Membership
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.interpreter import Interpreter
from stampede.store import Store

__all__ = ["STOP_SECONDS", "TableContext", "TaskGroup", "interpreting", "resolve", "short_id"]

T = TypeVar("T")

STOP_SECONDS: Final = 10.0
"""How long a stopping server waits for commands under way: its database may not answer any more."""


def _ignore_entry(command: Command, before: TableState, after: TableState) -> None:
    """Does nothing."""
    del command, before, after


@dataclass(frozen=True, slots=True)
class TableContext:
    """What every table needs.

    Attributes:
        catalogue: The games that can be played, and their bots.
        store: The log.
        pool: The threads in which bots think.
        now: The time in milliseconds.
        cluster: The other workers.
        entropy: Returns random bytes.
        on_entry: Called by the worker that wrote an entry, once it is durable, with the states before and after it.
        interpreter: Where light bots think until their kernels are compiled; None: they wait.
    """

    catalogue: Catalogue
    store: Store
    pool: BotPool
    now: Callable[[], int]
    cluster: Membership
    entropy: Callable[[int], bytes] = os.urandom
    on_entry: Callable[[Command, TableState, TableState], None] = _ignore_entry
    interpreter: Interpreter | None = None


@contextmanager
def interpreting(context: TableContext) -> Iterator[TableContext]:
    """The same context with an interpreter, which ends with the block."""
    interpreter = Interpreter()
    try:
        yield replace(context, interpreter=interpreter)
    finally:
        interpreter.close()


def short_id(table_id: str) -> str:
    """Enough of a table's id for a log line, too little to find the table."""
    return f"{table_id[:6]}…"


def resolve(answered: asyncio.Future[T], answer: T | Exception) -> None:
    """Completes a future with an answer, or with why there is none; does nothing when its waiter has gone.

    The error loses its traceback, whose frames lead back to the future: that would be a reference cycle.
    """
    if answered.done():
        return
    if isinstance(answer, Exception):
        answered.set_exception(answer.with_traceback(None))
    else:
        answered.set_result(answer)


class TaskGroup:
    """Tasks that outlive their callers: kept until they are done, as the event loop keeps only weak references."""

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        # In the order in which they began, so that a simulated server repeats itself.
        self._tasks: dict[asyncio.Task[None], None] = {}

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs work in a task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._tasks.pop)

    async def finish(self) -> None:
        """Waits until all tasks are done; cancels those that take too long."""
        tasks = tuple(self._tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_SECONDS)
            await _cancel([task for task in tasks if not task.done()])

    async def cancel(self) -> None:
        """Cancels all tasks, and waits until they are done."""
        await _cancel(self._tasks)


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    started = tuple(tasks)
    for task in started:
        task.cancel()
    await asyncio.gather(*started, return_exceptions=True)
