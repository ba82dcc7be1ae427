"""Identifies callers: guests by a signed cookie that scripts can't read, programs and links by a token in a header."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response

from stampede.core.json import canonical
from stampede.matches.callers import Caller
from stampede.server.http.problems import Problem

__all__ = ["COOKIE", "SUBPROTOCOL", "YEAR", "Identities", "Signer", "check_origin"]

COOKIE = "stampede_guest"
GUEST = "g"
"""How the ids of guests begin; those of accounts begin differently."""
YEAR = 365 * 24 * 3600
MAX_TOKEN_LENGTH = 100
OFFER_PREFIX = "token."
SUBPROTOCOL = "stampede"


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs ids with the server's key, so that cookies can't be forged."""

    key: bytes

    def sign(self, value: str) -> str:
        """Returns the value with its signature."""
        return f"{value}.{self._signature(value)}"

    def read(self, signed: str | None) -> str | None:
        """Returns the value if the signature is ours, else None."""
        if not signed or len(signed) > 200 or not signed.isascii():
            return None
        value, _, signature = signed.rpartition(".")
        if not value or not hmac.compare_digest(signature, self._signature(value)):
            return None
        return value

    def _signature(self, value: str) -> str:
        return hmac.new(self.key, value.encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Identities:
    """Identifies callers, and derives their tables' ids and tokens."""

    signer: Signer
    secure: bool
    entropy: Callable[[int], bytes] = os.urandom

    def caller(self, connection: HTTPConnection) -> Caller:
        """Returns the caller; without a guest and a token if the request has neither."""
        return Caller(self._guest(connection), _bearer(connection))

    def known(self, caller: Caller) -> Caller:
        """Returns the caller; raises a Problem for an anonymous one, whose commands couldn't be retried."""
        if caller.guest is None and caller.token is None:
            raise Problem(
                401, "unknown_guest", "expected a guest's cookie (GET /api/me gives one) or a token"
            )
        return caller

    def welcome(self, connection: HTTPConnection, response: Response) -> str:
        """Returns the guest's id; sets a new guest's cookie."""
        guest = self._guest(connection)
        if guest is None:
            guest = f"{GUEST}{self.entropy(16).hex()}"  # only the signed cookie holds it
            response.set_cookie(
                COOKIE,
                self.signer.sign(guest),
                max_age=YEAR,
                httponly=True,
                samesite="lax",
                secure=self.secure or connection.url.scheme == "https",
            )
        return guest

    def _guest(self, connection: HTTPConnection) -> str | None:
        """Returns the guest of a signed cookie. Accounts have sessions: no cookie makes anyone an account."""
        guest = self.signer.read(connection.cookies.get(COOKIE))
        return guest if guest is not None and guest.startswith(GUEST) else None

    def table_id(self, caller: Caller, key: str) -> str:
        """Derives the id of the table that a caller opens with an idempotency key: a retry gets the same one."""
        digits = self.derive("stampede-token", "table", caller.who, key)
        return base64.b64encode(digits, b"xy").decode()[:22]

    def token(self, purpose: str, table_id: str, caller: Caller, key: str) -> str:
        """Derives the token of a new link, 192 bits that only this server can compute; a retry gets the same one."""
        digits = self.derive("stampede-token", purpose, table_id, caller.who, key)
        return base64.urlsafe_b64encode(digits[:24]).decode()

    def derive(self, domain: str, *labels: str) -> bytes:
        """Derives 32 bytes that only this server can compute; different for every domain and list of labels."""
        text = canonical([domain, *labels])
        return hmac.new(self.signer.key, text.encode(), hashlib.sha256).digest()


def _bearer(connection: HTTPConnection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        token = _read_subprotocol(connection)
    if not token:
        return None
    token = token.strip()
    if len(token) > MAX_TOKEN_LENGTH or not token.isascii():
        raise Problem(
            401, "unknown_token", f"expected a token of at most {MAX_TOKEN_LENGTH} letters"
        )
    return token


def _read_subprotocol(connection: HTTPConnection) -> str:
    """Reads a token from the WebSocket's subprotocols, the only header that a page can set there."""
    offers = connection.headers.get("sec-websocket-protocol", "").split(",")
    tokens = [offer.strip().removeprefix(OFFER_PREFIX) for offer in offers if OFFER_PREFIX in offer]
    return tokens[0] if tokens else ""


def check_origin(connection: HTTPConnection) -> None:
    """Raises a Problem for a request from another site's page (CSRF). Programs send no origin."""
    site = connection.headers.get("sec-fetch-site", "same-origin")
    if site not in ("same-origin", "none"):
        raise Problem(403, "foreign_origin", "expected a page of this server, got another site's")
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        raise Problem(403, "foreign_origin", "expected a page of this server, got another site's")
