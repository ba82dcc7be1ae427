"""What can go wrong when games are kept.

The tree::

    StoreError                (a StampedeError)
    ├── SequenceTaken         somebody else has written this entry of the table
    ├── StoreBusy             too much waits to be written: come back in a moment
    ├── StoreUnavailable      the database didn't answer within the limit
    └── StoreFull             there is no room to write

None of these acknowledges anything. After StoreUnavailable it isn't known whether the entry was written: whoever
appended it reads the table anew before going on.
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
    """An entry wasn't kept, or can't be read."""


class SequenceTaken(StoreError):
    """Another writer has written this entry of the table."""


class StoreBusy(StoreError):
    """More waits to be written than the store takes on."""


class StoreUnavailable(StoreError):
    """The database didn't answer within the limit; whether the entry was written isn't known."""


class StoreFull(StoreError):
    """There is no room to write."""
