"""The levels of Buffalo bots: what each may look at, and how freely it chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stampede.core.errors import InputError

__all__ = ["LEVELS", "Level", "level_of"]


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    Attributes:
        number: 1, the weakest, to 8.
        title: Its name for people.
        nodes: How many positions it may look at for a move.
        depth: How many moves ahead it sees at most; None without limit.
        temperature: How freely it chooses among moves, in hundredths: of two moves that differ by so much the worse one
            is chosen about once in four. 0 always takes the best.
        tolerance: Moves that are worse than the best by more than this aren't chosen at all.
        seconds: A limit of time on slow machines; None where the nodes take a moment only.
    """

    number: int
    title: str
    nodes: int
    depth: int | None = None
    temperature: int = 0
    tolerance: int = 0
    seconds: float | None = None

    @property
    def name(self) -> str:
        """Its name in records and on the command line."""
        return f"buffalo-{self.number}"


LEVELS: Final = (
    Level(1, "Calf", 300, depth=1, temperature=250, tolerance=40_000),
    Level(2, "Pup", 1_000, depth=2, temperature=120, tolerance=40_000),
    Level(3, "Yearling", 4_000, depth=3, temperature=60, tolerance=300),
    Level(4, "Dog", 6_000, depth=4, temperature=25, tolerance=120),
    Level(5, "Scout", 6_000, temperature=10, tolerance=40),
    Level(6, "Rider", 20_000),
    Level(7, "Chief", 200_000),
    Level(8, "Great river", 2_500_000, seconds=0.95),
)
"""All levels, weakest first."""


def level_of(number: int) -> Level:
    """The level of a number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
