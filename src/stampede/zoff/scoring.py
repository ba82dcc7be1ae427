"""The end: the final bonus (Z7), the count and the winner (Z8, Z10.7, Z11.1)."""

from __future__ import annotations

from collections.abc import Mapping

from stampede.core.game import Seat
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.draft import Draft
from stampede.zoff.events import FinalBonus, ZoffEnded
from stampede.zoff.herds import ranking
from stampede.zoff.reasons import ZoffReason, ZoffReasonCode
from stampede.zoff.state import Ending, EndReason, ZoffPhase

__all__ = ["finish", "seat_colours"]

CLAUSES: Mapping[EndReason, str] = {"rounds": "Z6.2", "full": "Z6.2", "exhausted": "Z6.3"}


def finish(draft: Draft, reason: EndReason, exhausted_by: Seat | None = None) -> None:
    """Ends the game: pays Z7 after the last round, counts, and names the winners."""
    largest_before = draft.herds[-1]
    final = _pay_final(draft) if reason == "rounds" else ()
    placed = tuple(
        sum(herd[colour] for herd in draft.herds for colour in seat_colours(draft, seat))
        for seat in range(draft.setup.rules.players)
    )
    scores = tuple(
        cows * BID_UNIT - (0 if bid is None else bid.units)
        for cows, bid in zip(placed, draft.bids, strict=True)
    )
    if exhausted_by is None:
        winners, decided_by = _winners(draft, scores, largest_before)
    else:
        winners, decided_by = (exhausted_by,), ZoffReason("last_cow", "Z6.3")
    draft.ending = Ending(reason, final, placed, scores, winners)
    draft.phase = ZoffPhase.OVER
    draft.payments.clear()
    draft.queue.clear()
    draft.line = draft.waiting = ()
    draft.events.append(ZoffEnded(ZoffReason(reason, CLAUSES[reason]), winners, decided_by))


def seat_colours(draft: Draft, seat: Seat) -> tuple[int, ...]:
    """The colours that a seat plays."""
    return draft.setup.groups[draft.owners.index(seat)].colours


def _pay_final(draft: Draft) -> tuple[tuple[int, int, int], ...]:
    """Every open pasture pays on itself, by the ranks before its payment, herds of equal size allowed (Z7.1)."""
    paid = []
    for index, pasture in enumerate(draft.setup.pastures):
        if not draft.free[index]:
            continue
        ranks = ranking(draft.herds[index])
        for rank, (colour, due) in enumerate(zip(ranks, pasture.bonus, strict=False), start=1):
            if not due:
                continue
            cows = min(due, draft.free[index], draft.reserves[colour])
            lost = _final_loss(draft, index, colour, due)
            draft.add_cows(index, colour, cows)
            seat, name = draft.seat_of(colour), draft.names[colour]
            draft.events.append(FinalBonus(seat, name, pasture.name, rank, due, cows, lost))
            if cows:
                paid.append((index, colour, cows))
    return tuple(paid)


def _final_loss(draft: Draft, pasture: int, colour: int, due: int) -> ZoffReason | None:
    if draft.free[pasture] < min(due, draft.reserves[colour]):
        return ZoffReason("no_space", "Z7.1", (("free", draft.free[pasture]),))
    if draft.reserves[colour] < due:
        return ZoffReason("reserve_empty", "Z7.1", (("reserve", draft.reserves[colour]),))
    return None


def _winners(
    draft: Draft, scores: tuple[int, ...], largest_before: tuple[int, ...]
) -> tuple[tuple[Seat, ...], ZoffReason]:
    """Most cows; then the largest pasture before Z7, by the larger single herd with two players; then shared."""
    two = draft.setup.rules.players == 2
    best = max(scores)
    leaders = [seat for seat, score in enumerate(scores) if score == best]
    if len(leaders) == 1:
        return (leaders[0],), ZoffReason("most_cows", "Z8.1")
    on_largest = {
        seat: max(largest_before[colour] for colour in seat_colours(draft, seat))
        for seat in leaders
    }
    most = max(on_largest.values())
    winners = tuple(seat for seat in leaders if on_largest[seat] == most)
    code: ZoffReasonCode = "largest_pasture" if len(winners) == 1 else "shared"
    pasture = draft.setup.pastures[-1].name
    return winners, ZoffReason(code, "Z10.7" if two else "Z8.1", (("pasture", pasture),))
