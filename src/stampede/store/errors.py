"""Errors of the store.

The tree::

    StoreError                (a StampedeError)
    ├── SequenceTaken         another writer has written this entry of the table
    ├── StoreBusy             the write queue is full: try again in a moment
    ├── StoreUnavailable      the database didn't answer within the timeout
    └── StoreFull             the disk is full

None of these acknowledges anything. After StoreUnavailable it isn't known whether the entry was written: the caller
reads the log again before going on.
"""

from __future__ import annotations

from stampede.core.errors import StampedeError

__all__ = [
    "SequenceTaken",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
]


class StoreError(StampedeError):
    """An entry wasn't stored, or can't be read."""


class SequenceTaken(StoreError):
    """Another writer has written this entry of the table."""


class StoreBusy(StoreError):
    """The write queue is full."""


class StoreUnavailable(StoreError):
    """The database didn't answer within the timeout; whether the entry was written isn't known."""


class StoreFull(StoreError):
    """The disk is full."""
