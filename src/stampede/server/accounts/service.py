"""Keeping a name: making an account, signing in, recovering, changing what protects it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.bots import bot_names
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.games import GAMES
from stampede.server.accounts.names import checked_name, folded
from stampede.server.accounts.passkeys import Passkeys
from stampede.server.accounts.passphrases import (
    Passphrases,
    checked_passphrase,
    code_digest,
    new_codes,
)
from stampede.server.accounts.sessions import Sessions, new_account_id
from stampede.server.http.limits import RateLimiter, address_of
from stampede.server.http.problems import Problem, problem_of
from stampede.store.accounts.accounts import Account, AccountStore
from stampede.store.accounts.sessions import Passkey, Session

__all__ = ["Accounts", "NewAccount"]

BOTS: Final = tuple(name for game in GAMES for name in bot_names(game))

SHARED_COST: Final = 0.2
"""What an attempt counts among those from all addresses together."""


class NewAccount(NamedTuple):
    """Somebody who has just kept his name."""

    session: Session
    codes: list[str]


@dataclass(frozen=True, slots=True)
class Accounts:
    """What can be done with accounts."""

    store: AccountStore
    sessions: Sessions
    passkeys: Passkeys
    passphrases: Passphrases
    attempts: RateLimiter
    now: Callable[[], int]

    # --- names ---

    async def usable(self, name: str, mine: str | None = None) -> str:
        """A name in its usual form, if it can be kept; a Problem when it can't, or somebody else has it."""
        usual = self.readable(name)
        owner = await self.store.named(folded(usual))
        if owner is not None and owner.account_id != mine:
            raise name_taken()
        return usual

    def readable(self, name: str) -> str:
        """A name in its usual form; a Problem when nobody could have it."""
        try:
            return checked_name(name, BOTS)
        except InputError as error:
            raise problem_of(error) from error

    # --- coming in ---

    async def register(
        self,
        connection: HTTPConnection,
        response: Response,
        name: str,
        passphrase: str | None,
        credential: JsonObject | None,
        label: str,
    ) -> NewAccount:
        """Keeps a name, and signs its owner in."""
        self.count_attempt(connection, None)
        if (passphrase is None) == (credential is None):
            raise Problem(422, "invalid", "expected a passphrase or a passkey, one of the two")
        usual = await self.usable(name)
        passkey: Passkey | None = None
        hashed: str | None = None
        if credential is not None:
            passkey = await self.passkeys.created(connection, credential, label or "passkey")
            if await self.store.account(passkey.account_id) is not None:
                raise Problem(409, "known_passkey", "expected a passkey made for a new name")
        elif passphrase is not None:
            hashed = await self.passphrases.hash(_checked(passphrase, usual))
        account_id = new_account_id() if passkey is None else passkey.account_id
        codes = new_codes()
        account = Account(account_id, usual, folded(usual), hashed, self.now())
        if not await self.store.create(account, [code_digest(account_id, code) for code in codes]):
            raise name_taken()
        if passkey is not None:
            await self.passkeys.store.add(passkey)
        return NewAccount(await self.sessions.begin(connection, response, account_id, usual), codes)

    async def sign_in(
        self, connection: HTTPConnection, response: Response, name: str, passphrase: str
    ) -> Session:
        """Signs somebody in by his passphrase. An unknown name and a wrong passphrase get the same answer."""
        self.count_attempt(connection, name)
        account = await self.store.named(folded(name))
        hashed = None if account is None else account.passphrase
        if not await self.passphrases.fits(hashed, passphrase) or account is None:
            raise _wrong()
        if hashed is not None and self.passphrases.is_outdated(hashed):
            better = await self.passphrases.hash(passphrase)
            await self.store.set_passphrase(account.account_id, better)
        return await self.sessions.begin(connection, response, account.account_id, account.name)

    async def sign_in_by_passkey(
        self, connection: HTTPConnection, response: Response, credential: JsonObject
    ) -> Session:
        """Signs somebody in by a passkey."""
        self.count_attempt(connection, None)
        account_id = await self.passkeys.shown(connection, credential)
        account = await self.store.account(account_id)
        if account is None:
            raise _wrong()
        return await self.sessions.begin(connection, response, account_id, account.name)

    async def recover(
        self, connection: HTTPConnection, response: Response, name: str, code: str, passphrase: str
    ) -> Session:
        """Sets a new passphrase by a recovery code, which is used up; ends all sessions, and begins one."""
        self.count_attempt(connection, name)
        account = await self.store.named(folded(name))
        hashed = await self.passphrases.hash(_checked(passphrase, name))
        account_id = "" if account is None else account.account_id
        used = await self.store.use_code(account_id, code_digest(account_id, code), hashed)
        if account is None or not used:
            raise Problem(401, "wrong_code", "expected a name and one of its recovery codes")
        return await self.sessions.begin(connection, response, account_id, account.name)

    async def confirm(
        self,
        connection: HTTPConnection,
        session: Session,
        passphrase: str | None,
        credential: JsonObject | None,
    ) -> None:
        """Somebody who is signed in shows again who he is."""
        self.count_attempt(connection, session.name)
        if passphrase is not None:
            account = await self.store.account(session.account_id)
            right = await self.passphrases.fits(
                None if account is None else account.passphrase, passphrase
            )
        elif credential is not None:
            shown = await self.passkeys.shown(connection, credential)
            right = shown == session.account_id
        else:
            raise Problem(422, "invalid", "expected a passphrase or a passkey")
        if not right:
            raise _wrong()
        await self.sessions.confirm(session)

    # --- changing ---

    async def rename(self, session: Session, name: str) -> str:
        """Changes a name; returns its usual form."""
        usual = await self.usable(name, session.account_id)
        if not await self.store.rename(session.account_id, usual, folded(usual)):
            raise name_taken()
        return usual

    async def set_passphrase(self, session: Session, passphrase: str) -> None:
        """Changes the passphrase, and ends all other sessions."""
        self.sessions.check_fresh(session)
        hashed = await self.passphrases.hash(_checked(passphrase, session.name))
        await self.store.set_passphrase(session.account_id, hashed)
        await self.sessions.store.end_others(session.account_id, session.digest)

    async def renew_codes(self, session: Session) -> list[str]:
        """New recovery codes; the old ones are void."""
        self.sessions.check_fresh(session)
        codes = new_codes()
        digests = [code_digest(session.account_id, code) for code in codes]
        await self.store.set_codes(session.account_id, digests)
        return codes

    async def add_passkey(
        self, connection: HTTPConnection, session: Session, credential: JsonObject, label: str
    ) -> None:
        """Adds a passkey to an account."""
        self.sessions.check_fresh(session)
        passkey = await self.passkeys.created(connection, credential, label or "passkey")
        if passkey.account_id != session.account_id:
            raise Problem(401, "wrong_passkey", "expected a passkey made for this account")
        if not await self.passkeys.store.add(passkey):
            raise Problem(409, "known_passkey", "expected a new passkey, got one that is known")

    def count_attempt(self, connection: HTTPConnection, name: str | None) -> None:
        """Counts an attempt to come in, by address and by name; TooManyRequests when there were too many."""
        address = address_of(connection)
        self.attempts.take(f"address:{address}")
        if name is not None:
            # Loosely by name alone, so that a stranger's attempts don't keep the owner out.
            self.attempts.take(f"both:{address}:{folded(name)}")
            self.attempts.take(f"name:{folded(name)}", SHARED_COST)


def _checked(passphrase: str, name: str) -> str:
    try:
        return checked_passphrase(passphrase, name)
    except InputError as error:
        raise problem_of(error) from error


def name_taken() -> Problem:
    """Somebody has that name."""
    return Problem(409, "name_taken", "expected a free name, but somebody keeps this one")


def _wrong() -> Problem:
    return Problem(401, "wrong_sign_in", "expected a name and its passphrase, or a known passkey")
