"""Secrets that open something: guests' cookies, and links. `stampede.matches.callers` says how links are kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

__all__ = ["Signer", "new_guest_id", "new_secret", "new_table_id", "new_token"]

TOKEN_BYTES = 24
"""192 bits: nobody guesses one."""


def new_token() -> str:
    """A fresh secret for a link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_guest_id() -> str:
    """A fresh id of a guest. It is signed in his cookie and shown to nobody else."""
    return f"g{secrets.token_hex(16)}"


def new_table_id() -> str:
    """A fresh id of a table; also private tables' ids can't be guessed."""
    return secrets.token_urlsafe(16).replace("-", "a").replace("_", "b")


def new_secret() -> str:
    """32 random bytes in hexadecimal digits: the source of a table's deals, or a signing key."""
    return secrets.token_hex(32)


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs ids with the server's key, so that a cookie can't be made up."""

    key: bytes

    def sign(self, value: str) -> str:
        """The value with its signature."""
        return f"{value}.{self._signature(value)}"

    def read(self, signed: str | None) -> str | None:
        """The value, when the signature is ours; else None."""
        if not signed or len(signed) > 200 or not signed.isascii():
            return None
        value, _, signature = signed.rpartition(".")
        if not value or not hmac.compare_digest(signature, self._signature(value)):
            return None
        return value

    def _signature(self, value: str) -> str:
        return hmac.new(self.key, value.encode(), hashlib.sha256).hexdigest()
