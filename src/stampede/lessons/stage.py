"""What the expansion of a lesson needs of a game: a position to begin with, the answers, and what they lead to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from stampede.core.json import Json, JsonObject

__all__ = ["LessonOutcome", "Stage"]


@dataclass(frozen=True, slots=True)
class LessonOutcome:
    """What an answer leads to.

    Attributes:
        action: The answer.
        events: What happens, as JSON; empty if the rules refuse the answer.
        after: The learner's view in the end; None if the rules refuse the answer.
        refusal: Why the rules refuse it: a reason of the game, or only its clause.
    """

    action: Json
    events: tuple[JsonObject, ...]
    after: JsonObject | None
    refusal: JsonObject | None = None


class Stage(ABC):
    """A step of a lesson, set up in a game."""

    @abstractmethod
    def view(self) -> JsonObject:
        """The learner's view."""

    @abstractmethod
    def before(self) -> tuple[JsonObject, ...]:
        """What has just happened, as events."""

    @abstractmethod
    def outcomes(self) -> list[LessonOutcome]:
        """Every answer that is offered, with what it leads to."""

    @abstractmethod
    def cast(self) -> list[str]:
        """The names of the other seats, in their order; empty if the game tells them apart by itself."""

    @abstractmethod
    def holds(self, fact: str, value: Json, outcome: LessonOutcome) -> bool:
        """Whether a fact that no event tells is true of an answer, such as ``wins_in = 2``."""

    @abstractmethod
    def refute(self, outcome: LessonOutcome) -> tuple[str, ...]:
        """How the other side makes a wrong answer fail, as moves; empty where the events tell it all."""
