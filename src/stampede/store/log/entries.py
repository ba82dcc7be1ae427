"""Entries of the log, listings derived from it, and appends."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Append", "Listing", "LogEntry", "LogRow"]

LogRow: TypeAlias = tuple[str, int, str, str]
"""A row of the log: table, sequence number, mark, payload."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a table's log.

    Attributes:
        seq: Its sequence number, counted from 1 without gaps.
        payload: Its JSON text.
    """

    seq: int
    payload: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What the lobby shows of a table, and what is indexed by it.

    Attributes:
        table_id: The table.
        game: The game's name.
        status: ``open``, ``running`` or ``over``.
        public: Whether the lobby lists it.
        updated: When it last changed, in milliseconds since 1970.
        summary: Public JSON text: seats, rules, settings.
        guests: The guests who sit there, and the host; None when they haven't changed since the last listing.
        ended: The sequence number of the last entry if a rated game has just ended, else 0.
    """

    table_id: str
    game: str
    status: str
    public: bool
    updated: int
    summary: str
    guests: tuple[str, ...] | None = ()
    ended: int = 0


@dataclass(frozen=True, slots=True)
class Append:
    """Entries of one table that are written atomically.

    Attributes:
        table_id: The table.
        first: The sequence number of the first entry; the others follow.
        payloads: The JSON texts.
        listing: The table's new listing, when it has changed.
        mark: A random id. It tells a writer whose commit was interrupted whether an entry is its own.
    """

    table_id: str
    first: int
    payloads: tuple[str, ...]
    listing: Listing | None = None
    mark: str = field(default_factory=lambda: os.urandom(8).hex())

    def rows(self) -> list[LogRow]:
        """Returns the rows of the log, in the order of its columns."""
        return [
            (self.table_id, self.first + index, self.mark, payload)
            for index, payload in enumerate(self.payloads)
        ]
