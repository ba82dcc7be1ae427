"""What goes into the log and comes out of it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Append", "Entry", "Listing", "Row"]

Row: TypeAlias = tuple[str, int, str, str]
"""A row of the log: table, number, mark, payload."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table's log.

    Attributes:
        seq: Its number, counted from 1 without gaps.
        payload: Its JSON text.
    """

    seq: int
    payload: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What a lobby shows of a table.

    Attributes:
        table_id: The table.
        game: ``zoff`` or ``buffalo``.
        status: ``open``, ``running`` or ``over``.
        public: Whether strangers find it.
        updated: When it last changed, in milliseconds since 1970.
        summary: Public JSON text: seats, rules, settings.
        guests: The guests who sit there, and the host; None when they are the same as in the listing before.
        ended: The number of the last entry, when a rated game has ended there that is to be counted; else 0.
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
    """Entries that are written together or not at all.

    Attributes:
        table_id: Whose log it is.
        first: The number of the first entry; the others follow.
        payloads: The JSON texts.
        listing: The table's new listing, when it has changed.
        mark: Tells this append from every other one.
    """

    table_id: str
    first: int
    payloads: tuple[str, ...]
    listing: Listing | None = None
    mark: str = field(default_factory=lambda: os.urandom(8).hex())

    def rows(self) -> list[Row]:
        """The rows of the log, in the order of its columns."""
        return [
            (self.table_id, self.first + index, self.mark, payload)
            for index, payload in enumerate(self.payloads)
        ]
