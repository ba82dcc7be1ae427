"""Accounts: registration, sign-in, recovery, and changes of names, passphrases and passkeys."""

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
from stampede.server.accounts.devices import Devices
from stampede.server.accounts.names import check_name, fold_name
from stampede.server.accounts.passkeys import Passkeys
from stampede.server.accounts.passphrases import (
    Passphrases,
    check_passphrase,
    digest_code,
    new_codes,
)
from stampede.server.accounts.sessions import Sessions
from stampede.server.http.limits import RateLimiter, address_of
from stampede.server.http.problems import Problem, problem_of
from stampede.store.accounts.accounts import Account, AccountStore
from stampede.store.accounts.sessions import Passkey, Session

__all__ = ["Accounts", "NewAccount"]

BOTS: Final = tuple(name for game in GAMES for name in bot_names(game))

NAME_COST: Final = 0.2
"""The cost of an attempt in the limit of a name, over all addresses."""


class NewAccount(NamedTuple):
    """A new account's first session, and its recovery codes."""

    session: Session
    codes: list[str]


@dataclass(frozen=True, slots=True)
class Accounts:
    """Makes and changes accounts, and signs in to them."""

    store: AccountStore
    sessions: Sessions
    passkeys: Passkeys
    passphrases: Passphrases
    devices: Devices
    attempts: RateLimiter
    now: Callable[[], int]

    # --- names ---

    async def require_free_name(self, name: str, mine: str | None = None) -> str:
        """Returns the name in its normal form; raises a Problem if it isn't allowed or another account has it."""
        normal = self._check_name(name)
        owner = await self.store.find_by_name(fold_name(normal))
        if owner is not None and owner.account_id != mine:
            raise name_taken()
        return normal

    def _check_name(self, name: str) -> str:
        try:
            return check_name(name, BOTS)
        except InputError as error:
            raise problem_of(error) from error

    # --- signing in ---

    async def register(
        self,
        connection: HTTPConnection,
        response: Response,
        name: str,
        passphrase: str | None,
        credential: JsonObject | None,
        label: str,
    ) -> NewAccount:
        """Makes an account and signs in to it."""
        self.count_attempt(connection, None)
        if (passphrase is None) == (credential is None):
            raise Problem(422, "invalid", "expected a passphrase or a passkey, one of the two")
        normal = await self.require_free_name(name)
        passkey: Passkey | None = None
        hashed: str | None = None
        if credential is not None:
            passkey = await self.passkeys.verify_new(connection, credential, label or "passkey")
            if await self.store.find(passkey.account_id) is not None:
                raise Problem(409, "known_passkey", "expected a passkey made for a new name")
        elif passphrase is not None:
            hashed = await self.passphrases.hash(_check_passphrase(passphrase, normal))
        account_id = self.sessions.new_account_id() if passkey is None else passkey.account_id
        codes = new_codes(self.sessions.entropy)
        account = Account(account_id, normal, fold_name(normal), hashed, self.now())
        if not await self.store.create(account, [digest_code(account_id, code) for code in codes]):
            raise name_taken()
        if passkey is not None:
            await self.passkeys.store.add(passkey)
        return NewAccount(await self._begin(connection, response, account), codes)

    async def sign_in(
        self, connection: HTTPConnection, response: Response, name: str, passphrase: str
    ) -> Session:
        """Signs in with a passphrase. An unknown name and a wrong passphrase get the same response."""
        account = await self.store.find_by_name(fold_name(name))
        self._count_sign_in(connection, name, account)
        hashed = None if account is None else account.passphrase
        if not await self.passphrases.verify(hashed, passphrase) or account is None:
            raise _wrong_sign_in()
        account_id = account.account_id
        if hashed is not None and self.passphrases.is_outdated(hashed):
            better = await self.passphrases.hash(passphrase)
            if await self.store.set_passphrase(account_id, better, before=hashed):
                hashed = better
        return await self._begin(connection, response, account, hashed)

    async def sign_in_by_passkey(
        self, connection: HTTPConnection, response: Response, credential: JsonObject
    ) -> Session:
        """Signs in with a passkey."""
        self.count_passkey(connection)
        account_id = await self.passkeys.verify(connection, credential)
        account = await self.store.find(account_id)
        if account is None:
            raise _wrong_sign_in()
        return await self._begin(connection, response, account)

    async def recover(
        self, connection: HTTPConnection, response: Response, name: str, code: str, passphrase: str
    ) -> Session:
        """Sets a new passphrase with a recovery code, which is used up; ends all sessions and begins one.

        A code can't be guessed, so attempts aren't limited by name, which would keep the owner out.
        """
        self.count_attempt(connection, None)
        account = await self.store.find_by_name(fold_name(name))
        hashed = await self.passphrases.hash(_check_passphrase(passphrase, name))
        account_id = "" if account is None else account.account_id
        used = await self.store.use_code(account_id, digest_code(account_id, code), hashed)
        if account is None or not used:
            raise Problem(401, "wrong_code", "expected a name and one of its recovery codes")
        return await self._begin(connection, response, account)

    async def _begin(
        self,
        connection: HTTPConnection,
        response: Response,
        account: Account,
        verified: str | None = None,
    ) -> Session:
        """Begins a session on a device that is known from now on."""
        account_id = account.account_id
        session = await self.sessions.begin(
            connection, response, account_id, account.name, verified
        )
        if session is None:  # the passphrase was changed while this one was verified
            raise _wrong_sign_in()
        self.devices.remember(connection, response, account_id)
        return session

    async def confirm(
        self,
        connection: HTTPConnection,
        session: Session,
        passphrase: str | None,
        credential: JsonObject | None,
    ) -> None:
        """Confirms who a signed-in account is, by its passphrase or a passkey."""
        self.attempts.take(f"session:{session.digest}")  # strangers' attempts don't count in here
        if passphrase is not None:
            account = await self.store.find(session.account_id)
            right = await self.passphrases.verify(
                None if account is None else account.passphrase, passphrase
            )
        elif credential is not None:
            shown = await self.passkeys.verify(connection, credential)
            right = shown == session.account_id
        else:
            raise Problem(422, "invalid", "expected a passphrase or a passkey")
        if not right:
            raise _wrong_sign_in()
        await self.sessions.confirm(session)

    # --- changing ---

    async def rename(self, session: Session, name: str) -> str:
        """Changes the name; returns its normal form."""
        normal = await self.require_free_name(name, session.account_id)
        if not await self.store.rename(session.account_id, normal, fold_name(normal)):
            raise name_taken()
        return normal

    async def set_passphrase(self, session: Session, passphrase: str) -> None:
        """Changes the passphrase, and ends all other sessions."""
        self.sessions.check_fresh(session)
        hashed = await self.passphrases.hash(_check_passphrase(passphrase, session.name))
        done = await self.store.set_passphrase(session.account_id, hashed, session=session.digest)
        if not done:  # it was ended while the passphrase was hashed
            raise Problem(401, "signed_out", "expected a signed-in account")

    async def renew_codes(self, session: Session) -> list[str]:
        """Makes new recovery codes; the old ones become invalid."""
        self.sessions.check_fresh(session)
        codes = new_codes(self.sessions.entropy)
        digests = [digest_code(session.account_id, code) for code in codes]
        await self.store.set_codes(session.account_id, digests)
        return codes

    async def add_passkey(
        self, connection: HTTPConnection, session: Session, credential: JsonObject, label: str
    ) -> None:
        """Adds a passkey to an account."""
        self.sessions.check_fresh(session)
        self.attempts.take(f"session:{session.digest}")  # verifying it takes processor time
        passkey = await self.passkeys.verify_new(connection, credential, label or "passkey")
        if passkey.account_id != session.account_id:
            raise Problem(401, "wrong_passkey", "expected a passkey made for this account")
        if not await self.passkeys.store.add(passkey):
            raise Problem(409, "known_passkey", "expected a new passkey, got one that is known")

    def _count_sign_in(
        self, connection: HTTPConnection, name: str, account: Account | None
    ) -> None:
        """Counts an attempt by passphrase. A device that the account knows is counted alone."""
        device = None if account is None else self.devices.recognise(connection, account.account_id)
        if device is None:
            self.count_attempt(connection, name)
        else:
            self.attempts.take(f"device:{device}")

    def count_passkey(self, connection: HTTPConnection) -> None:
        """Counts a use of a passkey, apart from passphrases; raises TooManyRequests. It can't be guessed."""
        self.attempts.take(f"passkey:{address_of(connection)}")

    def count_attempt(self, connection: HTTPConnection, name: str | None) -> None:
        """Counts an attempt to sign in, by address and by name; raises TooManyRequests."""
        address = address_of(connection)
        self.attempts.take(f"address:{address}")
        if name is not None:
            # By name alone the limit is higher, so that a stranger's attempts don't lock the owner out.
            self.attempts.take(f"both:{address}:{fold_name(name)}")
            self.attempts.take(f"name:{fold_name(name)}", NAME_COST)


def _check_passphrase(passphrase: str, name: str) -> str:
    try:
        return check_passphrase(passphrase, name)
    except InputError as error:
        raise problem_of(error) from error


def name_taken() -> Problem:
    """Returns the problem that another account has that name."""
    return Problem(409, "name_taken", "expected a free name, but another account has this one")


def _wrong_sign_in() -> Problem:
    return Problem(401, "wrong_sign_in", "expected a name and its passphrase, or a known passkey")
