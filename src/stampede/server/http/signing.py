"""Random ids and secrets, and signed cookies. `stampede.matches.callers` says how links' tokens are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

__all__ = ["Signer", "new_guest_id", "new_secret"]


def new_guest_id() -> str:
    """Returns a new guest's id. Only the guest's signed cookie holds it."""
    return f"g{secrets.token_hex(16)}"


def new_secret() -> str:
    """Returns 32 random bytes in hexadecimal: the source of a table's deals, or a signing key."""
    return secrets.token_hex(32)


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
