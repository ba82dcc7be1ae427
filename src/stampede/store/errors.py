"""Errors of the store.

The tree::

    StoreError                (a StampedeError)
    ├── SequenceTaken         another writer has written this entry of the table
    ├── StoreBusy             the write queue is full: try again in a moment
    ├── StoreUnavailable      the database didn't answer within the timeout
    ├── StoreFull             the disk is full
    ├── LogDamaged            a table's log isn't what was written: it isn't played on
    ├── OldSchema             an earlier version of Stampede has made the database, and it is open for reading
    └── UnknownSchema         a newer version of Stampede has made the database

None of these acknowledges anything. After StoreUnavailable it isn't known whether the entry was written: the caller
reads the log again before going on.
"""

from __future__ import annotations

from stampede.core.errors import StampedeError

__all__ = [
    "LogDamaged",
    "OldSchema",
    "SequenceTaken",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "UnknownSchema",
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


class LogDamaged(StoreError):
    """A table's log isn't what was written."""


class OldSchema(StoreError):
    """The database has a schema of an earlier version, and nothing may be changed."""


class UnknownSchema(StoreError):
    """The database has a schema that this version doesn't know."""
