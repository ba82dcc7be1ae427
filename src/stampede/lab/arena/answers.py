"""What a player of a match says when it is asked for a move, and what is said of it when it can't."""

from __future__ import annotations

from typing import NamedTuple

from stampede.buffalo import Side
from stampede.core.errors import StampedeError

__all__ = ["PlayerFault", "PlayerMove"]


class PlayerMove(NamedTuple):
    """A move.

    Attributes:
        move: As text, not yet checked.
        winner: The side that wins by force, if the player has proven it; None otherwise. Programs that are not ours
            may say so without a proof, so theirs isn't heard.
    """

    move: str
    winner: Side | None = None


class PlayerFault(StampedeError):
    """A player couldn't move: it died, hung or answered nonsense. Its game is lost, with this reason."""
