"""Who may do what at a table. Answers yes or no, or raises Forbidden with a text that tells nothing."""

from __future__ import annotations

from stampede.core.errors import InputError
from stampede.core.series import Player
from stampede.matches.callers import Caller, same_digest
from stampede.matches.errors import Forbidden
from stampede.matches.state import TableState

__all__ = ["check_chair", "check_host", "holds", "is_invited", "may_watch", "players_of"]


def holds(state: TableState, caller: Caller, player: Player) -> bool:
    """Whether a chair is this caller's, as its guest or by its token."""
    chair = state.chairs[player]
    if not chair.is_person:
        return False
    if caller.guest is not None and caller.guest == chair.holder:
        return True
    return same_digest(chair.digest, caller.digest)


def players_of(state: TableState, caller: Caller) -> tuple[Player, ...]:
    """The chairs that are this caller's: several on one device in a hot-seat."""
    return tuple(player for player in range(len(state.chairs)) if holds(state, caller, player))


def is_host(state: TableState, caller: Caller) -> bool:
    """Whether this caller has the say; without a host everybody at the table has."""
    if state.host is None:
        return bool(players_of(state, caller))
    return caller.guest == state.host


def is_invited(state: TableState, caller: Caller) -> bool:
    """Whether this caller may sit down."""
    return state.settings.public or _is_known(state, caller)


def may_watch(state: TableState, caller: Caller) -> bool:
    """Whether this caller may look on."""
    return state.settings.public or state.settings.watch or _is_known(state, caller)


def _is_known(state: TableState, caller: Caller) -> bool:
    if caller.system or same_digest(state.invite, caller.digest):
        return True
    return is_host(state, caller) or bool(players_of(state, caller))


def check_player(state: TableState, player: Player) -> None:
    """Whether there is such a chair at all; InputError when not."""
    if not 0 <= player < len(state.chairs):
        raise InputError(f"player: expected 0 to {len(state.chairs) - 1}, got {player}")


def check_chair(state: TableState, caller: Caller, player: Player) -> None:
    """Whether the chair is this caller's; Forbidden when not."""
    check_player(state, player)
    if not holds(state, caller, player):
        raise Forbidden(f"expected the guest or the token of player {player}")


def check_host(state: TableState, caller: Caller) -> None:
    """Whether this caller has the say; Forbidden when not."""
    if not (caller.system or is_host(state, caller)):
        raise Forbidden("expected the table's host")
