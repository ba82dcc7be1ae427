"""The event log in SQLite or PostgreSQL: what was acknowledged is on the disk."""

from stampede.store.cluster.channel import Channel, Notification
from stampede.store.errors import (
    LogDamaged,
    SequenceTaken,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
    UnknownSchema,
)
from stampede.store.log.entries import Append, Listing, LogEntry
from stampede.store.store import Store

__all__ = [
    "Append",
    "Channel",
    "Listing",
    "LogDamaged",
    "LogEntry",
    "Notification",
    "SequenceTaken",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "UnknownSchema",
]
