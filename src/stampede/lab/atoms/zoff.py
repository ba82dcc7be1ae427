"""Zoff by atoms, readable: which atoms a view allows, which action they make, and a table that is played by them.

An action of Zoff is one atom or a few: a choice is laid pair by pair, its second pasture larger than its first; a bonus
is used cow by cow, or stopped. `stampede.kernels.zoff.vector.layout` lists the 240 atoms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import assert_never

from stampede.core.errors import IllegalAction, InputError
from stampede.core.game import Seat
from stampede.kernels.zoff.layout import MAX_CARDS
from stampede.kernels.zoff.vector import layout as at
from stampede.zoff.actions import (
    Bid,
    Choose,
    Pair,
    Pick,
    Place,
    PlaceBonus,
    Settle,
    TakeBack,
    ZoffAction,
)
from stampede.zoff.edition import TWO_PLAYER_GROUPS, CowCard
from stampede.zoff.events import Revealed
from stampede.zoff.game import ZoffGame
from stampede.zoff.legal import BidOptions, ChoiceOptions
from stampede.zoff.rules import ZoffRules
from stampede.zoff.setup import Deal
from stampede.zoff.state import State, ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = ["Atoms", "ZoffTable", "answer_of", "atom_text", "legal_atoms", "whole_answers"]

Atoms = tuple[int, ...]
"""Atoms of one answer, in order."""


# --- names and numbers ---


def colours_of(view: ZoffView) -> tuple[str, ...]:
    """The colours in play, in the edition's order: a colour's number is its place here."""
    owned = [colour for seat in view.seats for colour in seat.colours]
    return tuple(
        colour for colour in view.rules.printed.colours if colour in {*owned, *view.free_colours}
    )


def groups_of(view: ZoffView) -> tuple[str, ...]:
    """What can be picked, by the colour of its cards: a group's number is its place here."""
    return tuple(TWO_PLAYER_GROUPS) if view.rules.players == 2 else colours_of(view)


def first_hand(view: ZoffView, seat: Seat) -> tuple[CowCard, ...]:
    """The cards that a seat began with: a card's number is its place here. Empty before it has a colour."""
    colours = view.seats[seat].colours
    return view.rules.printed.hand(colours[0], view.rules.players) if colours else ()


def atom_text(view: ZoffView, atom: int) -> str:
    """Returns an atom as the viewer reads it: ``Fire-Fields 4M``, ``3 cows``, ``bid 1.2``."""
    pastures = [pasture.name for pasture in view.pastures]
    own = () if view.viewer is None else first_hand(view, view.viewer)
    if at.PAIRS <= atom < at.COWS:
        pasture, card = divmod(atom, MAX_CARDS)
        name = pastures[pasture] if pasture < len(pastures) else f"pasture {pasture}"
        return f"{name} {own[card] if card < len(own) else f'card {card}'}"
    if at.COWS <= atom < at.BONUS:
        return f"{atom - at.COWS} cows"
    if at.BONUS <= atom < at.STOP:
        index = atom - at.BONUS
        return f"bonus {pastures[index] if index < len(pastures) else f'pasture {index}'}"
    if atom == at.STOP:
        return "stop"
    if at.PICKS <= atom < at.SETTLES:
        groups, index = groups_of(view), atom - at.PICKS
        return f"pick {groups[index] if index < len(groups) else f'group {index}'}"
    if at.SETTLES <= atom < at.BIDS:
        return f"settle {atom - at.SETTLES + 1:03b}"
    if at.BIDS <= atom < at.NOTHING:
        return f"bid {Bid.of_units((atom - at.BIDS) * at.BID_STEP).text}"
    return "nothing" if atom == at.NOTHING else f"no atom ({atom})"


# --- what is legal ---


def legal_atoms(view: ZoffView, given: Atoms = ()) -> list[int]:
    """Lists the atoms that the viewer may give next.

    Args:
        view: A seat's view.
        given: The atoms that it has given of this answer.
    """
    legal = view.legal
    if not legal:
        return [at.NOTHING]
    match view.phase:
        case ZoffPhase.SETTLE:
            return list(range(at.SETTLES, at.BIDS))
        case ZoffPhase.BID:
            assert isinstance(legal, BidOptions)
            return [
                at.BIDS + number
                for number in range(at.BID_COUNT)
                if number * at.BID_STEP >= legal.least
            ]
        case ZoffPhase.PICK:
            return sorted(at.PICKS + _group(view, action) for action in legal)
        case ZoffPhase.CHOOSE:
            assert isinstance(legal, ChoiceOptions)
            return _pairs(view, legal, given)
        case ZoffPhase.PLACE:
            return [at.COWS + action.cows for action in legal if isinstance(action, Place)]
        case ZoffPhase.BONUS:
            return _bonus_atoms(view, given)
        case ZoffPhase.OVER:
            return [at.NOTHING]
        case _:
            assert_never(view.phase)


def _group(view: ZoffView, action: ZoffAction) -> int:
    assert isinstance(action, Pick)
    return groups_of(view).index(action.colour)


def _pairs(view: ZoffView, options: ChoiceOptions, given: Atoms) -> list[int]:
    names = [pasture.name for pasture in view.pastures]
    pastures = [names.index(name) for name in options.pastures]
    assert view.viewer is not None
    hand = first_hand(view, view.viewer)
    cards = [hand.index(card) for card in options.cards]
    several = len(pastures) > 1
    if given:
        pasture, card = divmod(given[0], MAX_CARDS)
        cards.remove(card)
        if several and options.colours:
            pastures.remove(pasture)
        elif several:
            pastures = [other for other in pastures if other > pasture]
    elif several and not options.colours:
        pastures.pop()  # the second pasture is larger
    return [pasture * MAX_CARDS + card for pasture in pastures for card in cards]


def _bonus_atoms(view: ZoffView, given: Atoms) -> list[int]:
    """Every pasture whose next cow leads to one of the listed ways; stop where one is complete."""
    names = [pasture.name for pasture in view.pastures]
    laid = Counter(names[atom - at.BONUS] for atom in given)
    ways = [Counter(way.on) for way in view.legal if isinstance(way, PlaceBonus)]
    found = [
        at.BONUS + index
        for index, name in enumerate(names)
        if any(laid + Counter([name]) <= way for way in ways)
    ]
    return [*found, at.STOP] if laid in ways else found


# --- what they make ---


def answer_of(view: ZoffView, given: Atoms) -> ZoffAction | None:
    """Returns the action that these atoms make; None while an atom is missing. Checks nothing."""
    last = given[-1]
    match view.phase:
        case ZoffPhase.SETTLE:
            return list(view.legal)[_settlement(view, last - at.SETTLES + 1)]
        case ZoffPhase.BID:
            return Bid.of_units((last - at.BIDS) * at.BID_STEP)
        case ZoffPhase.PICK:
            return Pick(groups_of(view)[last - at.PICKS])
        case ZoffPhase.CHOOSE:
            return _choice(view, given)
        case ZoffPhase.PLACE:
            return Place(last - at.COWS)
        case ZoffPhase.BONUS:
            cows = [atom for atom in given if atom != at.STOP]
            if last != at.STOP and _bonus_atoms(view, tuple(cows)) != [at.STOP]:
                return None
            return PlaceBonus(tuple(view.pastures[atom - at.BONUS].name for atom in cows))
        case ZoffPhase.OVER:
            raise InputError("expected a game in progress, got one that has ended")
        case _:
            assert_never(view.phase)


def _settlement(view: ZoffView, code: int) -> int:
    """The place in the list of the settlement whose second colour stands on the pastures of the code's bits."""
    for place, action in enumerate(view.legal):
        assert isinstance(action, Settle)
        group = next(own for own in TWO_PLAYER_GROUPS.values() if action.colours[0][1] in own)
        if code == sum(1 << index for index, (_, c) in enumerate(action.colours) if c == group[1]):
            return place
    raise InputError(f"expected a settlement from 1 to 6, got {code}")


def _choice(view: ZoffView, given: Atoms) -> Choose | None:
    options = view.legal
    assert isinstance(options, ChoiceOptions)
    assert view.viewer is not None
    if len(given) < options.pairs:
        return None
    hand = first_hand(view, view.viewer)
    laid = [divmod(atom, MAX_CARDS) for atom in given]
    colours: Sequence[str | None] = options.colours or (None,) * options.pairs
    return Choose(
        tuple(
            Pair(view.pastures[pasture].name, hand[card], colour)
            for (pasture, card), colour in zip(laid, colours, strict=True)
        )
    )


def whole_answers(view: ZoffView, given: Atoms = ()) -> list[Atoms]:
    """Lists all complete answers as atoms: each way through the masks. A choice has up to 5,940."""
    found: list[Atoms] = []
    for atom in legal_atoms(view, given):
        atoms = (*given, atom)
        done = atom == at.NOTHING or answer_of(view, atoms) is not None
        found += [atoms] if done else whole_answers(view, atoms)
    return found


# --- a table ---


class ZoffTable:
    """A game of the readable rules that all seats play atom by atom.

    Attributes:
        state: The readable state.
        given: By seat, the atoms of its running answer.
        played: By seat, the cards that everyone has seen: what a perfect memory knows.
    """

    def __init__(self, rules: ZoffRules, deal: Deal) -> None:
        self.game = ZoffGame()
        self.start(self.game.initial(rules, deal))

    def start(self, state: State) -> None:
        """Goes on from a state in which no answer is sealed."""
        self.state = state
        players = state.setup.rules.players
        self.given: list[Atoms] = [()] * players
        self.played: list[set[CowCard]] = [
            set(state.discards[state.owners.index(seat)]) if seat in state.owners else set()
            for seat in range(players)
        ]

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats whose atom is awaited; none when the game is over."""
        return self.game.to_act(self.state)

    def view(self, seat: Seat) -> ZoffView:
        """What a seat may know."""
        return self.game.view(self.state, seat)

    def legal(self, seat: Seat) -> list[int]:
        """The atoms that a seat may give."""
        return legal_atoms(self.view(seat), self.given[seat])

    def step(self, atoms: Mapping[Seat, int]) -> None:
        """Takes the atoms of all seats that are asked, and carries out what is complete.

        Raises:
            IllegalAction: An atom isn't legal, or missing.
        """
        views = {seat: self.view(seat) for seat in self.acting}
        for seat, view in views.items():
            if atoms.get(seat) not in legal_atoms(view, self.given[seat]):
                raise IllegalAction(f"seat {seat}: expected a legal atom, got {atoms.get(seat)}")
        for seat, view in views.items():
            self.given[seat] = given = (*self.given[seat], atoms[seat])
            action = answer_of(view, given)
            if action is not None:
                self._apply(seat, action)
                self.given[seat] = ()

    def _apply(self, seat: Seat, action: ZoffAction) -> None:
        assert not isinstance(action, TakeBack)
        self.state, events = self.game.apply(self.state, seat, action)
        for event in events:
            if isinstance(event, Revealed) and event.choice is not None:
                self.played[event.seat].update(pair.card for pair in event.choice.pairs)
