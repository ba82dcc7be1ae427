"""Who is signed in: a cookie with a secret that only its digest is kept of. A new secret with every sign-in.

Whoever signs in gets a new session, whatever the browser showed before, so a cookie that somebody else has planted is
worth nothing afterwards. A signed-in caller is known to tables by his account's id.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.matches.callers import Caller
from stampede.server.http.identity import COOKIE, Identities
from stampede.server.http.problems import Problem
from stampede.store import StoreError
from stampede.store.accounts.sessions import Session, SessionStore

__all__ = ["Sessions", "is_account", "new_account_id"]

log = logging.getLogger("stampede.server")

DAY: Final = 24 * 3600 * 1000
UNUSED: Final = 90 * DAY
"""A session that nobody uses for so long ends."""
SEEN_EVERY: Final = 5 * 60 * 1000
FRESH: Final = 15 * 60 * 1000
"""For so long after showing a passphrase or a passkey, one may change what protects the account."""
SECRET_BYTES: Final = 32
LONGEST_DEVICE: Final = 200
HOUSEKEEPING: Final = 6 * 3600.0
FOUND: Final = "stampede.session"
"""Where a request remembers its session."""


def new_account_id() -> str:
    """A fresh id of an account; shown to nobody."""
    return f"a{secrets.token_hex(16)}"


def is_account(guest: str | None) -> bool:
    """Whether this id is an account's, not a passing guest's."""
    return guest is not None and guest.startswith("a")


def _digest(secret: str) -> str:
    return hashlib.sha256(f"stampede-session/1\0{secret}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Sessions:
    """Begins, finds and ends sessions."""

    store: SessionStore
    identities: Identities
    now: Callable[[], int]

    @property
    def cookie(self) -> str:
        """The cookie's name. Behind TLS no other host can set one of that name: browsers see to it."""
        return "__Host-stampede_session" if self.identities.secure else "stampede_session"

    async def caller(self, connection: HTTPConnection) -> Caller:
        """Who asks: an account, a guest, a token's bearer, or nobody."""
        caller = self.identities.caller(connection)
        session = await self.find(connection)
        return caller if session is None else replace(caller, guest=session.account_id)

    async def find(self, connection: HTTPConnection, *, anew: bool = False) -> Session | None:
        """The session that a request shows; None when it shows none that holds. Looked up once a request."""
        scope = connection.scope
        if anew or FOUND not in scope:
            scope[FOUND] = await self._look_up(connection)
        found: Session | None = scope[FOUND]
        return found

    async def _look_up(self, connection: HTTPConnection) -> Session | None:
        shown = self._shown(connection)
        session = None if shown is None else await self.store.find(shown)
        now = self.now()
        if session is None or session.seen < now - UNUSED:
            return None
        if session.seen < now - SEEN_EVERY:
            await self.store.touch(session.digest, seen=now)
        return session

    def _shown(self, connection: HTTPConnection) -> str | None:
        secret = connection.cookies.get(self.cookie)
        if not secret or len(secret) > 100 or not secret.isascii():
            return None
        return _digest(secret)

    async def still_holds(self, connection: HTTPConnection) -> bool:
        """Whether a caller on a long connection is still who he was when it began."""
        before = await self.find(connection)
        try:
            return before is None or await self.find(connection, anew=True) is not None
        except StoreError:  # a database that is away ends nobody's session
            connection.scope[FOUND] = before
            return True

    async def required(self, connection: HTTPConnection) -> Session:
        """The session; a Problem when nobody is signed in."""
        session = await self.find(connection)
        if session is None:
            raise Problem(401, "signed_out", "expected somebody who is signed in")
        return session

    async def begin(
        self, connection: HTTPConnection, response: Response, account_id: str, name: str
    ) -> Session:
        """Signs somebody in, with a new secret; what the browser showed before is void for it."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        now = self.now()
        session = Session(
            digest=_digest(secret),
            session_id=secrets.token_urlsafe(12),
            account_id=account_id,
            name=name,
            created=now,
            confirmed=now,
            seen=now,
            device=_device(connection),
        )
        await self.store.begin(session, self._shown(connection))
        connection.scope[FOUND] = session
        response.set_cookie(
            self.cookie,
            secret,
            max_age=UNUSED // 1000,
            httponly=True,
            samesite="lax",
            secure=self.identities.secure,
        )
        response.delete_cookie(COOKIE)
        return session

    async def confirm(self, session: Session) -> None:
        """Somebody has shown again who he is."""
        now = self.now()
        await self.store.touch(session.digest, seen=now, confirmed=now)

    def is_fresh(self, session: Session) -> bool:
        """Whether somebody has shown lately who he is."""
        return session.confirmed > self.now() - FRESH

    def check_fresh(self, session: Session) -> None:
        """A Problem when it's long ago that somebody showed who he is."""
        if not self.is_fresh(session):
            raise Problem(
                403, "confirm_first", "expected a passphrase or passkey, shown within 15 minutes"
            )

    async def delete_unused(self) -> None:
        """Ends what nobody uses any more, now and then, for ever."""
        while True:
            try:
                await self.store.delete_unused(self.now() - UNUSED)
            except StoreError:
                log.warning("unused sessions are ended later")
            await asyncio.sleep(HOUSEKEEPING)

    def sign_out(self, connection: HTTPConnection, response: Response) -> None:
        """Takes the cookie back."""
        connection.scope[FOUND] = None
        response.delete_cookie(self.cookie, secure=self.identities.secure, httponly=True)


def _device(connection: HTTPConnection) -> str:
    """What the browser calls itself, without anything that a terminal or page would take for more than text."""
    told = connection.headers.get("user-agent", "")
    return "".join(letter for letter in told if letter.isprintable())[:LONGEST_DEVICE]
