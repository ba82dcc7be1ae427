"""Requests and responses about accounts and sessions."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, JsonValue, StringConstraints

from stampede.core.constraints import check_depth
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.tables.answers import LobbyTable

__all__ = [
    "AccountAnswer",
    "AccountRequest",
    "CodesAnswer",
    "ConfirmRequest",
    "CountAnswer",
    "DoneAnswer",
    "MyGamesAnswer",
    "NameAnswer",
    "NameRequest",
    "NewAccountAnswer",
    "PasskeyOptions",
    "PasskeyRequest",
    "PassphraseRequest",
    "RecoveryRequest",
    "SessionsAnswer",
    "SignInAnswer",
    "SignInRequest",
]

KeptName: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100),
    Field(description="2 to 24 letters, digits, spaces and - _ . ' after normalisation."),
]
Passphrase: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    Field(description="10 to 200 characters. Stored as an argon2id hash."),
]
Credential: TypeAlias = Annotated[
    dict[str, JsonValue],
    AfterValidator(check_depth),
    Field(description="The browser's answer: `PublicKeyCredential.toJSON()`."),
]
Label: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40)]


class NameRequest(RequestModel):
    """A name."""

    name: KeptName


class AccountRequest(RequestModel):
    """A new account, with a passphrase or with a passkey made for `POST /api/accounts/passkey`."""

    name: KeptName
    passphrase: Passphrase | None = None
    passkey: Credential | None = None
    label: Label = ""


class SignInRequest(RequestModel):
    """Either a name and its passphrase, or a passkey's answer to `POST /api/sessions/passkey`."""

    name: KeptName | None = None
    passphrase: Passphrase | None = None
    passkey: Credential | None = None


class ConfirmRequest(RequestModel):
    """Confirms who you are: by the passphrase or by a passkey."""

    passphrase: Passphrase | None = None
    passkey: Credential | None = None


class RecoveryRequest(RequestModel):
    """A recovery code, and a new passphrase."""

    name: KeptName
    code: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    passphrase: Passphrase


class PassphraseRequest(RequestModel):
    """A new passphrase."""

    passphrase: Passphrase


class PasskeyRequest(RequestModel):
    """A passkey that the browser has made for `POST /api/account/passkeys/options`."""

    passkey: Credential
    label: Label = ""


# --- responses ---


class DoneAnswer(ResponseModel):
    """It is done."""

    done: bool


class CountAnswer(ResponseModel):
    """A count."""

    count: int


class NameAnswer(ResponseModel):
    """Whether a name is free."""

    name: str = Field(description="In its normal form.")
    free: bool
    problem: str | None = Field(description="Why not, in a sentence; null when it is free.")


class PasskeyAnswer(ResponseModel):
    """A passkey."""

    id: str
    label: str
    created: int
    used: int | None


class AccountView(ResponseModel):
    """Your account."""

    name: str
    created: int
    passphrase: bool = Field(description="Whether there is one.")
    passkeys: list[PasskeyAnswer]
    recovery_codes: int = Field(description="How many are left.")
    fresh: bool = Field(
        description="Whether you may change its passphrase and passkeys without confirming."
    )


class AccountAnswer(ResponseModel):
    """Your account; null when you aren't signed in."""

    account: AccountView | None


class NewAccountAnswer(ResponseModel):
    """Your account is made, and you are signed in. The recovery codes are shown this one time."""

    name: str
    recovery_codes: list[str]


class CodesAnswer(ResponseModel):
    """New recovery codes, shown this one time; the old ones are void."""

    recovery_codes: list[str]


class SignInAnswer(ResponseModel):
    """You are signed in."""

    name: str


class SessionAnswer(ResponseModel):
    """A place where you are signed in."""

    id: str
    current: bool
    device: str
    created: int
    seen: int = Field(description="When it was last used, to five minutes.")


class SessionsAnswer(ResponseModel):
    """Everywhere you are signed in, the latest used first."""

    sessions: list[SessionAnswer]


class PasskeyOptions(ResponseModel):
    """Options for the browser's `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""

    options: dict[str, JsonValue]


class MyGamesAnswer(ResponseModel):
    """The tables at which you have sat, the latest first."""

    tables: list[LobbyTable]
    before: int | None = Field(
        description="Ask with this for older ones; null when there are none."
    )
