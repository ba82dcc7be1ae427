"""How the low levels of Zoff play: at first sight, in plain Python, with the mistakes that people make.

A player at first sight judges each pair of a card and a pasture by what it gains there and now: cows, the bonus of its
herd's rank, and what it takes from the others. It errs as people do: it likes some pastures better than others for no
reason, it thinks too little of those who come first, and it grabs cows without a look at the ranks. It uses what the
view shows and nothing else: no guess about hands, no memory.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from stampede.zoff.actions import Bid, Choose, Pair, Place, PlaceBonus, ZoffAction
from stampede.zoff.legal import ChoiceOptions
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import PastureView, ZoffView

__all__ = ["ZoffSight", "act_at_sight"]

_CARD_COST: Final = 0.75
"""What a cow of a card is worth in a later round: cards that are kept aren't lost."""
_NEVER: Final = -1e6
_PICKING: Final = 0.4
"""Bids are up to so much: at first sight all colours are worth nearly the same."""


@dataclass(frozen=True, slots=True)
class ZoffSight:
    """How much a player sees.

    Attributes:
        fancy: How many cows less a pair may promise and still be laid now and then: its taste for pastures.
        foresees: Whether it expects those who come first on a pasture to take some of the room.
        grabs: How often it takes as many cows as it may, without a look at the ranks.
    """

    fancy: float
    foresees: bool = True
    grabs: float = 0.0


def act_at_sight(view: ZoffView, sight: ZoffSight, rng: random.Random) -> ZoffAction:
    """The action that looks best."""
    match view.phase:
        case ZoffPhase.CHOOSE:
            return _choose(view, sight, rng)
        case ZoffPhase.PLACE:
            return _place(view, grabs=rng.random() < sight.grabs)
        case ZoffPhase.BONUS:
            return _place_bonus(view, grabs=rng.random() < sight.grabs)
        case ZoffPhase.BID:
            seat = cast("int", view.viewer)
            least = Bid(view.seats[seat].bid or "0")
            return Bid.of_units(least.units + 1 + int(10_000 * _PICKING * rng.random()))
        case _:
            return view.legal.sample(rng)


# --- judging ---


def _gain(view: ZoffView, pasture: PastureView, colour: str, cows: int) -> float:
    """Cows and rank bonuses on one pasture with so many cows more, less the others' mean bonus."""
    seat = cast("int", view.viewer)
    own = view.seats[seat].colours
    share = 1.0 / (len(view.seats) - 1)
    herds = dict(pasture.herds)
    if cows:
        herds[colour] = herds.get(colour, 0) + cows
    gain = float(cows)
    for one, size in herds.items():
        rank = sum(other > size for other in herds.values())
        if rank < len(pasture.bonus):
            bonus = pasture.bonus[rank]
            gain += bonus if one in own else -share * bonus
    return gain


def _promise(
    view: ZoffView, pasture: PastureView, colour: str, sight: ZoffSight, pressure: float
) -> dict[int, float]:
    """What a card on a pasture promises, by the card's value."""
    own = pasture.herds.get(colour, 0)
    taken = set(pasture.herds.values())
    reserve = view.seats[cast("int", view.viewer)].reserves[colour]
    before = _gain(view, pasture, colour, 0)
    gains = [0.0]
    for cows in range(1, 6):
        fits = cows <= min(pasture.free, reserve) and own + cows not in taken
        gains.append(
            max(gains[-1], _gain(view, pasture, colour, cows) - before) if fits else gains[-1]
        )
    ahead = sum(herd > own for herd in pasture.herds.values()) if own else -1
    promises = {}
    for value in range(2, 6):
        waits = 0.15 + 0.12 * value if ahead < 0 else min(1.0, 0.35 * ahead)
        room = pasture.free - int(pressure * pasture.free * waits + 0.5)
        if not sight.foresees:
            room = pasture.free
        promises[value] = gains[max(0, min(value, room))] - _CARD_COST * value
    return promises


def _gumbel(rng: random.Random) -> float:
    """Noise with which the best of several is drawn as by a softmax (the Gumbel-max trick)."""
    return -math.log(-math.log(rng.random() or 0.5))


# --- acting ---


def _choose(view: ZoffView, sight: ZoffSight, rng: random.Random) -> Choose:
    """Draws the pairs one after another; the better they look, the likelier."""
    options = view.legal
    assert isinstance(options, ChoiceOptions), "an open choice"
    own = tuple(options.landscape.colours[colour] for colour in options.own)
    spaces = sum(pasture.free for pasture in view.pastures)
    pressure = min(1.0, (len(view.seats) - 1) * 6.0 / spaces) if spaces else 0.0
    by_name = {pasture.name: pasture for pasture in view.pastures}
    tables = {
        (name, colour): _promise(view, by_name[name], colour, sight, pressure)
        for name in options.pastures
        for colour in own
    }
    pairs: list[Pair] = []
    for half in range(options.pairs):
        colours = (options.colours[half],) if options.colours else own
        used = {pair.card for pair in pairs}
        closed = {pair.pasture for pair in pairs} if len(options.pastures) > 1 else set()
        best, most = None, _NEVER
        for name in options.pastures:
            if name in closed:
                continue
            promise = {
                value: max(tables[name, colour][value] for colour in colours)
                for value in range(2, 6)
            }
            for card in options.cards:
                if card not in used:
                    worth = promise[card.value] + sight.fancy * _gumbel(rng)
                    if worth > most:
                        best, most = (name, card), worth
        assert best is not None, "a hand holds a card for each pair"
        pairs.append(Pair(*best, options.colours[half] if options.colours else None))
    if not options.colours:
        pairs.sort(key=lambda pair: options.pastures.index(pair.pasture))
    return Choose(tuple(pairs))


def _place(view: ZoffView, *, grabs: bool) -> Place:
    turn = view.line[0]
    pasture = next(one for one in view.pastures if one.name == turn.pasture)
    places = [action for action in view.legal if isinstance(action, Place)]
    if grabs:
        return max(places, key=lambda place: place.cows)
    return max(
        places, key=lambda place: (_gain(view, pasture, turn.colour, place.cows), place.cows)
    )


def _place_bonus(view: ZoffView, *, grabs: bool) -> PlaceBonus:
    colour = view.due[0].colour
    by_name = {pasture.name: pasture for pasture in view.pastures}
    bonuses = [action for action in view.legal if isinstance(action, PlaceBonus)]
    if grabs:
        return max(bonuses, key=lambda bonus: len(bonus.on))

    def gain(on: Iterable[str]) -> float:
        names = list(on)
        return sum(
            _gain(view, by_name[name], colour, names.count(name))
            - _gain(view, by_name[name], colour, 0)
            for name in set(names)
        )

    return max(bonuses, key=lambda bonus: (gain(bonus.on), len(bonus.on)))
