"""What a player of Zoff remembers: the cow cards that were turned up in earlier rounds (Z9.1).

Views don't show them afterwards (Z6.1), but every player saw them. So a bot's memory is derived from the game's events
and passed in from outside: a bot is an immutable value and keeps nothing between decisions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from stampede.core.events import Event
from stampede.core.game import Seat
from stampede.zoff.edition import CowCard
from stampede.zoff.events import Filled, Revealed

__all__ = ["Memory"]


@dataclass(frozen=True, slots=True)
class Memory:
    """What was seen so far.

    Attributes:
        cards: Seat and card of every pair that was turned up.
        fillers: For each full pasture the colour that covered its last space.
    """

    cards: tuple[tuple[Seat, CowCard], ...] = ()
    fillers: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, events: Iterable[Event]) -> Memory:
        """What a player who saw these events remembers."""
        cards: list[tuple[Seat, CowCard]] = []
        fillers: list[tuple[str, str]] = []
        for event in events:
            match event:
                case Revealed(seat=seat, choice=choice) if choice is not None:
                    cards.extend((seat, pair.card) for pair in choice.pairs)
                case Filled(pasture=pasture, colour=colour):
                    fillers.append((pasture, colour))
                case _:
                    pass
        return cls(tuple(cards), tuple(fillers))

    def forget(self, share: float, rng: random.Random) -> Memory:
        """The same with this share of the cards forgotten."""
        kept = tuple(entry for entry in self.cards if rng.random() >= share)
        return Memory(kept, self.fillers)

    def of_seat(self, seat: Seat) -> set[CowCard]:
        """The cards that a seat is remembered to have played."""
        return {card for player, card in self.cards if player == seat}
