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
from stampede.zoff.actions import Choose
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusPlaced, Filled, Placed, Revealed

__all__ = ["Memory", "RoundSeen"]


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """A round as a player saw it.

    Attributes:
        number: From 1.
        choices: What every seat chose.
        cows: Colour, pasture and number of the cows that were placed, bonuses included.
    """

    number: int
    choices: tuple[tuple[Seat, Choose], ...]
    cows: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What was seen so far.

    Attributes:
        cards: Seat and card of every pair that was turned up.
        fillers: For each full pasture the colour that covered its last space.
        rounds: How each round went, the running one included.
    """

    cards: tuple[tuple[Seat, CowCard], ...] = ()
    fillers: tuple[tuple[str, str], ...] = ()
    rounds: tuple[RoundSeen, ...] = ()

    @classmethod
    def of(cls, events: Iterable[Event]) -> Memory:
        """What a player who saw these events remembers."""
        cards: list[tuple[Seat, CowCard]] = []
        fillers: list[tuple[str, str]] = []
        choices: dict[int, list[tuple[Seat, Choose]]] = {}
        cows: dict[int, list[tuple[str, str, int]]] = {}
        number = 0
        for event in events:
            match event:
                case Revealed(round=number, seat=seat, choice=choice) if choice is not None:
                    cards.extend((seat, pair.card) for pair in choice.pairs)
                    choices.setdefault(number, []).append((seat, choice))
                case Placed(colour=colour, pasture=pasture, cows=count):
                    cows.setdefault(number, []).append((colour, pasture, count))
                case BonusPlaced(colour=colour, on=pastures):
                    cows.setdefault(number, []).extend((colour, name, 1) for name in pastures)
                case Filled(pasture=pasture, colour=colour):
                    fillers.append((pasture, colour))
                case _:
                    pass
        rounds = tuple(
            RoundSeen(number, tuple(laid), tuple(cows.get(number, ())))
            for number, laid in choices.items()
        )
        return cls(tuple(cards), tuple(fillers), rounds)

    def forget(self, share: float, rng: random.Random) -> Memory:
        """The same with this share of the cards forgotten, and how rounds went."""
        kept = tuple(entry for entry in self.cards if rng.random() >= share)
        return Memory(kept, self.fillers)

    def of_seat(self, seat: Seat) -> set[CowCard]:
        """The cards that a seat is remembered to have played."""
        return {card for player, card in self.cards if player == seat}
