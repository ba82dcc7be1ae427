"""The hash chain of a table's log.

Every entry carries a digest of itself and of the digest before it, so that a changed, missing, swapped or foreign entry
shows when the log is read. The chain finds damage; it is no signature, as anyone who may write to the database can
compute it.

When a name is taken out of an entry, its digest and all later ones stay: writers that know them go on. The entry's
mark, a random value that was part of its digest, is replaced by a seal over the new text. So the digest tells nothing
about the name that was there, and the new text is covered as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from stampede.store.errors import LogDamaged
from stampede.store.log.entries import LogEntry

__all__ = ["Break", "find_break", "seal", "verify_chain"]

SEAL_DIGITS = 16


class Break(NamedTuple):
    """Where a log stops being what was written.

    Attributes:
        last_sound: The number of the last sound entry; 0 if there is none.
        problem: What is wrong after it.
    """

    last_sound: int
    problem: str


def seal(previous: str, table_id: str, entry: LogEntry) -> str:
    """Returns the mark of an entry whose text was redacted: a digest of its place, its chain value and its text."""
    text = f"redacted {previous} {table_id} {entry.seq} {entry.chain} {entry.payload}"
    return sha256(text.encode()).hexdigest()[:SEAL_DIGITS]


def find_break(
    table_id: str, entries: Sequence[LogEntry], *, seq: int = 0, chain: str = ""
) -> Break | None:
    """Returns where entries that follow a known one aren't what was written; None if they are sound.

    Args:
        table_id: The table.
        entries: The entries, in order.
        seq: The sequence number of the known entry; 0 for the beginning of the log.
        chain: Its chain value.
    """
    for expected, entry in enumerate(entries, seq + 1):
        if entry.seq != expected:
            return Break(expected - 1, f"entry {expected} is missing")
        try:
            sound = entry.chain == entry.link(table_id, chain) or (
                entry.mark == seal(chain, table_id, entry)
            )
        except UnicodeEncodeError:  # what isn't UTF-8 can't have been written
            sound = False
        if not sound:
            return Break(
                expected - 1, f"entry {expected} isn't what was written: its digest differs"
            )
        chain = entry.chain
    return None


def verify_chain(
    table_id: str, entries: Sequence[LogEntry], *, seq: int = 0, chain: str = ""
) -> str:
    """Returns the chain value of the last entry; raises LogDamaged if the entries aren't what was written."""
    found = find_break(table_id, entries, seq=seq, chain=chain)
    if found is not None:
        raise LogDamaged(f"expected the log as it was written, but {found.problem}")
    return entries[-1].chain if entries else chain
