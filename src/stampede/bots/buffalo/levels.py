"""The levels of Buffalo bots: how each plays either side.

The two lowest play at first sight, without compiled code; the others search. Levels have parameters by side, because
the game is lopsided: what makes a player's buffaloes a step stronger isn't what makes their dogs so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from stampede.bots.buffalo.sight import Sight
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
        book: In a position of the opening explorer: draws among the moves that are worse than the best by at most this,
            in hundredths, all equally likely. 0 for no opening book.
        network: Whether the network corrects its evaluation. Levels that people are to beat do without.
    """

    nodes: int
    depth: int | None = None
    temperature: int = 0
    tolerance: int = 0
    book: int = 0
    network: bool = False


_LIGHT_NODES: Final = 100_000
"""Searches of so many positions take up to some seconds as plain Python, much less than a compiler takes."""

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

    @property
    def is_light(self) -> bool:
        """Whether it searches so few positions that plain Python will do."""
        plays = (self.buffalo, self.hunter)
        most = max((play.nodes for play in plays if isinstance(play, Thought)), default=0)
        return most <= _LIGHT_NODES and self.seconds is None

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
    BuffaloLevel(1, "Calf", Sight(110, 0.15, 15, ideas=2), Sight(42, 0.1, 5)),
    BuffaloLevel(2, "Pup", Sight(45, 0.06, 8, ideas=4), Sight(15, 0.06, 5)),
    BuffaloLevel(3, "Yearling", Thought(1_000, 2, 50, 120), Thought(4_000, 4, 12, 80)),
    BuffaloLevel(4, "Dog", Thought(2_000, 3, 36, 100), Thought(6_000, None, 8, 60)),
    BuffaloLevel(5, "Scout", Thought(4_000, 4, 34, 100), Thought(12_000, None, 11, 50)),
    BuffaloLevel(
        6,
        "Tracker",
        Thought(8_000, 6, 30, 80, book=80),
        Thought(20_000, None, 4, 30, book=40),
    ),
    BuffaloLevel(
        7,
        "Lead cow",
        Thought(12_000, None, 30, 70, book=40),
        Thought(40_000, None, 4, 20, book=30),
    ),
    BuffaloLevel(
        8,
        "Rider",
        Thought(30_000, None, 8, 25, book=30),
        Thought(9_000, book=20),
    ),
    _alike(9, "Chief", Thought(100_000)),
    _alike(10, "Great river", Thought(2_500_000, network=True), seconds=0.95, uses_oracle=True),
)
"""All levels, weakest first. The last two always play the best move that they find."""


def level_of(number: int) -> BuffaloLevel:
    """The level with this number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]
