"""What the parts of a running server count, gathered for `stampede.server.ops.metrics`."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.server.cluster.membership import Company
from stampede.server.http.limits import Gate
from stampede.server.tables.bot_pool import BotPool
from stampede.server.tables.registry import TableRegistry
from stampede.store import Store

__all__ = ["ServerFigures"]


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """The parts, and what they say when they are asked. Asked from another thread: it only reads numbers."""

    store: Store
    registry: TableRegistry
    pool: BotPool
    company: Company
    gate: Gate

    def gauges(self) -> dict[str, tuple[str, float]]:
        """By name: what it is, and its value now."""
        return {
            "sockets": ("WebSockets that are open.", self.gate.doors.inside),
            "tables_in_memory": ("Tables in memory.", self.registry.live),
            "writes_waiting": ("Appends that wait for the database.", self.store.writer.waiting),
            "bots_waiting": ("Bots that wait for their turn to think.", self.pool.waiting),
            "workers": (
                "Workers that serve the same tables, this one included.",
                self.company.workers,
            ),
            "line_up": ("1 while the line to the other workers stands.", self.company.connected),
            "buckets": (
                "Guests and addresses whose speed is remembered.",
                len(self.gate.callers) + len(self.gate.addresses),
            ),
        }

    def counters(self) -> dict[str, tuple[str, float]]:
        """By name: what it is, and how often it has happened."""
        writer = self.store.writer
        return {
            "appends": ("Appends that became durable.", writer.written),
            "appends_refused": ("Appends that weren't kept.", writer.refused),
            "groups": ("Transactions with appends.", writer.groups),
            "thoughts": ("Bots' thoughts that were finished.", self.pool.finished),
            "thoughts_failed": ("Bots' thoughts that failed.", self.pool.failures),
            "thought_seconds": ("Seconds that bots have thought.", self.pool.seconds),
            "too_fast": (
                "Requests that were refused because they were too many.",
                self.gate.callers.refused + self.gate.addresses.refused,
            ),
        }
