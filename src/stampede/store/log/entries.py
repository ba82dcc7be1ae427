"""Entries of the log, listings derived from it, and appends."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

__all__ = ["Append", "Listing", "LogEntry", "LogRow"]

LogRow: TypeAlias = tuple[str, int, str, str, str]
"""A row of the log: table, sequence number, mark, payload, chain."""

CHAIN_DIGITS = 32
"""128 bits: enough to notice any damage. SHA-256 is the fastest digest on processors that have it built in."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An entry of a table's log.

    Attributes:
        seq: Its sequence number, counted from 1 without gaps.
        payload: Its JSON text.
        mark: The random id of its append, or the seal of a redacted entry (`stampede.store.log.chain`).
        chain: The digest of the entry and of the chain before it.
    """

    seq: int
    payload: str
    mark: str = field(default="", compare=False)
    chain: str = field(default="", compare=False)

    def link(self, table_id: str, previous: str) -> str:
        """Returns the chain value that this entry has after another one."""
        return _link(previous, table_id, self.seq, self.mark, self.payload)


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
        contested: Whether people play against each other there now.
    """

    table_id: str
    game: str
    status: str
    public: bool
    updated: int
    summary: str
    guests: tuple[str, ...] | None = ()
    ended: int = 0
    contested: bool = False


def _link(previous: str, table_id: str, seq: int, mark: str, payload: str) -> str:
    text = f"{previous} {table_id} {seq} {mark} {payload}"
    return sha256(text.encode()).hexdigest()[:CHAIN_DIGITS]


@dataclass(frozen=True, slots=True)
class Append:
    """Entries of one table that are written atomically.

    Attributes:
        table_id: The table.
        first: The sequence number of the first entry; the others follow.
        payloads: The JSON texts.
        listing: The table's new listing, when it has changed.
        mark: A random id. It tells a writer whose commit was interrupted whether an entry is its own.
        previous: The chain value of the entry before the first; empty at the beginning of a log.
    """

    table_id: str
    first: int
    payloads: tuple[str, ...]
    listing: Listing | None = None
    mark: str = field(default_factory=lambda: os.urandom(8).hex())
    previous: str = ""
    _chains: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def chains(self) -> list[str]:
        """The chain values of the entries, computed when they are first needed: in the log's thread."""
        if not self._chains:
            previous = self.previous
            for seq, payload in enumerate(self.payloads, self.first):
                previous = _link(previous, self.table_id, seq, self.mark, payload)
                self._chains.append(previous)
        return self._chains

    def rows(self) -> list[LogRow]:
        """Returns the rows of the log, in the order of its columns."""
        return [
            (self.table_id, self.first + index, self.mark, payload, chain)
            for index, (payload, chain) in enumerate(zip(self.payloads, self.chains, strict=True))
        ]
