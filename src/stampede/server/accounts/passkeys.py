"""Passkeys (WebAuthn, with py_webauthn).

A passkey is bound to the host name of this server: browsers don't offer it to another site, and the server checks it,
too. Every challenge is good for one answer within five minutes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json_dict,
)
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_object
from stampede.server.http.problems import Problem
from stampede.store.accounts.sessions import Passkey, PasskeyStore

__all__ = ["CREATE", "GET", "Passkeys"]

MINUTES: Final = 5
CHALLENGE_BYTES: Final = 64
CREATE: Final = "create"
GET: Final = "get"
MAX_PASSKEYS: Final = 20
_PARSE_ERRORS: Final = (
    AttributeError,
    InputError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class Site(NamedTuple):
    """A page's origin and host name."""

    origin: str
    host: str


def _site(connection: HTTPConnection) -> Site:
    """Returns the site of the requesting page; `check_origin` has checked that it is this server's."""
    origin = connection.headers.get("origin", "")
    host = urlsplit(origin).hostname
    if not host or urlsplit(origin).netloc != connection.headers.get("host"):
        raise Problem(
            403, "foreign_origin", "expected a page of this server, which names its origin"
        )
    return Site(origin, host)


@dataclass(frozen=True, slots=True)
class Passkeys:
    """Registers and verifies passkeys."""

    store: PasskeyStore
    now: Callable[[], int]
    entropy: Callable[[int], bytes]

    # --- registration ---

    async def creation_options(
        self, connection: HTTPConnection, account_id: str, name: str
    ) -> JsonObject:
        """Returns the options for ``navigator.credentials.create``."""
        site = _site(connection)
        known = await self.store.of(account_id)
        if len(known) >= MAX_PASSKEYS:
            raise Problem(409, "too_many", f"expected at most {MAX_PASSKEYS} passkeys")
        challenge = await self._new_challenge(CREATE, account_id)
        options = generate_registration_options(
            rp_id=site.host,
            rp_name="Stampede",
            user_id=account_id.encode(),
            user_name=name,
            user_display_name=name,
            challenge=challenge,
            timeout=MINUTES * 60_000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.credential))
                for key in known
            ],
        )
        return _to_json(options_to_json_dict(options))

    async def verify_new(
        self, connection: HTTPConnection, credential: JsonObject, label: str
    ) -> Passkey:
        """Verifies a new passkey for the account that its challenge was for; doesn't store it."""
        site = _site(connection)
        challenge, account_id = await self._consume_challenge(CREATE, credential)
        try:
            verified = verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except Exception as error:  # a forged answer can break the library anywhere
            raise _wrong_passkey() from error
        return Passkey(
            digest=_digest(verified.credential_id),
            account_id=account_id,
            credential=bytes_to_base64url(verified.credential_id),
            public_key=bytes_to_base64url(verified.credential_public_key),
            sign_count=verified.sign_count,
            site=site.host,
            label=label,
            created=self.now(),
        )

    # --- authentication ---

    async def request_options(self, connection: HTTPConnection) -> JsonObject:
        """Returns the options for ``navigator.credentials.get``. They name no account: the passkey does."""
        options = generate_authentication_options(
            rp_id=_site(connection).host,
            challenge=await self._new_challenge(GET, ""),
            timeout=MINUTES * 60_000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return _to_json(options_to_json_dict(options))

    async def verify(self, connection: HTTPConnection, credential: JsonObject) -> str:
        """Returns the account whose passkey has answered; raises a Problem if the answer is wrong."""
        site = _site(connection)
        challenge, _ = await self._consume_challenge(GET, credential)
        passkey = await self.store.find(_credential_digest(credential))
        if passkey is None or passkey.site != site.host:
            raise _wrong_passkey()
        try:
            verified = verify_authentication_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=passkey.site,
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(passkey.public_key),
                credential_current_sign_count=passkey.sign_count,
                require_user_verification=True,
            )
        except Exception as error:  # a forged answer can break the library anywhere
            raise _wrong_passkey() from error
        await self.store.note_use(passkey.digest, verified.new_sign_count, self.now())
        return passkey.account_id

    # --- challenges ---

    async def _new_challenge(self, purpose: str, subject: str) -> bytes:
        challenge = self.entropy(CHALLENGE_BYTES)
        expires = self.now() + MINUTES * 60_000
        await self.store.add_challenge(bytes_to_base64url(challenge), purpose, subject, expires)
        return challenge

    async def _consume_challenge(self, purpose: str, credential: JsonObject) -> tuple[bytes, str]:
        """Returns the challenge that an answer names and the account it was for; uses the challenge up."""
        try:
            response = expect_object(credential.get("response"), "response")
            client_data = json.loads(base64url_to_bytes(str(response["clientDataJSON"])))
            challenge = base64url_to_bytes(client_data["challenge"])
        except _PARSE_ERRORS as error:
            raise _wrong_passkey() from error
        subject = await self.store.use_challenge(bytes_to_base64url(challenge), purpose, self.now())
        if subject is None:
            raise Problem(401, "stale_challenge", "expected an answer to a question of this server")
        return challenge, subject


def _credential_digest(credential: JsonObject) -> str:
    try:
        return _digest(base64url_to_bytes(str(credential["rawId"])))
    except (LookupError, ValueError) as error:
        raise _wrong_passkey() from error


def _digest(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()


def _wrong_passkey() -> Problem:
    return Problem(401, "wrong_passkey", "expected a passkey that is known here")


def _to_json(options: object) -> JsonObject:
    """Returns the library's options as plain JSON."""
    plain: dict[str, Json] = json.loads(json.dumps(options))
    return plain
