"""Who asks: a guest whom the server knows by his cookie, whoever shows a token, or the system itself.

Tokens are never kept and never compared as texts: a table keeps digests, and digests are compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Final

__all__ = ["SYSTEM", "Caller", "digest_of", "same_digest"]

_TOKEN_DOMAIN: Final = b"stampede-token/1\0"


def digest_of(token: str) -> str:
    """A token's digest, the only form in which a table keeps it."""
    return hashlib.sha256(_TOKEN_DOMAIN + token.encode()).hexdigest()


def same_digest(kept: str, shown: str) -> bool:
    """Whether two digests are the same, in constant time; an empty one is no digest."""
    return bool(kept) and hmac.compare_digest(kept.encode(), shown.encode())


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    Attributes:
        guest: The guest's id, which the server vouches for; None when it knows none.
        token: A seat's or an invitation's token that comes with the request; None when none does.
        system: Whether the server itself asks: bots, clocks, housekeeping.
        digest: The token's digest; empty without a token.
        who: The name under which the log remembers this caller's keys; it survives a change of seats.
    """

    guest: str | None = None
    token: str | None = field(default=None, repr=False)
    system: bool = False
    digest: str = field(init=False, repr=False)
    who: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Works out once what every command asks for."""
        digest = "" if self.token is None else digest_of(self.token)
        who = f"token:{digest}" if self.guest is None else f"guest:{self.guest}"
        object.__setattr__(self, "digest", digest)
        object.__setattr__(self, "who", "system" if self.system else who)


SYSTEM: Final = Caller(system=True)
