"""The levels of Buffalo bots: the budget of each, and how freely it chooses among moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from stampede.core.errors import InputError

__all__ = ["LEVELS", "BuffaloLevel", "level_of"]


@dataclass(frozen=True, slots=True)
class BuffaloLevel:
    """A bot's strength.

    Attributes:
        number: 1, the weakest, to 8.
        title: Its name for people.
        nodes: The nodes of a search.
        depth: The maximum depth in plies; None for no limit.
        temperatures: How freely it chooses as the buffalo side and as the hunter, in hundredths: of two moves whose
            scores differ by this much, the worse one is played about once in four. 0 always plays the best. The
            buffalo side is the easier one to play, so the low levels play it more carelessly.
        tolerance: Moves that are worse than the best by more than this aren't played at all.
        seconds: A time limit for slow machines; None where the nodes take only a moment.
        uses_oracle: Whether it uses the tablebases and certificates of this machine.
    """

    number: int
    title: str
    nodes: int
    depth: int | None = None
    temperatures: tuple[int, int] = (0, 0)
    tolerance: int = 0
    seconds: float | None = None
    uses_oracle: bool = False

    @property
    def name(self) -> str:
        """Its name in records and on the command line."""
        return f"buffalo-{self.number}"

    def without_clock(self) -> BuffaloLevel:
        """The same level without its time limit: for measurements on busy machines."""
        return replace(self, seconds=None)


LEVELS: Final = (
    BuffaloLevel(1, "Calf", 300, 1, (1_500, 90), 40_000),
    BuffaloLevel(2, "Pup", 1_000, 2, (500, 25), 40_000),
    BuffaloLevel(3, "Yearling", 2_000, 3, (200, 15), 300),
    BuffaloLevel(4, "Dog", 4_000, 4, (60, 8), 150),
    BuffaloLevel(5, "Scout", 12_000, None, (20, 5), 50),
    BuffaloLevel(6, "Rider", 15_000),
    BuffaloLevel(7, "Chief", 100_000),
    BuffaloLevel(8, "Great river", 2_500_000, seconds=0.95, uses_oracle=True),
)
"""All levels, weakest first."""


def level_of(number: int) -> BuffaloLevel:
    """The level with this number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
