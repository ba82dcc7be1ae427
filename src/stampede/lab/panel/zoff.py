"""How the panel plays Zoff: greedy, cautious, by the lessons' advice, or by looking one or two moves ahead.

All of them count cows that they could place if nobody came in between. They differ in what else they look at.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from stampede.lab.panel.choice import best_of
from stampede.zoff.actions import Bid, Choose, Pair, Place, PlaceBonus, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.legal import ChoiceOptions
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import PastureView, ZoffView

__all__ = ["Cautious", "Greedy", "advise", "answer_ahead"]

Worth = Callable[[PastureView, str, CowCard], float]
"""What a card on a pasture is worth to a colour."""


@dataclass(frozen=True, slots=True)
class Greedy:
    """Plays its highest cards where there is most room, and places every cow it may."""

    name: str = "greedy"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """The action with the most cows."""

        def worth(pasture: PastureView, colour: str, card: CowCard) -> float:
            return 100 * most_cows(pasture, colour, card.value) + pasture.free

        return _act(view, worth, _cows, rng)


@dataclass(frozen=True, slots=True)
class Cautious:
    """Plays its lowest cards where it comes first or is alone, and never adds to a pasture that is about to fill."""

    name: str = "cautious"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """The action with the least at stake."""

        def worth(pasture: PastureView, colour: str, card: CowCard) -> float:
            rivals = sum(herd >= pasture.herds.get(colour, 0) for herd in pasture.herds.values())
            wasted = card.value - most_cows(pasture, colour, card.value)
            return -10 * wasted - 3 * rivals - card.value + (colour in pasture.herds)

        return _act(view, worth, _with_bonus, rng)


def answer_ahead(view: ZoffView, moves: int, rng: random.Random) -> ZoffAction:
    """The action with the most cows at once; looking two moves ahead, with the bonus for the herd's rank."""

    def worth(pasture: PastureView, colour: str, card: CowCard) -> float:
        counts = range(most_cows(pasture, colour, card.value) + 1)
        if moves == 1:
            return float(counts[-1])
        return max(_with_bonus(pasture, colour, cows) for cows in counts)

    return _act(view, worth, _cows if moves == 1 else _with_bonus, rng)


def advise(view: ZoffView, rng: random.Random) -> ZoffAction:
    """The action of a sensible beginner: where a bonus pays, and where not too many others come first.

    High cards are for early rounds, and none is spent where a full pasture or equal herds would waste it.
    """
    early = 2 * view.round <= view.rounds

    def worth(pasture: PastureView, colour: str, card: CowCard) -> float:
        ahead = sum(herd > pasture.herds.get(colour, 0) for herd in pasture.herds.values())
        room = max(0, pasture.free - 2 * ahead)  # each of those before me takes some
        most = most_cows(pasture, colour, min(card.value, room))
        gains = [_with_bonus(pasture, colour, cows) for cows in range(most + 1)]
        kept = 0.5 * card.value if early else 0.9 * card.value
        return max(gains) - gains[0] - (card.value - most) - kept

    return _act(view, worth, _with_bonus, rng)


# --- shared ---


def _act(
    view: ZoffView,
    worth: Worth,
    gain: Callable[[PastureView, str, int], float],
    rng: random.Random,
) -> ZoffAction:
    """Answers what the seat is asked: a choice by the worth of its pairs, a placement or a bonus by its gain."""
    pastures = {pasture.name: pasture for pasture in view.pastures}
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _lay_pairs(view, pastures, worth, rng)
        case ZoffPhase.PLACE:
            turn = view.line[0]
            places = [action for action in view.legal if isinstance(action, Place)]
            here = pastures[turn.pasture]
            return best_of(places, lambda place: gain(here, turn.colour, place.cows), rng)
        case ZoffPhase.BONUS:
            colour = view.due[0].colour
            bonuses = [action for action in view.legal if isinstance(action, PlaceBonus)]

            def total(bonus: PlaceBonus) -> float:
                return sum(
                    gain(pastures[name], colour, bonus.on.count(name))
                    - gain(pastures[name], colour, 0)
                    for name in set(bonus.on)
                )

            return best_of(bonuses, total, rng)
        case ZoffPhase.BID:
            assert view.viewer is not None, "a seat is asked"
            least = Bid(view.seats[view.viewer].bid or "0").units
            return Bid.of_units(least + rng.randrange(1, 10_000))
        case _:
            return view.legal.sample(rng)


def _lay_pairs(
    view: ZoffView, pastures: dict[str, PastureView], worth: Worth, rng: random.Random
) -> Choose:
    """The pairs that are worth most together."""
    options = view.legal
    assert isinstance(options, ChoiceOptions), "an open choice"
    own = [options.landscape.colours[colour] for colour in options.own]
    colours = own if len(options.colours) == 2 else [own[0]] * options.pairs
    cards = sorted(options.cards)
    values = {
        (name, colour, card): max(
            worth(pastures[name], one, card) for one in (own if not options.colours else [colour])
        )
        for name in options.pastures
        for colour in set(colours)
        for card in cards
    }
    named: list[str | None] = list(options.colours) or [None] * options.pairs
    if len(options.pastures) == 1:
        grounds: Iterable[tuple[str, ...]] = [options.pastures * options.pairs]
    else:
        grounds = permutations(options.pastures, options.pairs)
    ways = (
        tuple(zip(names, held, strict=True))
        for names in grounds
        for held in permutations(cards, options.pairs)
    )

    def total(way: tuple[tuple[str, CowCard], ...]) -> float:
        return sum(
            values[name, colour, card] for (name, card), colour in zip(way, colours, strict=True)
        )

    chosen = best_of(ways, total, rng)
    pairs = [Pair(name, card, colour) for (name, card), colour in zip(chosen, named, strict=True)]
    if not options.colours:
        pairs.sort(key=lambda pair: options.pastures.index(pair.pasture))
    return Choose(tuple(pairs))


def most_cows(pasture: PastureView, colour: str, card: int) -> int:
    """The most cows that a card places on a pasture if nobody comes before it (Z4.3, Z4.4)."""
    own = pasture.herds.get(colour, 0)
    sizes = {herd for other, herd in pasture.herds.items() if other != colour}
    most = min(card, pasture.free)
    return next((cows for cows in range(most, 0, -1) if own + cows not in sizes), 0)


def _cows(pasture: PastureView, colour: str, cows: int) -> float:
    del pasture, colour
    return cows


def _with_bonus(pasture: PastureView, colour: str, cows: int) -> float:
    """The cows, and the bonus of the rank that the herd has with them (Z5.1)."""
    size = pasture.herds.get(colour, 0) + cows
    if not size:
        return 0.0
    rank = sum(herd > size for other, herd in pasture.herds.items() if other != colour)
    return cows + (pasture.bonus[rank] if rank < len(pasture.bonus) else 0)
