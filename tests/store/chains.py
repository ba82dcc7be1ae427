"""Appends that follow each other: each continues the chain of its table, as a table's actor does."""

from stampede.store import Append, Listing


class Chains:
    """Makes appends, and remembers where each table's log ends."""

    def __init__(self) -> None:
        self._ends: dict[str, tuple[int, str]] = {}

    def following(self, table_id: str, *payloads: str, listing: Listing | None = None) -> Append:
        """Returns an append after the last one of this table."""
        seq, chain = self._ends.get(table_id, (0, ""))
        append = Append(table_id, seq + 1, payloads, listing, previous=chain)
        self._ends[table_id] = (seq + len(payloads), append.chains[-1])
        return append
