"""Which tables are in memory: for whom, and which leave it when there is no room for another.

A table is in memory on account of everyone who uses it now; when nobody does, of the last one who did. An address and a
guest have a limit each, so that neither can fill the memory. When it is full, the tables of the address that holds most
leave first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from stampede.server.http.problems import Problem

__all__ = ["SERVER", "Holder", "LoadedTable", "TableLimits", "TableMemory"]

EVICTED_SHARE: Final = 20
"""When the memory is full, one in so many tables is unloaded at once, if it is idle."""


class Holder(NamedTuple):
    """On whose account a table is in memory: an address, and a guest if one is known there."""

    address: str = ""
    guest: str | None = None


SERVER: Final = Holder()
"""The server itself: it has no limit, and its tables make way for everybody's."""


class TableLimits(NamedTuple):
    """How many tables there may be in memory, and how many of them one address or one guest may use at once."""

    total: int
    per_address: int = 50
    per_guest: int = 10


class LoadedTable(Protocol):
    """What the memory asks of a table.

    Attributes:
        holders: How many leases each of its users has; none for the last user, who has left. Empty for the server's.
    """

    table_id: str
    holders: dict[Holder, int]
    touched: int

    @property
    def busy(self) -> bool:
        """Whether it is in use."""

    @property
    def is_droppable(self) -> bool:
        """Whether only viewers, who can resume, and bots hold it."""


T = TypeVar("T", bound=LoadedTable)


class TableMemory(Generic[T]):
    """The tables in memory, by id and by who holds them.

    Args:
        limits: How many tables there may be.
        unload: Takes a table out; it calls `remove`.
    """

    def __init__(self, limits: TableLimits, unload: Callable[[T], None]) -> None:
        self._limits = limits
        self._unload = unload
        self._tables: dict[str, T] = {}
        self._by_address: dict[str, dict[str, T]] = {}
        self._by_guest: dict[str, dict[str, T]] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._tables

    def get(self, table_id: str) -> T | None:
        """The table of that id; None when it isn't in memory."""
        return self._tables.get(table_id)

    def all(self) -> tuple[T, ...]:
        """All tables, in the order in which they were loaded."""
        return tuple(self._tables.values())

    def is_full(self, holder: Holder) -> bool:
        """Whether another table for this holder takes the place of one."""
        own = any(len(held) >= limit for held, limit, _ in self._shares(holder))
        return own or len(self._tables) >= self._limits.total

    def add(self, table: T, holder: Holder) -> None:
        """Adds a table; raises a Problem when there is no room, and none can be made."""
        self._make_own_room(table, holder)
        if len(self._tables) >= self._limits.total:
            self._evict_idle()
        if len(self._tables) >= self._limits.total:
            self._evict_in_use(holder)
        self._tables[table.table_id] = table
        self._charge(table, holder)

    def remove(self, table: T) -> None:
        """Takes a table out."""
        del self._tables[table.table_id]
        for holder in (*table.holders, SERVER):
            self._discharge(table, holder)

    def acquire(self, table: T, holder: Holder) -> None:
        """Counts a lease on a table; raises a Problem when its holder uses too many others already."""
        if holder == SERVER:
            return
        if holder not in table.holders:
            self._make_own_room(table, holder)
            idle = [other for other, leases in table.holders.items() if not leases]
            self._charge(table, holder)
            for other in (*idle, SERVER):
                self._discharge(table, other)
        table.holders[holder] += 1

    def release(self, table: T, holder: Holder) -> None:
        """Counts a lease off. The last holder keeps the account until another one takes the table."""
        if holder not in table.holders:  # the server's
            return
        table.holders[holder] -= 1
        if not table.holders[holder] and any(table.holders.values()):
            self._discharge(table, holder)

    # --- accounts ---

    def _shares(self, holder: Holder) -> Iterator[tuple[dict[str, T], int, str]]:
        """The tables of a holder's address and guest, with the limit on each and its name."""
        if holder.address:
            held = self._by_address.get(holder.address, {})
            yield held, self._limits.per_address, "from one address"
        if holder.guest is not None:
            yield self._by_guest.get(holder.guest, {}), self._limits.per_guest, "by one guest"

    def _charge(self, table: T, holder: Holder) -> None:
        if holder != SERVER:
            table.holders[holder] = 0
        self._by_address.setdefault(holder.address, {})[table.table_id] = table
        if holder.guest is not None:
            self._by_guest.setdefault(holder.guest, {})[table.table_id] = table

    def _discharge(self, table: T, holder: Holder) -> None:
        """Takes a table off a holder's account, unless another one of the same address or guest has it."""
        table.holders.pop(holder, None)
        if not any(other.address == holder.address for other in table.holders):
            _drop(self._by_address, holder.address, table)
        if holder.guest is not None and not any(
            other.guest == holder.guest for other in table.holders
        ):
            _drop(self._by_guest, holder.guest, table)

    # --- room ---

    def _make_own_room(self, table: T, holder: Holder) -> None:
        """Unloads the longest idle table of a holder at the limit; raises a Problem when all are in use."""
        for held, limit, whose in self._shares(holder):
            if table.table_id in held or len(held) < limit:
                continue
            idle = [other for other in held.values() if not other.busy]
            if not idle:
                text = f"expected at most {limit} tables in use {whose}; leave one first"
                raise Problem(429, "too_many_tables", text, {"retry_after": 5}, 5)
            self._unload(min(idle, key=lambda other: other.touched))

    def _evict_idle(self) -> None:
        """Unloads idle tables: those of the address that holds most first, of these the longest idle."""
        idle = [table for table in self._tables.values() if not table.busy]
        idle.sort(key=lambda table: (-max(map(self._count, _addresses(table))), table.touched))
        for table in idle[: max(1, self._limits.total // EVICTED_SHARE)]:
            self._unload(table)

    def _evict_in_use(self, holder: Holder) -> None:
        """Unloads a table in use, of an address that holds more than this one; raises a Problem when none does.

        Its viewers are told to resume; they get it back when there is room for them. What the server has loaded by
        itself makes way for everybody, and a table that only the greedy address uses goes before a shared one.
        """
        mine = self._count(holder.address) + 1
        greediest = sorted(self._by_address, key=self._count, reverse=True)
        for greedy in sorted(greediest, key=bool) if holder != SERVER else ():
            if greedy and self._count(greedy) <= mine:
                break
            held = self._by_address[greedy].values()
            droppable = [table for table in held if table.is_droppable]
            if droppable:
                self._unload(
                    min(droppable, key=lambda table: (len(_addresses(table)), table.touched))
                )
                return
        raise Problem(503, "busy", "too many tables are in use; try again", None, 5)

    def _count(self, address: str) -> int:
        return len(self._by_address.get(address, ()))


def _addresses(table: LoadedTable) -> set[str]:
    return {holder.address for holder in table.holders} or {SERVER.address}


def _drop(accounts: dict[str, dict[str, T]], key: str, table: T) -> None:
    held = accounts.get(key, {})
    held.pop(table.table_id, None)
    if not held:
        accounts.pop(key, None)
