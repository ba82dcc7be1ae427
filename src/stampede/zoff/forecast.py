"""What a seat can tell about the pastures before it acts: who goes first there, which numbers of cows it may place.

A forecast is built from a `Landscape`, which holds public information only, and from what the seat itself holds.
Clients show it instead of applying rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from stampede.core.events import JsonFields
from stampede.zoff.herds import rank_with, ranking, refused_cows, used_cows
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.state import State

__all__ = ["Forecast", "Landscape", "Placings", "RefusedBonus", "RefusedCows"]


@dataclass(frozen=True, slots=True)
class RefusedCows(JsonFields):
    """Numbers of cows that a rule forbids.

    Attributes:
        cows: The numbers.
        reason: The rule that forbids them.
    """

    cows: tuple[int, ...]
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class RefusedBonus(JsonFields):
    """Numbers of cows of a bonus that may not end up on certain pastures (Z5.3).

    Attributes:
        pastures: The pastures.
        cows: The numbers of cows of this bonus, on one of them.
        reason: The rule that forbids it.
    """

    pastures: tuple[str, ...]
    cows: tuple[int, ...]
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class Forecast(JsonFields):
    """What a seat can expect if it lays a pair for one of its colours on a pasture.

    Attributes:
        order: The colours that have a herd there and this one, in the order in which they would place (Z4.2).
        by: What decides this colour's place in the order: its herd, or, as it has none there, its card.
        taken: The sizes that this colour's herd can't get in this round because another herd has them (Z4.4), by
            that herd's colour.
    """

    order: tuple[str, ...]
    by: Literal["herd", "card"]
    taken: dict[str, int]


class Placings(NamedTuple):
    """What follows from each number of cows that a card could give.

    Attributes:
        ranks: By number of cows, from 0: the herd's rank then; None when a rule forbids the number.
        refused: The forbidden numbers, with the reasons.
    """

    ranks: tuple[int | None, ...]
    refused: tuple[RefusedCows, ...]


class Landscape(NamedTuple):
    """The pastures as everyone sees them, by the indices of the set-up.

    Attributes:
        pastures: The pastures' names, smallest pasture first.
        colours: The colours' names.
        herds: Cows, by pasture and colour.
        free: Free spaces, by pasture.
        reserves: Cows not yet placed, by colour.
    """

    pastures: tuple[str, ...]
    colours: tuple[str, ...]
    herds: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    reserves: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> Landscape:
        """Takes the public part out of a state."""
        setup = state.setup
        return cls(setup.pasture_names, setup.colours, state.herds, state.free, state.reserves)

    def open_pastures(self) -> tuple[str, ...]:
        """Returns the pastures with a free space, smallest first."""
        return tuple(name for name, free in zip(self.pastures, self.free, strict=True) if free)

    def full_pastures(self) -> tuple[str, ...]:
        """Returns the pastures without a free space, smallest first."""
        return tuple(name for name, free in zip(self.pastures, self.free, strict=True) if not free)

    def placings(self, pasture: int, colour: int, card: int, left: int) -> Placings:
        """Works out each number of cows from 0 to a card's value, of which so much is left (Z4.3, Z4.4, Z10.5)."""
        herds = self.herds[pasture]
        refused = refused_cows(
            herds, colour, left, self.free[pasture], self.reserves[colour], self.colours
        )
        refused += used_cows(card, left)
        ranks: list[int | None] = [rank_with(herds, colour, cows) for cows in range(card + 1)]
        for cows, _ in refused:
            ranks[cows] = None
        return Placings(tuple(ranks), _by_reason(refused))

    def forecast(self, colours: Sequence[int], card: int) -> dict[str, dict[str, Forecast]]:
        """Works out every open pasture for a seat that plays these colours and holds cards up to this value."""
        return {
            name: {
                self.colours[colour]: self._forecast(pasture, colour, card) for colour in colours
            }
            for pasture, name in enumerate(self.pastures)
            if self.free[pasture]
        }

    def _forecast(self, pasture: int, colour: int, card: int) -> Forecast:
        herds, names = self.herds[pasture], self.colours
        order = ranking(herds)
        own = herds[colour]
        within = own + min(card, self.free[pasture], self.reserves[colour])
        taken = {names[other]: herds[other] for other in order if own < herds[other] <= within}
        if own:
            return Forecast(tuple([names[other] for other in order]), "herd", taken)
        return Forecast((*[names[other] for other in order], names[colour]), "card", taken)

    def refused_bonus(self, colour: int, most: int) -> tuple[RefusedBonus, ...]:
        """Lists where the cows of a bonus of up to ``most`` cows can't go, and why (Z5.3)."""
        found: dict[RefusedCows, list[str]] = {}
        for pasture, name in enumerate(self.pastures):
            refused = refused_cows(
                self.herds[pasture], colour, most, self.free[pasture], most, self.colours
            )
            for group in _by_reason(refused):
                found.setdefault(group, []).append(name)
        return tuple(
            RefusedBonus(tuple(names), group.cows, _bonus_reason(group.reason))
            for group, names in found.items()
        )


def _by_reason(refused: Sequence[tuple[int, ZoffReason]]) -> tuple[RefusedCows, ...]:
    """Puts the numbers with the same reason together."""
    found: dict[ZoffReason, list[int]] = {}
    for cows, reason in refused:
        found.setdefault(reason, []).append(cows)
    return tuple(RefusedCows(tuple(cows), reason) for reason, cows in found.items())


def _bonus_reason(reason: ZoffReason) -> ZoffReason:
    """The same reason under the clause for bonuses."""
    return ZoffReason(reason.code, "Z5.3", reason.values)
