"""Blocks, reports, and removals from tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import BARRED, BLOCKS, PLAYERS, REPORTS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["ModerationStore", "PlayerBlock", "PlayerReport"]

MAX_CLOSED_REPORTS = 10_000
"""Closed reports that are kept; older ones are deleted."""


@dataclass(frozen=True, slots=True)
class PlayerBlock:
    """A player has blocked another.

    Attributes:
        blocker: The id of the guest or account who blocks.
        blocked: The id of the guest or account who is blocked.
        block_id: The id under which the block is listed and lifted.
        name: The blocked player's name at the time.
        at: When.
    """

    blocker: str
    blocked: str
    block_id: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """A report of a player to the operator.

    Attributes:
        status: ``open`` or ``closed``.
        reporter: Who reports (`Caller.who`).
        reported: Who is reported.
        name: The reported player's name.
        reason: One of the server's codes.
        note: In the reporter's words.
        chat: The reported player's latest messages at the table, as JSON.
    """

    report_id: str
    at: int
    status: str
    reporter: str
    reported: str
    table_id: str
    player: int
    name: str
    reason: str
    note: str
    chat: str


class ModerationStore:
    """Moderation in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    # --- blocks ---

    async def add_block(self, block: PlayerBlock) -> bool:
        """Stores a block; returns False if it exists already."""
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(BLOCKS), asdict(block))
        except IntegrityError:
            return False
        return True

    async def unblock(self, blocker: str, block_id: str) -> bool:
        """Deletes a block; returns False if the blocker has none of that id."""
        async with begin_write(self._engine) as connection:
            lifted = await connection.execute(
                delete(BLOCKS).where(BLOCKS.c.blocker == blocker, BLOCKS.c.block_id == block_id)
            )
        return lifted.rowcount == 1

    async def blocks(self, blocker: str) -> list[PlayerBlock]:
        """Returns a player's blocks, the latest first."""
        query = (
            select(BLOCKS)
            .where(BLOCKS.c.blocker == blocker)
            .order_by(BLOCKS.c.at.desc(), BLOCKS.c.block_id)
        )
        async with begin_read(self._engine) as connection:
            return [PlayerBlock(**row) for row in (await connection.execute(query)).mappings()]

    async def blocked_with(self, who: str) -> set[str]:
        """Returns everyone with whom a player has a block, whichever of the two made it."""
        query = select(BLOCKS.c.blocker, BLOCKS.c.blocked).where(
            (BLOCKS.c.blocker == who) | (BLOCKS.c.blocked == who)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).all()
        return {row.blocked if row.blocker == who else row.blocker for row in rows}

    async def tables_of(self, guests: Iterable[str], tables: Iterable[str]) -> set[str]:
        """Returns those of the tables at which one of the guests sits."""
        query = select(PLAYERS.c.table_id).where(
            PLAYERS.c.guest.in_(sorted(guests)), PLAYERS.c.table_id.in_(sorted(tables))
        )
        async with begin_read(self._engine) as connection:
            return {str(row.table_id) for row in await connection.execute(query)}

    # --- removals ---

    async def add_removal(self, table_id: str, who: str) -> bool:
        """Stores that a player may not sit down at a table again; returns False if that is stored already."""
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(BARRED), {"table_id": table_id, "who": who})
        except IntegrityError:
            return False
        return True

    async def delete_removal(self, table_id: str, who: str) -> None:
        """Lets a player sit down at a table again."""
        query = delete(BARRED).where(BARRED.c.table_id == table_id, BARRED.c.who == who)
        async with begin_write(self._engine) as connection:
            await connection.execute(query)

    async def is_removed(self, table_id: str, who: Iterable[str]) -> bool:
        """Whether one of these players was removed from a table."""
        query = select(func.count()).where(
            BARRED.c.table_id == table_id, BARRED.c.who.in_(sorted(who))
        )
        async with begin_read(self._engine) as connection:
            return bool((await connection.execute(query)).scalar_one())

    # --- reports ---

    async def add_report(self, report: PlayerReport) -> bool:
        """Stores a report; returns False if the reporter has an open one about the same player at the same table."""
        same = select(func.count()).where(
            REPORTS.c.reporter == report.reporter,
            REPORTS.c.reported == report.reported,
            REPORTS.c.table_id == report.table_id,
            REPORTS.c.status == "open",
        )
        async with begin_write(self._engine) as connection:
            if (await connection.execute(same)).scalar_one():
                return False
            await connection.execute(insert(REPORTS), asdict(report))
            old = (
                select(REPORTS.c.at)
                .where(REPORTS.c.status == "closed")
                .order_by(REPORTS.c.at.desc())
                .offset(MAX_CLOSED_REPORTS)
                .limit(1)
                .scalar_subquery()
            )
            await connection.execute(
                delete(REPORTS).where(REPORTS.c.status == "closed", REPORTS.c.at <= old)
            )
        return True

    async def reports(self, *, closed: bool, limit: int = 1000) -> list[PlayerReport]:
        """Returns the open reports, or all, the oldest first."""
        query = select(REPORTS).order_by(REPORTS.c.at, REPORTS.c.report_id).limit(limit)
        if not closed:
            query = query.where(REPORTS.c.status == "open")
        async with begin_read(self._engine) as connection:
            return [PlayerReport(**row) for row in (await connection.execute(query)).mappings()]

    async def close(self, report_id: str) -> bool:
        """Closes a report; returns False if there is no open one of that id."""
        async with begin_write(self._engine) as connection:
            closed = await connection.execute(
                update(REPORTS)
                .where(REPORTS.c.report_id == report_id, REPORTS.c.status == "open")
                .values(status="closed")
            )
        return closed.rowcount == 1
