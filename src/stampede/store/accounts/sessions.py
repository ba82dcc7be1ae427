"""Sessions, passkeys and challenges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import ACCOUNTS, CHALLENGES, PASSKEYS, PUSH, SESSIONS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Passkey", "PasskeyStore", "Session", "SessionStore"]

MAX_PARAMETERS = 500
"""Digests in one query."""
MAX_SESSIONS = 50
"""Sessions of one account; a new one replaces the one that was unused for longest."""


@dataclass(frozen=True, slots=True)
class Session:
    """An account is signed in on a device.

    Attributes:
        digest: The digest of the cookie's secret.
        session_id: The id under which it is listed and ended; not a secret.
        account_id: The account.
        name: The account's name.
        created: When it began.
        confirmed: When a passphrase or passkey was last verified here.
        seen: When it was last used, to a few minutes.
        device: The browser's user agent.
    """

    digest: str
    session_id: str
    account_id: str
    name: str
    created: int
    confirmed: int
    seen: int
    device: str


class SessionStore:
    """Sessions in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def begin(
        self, session: Session, previous: str | None, passphrase: str | None = None
    ) -> bool:
        """Stores a new session; deletes the browser's previous one.

        Args:
            session: The session.
            previous: The digest of the browser's previous session.
            passphrase: The hash against which the passphrase was verified. If that has changed meanwhile, nothing is
                stored, and False is returned.
        """
        row = asdict(session)
        del row["name"]
        async with begin_write(self._engine) as connection:
            if passphrase is not None:
                # Written, not only read, so that a change of the passphrase comes before or after all of this.
                same = await connection.execute(
                    update(ACCOUNTS)
                    .where(
                        ACCOUNTS.c.account_id == session.account_id,
                        ACCOUNTS.c.passphrase == passphrase,
                    )
                    .values(passphrase=passphrase)
                )
                if same.rowcount != 1:
                    return False
            if previous is not None:
                await connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == previous))
            mine = SESSIONS.c.account_id == session.account_id
            kept = (
                select(SESSIONS.c.digest)
                .where(mine)
                .order_by(SESSIONS.c.seen.desc(), SESSIONS.c.digest)
                .limit(MAX_SESSIONS - 1)
            )
            await connection.execute(
                delete(SESSIONS).where(mine, SESSIONS.c.digest.not_in(kept.scalar_subquery()))
            )
            await connection.execute(insert(SESSIONS), row)
        return True

    async def find(self, digest: str) -> Session | None:
        """Returns a session by its digest."""
        found = await self._sessions(SESSIONS.c.digest == digest)
        return found[0] if found else None

    async def of(self, account_id: str) -> list[Session]:
        """Returns an account's sessions, the latest used first."""
        return await self._sessions(SESSIONS.c.account_id == account_id)

    async def _sessions(self, condition: object) -> list[Session]:
        query = (
            select(SESSIONS, ACCOUNTS.c.name)
            .join(ACCOUNTS, ACCOUNTS.c.account_id == SESSIONS.c.account_id)
            .where(condition)  # type: ignore[arg-type] # an SQL condition
            .order_by(SESSIONS.c.seen.desc(), SESSIONS.c.session_id)
        )
        async with begin_read(self._engine) as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [Session(**{name: row[name] for name in Session.__slots__}) for row in rows]

    async def find_present(self, digests: Iterable[str]) -> set[str]:
        """Returns those of these digests that belong to a session."""
        wanted, present = tuple(digests), set[str]()
        async with begin_read(self._engine) as connection:
            for start in range(0, len(wanted), MAX_PARAMETERS):
                part = wanted[start : start + MAX_PARAMETERS]
                query = select(SESSIONS.c.digest).where(SESSIONS.c.digest.in_(part))
                present.update((await connection.execute(query)).scalars())
        return present

    async def touch(self, digest: str, *, seen: int, confirmed: int | None = None) -> None:
        """Stores when a session was used, and when it was confirmed."""
        values = {"seen": seen} if confirmed is None else {"seen": seen, "confirmed": confirmed}
        async with begin_write(self._engine) as connection:
            await connection.execute(
                update(SESSIONS).where(SESSIONS.c.digest == digest).values(**values)
            )

    async def end(self, account_id: str, session_id: str) -> bool:
        """Deletes one of an account's sessions; returns False if it has none of that id."""
        async with begin_write(self._engine) as connection:
            ended = await connection.execute(
                delete(SESSIONS).where(
                    SESSIONS.c.account_id == account_id, SESSIONS.c.session_id == session_id
                )
            )
        return ended.rowcount == 1

    async def end_others(self, account_id: str, digest: str) -> int:
        """Deletes all of an account's sessions but one; returns how many."""
        async with begin_write(self._engine) as connection:
            ended = await connection.execute(
                delete(SESSIONS).where(
                    SESSIONS.c.account_id == account_id, SESSIONS.c.digest != digest
                )
            )
        return ended.rowcount

    async def delete_unused(self, before: int) -> None:
        """Deletes sessions that were last used before a time, and subscriptions to notices of ended ones."""
        lasting = select(SESSIONS.c.session_id)
        async with begin_write(self._engine) as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.seen < before))
            ended = PUSH.c.session_id.is_not(None), PUSH.c.session_id.not_in(lasting)
            await connection.execute(delete(PUSH).where(*ended))


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey's public key.

    Attributes:
        digest: The digest of the credential's id, under which it is listed and removed.
        account_id: The account.
        credential: The credential's id, base64url.
        public_key: In COSE form, base64url.
        sign_count: The authenticator's signature counter; 0 if it has none.
        site: The host name at which it was made and works.
        label: The owner's name for it.
        created: When it was made.
        used: When it was last used; None if never.
    """

    digest: str
    account_id: str
    credential: str
    public_key: str
    sign_count: int
    site: str
    label: str
    created: int
    used: int | None = None


class PasskeyStore:
    """Passkeys and challenges in the database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, passkey: Passkey) -> bool:
        """Stores a passkey; returns False if it is stored already."""
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(PASSKEYS), asdict(passkey))
        except IntegrityError:
            return False
        return True

    async def find(self, digest: str) -> Passkey | None:
        """Returns a passkey by its digest."""
        query = select(PASSKEYS).where(PASSKEYS.c.digest == digest)
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
        return None if row is None else Passkey(**row)

    async def of(self, account_id: str) -> list[Passkey]:
        """Returns an account's passkeys, the oldest first."""
        query = (
            select(PASSKEYS)
            .where(PASSKEYS.c.account_id == account_id)
            .order_by(PASSKEYS.c.created, PASSKEYS.c.digest)
        )
        async with begin_read(self._engine) as connection:
            return [Passkey(**row) for row in (await connection.execute(query)).mappings()]

    async def note_use(self, digest: str, sign_count: int, now: int) -> None:
        """Stores the use of a passkey."""
        async with begin_write(self._engine) as connection:
            await connection.execute(
                update(PASSKEYS)
                .where(PASSKEYS.c.digest == digest)
                .values(sign_count=sign_count, used=now)
            )

    async def remove(self, account_id: str, digest: str) -> bool:
        """Deletes a passkey; returns False if there is none, or if the account couldn't sign in without it."""
        async with begin_write(self._engine) as connection:
            mine = PASSKEYS.c.account_id == account_id
            count = select(func.count()).select_from(PASSKEYS).where(mine)
            hashed = select(ACCOUNTS.c.passphrase).where(ACCOUNTS.c.account_id == account_id)
            left = int((await connection.execute(count)).scalar_one())
            if left < 2 and (await connection.execute(hashed)).scalar_one_or_none() is None:
                return False
            removed = await connection.execute(
                delete(PASSKEYS).where(mine, PASSKEYS.c.digest == digest)
            )
        return removed.rowcount == 1

    # --- challenges ---

    async def add_challenge(self, challenge: str, purpose: str, subject: str, expires: int) -> None:
        """Stores a challenge until it is answered; deletes old ones."""
        row = {
            "challenge": challenge,
            "purpose": purpose,
            "subject": subject,
            "expires": expires,
        }
        async with begin_write(self._engine) as connection:
            stale = expires - 10 * 60 * 1000
            await connection.execute(delete(CHALLENGES).where(CHALLENGES.c.expires < stale))
            await connection.execute(insert(CHALLENGES), row)

    async def use_challenge(self, challenge: str, purpose: str, now: int) -> str | None:
        """Deletes a challenge; returns the account that it was for, or None if it is unknown or has expired."""
        query = select(CHALLENGES.c.subject, CHALLENGES.c.expires).where(
            CHALLENGES.c.challenge == challenge, CHALLENGES.c.purpose == purpose
        )
        async with begin_write(self._engine) as connection:
            row = (await connection.execute(query)).one_or_none()
            used = await connection.execute(
                delete(CHALLENGES).where(CHALLENGES.c.challenge == challenge)
            )
        if row is None or used.rowcount != 1 or row.expires < now:
            return None
        return str(row.subject)
