"""An asyncio event loop with virtual time and seeded scheduling: no selector, no thread, no sleep.

One loop is one process. `simulation.world.World` steps the loops of all processes in an order drawn from the seed, and
moves the time to the next timer when none has anything to do. A loop that isn't stepped any more has crashed, one that
isn't stepped for a while was stopped (SIGSTOP).

Scheduling keeps what asyncio promises: callbacks run in the order in which they were registered. Only a task's step
may be put off behind what is ready already, as if what it waited for had taken a moment longer.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from asyncio import events
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

__all__ = ["SimulatedLoop"]

T = TypeVar("T")
MAX_PUT_OFF: Final = 3
"""How often one turn puts tasks off: more would only slow it down."""


class Listening(Protocol):
    """A place where servers listen."""

    def listen(
        self, loop: SimulatedLoop, factory: Callable[[], asyncio.BaseProtocol], sock: Any
    ) -> asyncio.AbstractServer:
        """Listens at a socket's address."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """The event loop of one simulated process.

    Attributes:
        name: The process's name.
        put_off: How probably a task's step is put off.
        exit_code: What `sys.exit` was called with; None while it wasn't.
    """

    def __init__(
        self,
        name: str,
        clock: Callable[[], float],
        rng: random.Random,
        delay: Callable[[], float],
        network: Listening | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.put_off = 0.0
        self.exit_code: int | None = None
        self.failures: list[dict[str, Any]] = []
        self._now = clock
        self._rng = rng
        self._delay = delay
        self._network = network
        self.set_exception_handler(lambda _, context: self.failures.append(context))

    def time(self) -> float:
        """Returns the virtual time in seconds."""
        return self._now()

    def run_in_executor(  # type: ignore[override] # the real one is typed with unpacked tuples
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Runs the function here after a drawn delay, as if a thread had done it."""
        del executor
        future: asyncio.Future[T] = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - as an executor does
                if not future.done():
                    future.set_exception(error)
            else:
                if not future.done():
                    future.set_result(result)

        self.call_later(self._delay(), work)
        return future

    async def create_server(  # type: ignore[override] # only what uvicorn asks for
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        *,
        sock: Any,
        **_: object,
    ) -> asyncio.AbstractServer:
        """Listens on the simulated network."""
        assert self._network is not None, "this process has no network"
        return self._network.listen(self, protocol_factory, sock)

    # --- for the world ---

    def next_time(self) -> float | None:
        """When there is something to do: now, or at the next timer; None when there is nothing."""
        if self.exit_code is not None:
            return None
        if self._ready:  # type: ignore[attr-defined]
            return self._now()
        timers = self._scheduled  # type: ignore[attr-defined]
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)._scheduled = False
        return timers[0]._when if timers else None

    def step(self) -> None:
        """Runs what is ready now, once."""
        ready = self._ready  # type: ignore[attr-defined]
        timers = self._scheduled  # type: ignore[attr-defined]
        now = self._now()
        while timers and timers[0]._when <= now:
            handle = heapq.heappop(timers)
            handle._scheduled = False
            if not handle._cancelled:
                ready.append(handle)
        chances = MAX_PUT_OFF if self.put_off else 0
        events._set_running_loop(self)
        try:
            for _ in range(len(ready)):
                handle = ready.popleft()
                if handle._cancelled:
                    continue
                if chances and ready and self._rng.random() < self.put_off and _is_task(handle):
                    chances -= 1
                    ready.append(handle)
                    continue
                handle._run()
                if self.exit_code is not None:
                    break
        except SystemExit as error:
            self.exit_code = error.code if isinstance(error.code, int) else 1
        finally:
            events._set_running_loop(None)

    def run_now(self, function: Callable[..., T], *args: Any) -> T:
        """Calls a function as if this loop was running."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            return function(*args)
        finally:
            events._set_running_loop(before)

    def abandon(self, tasks: list[asyncio.Task[Any]]) -> None:
        """Ends the tasks of a process that isn't run any more, wherever they are, and closes the loop."""
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            coroutine: Any = task.get_coro()
            with suppress(Exception):
                self.run_now(coroutine.close)
        self.close()

    # --- what a loop without a selector needs ---

    def _check_closed(self) -> None:
        """Allows everything: what a process that has died still registers is never run."""

    def _process_events(self, event_list: object) -> None:
        """Has no selector."""

    def _write_to_self(self) -> None:
        """Has no selector to wake."""


def _is_task(handle: asyncio.Handle) -> bool:
    callback = handle._callback  # type: ignore[attr-defined]
    return isinstance(getattr(callback, "__self__", None), asyncio.Task)
