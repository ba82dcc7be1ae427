"""Resolving a round (Z4, Z5, Z11.2): from the reveal to the next decision, the next round, or the end.

`run_on` is a loop over one question: what comes first? A bonus that is due, then a full pasture that waits, then the
next pair on the pasture whose turn it is, then the next pasture, then the end of the round. It stops where a seat has
more than one legal answer (Z4.6).
"""

from __future__ import annotations

from stampede.zoff.actions import Choose, Pair
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
from stampede.zoff.herds import (
    allowed_cows,
    bonus_placements,
    most_placeable,
    ranking,
    refused_cows,
    used_cows,
)
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.rules import FAIR_TWO_COWS_FROM
from stampede.zoff.scoring import finish
from stampede.zoff.state import Filling, LaidPair, Payment, State, ZoffPhase

__all__ = ["least_cows", "most_cows", "place", "place_bonus", "reveal", "run_on"]


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
        for pair in choice.pairs:
            pasture, value = draft.setup.pasture_index(pair.pasture), pair.card.value
            laid.extend(
                LaidPair(pasture, colour, pair.card, value)
                for colour in _colours_of(draft, group, pair)
            )
    draft.hands = tuple(hands)
    draft.laid = tuple(laid)
    draft.waiting = tuple(sorted(laid, key=lambda pair: pair.pasture))
    draft.sealed = (None,) * len(draft.sealed)


def _colours_of(draft: Draft, group: int, pair: Pair) -> tuple[int, ...]:
    """The colours that a pair is laid for: one, but both where two players lay one last card (Z10.5)."""
    if pair.colour is not None:
        return (draft.names.index(pair.colour),)
    return draft.setup.groups[group].colours


def run_on(draft: Draft) -> None:
    """Carries on until a seat has to decide, or the game is over."""
    while draft.ending is None:
        if draft.payments:
            payment = draft.payments[0]
            ways = bonus_placements(
                draft.herds,
                draft.free,
                payment.colour,
                min(payment.cows, draft.reserves[payment.colour]),
                least_cows(draft, payment),
            )
            only = next(ways)
            if next(ways, None) is not None:
                return draft.wait_for(ZoffPhase.BONUS)
            place_bonus(draft, only, forced=True)
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
        others = [p.card for p in here if p.card != pair.card and not herds[p.colour]]
        if any(card.value == pair.card.value for card in others):
            reason = ZoffReason("letter", "Z4.2", (("card", str(pair.card)),))
        else:
            reason = ZoffReason("card_value", "Z4.2", (("card", str(pair.card)),))
    return PairTurn(draft.seat_of(pair.colour), draft.names[pair.colour], pair.card, reason)


def most_cows(draft: Draft, pair: LaidPair) -> int:
    """The bound of a placement: the card, the free spaces, the reserve (Z4.3, Z10.5)."""
    return min(pair.left, draft.free[pair.pasture], draft.reserves[pair.colour])


def _allowed_numbers(draft: Draft, pair: LaidPair) -> list[int]:
    return allowed_cows(draft.herds[pair.pasture], pair.colour, most_cows(draft, pair))


def place(draft: Draft, cows: int, *, forced: bool = False) -> None:
    """Puts cows down for the first pair in line (Z4.3). Checks nothing."""
    first = pasture, colour, card, left = draft.line[0]
    draft.line = tuple(_with_card_used(draft, first, pair, cows) for pair in draft.line[1:])
    refused = refused_cows(
        draft.herds[pasture],
        colour,
        left,
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
            refused + used_cows(card.value, left),
        )
    )
    if cows:
        _after_cows(draft, colour, [pasture])


def _with_card_used(draft: Draft, first: LaidPair, pair: LaidPair, cows: int) -> LaidPair:
    """A pair in line after ``first`` placed: the same player's same card has so much less left (Z10.5)."""
    shared = pair.card == first.card and draft.seat_of(pair.colour) == draft.seat_of(first.colour)
    return pair._replace(left=pair.left - cows) if shared else pair


def _waste(draft: Draft) -> None:
    """A pair whose pasture filled before its turn (Z4.5)."""
    pasture, colour, card, _ = draft.line[0]
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
        finish(draft, "exhausted", None if draft.setup.rules.last_cow_counts else seat)


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


def least_cows(draft: Draft | State, payment: Payment) -> int:
    """How many cows of a bonus must be placed: as many as can be by the house rule, else none (Z5.2)."""
    if not draft.setup.rules.must_place:
        return 0
    most = min(payment.cows, draft.reserves[payment.colour])
    return most_placeable(draft.herds, draft.free, payment.colour, most)


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
    if not forced and not draft.setup.rules.must_place:
        return ZoffReason("declined", "Z5.2", values)
    if draft.reserves[payment.colour] == len(on):
        return ZoffReason("reserve_empty", "Z5.3", values)
    if sum(draft.free) == len(on):
        return ZoffReason("all_full", "Z5.3", values)
    return ZoffReason("law_of_herds", "Z5.3", values)


# --- the end of a round (Z6) ---


def _end_round(draft: Draft) -> None:
    """Discards the played cards face down (Z6.1); goes on to the next round or to the end (Z6.2)."""
    discards = list(draft.discards)
    for pair in draft.laid:
        group = draft.setup.group_of[pair.colour]
        if pair.card not in discards[group]:  # one card may have stood for two colours (Z10.5)
            discards[group] = (*discards[group], pair.card)
    draft.discards = tuple(discards)
    draft.events.append(RoundEnded(draft.round))
    draft.laid = ()
    if draft.round == draft.setup.rules.rounds:
        finish(draft, "rounds")
    else:
        draft.round += 1
        draft.phase = ZoffPhase.CHOOSE
