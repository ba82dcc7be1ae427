"""Waiting in tests: for what is to happen, never for a time. A wait in vain says for what it was, and what was seen."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

PATIENCE = 120.0
"""Seconds. A machine with much else to do is slow, and that is no fault of what is tested. Less than pytest's own
limit, so that a failure tells what was waited for."""

Condition = Callable[[], bool | Awaitable[bool]]


def nothing() -> str:
    """For waits of which there is nothing to tell."""
    return "nothing of the kind"


async def until(
    what: str, happened: Condition, seen: Callable[[], object] = nothing, pause: float = 0.02
) -> None:
    """Waits until something has happened, in an event loop.

    Args:
        what: What is waited for, for the message.
        happened: Whether it has.
        seen: What there is instead, for the message.
        pause: Seconds between two looks.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = happened()
        if await answer if inspect.isawaitable(answer) else answer:
            return
        assert time.monotonic() < deadline, _in_vain(what, seen)
        await asyncio.sleep(pause)


def wait_until(
    what: str, happened: Callable[[], bool], seen: Callable[[], object] = nothing
) -> None:
    """Waits until something has happened, where there is no event loop."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, _in_vain(what, seen)
        time.sleep(0.02)


def _in_vain(what: str, seen: Callable[[], object]) -> str:
    return f"waited {PATIENCE:g} s until {what}; saw instead: {seen()}"
