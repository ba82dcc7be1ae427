"""Subscriptions to notices: which browsers of a guest or an account get them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import PUSH
from stampede.store.transactions import begin_read, begin_write

__all__ = ["MAX_PER_GUEST", "PushStore", "Subscription"]

MAX_PER_GUEST: Final = 10
"""Browsers of one guest or account; a further one replaces the oldest."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that gets notices.

    Attributes:
        endpoint: The push service's address for it, which is a secret.
        p256dh: Its public key.
        auth: Its authentication secret.
        language: In which its notices are.
    """

    endpoint: str
    p256dh: str
    auth: str
    language: str

    @property
    def digest(self) -> str:
        """What it is stored under."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class PushStore:
    """Subscriptions in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, guest: str, subscription: Subscription, now: int) -> None:
        """Stores a subscription, in place of the same browser's earlier one, also of another guest."""
        row = {
            "digest": subscription.digest,
            "guest": guest,
            "endpoint": subscription.endpoint,
            "p256dh": subscription.p256dh,
            "auth": subscription.auth,
            "language": subscription.language,
            "at": now,
        }
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(delete(PUSH).where(PUSH.c.digest == subscription.digest))
                await connection.execute(insert(PUSH), row)
                kept = (
                    select(PUSH.c.digest)
                    .where(PUSH.c.guest == guest)
                    .order_by(PUSH.c.at.desc(), PUSH.c.digest)
                    .offset(MAX_PER_GUEST)
                )
                surplus = [found.digest for found in await connection.execute(kept)]
                if surplus:
                    await connection.execute(delete(PUSH).where(PUSH.c.digest.in_(surplus)))
        except IntegrityError:  # another worker was first, with the same browser
            return

    async def of(self, guest: str) -> list[Subscription]:
        """A guest's or an account's subscriptions."""
        query = select(PUSH).where(PUSH.c.guest == guest).order_by(PUSH.c.at)
        async with begin_read(self._engine) as connection:
            return [
                Subscription(row.endpoint, row.p256dh, row.auth, row.language)
                for row in await connection.execute(query)
            ]

    async def count(self, guest: str) -> int:
        """How many a guest has."""
        query = select(func.count()).select_from(PUSH).where(PUSH.c.guest == guest)
        async with begin_read(self._engine) as connection:
            return int((await connection.execute(query)).scalar_one())

    async def remove(self, digest: str, guest: str | None = None) -> None:
        """Removes a subscription; with a guest only if it is theirs."""
        query = delete(PUSH).where(PUSH.c.digest == digest)
        async with begin_write(self._engine) as connection:
            await connection.execute(query if guest is None else query.where(PUSH.c.guest == guest))

    async def remove_all(self, guest: str) -> None:
        """Removes all subscriptions of a guest or an account."""
        async with begin_write(self._engine) as connection:
            await connection.execute(delete(PUSH).where(PUSH.c.guest == guest))

    async def carry_over(self, guest: str, account_id: str) -> None:
        """Moves a guest's subscriptions to the account that they have signed in to."""
        move = update(PUSH).where(PUSH.c.guest == guest).values(guest=account_id)
        async with begin_write(self._engine) as connection:
            await connection.execute(move)
