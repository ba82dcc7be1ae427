"""What a player of a match answers, and its failure to do so."""

from __future__ import annotations

from typing import NamedTuple

from stampede.buffalo import Side
from stampede.core.errors import StampedeError

__all__ = ["PlayerFault", "PlayerMove"]


class PlayerMove(NamedTuple):
    """A player's move.

    Attributes:
        move: The move as text, not yet checked.
        winner: The proven winner, if there is one. Always None for external engines: they may claim it without a proof.
    """

    move: str
    winner: Side | None = None


class PlayerFault(StampedeError):
    """A player failed to move: it crashed, hung or sent an invalid answer. It loses the game for this reason."""
