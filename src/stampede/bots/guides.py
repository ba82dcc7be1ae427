"""Guides: the bots of a coached game, which play so that a newcomer meets the rules early.

A guide isn't strong and doesn't play to win. In Zoff it comes to the newcomer's pastures with a larger herd, places its
cows so that one number would make the newcomer's herd equal to its own, and fills small pastures. In Buffalo it blocks
and captures early as the hunter, and as the buffalo side runs one buffalo ahead to where the chief has to capture it.
The newcomer sits in the first seat of Zoff. A guide is given a seat's view, like every bot.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final, cast

from stampede.bots.buffalo.sight import Sight, move_at_sight
from stampede.bots.zoff.sight import ZoffSight, act_at_sight
from stampede.buffalo import Move, Position, Side
from stampede.buffalo.view import BuffaloView
from stampede.core.errors import InputError
from stampede.zoff.actions import Choose, Pair, Place, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.legal import ChoiceOptions
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import PastureView, ZoffView

__all__ = ["GuideBot"]

NEWCOMER: Final = 0
_ZOFF: Final = ZoffSight(fancy=0.3)
_BUFFALO: Final = Sight(blur=120.0, overlooks=0.3)
_CLOSE: Final = 2
"""A buffalo on this rank (from 0 at the far bank) or nearer is about to cross."""


@dataclass(frozen=True, slots=True)
class GuideBot:
    """Plays both games, for a newcomer to learn by."""

    name: str = "guide"
    needs_compiled_code: bool = False

    def choose(self, view: Any, rng: random.Random) -> Any:
        """One of ``view.legal``; InputError for a view of another game."""
        if isinstance(view, ZoffView):
            return _act_in_zoff(view, rng)
        if isinstance(view, BuffaloView):
            return _move_in_buffalo(view.position, tuple(view.legal), rng)
        raise InputError(f"expected a view of Zoff or Buffalo, got {type(view).__name__}")


# --- Zoff ---


def _act_in_zoff(view: ZoffView, rng: random.Random) -> ZoffAction:
    if view.viewer == NEWCOMER or view.rules.players == 2:
        return act_at_sight(view, _ZOFF, rng)
    if view.phase is ZoffPhase.CHOOSE:
        return _lay(view, rng)
    if view.phase is ZoffPhase.PLACE:
        return _meet(view, rng)
    return act_at_sight(view, _ZOFF, rng)


def _lay(view: ZoffView, rng: random.Random) -> Choose:
    """A pair to where the newcomer has a herd, each guide to another one, and one to the smallest open pasture."""
    options = view.legal
    assert isinstance(options, ChoiceOptions), "an open choice"
    if options.pairs < 2 or len(options.pastures) < 2:
        return cast("Choose", act_at_sight(view, _ZOFF, rng))
    seat = cast("int", view.viewer)
    fields = {pasture.name: pasture for pasture in view.pastures}
    pupil, own = view.seats[NEWCOMER].colours[0], view.seats[seat].colours[0]
    open_fields = [fields[name] for name in options.pastures]
    shared = [pasture for pasture in open_fields if pupil in pasture.herds] or open_fields
    shared.sort(key=lambda pasture: (-pasture.herds.get(own, 0), pasture.capacity))
    meeting = shared[(seat - 1) % len(shared)]
    rest = [pasture for pasture in open_fields if pasture.name != meeting.name]
    filling = min(rest, key=lambda pasture: (pasture.free, pasture.capacity))
    cards = sorted(options.cards, key=lambda card: (card.value, card.letter))
    first = _card_for(cards, min(4, meeting.free))
    second = _card_for([card for card in cards if card != first], filling.free)
    pairs = [Pair(meeting.name, first), Pair(filling.name, second)]
    pairs.sort(key=lambda pair: options.pastures.index(pair.pasture))
    return Choose(tuple(pairs))


def _card_for(cards: list[CowCard], cows: int) -> CowCard:
    """The highest card that brings no more than so many cows; else the lowest."""
    fitting = [card for card in cards if card.value <= cows]
    return fitting[-1] if fitting else cards[0]


def _meet(view: ZoffView, rng: random.Random) -> Place:
    """Where the newcomer comes next: a herd that one of their numbers would equal. Else what looks best."""
    turn = view.line[0]
    pasture = next(one for one in view.pastures if one.name == turn.pasture)
    behind = next((pair for pair in view.line[1:] if pair.seat == NEWCOMER), None)
    places = [action for action in view.legal if isinstance(action, Place)]
    if behind is not None:
        traps = [
            place
            for place in places
            if place.cows and _would_tie(pasture, turn.colour, behind.colour, behind.left, place)
        ]
        if traps:
            return max(traps, key=lambda place: place.cows)
    return cast("Place", act_at_sight(view, _ZOFF, rng))


def _would_tie(pasture: PastureView, own: str, theirs: str, most: int, place: Place) -> bool:
    """Whether some number of theirs would make two equal herds, with room enough for it."""
    herd = pasture.herds.get(own, 0) + place.cows
    needed = herd - pasture.herds.get(theirs, 0)
    return 1 <= needed <= min(most, pasture.free - place.cows)


# --- Buffalo ---


def _move_in_buffalo(position: Position, moves: tuple[Move, ...], rng: random.Random) -> Move:
    if position.turn is Side.HUNTER:
        return _hunt(position, moves, rng)
    return _run(position, moves, rng)


def _hunt(position: Position, moves: tuple[Move, ...], rng: random.Random) -> Move:
    """Captures where it can; else a dog blocks the buffalo that is farthest ahead, if that is useful."""
    captures = [move for move in moves if move.to_square in position.buffaloes]
    if captures:
        return captures[0]
    leader = min(position.buffaloes, key=lambda square: (square.rank, square.file))
    ahead = [
        move
        for move in moves
        if move.from_square in position.dogs
        and move.to_square.file == leader.file
        and move.to_square.rank == leader.rank - 1
    ]
    blocked = any(
        piece.file == leader.file and piece.rank == leader.rank - 1
        for piece in (*position.dogs, position.chief)
    )
    if ahead and not blocked:
        return ahead[0]
    return move_at_sight(position, moves, _BUFFALO, rng)


def _run(position: Position, moves: tuple[Move, ...], rng: random.Random) -> Move:
    """The buffalo that is farthest ahead runs on, and steps before the bank only where the chief can capture it."""
    near: list[Move] = []
    safe: list[Move] = []
    for move in moves:
        is_close = move.to_square.rank < _CLOSE
        by_chief = (
            abs(move.to_square.file - position.chief.file) <= 1
            and abs(move.to_square.rank - position.chief.rank) <= 1
        )
        (near if is_close and not by_chief else safe).append(move)
    if not safe:
        return move_at_sight(position, tuple(near), _BUFFALO, rng)
    taken = {*position.dogs, position.chief}

    def promise(move: Move) -> tuple[int, int, int, int]:
        """Files beside the chief come first, where a buffalo can get next to it; then the one farthest ahead."""
        to = move.to_square
        ahead = [square for square in taken if square.file == to.file and square.rank < to.rank]
        aside = abs(to.file - position.chief.file)
        return len(ahead), abs(aside - 1), to.rank, to.file

    return min(safe, key=promise)
