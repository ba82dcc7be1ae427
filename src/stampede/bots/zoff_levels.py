"""The western table: six levels of Zoff bots, and temperaments that want different things."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from stampede.core.errors import InputError
from stampede.search.zoff.strategy import BALANCED, Effort, Preferences

__all__ = ["LEVELS", "TEMPERAMENTS", "ZoffLevel", "level_of"]


@dataclass(frozen=True, slots=True)
class ZoffLevel:
    """How strong a bot is.

    Attributes:
        number: From 1.
        title: What it is called at the setup.
        effort: How much it thinks; None: it takes what looks good at first sight.
        duel: How much it thinks with two players, if that is something else. A little thought goes a long way there, so
            that the steps between levels need smaller budgets.
        temperature: Without effort: how many cows less may still look good.
        learned: Whether it knows the learned value function; else it counts cows and rank bonuses.
        forgets: The share of the cards seen that it forgets.
        slips: How often it answers a placement or a bonus at random.
    """

    number: int
    title: str
    effort: Effort | None
    temperature: float = 0.0
    learned: bool = False
    forgets: float = 1.0
    slips: float = 0.0
    duel: Effort | None = None

    def effort_for(self, players: int) -> Effort | None:
        """How much it thinks with so many players."""
        return self.duel if self.duel is not None and players == 2 else self.effort


LEVELS: Final = (
    ZoffLevel(1, "Tenderfoot", None, temperature=2.5, slips=0.35),
    ZoffLevel(2, "Greedy Settler", None, temperature=0.4),
    ZoffLevel(3, "Ranch Hand", Effort(16, 3, 1, 0, 30), duel=Effort(8, 2, 1, 0, 10)),
    ZoffLevel(
        4,
        "Drover",
        Effort(24, 5, 1, 0, 200),
        learned=True,
        forgets=0.5,
        duel=Effort(16, 3, 1, 0, 60),
    ),
    ZoffLevel(
        5,
        "Trail Boss",
        Effort(64, 8, 8, 10_000, 1_500),
        learned=True,
        forgets=0.0,
        duel=Effort(24, 5, 6, 600, 200),
    ),
    ZoffLevel(
        6,
        "Cattle Baron",
        Effort(pool=256, samples=16, leaves=4_000, halving_samples=200, answer_playouts=200),
        learned=True,
        forgets=0.0,
        duel=Effort(96, 12, 10, 100_000, 4_000, exact=True, answer_playouts=200),
    ),
)

TEMPERAMENTS: Final = MappingProxyType(
    {
        "balanced": BALANCED,
        "settler": (8.0, 1.3, 0.7, 0.0),
        "spoiler": (8.0, 1.0, 0.4, 0.6),
        "farmer": (4.0, 1.2, 0.8, 0.0),
    }
)
"""What each cares for: winning, own cows, the others' mean, the strongest other's. See `Preferences`."""


def level_of(number: int) -> ZoffLevel:
    """The level of this number; InputError when there is none."""
    if not 1 <= number <= len(LEVELS):
        raise InputError(f"level: expected 1 to {len(LEVELS)}, got {number}")
    return LEVELS[number - 1]


def preferences_of(temperament: str) -> Preferences:
    """The preferences of a temperament; InputError when there is none."""
    if temperament not in TEMPERAMENTS:
        known = ", ".join(TEMPERAMENTS)
        raise InputError(f"temperament: expected one of {known}, got {temperament!r}")
    return TEMPERAMENTS[temperament]
