"""Sessions: a cookie with a secret, of which the database has the digest only. Every sign-in makes a new secret.

A sign-in always begins a new session, whatever cookie the browser sent, which prevents session fixation. Tables know a
signed-in caller by the account's id.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.matches.callers import Caller
from stampede.server.http.identity import COOKIE, Identities
from stampede.server.http.problems import Problem
from stampede.server.runtime import new_text
from stampede.store import StoreError
from stampede.store.accounts.sessions import Session, SessionStore

__all__ = ["Sessions", "is_account"]

log = logging.getLogger("stampede.server")

DAY: Final = 24 * 3600 * 1000
LIFETIME: Final = 90 * DAY
"""Milliseconds after its last use at which a session ends."""
SEEN_RESOLUTION: Final = 5 * 60 * 1000
FRESH: Final = 15 * 60 * 1000
"""Milliseconds after a sign-in or confirmation in which an account's passphrase and passkeys can be changed."""
SECRET_BYTES: Final = 32
MAX_DEVICE: Final = 200
CLEANUP_SECONDS: Final = 6 * 3600.0
SCOPE_KEY: Final = "stampede.session"
"""The key in the ASGI scope under which a request caches its session."""


def is_account(guest: str | None) -> bool:
    """Whether this id is an account's, not a guest's."""
    return guest is not None and guest.startswith("a")


def _digest(secret: str) -> str:
    return hashlib.sha256(f"stampede-session/1\0{secret}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Sessions:
    """Begins, finds and ends sessions."""

    store: SessionStore
    identities: Identities
    now: Callable[[], int]
    entropy: Callable[[int], bytes]

    @property
    def cookie(self) -> str:
        """The cookie's name. Behind TLS, its prefix makes browsers reject one that another host sets."""
        return "__Host-stampede_session" if self.identities.secure else "stampede_session"

    def new_account_id(self) -> str:
        """Returns a new account's id. No one sees it."""
        return f"a{self.entropy(16).hex()}"

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Identifies the caller: an account, a guest, a token's bearer, or an anonymous one."""
        caller = self.identities.caller(connection)
        session = await self.find(connection)
        return caller if session is None else replace(caller, guest=session.account_id)

    async def find(self, connection: HTTPConnection) -> Session | None:
        """Returns a request's session; None if it has no valid one. Looked up once a request."""
        scope = connection.scope
        if SCOPE_KEY not in scope:
            scope[SCOPE_KEY] = await self._look_up(connection)
        found: Session | None = scope[SCOPE_KEY]
        return found

    async def _look_up(self, connection: HTTPConnection) -> Session | None:
        digest = self._read_digest(connection)
        session = None if digest is None else await self.store.find(digest)
        now = self.now()
        if session is None or session.seen < now - LIFETIME:
            return None
        if session.seen < now - SEEN_RESOLUTION:
            await self.store.touch(session.digest, seen=now)
        return session

    def _read_digest(self, connection: HTTPConnection) -> str | None:
        secret = connection.cookies.get(self.cookie)
        if not secret or len(secret) > 100 or not secret.isascii():
            return None
        return _digest(secret)

    async def is_current(self, connection: HTTPConnection) -> bool:
        """Whether a request's session hasn't ended since it was looked up; True if it has none."""
        session = await self.find(connection)
        return session is None or await self.store.find(session.digest) is not None

    async def require(self, connection: HTTPConnection) -> Session:
        """Returns the session; raises a Problem if there is none."""
        session = await self.find(connection)
        if session is None:
            raise Problem(401, "signed_out", "expected a signed-in account")
        return session

    async def begin(
        self,
        connection: HTTPConnection,
        response: Response,
        account_id: str,
        name: str,
        passphrase: str | None = None,
    ) -> Session | None:
        """Signs an account in with a new secret; ends the browser's previous session.

        Returns None if the hash against which the passphrase was verified has changed meanwhile.
        """
        secret = new_text(self.entropy, SECRET_BYTES)
        now = self.now()
        session = Session(
            digest=_digest(secret),
            session_id=new_text(self.entropy, 12),
            account_id=account_id,
            name=name,
            created=now,
            confirmed=now,
            seen=now,
            device=_device(connection),
        )
        if not await self.store.begin(session, self._read_digest(connection), passphrase):
            return None
        connection.scope[SCOPE_KEY] = session
        response.set_cookie(
            self.cookie,
            secret,
            max_age=LIFETIME // 1000,
            httponly=True,
            samesite="lax",
            secure=self.identities.secure,
        )
        response.set_cookie(
            COOKIE, max_age=0
        )  # not delete_cookie, which asks the system for the time
        return session

    async def confirm(self, session: Session) -> None:
        """Notes that the account has confirmed who it is."""
        now = self.now()
        await self.store.touch(session.digest, seen=now, confirmed=now)

    def is_fresh(self, session: Session) -> bool:
        """Whether the account has signed in or confirmed lately."""
        return session.confirmed > self.now() - FRESH

    def check_fresh(self, session: Session) -> None:
        """Raises a Problem unless the account has signed in or confirmed lately."""
        if not self.is_fresh(session):
            raise Problem(
                403, "confirm_first", "expected a passphrase or passkey, shown within 15 minutes"
            )

    async def delete_unused(self) -> None:
        """Deletes expired sessions now and then, for ever."""
        while True:
            try:
                await self.store.delete_unused(self.now() - LIFETIME)
            except StoreError:
                log.warning("can't delete expired sessions now; trying again later")
            await asyncio.sleep(CLEANUP_SECONDS)

    def sign_out(self, connection: HTTPConnection, response: Response) -> None:
        """Deletes the cookie."""
        connection.scope[SCOPE_KEY] = None
        response.set_cookie(self.cookie, max_age=0, secure=self.identities.secure, httponly=True)


def _device(connection: HTTPConnection) -> str:
    """Returns the browser's user agent, without control characters."""
    agent = connection.headers.get("user-agent", "")
    return "".join(letter for letter in agent if letter.isprintable())[:MAX_DEVICE]
