"""The levels of Buffalo bots: how each plays either side.

The two lowest play at first sight, without compiled code; the others search. Levels have parameters by side, because
the game is lopsided: what makes a player's buffaloes a step stronger isn't what makes their dogs so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from stampede.bots.buffalo_sight import Sight
from stampede.buffalo import Side
from stampede.core.errors import InputError

__all__ = ["LEVELS", "BuffaloLevel", "Play", "Thought", "level_of"]


@dataclass(frozen=True, slots=True)
class Thought:
    """How a level searches on one side.

    Attributes:
        nodes: The nodes of a search.
        depth: The maximum depth in plies; None for no limit.
        temperature: How freely it chooses, in hundredths: of two moves whose scores differ by this much, the worse one
            is played about once in four. 0 always plays the best.
        tolerance: Moves that are worse than the best by more than this aren't played at all.
    """

    nodes: int
    depth: int | None = None
    temperature: int = 0
    tolerance: int = 0


Play: TypeAlias = Sight | Thought
"""How a level plays one side."""


@dataclass(frozen=True, slots=True)
class BuffaloLevel:
    """A bot's strength.

    Attributes:
        number: 1, the weakest, to 10.
        title: Its name for people.
        buffalo: How it plays the buffalo side.
        hunter: How it plays the hunter.
        seconds: A time limit for slow machines; None where the nodes take only a moment.
        uses_oracle: Whether it uses the tablebases and certificates of this machine.
    """

    number: int
    title: str
    buffalo: Play
    hunter: Play
    seconds: float | None = None
    uses_oracle: bool = False

    @property
    def name(self) -> str:
        """Its name in records and on the command line."""
        return f"buffalo-{self.number}"

    @property
    def searches(self) -> bool:
        """Whether it needs compiled code."""
        return isinstance(self.buffalo, Thought) or isinstance(self.hunter, Thought)

    def plays(self, side: Side) -> Play:
        """How it plays a side."""
        return self.buffalo if side is Side.BUFFALO else self.hunter

    def without_clock(self) -> BuffaloLevel:
        """The same level without its time limit: for measurements on busy machines."""
        return replace(self, seconds=None)


def _alike(
    number: int,
    title: str,
    play: Play,
    *,
    seconds: float | None = None,
    uses_oracle: bool = False,
) -> BuffaloLevel:
    """A level that plays both sides in the same way."""
    return BuffaloLevel(number, title, play, play, seconds, uses_oracle)


LEVELS: Final = (
    BuffaloLevel(1, "Calf", Sight(60, 0.1, 10, ideas=2), Sight(36, 0.1, 5)),
    BuffaloLevel(2, "Pup", Sight(20, 0.05, 10, ideas=3), Sight(42, 0.05, 5, ideas=3)),
    BuffaloLevel(3, "Yearling", Thought(2_000, 3, 90, 300), Thought(2_000, 3, 10, 300)),
    BuffaloLevel(4, "Dog", Thought(4_000, 4, 85, 200), Thought(4_000, 4, 12, 150)),
    BuffaloLevel(5, "Scout", Thought(4_000, 4, 62, 150), Thought(6_000, None, 9, 100)),
    BuffaloLevel(6, "Tracker", Thought(4_000, 4, 39, 150), Thought(12_000, None, 11, 50)),
    BuffaloLevel(7, "Lead cow", Thought(12_000, None, 50, 80), Thought(14_000, None, 1, 50)),
    BuffaloLevel(8, "Rider", Thought(15_000, None, 20, 50), Thought(15_000)),
    _alike(9, "Chief", Thought(100_000)),
    _alike(10, "Great river", Thought(2_500_000), seconds=0.95, uses_oracle=True),
)
"""All levels, weakest first. The last two are the strongest play for their budgets."""


def level_of(number: int) -> BuffaloLevel:
    """The level with this number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
