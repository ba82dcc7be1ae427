"""What the authority refuses, besides what the rules refuse (`stampede.core.errors`).

The tree::

    StampedeError
    └── MatchError
        ├── Forbidden          this caller may not do that
        ├── TooOften           too many commands while the game doesn't go on
        ├── TableFull          too many games at one table
        └── Conflict           it doesn't fit the present state, which it carries
            ├── StaleDecision  it answers a decision that is over
            ├── NotAwaited     the decision is present, but nothing is asked of this player
            ├── WrongPhase     not while the table is in this phase
            ├── ChairTaken     the chair is taken, or none is free
            └── KeyReused      the idempotency key belongs to another command

Raising one of these changes nothing, and no message holds a secret.
"""

from __future__ import annotations

from stampede.core.errors import StampedeError
from stampede.core.json import JsonObject

__all__ = [
    "ChairTaken",
    "Conflict",
    "Forbidden",
    "KeyReused",
    "MatchError",
    "NotAwaited",
    "StaleDecision",
    "TableFull",
    "TooOften",
    "WrongPhase",
]


class MatchError(StampedeError):
    """A command that the authority refuses."""


class Forbidden(MatchError):
    """This caller may not do that."""


class TooOften(MatchError):
    """Too many commands of one caller while the game doesn't go on: they would only fill the log."""


class TableFull(MatchError):
    """The table has had as many games, or its log as many entries, as one may have."""


class Conflict(MatchError):
    """The command doesn't fit the present state.

    Attributes:
        phase: The table's phase.
        decision: The id of the present decision; None when there is none.
        awaited: The players whose answer is awaited.
    """

    def __init__(
        self,
        problem: str,
        phase: str = "",
        decision: str | None = None,
        awaited: tuple[int, ...] = (),
    ) -> None:
        super().__init__(problem)
        self.phase = phase
        self.decision = decision
        self.awaited = awaited

    def to_json(self) -> JsonObject:
        """The conflict as JSON: what a client needs to go on."""
        return {
            "problem": str(self),
            "phase": self.phase,
            "decision": self.decision,
            "awaited": list(self.awaited),
        }


class StaleDecision(Conflict):
    """The command answers a decision that is over; the present one is carried."""


class NotAwaited(Conflict):
    """The decision is present, but nothing is asked of this player."""


class WrongPhase(Conflict):
    """This can't be done while the table is in this phase."""


class ChairTaken(Conflict):
    """The chair is taken already, or none is free."""


class KeyReused(Conflict):
    """The idempotency key belongs to another command of the same caller."""
