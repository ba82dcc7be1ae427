"""Known devices: a cookie that tells an account's owner from strangers who try the same name.

Attempts to guess a passphrase are limited by name, so many strangers together could keep the owner out. A device on
which the account has signed in before has a limit of its own instead. The cookie is no credential: it opens nothing.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.server.http.identity import YEAR, Identities

__all__ = ["Devices"]

NUMBER_BYTES: Final = 12
MAX_COOKIE: Final = 200


@dataclass(frozen=True, slots=True)
class Devices:
    """Remembers and recognises the devices of accounts."""

    identities: Identities

    @property
    def cookie(self) -> str:
        """The cookie's name. Behind TLS, its prefix makes browsers reject one that another host sets."""
        return "__Host-stampede_device" if self.identities.secure else "stampede_device"

    def remember(self, connection: HTTPConnection, response: Response, account_id: str) -> None:
        """Makes this a known device of the account, which has just signed in here."""
        number = self.recognise(connection, account_id)
        if number is None:
            number = self.identities.entropy(NUMBER_BYTES).hex()
        response.set_cookie(
            self.cookie,
            f"{number}.{self._sign(number, account_id)}",
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=self.identities.secure,
        )

    def recognise(self, connection: HTTPConnection, account_id: str) -> str | None:
        """Returns the device's number; None if the account has never signed in here."""
        cookie = connection.cookies.get(self.cookie, "")
        if len(cookie) > MAX_COOKIE or not cookie.isascii():
            return None
        number, _, signature = cookie.partition(".")
        if not number or not hmac.compare_digest(signature, self._sign(number, account_id)):
            return None
        return number

    def _sign(self, number: str, account_id: str) -> str:
        return self.identities.derive("stampede-device", account_id, number).hex()
