"""Checks the log: no gaps, valid JSON, and every table can be rebuilt."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from stampede.core.errors import StampedeError
from stampede.store.log.entries import LogEntry
from stampede.store.store import Store

__all__ = ["TableCheck", "check_log"]


class TableCheck(NamedTuple):
    """The result of checking a table: what is wrong with it, or None."""

    table_id: str
    entries: int
    problem: str | None


async def check_log(
    store: Store, rebuild: Callable[[Sequence[LogEntry]], object]
) -> AsyncIterator[TableCheck]:
    """Checks the logs of all tables.

    Args:
        store: The store.
        rebuild: Rebuilds a table from its entries; raises StampedeError or ValueError if it can't.
    """
    async for table_id in store.table_ids():
        entries = await store.read(table_id)
        yield TableCheck(table_id, len(entries), _find_problem(entries, rebuild))


def _find_problem(
    entries: list[LogEntry], rebuild: Callable[[Sequence[LogEntry]], object]
) -> str | None:
    numbers = [entry.seq for entry in entries]
    if numbers != list(range(1, len(entries) + 1)):
        missing = min(set(range(1, len(entries) + 2)) - set(numbers))
        return f"entry {missing} is missing"
    for entry in entries:
        try:
            json.loads(entry.payload)
        except ValueError as error:
            return f"entry {entry.seq} isn't JSON: {error}"
    try:
        rebuild(entries)
    except (StampedeError, ValueError, LookupError, TypeError) as error:
        return f"can't be rebuilt from its entries: {error}"
    return None
