"""Subscriptions to notices: which browsers of a guest or an account get them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import PUSH, SESSIONS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["MAX_PER_GUEST", "PushStore", "Subscription"]

MAX_PER_GUEST: Final = 10
"""Browsers of one guest or account; a further one replaces the oldest."""

LASTS: Final = or_(
    PUSH.c.session_id.is_(None), PUSH.c.session_id.in_(select(SESSIONS.c.session_id))
)
"""Of a guest's browser, or of an account that is still signed in there."""


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

    async def add(
        self, guest: str, subscription: Subscription, now: int, session_id: str | None = None
    ) -> None:
        """Stores a subscription, in place of the same browser's earlier one, also of another guest.

        Args:
            guest: The guest or the account.
            subscription: The browser.
            now: The time.
            session_id: The account's session in that browser, with which the subscription ends.
        """
        row = {
            "digest": subscription.digest,
            "guest": guest,
            "endpoint": subscription.endpoint,
            "p256dh": subscription.p256dh,
            "auth": subscription.auth,
            "language": subscription.language,
            "at": now,
            "session_id": session_id,
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
        query = select(PUSH).where(PUSH.c.guest == guest, LASTS).order_by(PUSH.c.at)
        async with begin_read(self._engine) as connection:
            return [
                Subscription(row.endpoint, row.p256dh, row.auth, row.language)
                for row in await connection.execute(query)
            ]

    async def count(self, guest: str) -> int:
        """How many a guest has."""
        query = select(func.count()).select_from(PUSH).where(PUSH.c.guest == guest, LASTS)
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

    async def carry_over(self, guest: str, account_id: str, session_id: str) -> None:
        """Moves a guest's subscriptions to the account that they have signed in to, for as long as they are."""
        owner = {"guest": account_id, "session_id": session_id}
        move = update(PUSH).where(PUSH.c.guest == guest).values(owner)
        async with begin_write(self._engine) as connection:
            await connection.execute(move)
