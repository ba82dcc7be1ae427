"""The levels of Buffalo bots: what each may look at, and how freely it chooses."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
        temperatures: How freely it chooses among moves as the buffalo side and as the hunter, in hundredths: of two
            moves that differ by so much the worse one is chosen about once in four. 0 always takes the best. The
            buffalo side is the easier one to play, so the low levels play it more carelessly.
        tolerance: Moves that are worse than the best by more than this aren't chosen at all.
        seconds: A limit of time on slow machines; None where the nodes take a moment only.
        knows: Whether it uses the tables and proofs of this machine.
    """

    number: int
    title: str
    nodes: int
    depth: int | None = None
    temperatures: tuple[int, int] = (0, 0)
    tolerance: int = 0
    seconds: float | None = None
    knows: bool = False

    @property
    def name(self) -> str:
        """Its name in records and on the command line."""
        return f"buffalo-{self.number}"

    def without_clock(self) -> Level:
        """The same with all of its nodes, however long they take: for measurements on busy machines."""
        return replace(self, seconds=None)


LEVELS: Final = (
    Level(1, "Calf", 300, 1, (1_500, 90), 40_000),
    Level(2, "Pup", 1_000, 2, (500, 25), 40_000),
    Level(3, "Yearling", 2_000, 3, (200, 15), 300),
    Level(4, "Dog", 4_000, 4, (60, 8), 150),
    Level(5, "Scout", 12_000, None, (20, 5), 50),
    Level(6, "Rider", 15_000),
    Level(7, "Chief", 100_000),
    Level(8, "Great river", 2_500_000, seconds=0.95, knows=True),
)
"""All levels, weakest first."""


def level_of(number: int) -> Level:
    """The level of a number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
