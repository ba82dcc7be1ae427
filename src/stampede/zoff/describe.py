"""Events in English sentences, for the terminal and for tests that people read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stampede.core.events import Event
from stampede.zoff.events import (
    BidShown,
    BidsTied,
    BonusLapsed,
    BonusPlaced,
    Filled,
    FinalBonus,
    PairTurn,
    Picked,
    Placed,
    Precedence,
    Ranked,
    Revealed,
    RoundEnded,
    Sealed,
    Settled,
    Wasted,
    ZoffEnded,
)
from stampede.zoff.reasons import ZoffReason, ZoffReasonCode

__all__ = ["describe", "describe_reason"]

RANKS = ("fair", "first", "second", "third", "fourth")

REASONS: Mapping[ZoffReasonCode, str] = {
    "alone": "nobody else is here",
    "has_herd": "has a herd of {herd} here",
    "card_value": "has no herd here; {card} is their card",
    "letter": "has no herd here; equal cards, so the letter of {card} decides",
    "no_space": "only {free} free spaces",
    "reserve_empty": "the reserve is empty",
    "equal_herd": "{colour} has a herd of {size}",
    "pasture_full": "{pasture} was full before its turn",
    "card_used": "the other colour left {left} of the card",
    "no_herd_of_rank": "there are only {herds} herds",
    "declined": "not used",
    "all_full": "every pasture is full",
    "law_of_herds": "any place would make two equal herds",
    "bid_again": "equal bids: bid again, not lower",
    "seed_decides": "equal bids for the third time: the seed decides",
    "rounds": "the last round is over",
    "full": "every pasture is full",
    "exhausted": "a player has placed their last cow",
    "most_cows": "most cows on pastures",
    "largest_pasture": "equal cows, but more on {pasture} before the final bonus",
    "shared": "equal cows, and equal on {pasture}: the victory is shared",
    "last_cow": "the last cow wins at once",
    "no_free_space": "there is no free space",
    "both_colours": "both colours must be on the pastures",
    "lower_bid": "a bid can't be lower than the one before",
    "colour_taken": "the colour is taken",
    "must_place": "as many cows as possible must be placed",
}


def describe_reason(reason: ZoffReason) -> str:
    """A reason in English, with its clause."""
    values = dict(reason.values)
    text = REASONS[reason.code]
    if not values:  # cards of earlier rounds may not be told (Z6.1)
        return f"{text.split(';', maxsplit=1)[0].format(herd='some')} [{reason.clause}]"
    return f"{text.format(**values)} [{reason.clause}]"


def cow_word(number: int) -> str:
    """``1 cow``, ``2 cows``."""
    return f"{number} cow" if number == 1 else f"{number} cows"


def describe(event: Event, names: Sequence[str] | None = None) -> str:
    """What happened, in one or more English lines. Seats are called by these names, or by their numbers."""
    match event:
        case Sealed():
            verb = "takes their answer back" if event.open_again else "has answered"
            return f"{_who(event.seat, names)} {verb}."
        case Settled():
            places = ", ".join(f"{colour} on {name}" for name, colour in event.settle.colours)
            return f"{_who(event.seat, names)} settles {places}."
        case BidShown():
            return f"{_who(event.seat, names)} bids {event.bid}."
        case BidsTied():
            return f"{_seats(event.seats, names, 'Seats ')}: {describe_reason(event.reason)}."
        case Ranked():
            return f"Colours are picked in the order of {_seats(event.order, names, 'seats ')}."
        case Picked():
            last = " (the last one)" if event.forced else ""
            return f"{_who(event.seat, names)} takes {event.colour}{last}."
        case Revealed():
            return _describe_reveal(event, names)
        case _:
            return _resolution(event, names)


def _who(seat: int, names: Sequence[str] | None) -> str:
    """How a sentence begins that tells of a seat."""
    return f"Seat {seat}" if names is None else names[seat]


def _seats(seats: tuple[int, ...], names: Sequence[str] | None, word: str) -> str:
    """Several seats; the word stands before numbers, and not before names."""
    if names is None:
        return word + ", ".join(str(seat) for seat in seats)
    return ", ".join(names[seat] for seat in seats)


def _describe_reveal(event: Revealed, names: Sequence[str] | None) -> str:
    if event.choice is None:
        return f"{_who(event.seat, names)} laid their pairs."
    pairs = " and ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in event.choice.pairs
    )
    return f"{_who(event.seat, names)} lays {pairs}."


def _resolution(event: Event, names: Sequence[str] | None) -> str:
    match event:
        case Precedence():
            order = "; ".join(_turn(turn) for turn in event.turns)
            return f"{event.pasture}: {order}."
        case Placed():
            return _describe_placement(event)
        case Wasted():
            card = "the card" if event.card is None else str(event.card)
            return f"  {event.colour} wastes {card}: {describe_reason(event.reason)}."
        case Filled():
            waits = f", waits behind {', '.join(event.waits_behind)}" if event.waits_behind else ""
            return f"  {event.pasture} is full, by {event.colour}{waits}."
        case BonusLapsed():
            rank = RANKS[event.rank]
            reason = describe_reason(event.reason)
            return f"  {event.pasture}: the {rank} bonus of {event.cows} lapses: {reason}."
        case BonusPlaced():
            return _describe_bonus(event)
        case RoundEnded():
            return f"Round {event.round} is over."
        case FinalBonus():
            lost = f" ({describe_reason(event.lost)})" if event.lost else ""
            return (
                f"  {event.pasture} pays its {RANKS[event.rank]} bonus of {event.due}: "
                f"{cow_word(event.cows)} of {event.colour}{lost}."
            )
        case ZoffEnded():
            word = "seat " if len(event.winners) == 1 else "seats "
            return (
                f"The end: {describe_reason(event.reason)}. "
                f"Winner: {_seats(event.winners, names, word)}; {describe_reason(event.decided_by)}."
            )
        case _:
            raise TypeError(f"{event!r} is no event of Zoff")


def _turn(turn: PairTurn) -> str:
    card = "" if turn.card is None else f" with {turn.card}"
    return f"{turn.colour}{card} ({describe_reason(turn.reason)})"


def _describe_placement(event: Placed) -> str:
    refused = "; ".join(f"not {cows}: {describe_reason(reason)}" for cows, reason in event.refused)
    tail = f" ({refused})" if refused else ""
    forced = ", no other answer," if event.forced else ""
    return (
        f"  {event.colour} places {cow_word(event.cows)}{forced} "
        f"and has {event.herd} on {event.pasture}{tail}."
    )


def _describe_bonus(event: BonusPlaced) -> str:
    where = ", ".join(event.on) if event.on else "nowhere"
    lost = ""
    if event.lost is not None:
        lost = f"; {dict(event.lost.values)['cows']} lost: {describe_reason(event.lost)}"
    return (
        f"  {event.source} pays {event.colour} its {RANKS[event.rank]} bonus of {event.due}: "
        f"{where}{lost}."
    )
