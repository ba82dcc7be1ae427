"""Who sends a command, and what they may do: guests (known by a cookie), bearers of a token, and the system itself.

Tokens are never kept and never compared as texts: a table keeps digests, and digests are compared in constant time.
The checks raise Forbidden with a message that reveals nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Final

from stampede.core.errors import InputError
from stampede.core.series import Player
from stampede.matches.errors import Forbidden
from stampede.matches.state import TableState

__all__ = [
    "SYSTEM",
    "Caller",
    "check_chair",
    "check_host",
    "check_in_time",
    "check_player",
    "digest_of",
    "guest_of",
    "holds",
    "is_host",
    "is_invited",
    "may_watch",
    "players_of",
    "same_digest",
]

_TOKEN_DOMAIN: Final = b"stampede-token/1\0"
_GUEST: Final = "guest:"


def digest_of(token: str) -> str:
    """A token's digest, the only form in which a table keeps it."""
    return hashlib.sha256(_TOKEN_DOMAIN + token.encode()).hexdigest()


def same_digest(kept: str, shown: str) -> bool:
    """Whether two digests are the same, in constant time; an empty one is no digest."""
    return bool(kept) and hmac.compare_digest(kept.encode(), shown.encode())


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a command.

    Attributes:
        guest: The guest's id, which the server vouches for; None when it knows none.
        token: A seat's or an invitation's token that comes with the request; None when none does.
        system: Whether it is the server itself: bots, clocks, housekeeping.
        secret: What a caller without a guest's cookie has chosen to tell them from other bearers of the same token.
        former: The guest whom the server knows as the same person: who they were before they signed in.
        digest: The token's digest; empty without a token.
        who: The name under which the log keeps this caller's idempotency keys; it survives a change of seats.
    """

    guest: str | None = None
    token: str | None = field(default=None, repr=False)
    system: bool = False
    secret: str | None = field(default=None, repr=False)
    former: str | None = field(default=None, repr=False)
    digest: str = field(init=False, repr=False)
    who: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Computes once what every command needs."""
        digest = "" if self.token is None else digest_of(self.token)
        who = f"token:{digest}" if self.guest is None else f"{_GUEST}{self.guest}"
        if self.guest is None and self.secret is not None:
            who = f"{who}:{digest_of(self.secret)[:32]}"
        object.__setattr__(self, "digest", digest)
        object.__setattr__(self, "who", "system" if self.system else who)

    @property
    def may_be_several(self) -> bool:
        """Whether others may send commands under the same name: all bearers of one token, such as an invitation."""
        return self.guest is None and self.secret is None and not self.system


SYSTEM: Final = Caller(system=True)
"""The server itself: it opens tables, plays for bots and ends clocks."""


def guest_of(who: str) -> str | None:
    """The guest behind a log entry's ``who``; None for tokens and the system."""
    return who.removeprefix(_GUEST) if who.startswith(_GUEST) else None


# --- what a caller may do ---


def holds(state: TableState, caller: Caller, player: Player) -> bool:
    """Whether this caller holds the chair, as its guest or by its token."""
    chair = state.chairs[player]
    if not chair.is_person:
        return False
    if caller.guest is not None and caller.guest == chair.holder:
        return True
    return same_digest(chair.digest, caller.digest)


def players_of(state: TableState, caller: Caller) -> tuple[Player, ...]:
    """The chairs that this caller holds: several at a hot-seat table."""
    return tuple(player for player in range(len(state.chairs)) if holds(state, caller, player))


def is_host(state: TableState, caller: Caller) -> bool:
    """Whether this caller is the host; at a table without one every player is."""
    if state.host is None:
        return bool(players_of(state, caller))
    return caller.guest == state.host


def is_invited(state: TableState, caller: Caller) -> bool:
    """Whether this caller may take an open chair."""
    return state.settings.public or _is_known(state, caller)


def may_watch(state: TableState, caller: Caller) -> bool:
    """Whether this caller may watch."""
    return state.settings.public or state.settings.watch or _is_known(state, caller)


def _is_known(state: TableState, caller: Caller) -> bool:
    if caller.system or same_digest(state.invite, caller.digest):
        return True
    return is_host(state, caller) or bool(players_of(state, caller))


def check_player(state: TableState, player: Player) -> None:
    """Checks that there is such a chair; InputError when not."""
    if not 0 <= player < len(state.chairs):
        raise InputError(f"player: expected 0 to {len(state.chairs) - 1}, got {player}")


def check_chair(state: TableState, caller: Caller, player: Player) -> None:
    """Checks that this caller holds the chair; Forbidden when not."""
    check_player(state, player)
    if not holds(state, caller, player):
        raise Forbidden(f"expected the guest or the token of player {player}")


def check_in_time(state: TableState, player: Player) -> None:
    """Checks that a player hasn't lost by time in this game; Forbidden when they have."""
    if state.chairs[player].out:
        raise Forbidden("your time ran out, so you have lost; a bot finishes this game for you")


def check_host(state: TableState, caller: Caller) -> None:
    """Checks that this caller is the host, or the system; Forbidden when not."""
    if not (caller.system or is_host(state, caller)):
        raise Forbidden("expected the table's host")
