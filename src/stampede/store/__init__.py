"""The event log in SQLite or PostgreSQL: what was acknowledged is on the disk."""

from stampede.store.entries import Append, Entry, Listing
from stampede.store.errors import (
    KeyTaken,
    SequenceTaken,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
)
from stampede.store.store import Store

__all__ = [
    "Append",
    "Entry",
    "KeyTaken",
    "Listing",
    "SequenceTaken",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
]
