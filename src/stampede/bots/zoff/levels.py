"""The western table: six levels of Zoff bots, and temperaments that want different things."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from stampede.bots.zoff.sight import ZoffSight
from stampede.core.errors import InputError
from stampede.search.zoff.effort import BALANCED, Effort, Preferences

__all__ = ["LEVELS", "TEMPERAMENTS", "ZoffLevel", "level_of", "preferences_of"]

_NO_EFFORT: Final = Effort(pool=1, samples=1, keep=1, rounds=0, leaves=1)
"""The least there is, for levels that play at first sight."""


_LIGHT_SAMPLES: Final = 120
"""So many samples of choices take up to three seconds as plain Python."""


@dataclass(frozen=True, slots=True)
class ZoffLevel:
    """How strong a bot is.

    Attributes:
        number: From 1.
        title: What it is called at the setup.
        sight: How it plays at first sight; None: it thinks.
        effort: How much it thinks.
        duel: How much it thinks with two players, if that is something else. A little thought goes a long way there, so
            that the steps between levels need smaller budgets.
        crowd: How much it thinks with six players, if that is something else.
        learned: Whether it knows the learned value function; else it counts cows and rank bonuses.
        forgets: The share of the cards seen that it forgets.
    """

    number: int
    title: str
    sight: ZoffSight | None = None
    effort: Effort = _NO_EFFORT
    learned: bool = False
    forgets: float = 1.0
    duel: Effort | None = None
    crowd: Effort | None = None

    @property
    def is_light(self) -> bool:
        """Whether it tries so few choices that plain Python will do: up to three seconds for one."""
        return self.effort.pool * self.effort.samples <= _LIGHT_SAMPLES and not self.effort.rounds

    def effort_for(self, players: int) -> Effort:
        """How much it thinks with so many players."""
        special = {2: self.duel, 6: self.crowd}.get(players)
        return self.effort if special is None else special


LEVELS: Final = (
    ZoffLevel(1, "Tenderfoot", ZoffSight(fancy=0.9, grabs=0.3)),
    ZoffLevel(2, "Greedy Settler", ZoffSight(fancy=0.2)),
    ZoffLevel(3, "Ranch Hand", effort=Effort(8, 1, 1, 0, 10), duel=Effort(5, 1, 1, 0, 4)),
    ZoffLevel(
        4,
        "Drover",
        effort=Effort(24, 5, 1, 0, 200),
        learned=True,
        forgets=0.5,
        duel=Effort(10, 2, 1, 0, 20),
    ),
    ZoffLevel(
        5,
        "Trail Boss",
        effort=Effort(64, 8, 8, 10_000, 1_500),
        learned=True,
        forgets=0.0,
        duel=Effort(24, 5, 6, 600, 200),
        crowd=Effort(48, 6, 8, 3_000, 600),
    ),
    ZoffLevel(
        6,
        "Cattle Baron",
        effort=Effort(pool=256, samples=16, leaves=4_000, halving_samples=200, answer_playouts=200),
        learned=True,
        forgets=0.0,
        duel=Effort(96, 12, 10, 100_000, 4_000, exact=True, answer_playouts=200, model_samples=24),
    ),
)

TEMPERAMENTS: Final = MappingProxyType(
    {
        "balanced": BALANCED,
        "settler": (8.0, 1.0, 1.0, 0.0, 0.5, -0.5),
        "spoiler": (8.0, 1.0, 0.4, 0.6, 0.0, 0.0),
        "farmer": (8.0, 1.0, 1.0, 0.0, -0.4, 0.25),
    }
)
"""What each cares for: winning, own cows, the others' mean, the strongest other's, the number of own herds, the cows
of the largest. See `Preferences`."""


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
