"""The auction of colours (Z11.1)."""

from __future__ import annotations

from stampede.core.game import Seat
from stampede.zoff.actions import Bid
from stampede.zoff.draft import Draft
from stampede.zoff.events import BidShown, BidsTied, Picked, Ranked
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.rules import BID_ROUNDS
from stampede.zoff.state import ZoffPhase

__all__ = ["pick", "show_bids"]


def show_bids(draft: Draft) -> None:
    """Reveals the bids of this round, and has those bid again who are tied, three rounds long."""
    if not draft.places:
        draft.places = (0,) * len(draft.sealed)
    bids = list(draft.bids)
    for seat in draft.bidders:
        bid = draft.sealed[seat]
        assert isinstance(bid, Bid), "the last bid is in"
        bids[seat] = bid
        draft.events.append(BidShown(seat, bid.text, draft.bid_round))
    draft.bids = tuple(bids)
    draft.sealed = (None,) * len(draft.sealed)
    standing = [bid.units for bid in bids if bid is not None]
    draft.places = _places(draft, standing)
    tied = tuple(s for s, place in enumerate(draft.places) if draft.places.count(place) > 1)
    by_seed = draft.bid_round == BID_ROUNDS
    if tied:
        reason = ZoffReason("seed_decides" if by_seed else "bid_again", "Z11.1")
        draft.events.append(BidsTied(tied, reason))
    if tied and not by_seed:
        draft.bid_round += 1
        draft.bidders = tied
    else:
        _rank(draft)


def _places(draft: Draft, standing: list[int]) -> tuple[int, ...]:
    """How many stand before each seat: by all bids, or, of the house rule, among those who were tied."""
    before = draft.places if draft.setup.rules.rebid_among_tied else (0,) * len(standing)
    rank = [(-place, units) for place, units in zip(before, standing, strict=True)]
    return tuple(sum(other > own for other in rank) for own in rank)


def _rank(draft: Draft) -> None:
    """Highest bid first; ties that outlast the bidding by the seed's order."""
    tie_order = draft.setup.deal.tie_order
    seats = range(len(draft.places))
    order = tuple(sorted(seats, key=lambda seat: (draft.places[seat], tie_order.index(seat))))
    draft.events.append(Ranked(order))
    draft.picks = order
    draft.bidders = ()
    draft.phase = ZoffPhase.PICK


def pick(draft: Draft, group: int) -> None:
    """The first in order takes a colour; the last colour goes to the last seat by itself (Z4.6)."""
    _take(draft, draft.picks[0], group, forced=False)
    if len(draft.picks) == 1:
        _take(draft, draft.picks[0], draft.owners.index(None), forced=True)
    if not draft.picks:
        draft.seats = [draft.owners[index] for index in draft.setup.group_of]
        draft.phase = ZoffPhase.CHOOSE
        draft.round = 1


def _take(draft: Draft, seat: Seat, group: int, *, forced: bool) -> None:
    owners = list(draft.owners)
    owners[group] = seat
    draft.owners = tuple(owners)
    draft.picks = draft.picks[1:]
    draft.events.append(Picked(seat, draft.setup.groups[group].name, forced))
