"""Accounts, their recovery codes, and the tables at which they have sat.

Callers compute the hashes and digests; no secret comes in here in plain text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from stampede.store.accounts.puzzles import Solvers
from stampede.store.schema import (
    ACCOUNT_TABLES,
    ACCOUNTS,
    BLOCKS,
    HIDDEN,
    LESSONS,
    LISTINGS,
    PASSKEYS,
    PROFILES,
    PUZZLE_DAYS,
    PUZZLE_RATINGS,
    PUZZLE_RESULTS,
    RECOVERY_CODES,
    SESSIONS,
)
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Account", "AccountStore", "AccountTable"]


@dataclass(frozen=True, slots=True)
class Account:
    """An account.

    Attributes:
        account_id: The id in the log; opaque, and never reused.
        name: The name as shown.
        folded: The name as compared.
        passphrase: Its argon2id hash; None without one.
        created: When, in milliseconds.
    """

    account_id: str
    name: str
    folded: str
    passphrase: str | None
    created: int


@dataclass(frozen=True, slots=True)
class AccountTable:
    """A table at which an account has sat, and as which guest."""

    table_id: str
    guest: str


class AccountStore:
    """Accounts in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    # --- accounts ---

    async def create(self, account: Account, codes: Iterable[str]) -> bool:
        """Stores an account with its recovery codes' digests; returns False if the name is taken."""
        row = {
            "account_id": account.account_id,
            "name": account.name,
            "folded": account.folded,
            "passphrase": account.passphrase,
            "created": account.created,
        }
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(ACCOUNTS), row)
                await _set_codes(connection, account.account_id, codes)
        except IntegrityError:
            return False
        return True

    async def find_by_name(self, folded: str) -> Account | None:
        """Returns the account of a name; None if it is free."""
        return await self._find_where(ACCOUNTS.c.folded == folded)

    async def find(self, account_id: str) -> Account | None:
        """Returns an account by its id."""
        return await self._find_where(ACCOUNTS.c.account_id == account_id)

    async def _find_where(self, condition: Any) -> Account | None:
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(select(ACCOUNTS).where(condition))).one_or_none()
        return None if row is None else _account(row)

    async def rename(self, account_id: str, name: str, folded: str) -> bool:
        """Changes the name; returns False if it is taken."""
        return await self._change(account_id, name=name, folded=folded)

    async def set_passphrase(
        self,
        account_id: str,
        hashed: str | None,
        *,
        session: str | None = None,
        before: str | None = None,
    ) -> bool:
        """Changes the passphrase's hash; returns False if a condition doesn't hold any more.

        Args:
            account_id: The account.
            hashed: The new hash.
            session: The digest of the session that asks for it: it must not have ended; all others end.
            before: The hash that it replaces: it must not have changed.
        """
        change = update(ACCOUNTS).where(ACCOUNTS.c.account_id == account_id)
        if before is not None:
            change = change.where(ACCOUNTS.c.passphrase == before)
        if session is not None:
            mine = select(SESSIONS.c.digest).where(SESSIONS.c.account_id == account_id)
            change = change.where(mine.where(SESSIONS.c.digest == session).exists())
        async with begin_write(self._engine) as connection:
            changed = await connection.execute(change.values(passphrase=hashed))
            if changed.rowcount == 1 and session is not None:
                await connection.execute(
                    delete(SESSIONS).where(
                        SESSIONS.c.account_id == account_id, SESSIONS.c.digest != session
                    )
                )
        return changed.rowcount == 1

    async def _change(self, account_id: str, **values: str | None) -> bool:
        statement = update(ACCOUNTS).where(ACCOUNTS.c.account_id == account_id).values(**values)
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(statement)
        except IntegrityError:
            return False
        return True

    async def delete(self, account_id: str) -> None:
        """Deletes an account and everything that belongs to it, except for the log."""
        async with begin_write(self._engine) as connection:
            for table in (ACCOUNTS, ACCOUNT_TABLES, PASSKEYS, RECOVERY_CODES, SESSIONS):
                await connection.execute(delete(table).where(table.c.account_id == account_id))
            await connection.execute(delete(HIDDEN).where(HIDDEN.c.guest == account_id))
            for table in (LESSONS, PUZZLE_DAYS, PUZZLE_RESULTS, PROFILES):
                await connection.execute(delete(table).where(table.c.account_id == account_id))
            await connection.execute(
                delete(PUZZLE_RATINGS).where(
                    PUZZLE_RATINGS.c.identity.in_([one.identity(account_id) for one in Solvers])
                )
            )
            await connection.execute(
                delete(BLOCKS).where(
                    (BLOCKS.c.blocker == account_id) | (BLOCKS.c.blocked == account_id)
                )
            )

    # --- recovery codes ---

    async def set_codes(self, account_id: str, digests: Iterable[str]) -> None:
        """Replaces the recovery codes."""
        async with begin_write(self._engine) as connection:
            await connection.execute(
                delete(RECOVERY_CODES).where(RECOVERY_CODES.c.account_id == account_id)
            )
            await _set_codes(connection, account_id, digests)

    async def use_code(self, account_id: str, digest: str, passphrase: str) -> bool:
        """Uses a recovery code up, sets a new passphrase and ends all sessions; returns False if the code is wrong."""
        async with begin_write(self._engine) as connection:
            used = await connection.execute(
                delete(RECOVERY_CODES).where(
                    RECOVERY_CODES.c.account_id == account_id, RECOVERY_CODES.c.digest == digest
                )
            )
            if used.rowcount != 1:
                return False
            await connection.execute(
                update(ACCOUNTS)
                .where(ACCOUNTS.c.account_id == account_id)
                .values(passphrase=passphrase)
            )
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.account_id == account_id))
        return True

    async def codes_left(self, account_id: str) -> int:
        """Counts the unused recovery codes."""
        query = select(func.count()).where(RECOVERY_CODES.c.account_id == account_id)
        async with begin_read(self._engine) as connection:
            return int((await connection.execute(query)).scalar_one())

    # --- tables ---

    async def add_tables(self, account_id: str, tables: Iterable[AccountTable], now: int) -> None:
        """Remembers tables at which an account sits. Idempotent."""
        async with begin_write(self._engine) as connection:
            known = select(ACCOUNT_TABLES.c.table_id, ACCOUNT_TABLES.c.guest).where(
                ACCOUNT_TABLES.c.account_id == account_id
            )
            for item in set(tables):
                same = known.where(
                    ACCOUNT_TABLES.c.table_id == item.table_id,
                    ACCOUNT_TABLES.c.guest == item.guest,
                )
                if (await connection.execute(same)).first() is None:
                    row = {
                        "account_id": account_id,
                        "table_id": item.table_id,
                        "guest": item.guest,
                        "since": now,
                    }
                    await connection.execute(insert(ACCOUNT_TABLES), row)

    async def tables(self, account_id: str) -> list[AccountTable]:
        """Returns every table at which an account has sat, the latest first."""
        query = (
            select(ACCOUNT_TABLES.c.table_id, ACCOUNT_TABLES.c.guest)
            .where(ACCOUNT_TABLES.c.account_id == account_id)
            .order_by(ACCOUNT_TABLES.c.since.desc(), ACCOUNT_TABLES.c.table_id)
        )
        async with begin_read(self._engine) as connection:
            return [
                AccountTable(row.table_id, row.guest) for row in await connection.execute(query)
            ]

    async def summaries(self, account_id: str, limit: int, before: int) -> list[str]:
        """Returns the listings' summaries of an account's tables, the latest change first."""
        tables = select(ACCOUNT_TABLES.c.table_id).where(ACCOUNT_TABLES.c.account_id == account_id)
        query = (
            select(LISTINGS.c.summary)
            .where(LISTINGS.c.table_id.in_(tables), LISTINGS.c.updated < before)
            .order_by(LISTINGS.c.updated.desc(), LISTINGS.c.table_id)
            .limit(limit)
        )
        async with begin_read(self._engine) as connection:
            return [str(row.summary) for row in await connection.execute(query)]


async def _set_codes(connection: AsyncConnection, account_id: str, digests: Iterable[str]) -> None:
    rows = [{"digest": digest, "account_id": account_id} for digest in digests]
    if rows:
        await connection.execute(insert(RECOVERY_CODES), rows)


def _account(row: Row[Any]) -> Account:
    return Account(row.account_id, row.name, row.folded, row.passphrase, row.created)
