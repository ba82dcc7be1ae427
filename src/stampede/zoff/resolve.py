"""Resolving a round (Z4, Z5, Z11.2): from the reveal to the next decision, the next round, or the end.

`run_on` is a loop over one question: what comes first? A bonus that is due, then a full pasture that waits, then the
next pair on the pasture whose turn it is, then the next pasture, then the end of the round. It stops where a seat has
more than one legal answer (Z4.6).
"""

from __future__ import annotations

from stampede.zoff.actions import Choose
from stampede.zoff.draft import Draft
from stampede.zoff.events import (
    BonusLapsed,
    BonusPlaced,
    Filled,
    PairTurn,
    Placed,
    Precedence,
    Revealed,
    RoundEnded,
    Wasted,
)
from stampede.zoff.herds import allowed_cows, can_place_any, ranking, refused_cows
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.rules import FAIR_TWO_COWS_FROM
from stampede.zoff.scoring import finish
from stampede.zoff.state import Filling, LaidPair, Payment, ZoffPhase

__all__ = ["most_cows", "place", "place_bonus", "reveal", "run_on"]


def reveal(draft: Draft) -> None:
    """Turns all choices up at once (Z3.4) and takes the cards out of the hands."""
    laid: list[LaidPair] = []
    hands = list(draft.hands)
    for seat, choice in enumerate(draft.sealed):
        assert isinstance(choice, Choose), "the last choice is in"
        draft.events.append(Revealed(draft.round, seat, choice))
        group = draft.owners.index(seat)
        cards = {pair.card for pair in choice.pairs}
        hands[group] = tuple(card for card in hands[group] if card not in cards)
        own = draft.setup.groups[group].colours
        for pair in choice.pairs:
            colour = own[0] if pair.colour is None else draft.names.index(pair.colour)
            laid.append(LaidPair(draft.setup.pasture_index(pair.pasture), colour, pair.card))
    draft.hands = tuple(hands)
    draft.laid = tuple(laid)
    draft.waiting = tuple(sorted(laid, key=lambda pair: pair.pasture))
    draft.sealed = (None,) * len(draft.sealed)


def run_on(draft: Draft) -> None:
    """Carries on until a seat has to decide, or the game is over."""
    while draft.ending is None:
        if draft.payments:
            payment = draft.payments[0]
            if can_place_any(draft.herds, draft.free, payment.colour, _bonus_cows(draft, payment)):
                return draft.wait_for(ZoffPhase.BONUS)
            place_bonus(draft, (), forced=True)
        elif draft.queue:
            _open_payments(draft)
        elif not any(draft.free):
            finish(draft, "full")
        elif draft.line:
            pair = draft.line[0]
            if not draft.free[pair.pasture]:
                _waste(draft)
            elif len(_allowed_numbers(draft, pair)) > 1:
                return draft.wait_for(ZoffPhase.PLACE)
            else:
                place(draft, 0, forced=True)
        elif draft.waiting:
            _open_pasture(draft)
        else:
            _end_round(draft)
            if draft.phase is ZoffPhase.CHOOSE:
                return None
    return None


# --- pairs (Z4) ---


def _open_pasture(draft: Draft) -> None:
    """The next pasture's turn has come: fixes the order of its pairs (Z4.1, Z4.2)."""
    pasture = draft.waiting[0].pasture
    here = [pair for pair in draft.waiting if pair.pasture == pasture]
    herds = draft.herds[pasture]
    here.sort(key=lambda pair: (-herds[pair.colour], pair.card))
    draft.line = tuple(here)
    draft.waiting = draft.waiting[len(here) :]
    if draft.free[pasture]:
        turns = tuple(_turn(draft, pair, here) for pair in here)
        name = draft.setup.pastures[pasture].name
        draft.events.append(Precedence(draft.round, name, turns))


def _turn(draft: Draft, pair: LaidPair, here: list[LaidPair]) -> PairTurn:
    herds = draft.herds[pair.pasture]
    herd = herds[pair.colour]
    if len(here) == 1:
        reason = ZoffReason("alone", "Z4.2")
    elif herd:
        reason = ZoffReason("has_herd", "Z4.2", (("herd", herd),))
    else:
        others = [p.card for p in here if p is not pair and not herds[p.colour]]
        if any(card.value == pair.card.value for card in others):
            reason = ZoffReason("letter", "Z4.2", (("card", str(pair.card)),))
        else:
            reason = ZoffReason("card_value", "Z4.2", (("card", str(pair.card)),))
    return PairTurn(draft.seat_of(pair.colour), draft.names[pair.colour], pair.card, reason)


def most_cows(draft: Draft, pair: LaidPair) -> int:
    """The bound of a placement: the card, the free spaces, the reserve (Z4.3)."""
    return min(pair.card.value, draft.free[pair.pasture], draft.reserves[pair.colour])


def _allowed_numbers(draft: Draft, pair: LaidPair) -> list[int]:
    return allowed_cows(draft.herds[pair.pasture], pair.colour, most_cows(draft, pair))


def place(draft: Draft, cows: int, *, forced: bool = False) -> None:
    """Puts cows down for the first pair in line (Z4.3). Checks nothing."""
    pasture, colour, card = draft.line[0]
    draft.line = draft.line[1:]
    refused = refused_cows(
        draft.herds[pasture],
        colour,
        card.value,
        draft.free[pasture],
        draft.reserves[colour],
        draft.names,
    )
    seat = draft.seat_of(colour)
    draft.add_cows(pasture, colour, cows)
    draft.events.append(
        Placed(
            draft.round,
            seat,
            draft.names[colour],
            draft.setup.pastures[pasture].name,
            card,
            cows,
            draft.herds[pasture][colour],
            forced,
            refused,
        )
    )
    if cows:
        _after_cows(draft, colour, [pasture])


def _waste(draft: Draft) -> None:
    """A pair whose pasture filled before its turn (Z4.5)."""
    pasture, colour, card = draft.line[0]
    draft.line = draft.line[1:]
    name = draft.setup.pastures[pasture].name
    reason = ZoffReason("pasture_full", "Z4.5", (("pasture", name),))
    seat = draft.seat_of(colour)
    draft.events.append(Wasted(draft.round, seat, draft.names[colour], name, card, reason))


def _after_cows(draft: Draft, colour: int, touched: list[int]) -> None:
    """Queues the pastures that these cows filled (Z5.4), or ends the game with a player's last cow (Z6.3)."""
    seat = draft.seat_of(colour)
    for pasture in touched:
        if not draft.free[pasture]:
            behind = [*(p.pasture for p in draft.payments[:1]), *(f.pasture for f in draft.queue)]
            names = tuple(draft.setup.pastures[index].name for index in behind)
            name = draft.setup.pastures[pasture].name
            draft.events.append(Filled(name, seat, draft.names[colour], names))
            draft.queue.append(Filling(pasture, colour))
    if draft.reserve_is_empty(colour):
        finish(draft, "exhausted", seat)


# --- bonuses (Z5, Z11.2) ---


def _open_payments(draft: Draft) -> None:
    """The next full pasture pays: the fair bonus first (Z11.2), then rank by rank (Z5.1)."""
    pasture, filler = draft.queue.pop(0)
    capacity, bonus = draft.setup.pastures[pasture].capacity, draft.setup.pastures[pasture].bonus
    if draft.setup.rules.fair:
        cows = 2 if capacity >= FAIR_TWO_COWS_FROM else 1
        draft.payments.append(Payment(pasture, filler, "fair", 0, cows))
    ranks = ranking(draft.herds[pasture])
    for rank, cows in enumerate(bonus, start=1):
        if not cows:
            continue
        if rank <= len(ranks):
            draft.payments.append(Payment(pasture, ranks[rank - 1], "rank", rank, cows))
        else:
            name = draft.setup.pastures[pasture].name
            reason = ZoffReason("no_herd_of_rank", "Z5.1", (("rank", rank), ("herds", len(ranks))))
            draft.events.append(BonusLapsed(name, rank, cows, reason))


def _bonus_cows(draft: Draft, payment: Payment) -> int:
    return min(payment.cows, draft.reserves[payment.colour])


def place_bonus(draft: Draft, on: tuple[int, ...], *, forced: bool = False) -> None:
    """Uses the first bonus due (Z5.2). Checks nothing. Pastures fill in the order of their last cow (Z5.4)."""
    payment = draft.payments.pop(0)
    colour = payment.colour
    lost = _lost(draft, payment, on, forced=forced)
    for pasture in on:
        draft.add_cows(pasture, colour, 1)
    draft.events.append(
        BonusPlaced(
            draft.seat_of(colour),
            draft.names[colour],
            draft.setup.pastures[payment.pasture].name,
            payment.kind,
            payment.rank,
            payment.cows,
            tuple(draft.setup.pastures[pasture].name for pasture in on),
            forced,
            lost,
        )
    )
    if on:
        last_cow = {pasture: place for place, pasture in enumerate(on)}
        _after_cows(draft, colour, sorted(last_cow, key=lambda pasture: last_cow[pasture]))


def _lost(
    draft: Draft, payment: Payment, on: tuple[int, ...], *, forced: bool
) -> ZoffReason | None:
    """Why a bonus isn't used to the full."""
    missing = payment.cows - len(on)
    if not missing:
        return None
    values = (("cows", missing),)
    if not forced:
        return ZoffReason("declined", "Z5.2", values)
    if not draft.reserves[payment.colour]:
        return ZoffReason("reserve_empty", "Z5.3", values)
    if not any(draft.free):
        return ZoffReason("all_full", "Z5.3", values)
    return ZoffReason("law_of_herds", "Z5.3", values)


# --- the end of a round (Z6) ---


def _end_round(draft: Draft) -> None:
    """Discards the played cards face down (Z6.1); goes on to the next round or to the end (Z6.2)."""
    discards = list(draft.discards)
    for pair in draft.laid:
        group = draft.setup.group_of[pair.colour]
        discards[group] = (*discards[group], pair.card)
    draft.discards = tuple(discards)
    draft.events.append(RoundEnded(draft.round))
    draft.laid = ()
    if draft.round == draft.setup.rules.rounds:
        finish(draft, "rounds")
    else:
        draft.round += 1
        draft.phase = ZoffPhase.CHOOSE
