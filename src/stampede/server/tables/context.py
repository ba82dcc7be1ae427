"""What every live table is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stampede.matches.settings import Catalogue
from stampede.server.cluster.membership import Membership
from stampede.server.tables.bot_pool import BotPool
from stampede.store import Store

__all__ = ["TableContext", "short_id"]


@dataclass(frozen=True, slots=True)
class TableContext:
    """What every table needs.

    Attributes:
        catalogue: The games that can be played, and their bots.
        store: The log.
        pool: The threads in which bots think.
        now: The time in milliseconds.
        cluster: The other workers.
    """

    catalogue: Catalogue
    store: Store
    pool: BotPool
    now: Callable[[], int]
    cluster: Membership


def short_id(table_id: str) -> str:
    """Enough of a table's id for a log line, too little to find the table."""
    return f"{table_id[:6]}…"
