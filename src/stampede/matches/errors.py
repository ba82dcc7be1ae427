"""What the authority refuses, beside what the rules refuse (`stampede.core.errors`).

The tree::

    StampedeError
    └── MatchError
        ├── Forbidden          this caller may not do that
        ├── TooOften           so many commands of one caller lead nowhere
        └── Conflict           it doesn't fit the present state, which it carries
            ├── StaleDecision  it answers a decision that is over
            ├── NotAwaited     the decision is present, but nothing is asked of this player
            ├── WrongPhase     not while the table is in this phase
            ├── ChairTaken     somebody else sits there, or nowhere is room
            └── KeyReused      the key belongs to another command

Nothing is changed when one of these is raised, and no text of theirs holds a secret.
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
    "TooOften",
    "WrongPhase",
]


class MatchError(StampedeError):
    """A command that the authority refuses."""


class Forbidden(MatchError):
    """This caller may not do that."""


class TooOften(MatchError):
    """So many commands of one caller, and the game hasn't moved on: they would only fill the log."""


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
        """What a client needs to go on."""
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
    """Somebody sits there already, or no chair is free."""


class KeyReused(Conflict):
    """The client's key belongs to another command of the same caller."""
