"""An observation of Zoff from a view: the readable definition of what `stampede.lab.vector.ZoffVec` fills in.

Made from a view and the viewer's own atoms, so it can't show more than the viewer may know.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from stampede.core.game import Seat
from stampede.kernels.zoff.layout import MAX_CARDS, MAX_COLOURS
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.atoms.zoff import Atoms, colours_of, first_hand
from stampede.zoff.actions import BID_UNIT, Bid
from stampede.zoff.edition import CowCard
from stampede.zoff.legal_view import SettleLegal
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import PairView, ZoffView

__all__ = ["observe", "observe_private", "observe_public"]

Observation = npt.NDArray[np.int8]
_PHASES = ("settle", "bid", "pick", "choose", "place", "bonus", "over")


def observe(
    view: ZoffView, given: Atoms = (), *, played: Sequence[Set[CowCard]] | None = None
) -> Observation:
    """Writes what the viewer observes with ``rotate``: int8[281], the public part first.

    Args:
        view: A seat's view.
        given: The atoms that it has given of its running answer.
        played: By seat, the cards that a perfect memory knows; None for what the rules show.
    """
    half = int(view.phase is ZoffPhase.CHOOSE and bool(given))
    shown = observe_public(view, half=half, played=played, rotate=True)
    return np.concatenate([shown, observe_private(view, given)])


def observe_public(
    view: ZoffView, *, half: int, played: Sequence[Set[CowCard]] | None, rotate: bool
) -> Observation:
    """Writes what everyone knows: int8[PUBLIC].

    Args:
        view: A seat's view.
        half: Whether the second pairs are laid.
        played: By seat, the cards that a perfect memory knows; None for what the rules show.
        rotate: Whether the viewer is seat 0 and its colours come first.
    """
    found = np.zeros(at.PUBLIC, dtype=np.int8)
    players = view.rules.players
    turn = (view.viewer or 0) if rotate else 0
    seats = [(turn + place) % players for place in range(players)]  # by place in the observation
    colours = _colours(view, seats) if rotate else colours_of(view)
    pastures = [pasture.name for pasture in view.pastures]
    found[at.PHASE] = _PHASES.index(view.phase.value) + 1
    found[at.ROUND] = view.round
    found[at.BID_ROUND] = view.bid_round
    found[at.HALF] = half
    for index, pasture in enumerate(view.pastures):
        row = at.PASTURES + MAX_COLOURS * index
        for slot, colour in enumerate(colours):
            found[row + slot] = pasture.herds.get(colour, 0)
        found[at.FREE + index] = pasture.free
    for slot, colour in enumerate(colours):
        found[at.RESERVES + slot] = view.free_colours.get(colour, 0)
    for place, seat in enumerate(seats):
        shown = view.seats[seat]
        for colour, cows in shown.reserves.items():
            found[at.RESERVES + colours.index(colour)] = cows
            found[at.OWNERS + colours.index(colour)] = place + 1
        found[at.HELD + place] = shown.cards
        if shown.bid is not None:
            found[at.STANDING + place] = Bid(shown.bid).units // at.BID_STEP + 1
        for card in _seen(view, seat, played):
            found[at.SEEN + MAX_CARDS * place + first_hand(view, seat).index(card)] = 1
        laid = [pair for pair in view.laid if pair.seat == seat]
        for half_of, pair in enumerate(laid):
            row = at.LAID + at.PAIR_SIZE * (2 * place + half_of)
            found[row] = pastures.index(pair.pasture) + 1
            found[row + 1] = first_hand(view, seat).index(pair.card) + 1
            found[row + 2 : row + 4] = _progress(view, pair)
    for index, due in enumerate(view.due):
        row = at.DUE + at.DUE_SIZE * index
        found[row : row + 3] = colours.index(due.colour) + 1, due.rank, due.cows
        found[at.PAYING] = pastures.index(due.source) + 1
    for index, name in enumerate(view.queue):
        found[at.QUEUE + index] = pastures.index(name) + 1
    return found


def _colours(view: ZoffView, seats: Sequence[Seat]) -> tuple[str, ...]:
    """The viewer's colours, then those of the next seats, then those without an owner."""
    owned = [colour for seat in seats for colour in view.seats[seat].colours]
    return (*owned, *view.free_colours)


def _seen(view: ZoffView, seat: Seat, played: Sequence[Set[CowCard]] | None) -> Set[CowCard]:
    """The cards of a seat that are known to be played: in this round, and earlier if they may be looked at (Z6.1)."""
    if played is not None:
        return played[seat]
    known = {pair.card for pair in view.laid if pair.seat == seat}
    return known if view.discards is None else known | set(view.discards[seat])


def _progress(view: ZoffView, pair: PairView) -> tuple[int, int]:
    """How many cows a pair still allows, and whether its turn is later, on this pasture, or over."""
    own = pair.seat, pair.colour, pair.pasture
    for pairs, when in ((view.line, at.IN_LINE), (view.waiting, at.LATER)):
        for other in pairs:
            if (other.seat, other.colour, other.pasture) == own:
                return other.left, when
    return 0, at.DONE


def observe_private(view: ZoffView, given: Atoms) -> Observation:
    """Writes what the viewer knows alone: int8[PRIVATE].

    Args:
        view: A seat's view.
        given: The atoms that it has given of its running answer.
    """
    found = np.zeros(at.PRIVATE, dtype=np.int8)
    assert view.viewer is not None, "a spectator knows nothing alone"
    hand = first_hand(view, view.viewer)
    for card in view.hand:
        found[at.HAND + hand.index(card)] = 1
    if view.phase is ZoffPhase.CHOOSE and given:
        pasture, card_number = divmod(given[0], MAX_CARDS)
        found[at.OWN_PAIR : at.OWN_PAIR + 2] = pasture + 1, card_number + 1
    if view.phase is ZoffPhase.BONUS:
        for index, atom in enumerate(given):
            found[at.OWN_BONUS + index] = atom - at.BONUS + 1
    if view.phase is ZoffPhase.SETTLE:
        described = view.legal.describe()
        assert isinstance(described, SettleLegal)
        names = [pasture.name for pasture in view.pastures]
        for index, name in enumerate(described.pastures):
            found[at.DEALT + index] = names.index(name) + 1
    return found


assert BID_UNIT % at.BID_STEP == 0
