"""How a game of Buffalo ended, as views and records show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from stampede.core.events import JsonFields
from stampede.core.game import Outcome, Seat

__all__ = ["BuffaloEndReason", "BuffaloResult"]

BuffaloEndReason: TypeAlias = Literal["crossed", "no_move", "resigned", "time"]
"""Why a game ends: by B3.1 or B3.2, or outside the rules, by resigning or on time."""


@dataclass(frozen=True, slots=True)
class BuffaloResult(JsonFields):
    """How a game of Buffalo ended.

    Attributes:
        winner: The seat that won: 0 the buffalo side, 1 the hunter.
        reason: Why it ended.
    """

    winner: Seat
    reason: BuffaloEndReason

    @classmethod
    def of(cls, outcome: Outcome) -> BuffaloResult:
        """Takes the result out of an outcome."""
        (winner,) = outcome.winners
        return cls(winner, cast("BuffaloEndReason", outcome.reason))
