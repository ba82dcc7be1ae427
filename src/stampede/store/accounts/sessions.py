"""Who is signed in, and passkeys: sessions, public keys, challenges."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from stampede.store.schema import ACCOUNTS, CHALLENGES, PASSKEYS, SESSIONS
from stampede.store.transactions import begin_read, begin_write

__all__ = ["Passkey", "PasskeyStore", "Session", "SessionStore"]

MOST_SESSIONS = 50
"""Of one account; the longest unused one goes when there would be more."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody is signed in on a device.

    Attributes:
        digest: The digest of the cookie's secret.
        session_id: What it is called when sessions are listed and ended; opens nothing.
        account_id: Who.
        name: What he is called.
        created: When he signed in.
        confirmed: When he last showed a passphrase or passkey here.
        seen: When it was last used, to a few minutes.
        device: What the browser called itself.
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

    async def begin(self, session: Session, instead_of: str | None) -> None:
        """Keeps a new session; the one that the browser showed before ends by it."""
        row = asdict(session)
        del row["name"]
        async with begin_write(self._engine) as connection:
            if instead_of is not None:
                await connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == instead_of))
            mine = SESSIONS.c.account_id == session.account_id
            kept = (
                select(SESSIONS.c.digest)
                .where(mine)
                .order_by(SESSIONS.c.seen.desc(), SESSIONS.c.digest)
                .limit(MOST_SESSIONS - 1)
            )
            await connection.execute(
                delete(SESSIONS).where(mine, SESSIONS.c.digest.not_in(kept.scalar_subquery()))
            )
            await connection.execute(insert(SESSIONS), row)

    async def find(self, digest: str) -> Session | None:
        """The session of that digest."""
        found = await self._sessions(SESSIONS.c.digest == digest)
        return found[0] if found else None

    async def of(self, account_id: str) -> list[Session]:
        """Everywhere somebody is signed in, the latest used first."""
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

    async def touch(self, digest: str, *, seen: int, confirmed: int | None = None) -> None:
        """Notes that a session is used, or that its owner has shown who he is."""
        values = {"seen": seen} if confirmed is None else {"seen": seen, "confirmed": confirmed}
        async with begin_write(self._engine) as connection:
            await connection.execute(
                update(SESSIONS).where(SESSIONS.c.digest == digest).values(**values)
            )

    async def end(self, account_id: str, session_id: str) -> bool:
        """Ends one of somebody's sessions; False when he has none of that id."""
        async with begin_write(self._engine) as connection:
            ended = await connection.execute(
                delete(SESSIONS).where(
                    SESSIONS.c.account_id == account_id, SESSIONS.c.session_id == session_id
                )
            )
        return ended.rowcount == 1

    async def end_others(self, account_id: str, digest: str) -> int:
        """Ends all of somebody's sessions but one; returns how many."""
        async with begin_write(self._engine) as connection:
            ended = await connection.execute(
                delete(SESSIONS).where(
                    SESSIONS.c.account_id == account_id, SESSIONS.c.digest != digest
                )
            )
        return ended.rowcount

    async def delete_unused(self, before: int) -> None:
        """Ends what hasn't been used for long."""
        async with begin_write(self._engine) as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.seen < before))


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey's public half.

    Attributes:
        digest: Of the credential's id; also what the passkey is called when it is listed and removed.
        account_id: Whose.
        credential: The credential's id, base64url.
        public_key: In COSE form, base64url.
        sign_count: As the authenticator last counted; 0 when it doesn't.
        site: The host name at which it was made; it is good for this one only.
        label: What its owner calls it.
        created: When.
        used: When last; None when never.
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
        """Keeps a passkey; False when it is known already."""
        try:
            async with begin_write(self._engine) as connection:
                await connection.execute(insert(PASSKEYS), asdict(passkey))
        except IntegrityError:
            return False
        return True

    async def find(self, digest: str) -> Passkey | None:
        """The passkey of that credential."""
        query = select(PASSKEYS).where(PASSKEYS.c.digest == digest)
        async with begin_read(self._engine) as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
        return None if row is None else Passkey(**row)

    async def of(self, account_id: str) -> list[Passkey]:
        """Somebody's passkeys, the oldest first."""
        query = (
            select(PASSKEYS)
            .where(PASSKEYS.c.account_id == account_id)
            .order_by(PASSKEYS.c.created, PASSKEYS.c.digest)
        )
        async with begin_read(self._engine) as connection:
            return [Passkey(**row) for row in (await connection.execute(query)).mappings()]

    async def used(self, digest: str, sign_count: int, now: int) -> None:
        """Notes the use of a passkey."""
        async with begin_write(self._engine) as connection:
            await connection.execute(
                update(PASSKEYS)
                .where(PASSKEYS.c.digest == digest)
                .values(sign_count=sign_count, used=now)
            )

    async def remove(self, account_id: str, digest: str) -> bool:
        """Removes a passkey, unless it is the last way in; False when there is none to be removed."""
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

    async def ask(self, challenge: str, purpose: str, subject: str, expires: int) -> None:
        """Keeps a challenge until it is answered; old ones are forgotten."""
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

    async def answer(self, challenge: str, purpose: str, now: int) -> str | None:
        """Uses a challenge up; returns whom it was for, or None when there is no such challenge (any more)."""
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
