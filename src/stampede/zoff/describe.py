"""Events in English sentences, for the terminal and for tests that people read."""

from __future__ import annotations

from stampede.core.events import Event, Reason
from stampede.zoff.events import (
    BidShown,
    BidsTied,
    BonusLapsed,
    BonusPlaced,
    Ended,
    Filled,
    FinalBonus,
    Picked,
    Placed,
    Precedence,
    Ranked,
    Revealed,
    RoundEnded,
    Sealed,
    Settled,
    Turn,
    Wasted,
)

__all__ = ["describe", "describe_reason"]

RANKS = ("fair", "first", "second", "third", "fourth")

REASONS = {
    "alone": "nobody else is here",
    "has_herd": "has a herd of {herd} here",
    "card_value": "has no herd here; {card} is his card",
    "letter": "has no herd here; equal cards, so the letter of {card} decides",
    "no_space": "only {free} free spaces",
    "reserve_empty": "the reserve is empty",
    "equal_herd": "{colour} has a herd of {size}",
    "pasture_full": "{pasture} was full before its turn",
    "no_herd_of_rank": "there are only {herds} herds",
    "declined": "not used",
    "all_full": "every pasture is full",
    "law_of_herds": "any place would make two equal herds",
    "bid_again": "equal bids: bid again, not lower",
    "seed_decides": "equal bids for the third time: the seed decides",
    "rounds": "the last round is over",
    "full": "every pasture is full",
    "exhausted": "a player has placed his last cow",
    "most_cows": "most cows on pastures",
    "largest_pasture": "equal cows, but more on {pasture} before the final bonus",
    "shared": "equal cows, and equal on {pasture}: the victory is shared",
    "last_cow": "the last cow wins at once",
}


def describe_reason(reason: Reason) -> str:
    """A reason in English, with its clause."""
    values = dict(reason.values)
    text = REASONS[reason.code]
    if not values:  # cards of earlier rounds may not be told (Z6.1)
        return f"{text.split(';', maxsplit=1)[0].format(herd='some')} [{reason.clause}]"
    return f"{text.format(**values)} [{reason.clause}]"


def cow_word(number: int) -> str:
    """``1 cow``, ``2 cows``."""
    return f"{number} cow" if number == 1 else f"{number} cows"


def describe(event: Event) -> str:
    """What happened, in one or more English lines."""
    match event:
        case Sealed():
            verb = "takes his answer back" if event.open_again else "has answered"
            return f"Seat {event.seat} {verb}."
        case Settled():
            places = ", ".join(f"{colour} on {name}" for name, colour in event.settle.colours)
            return f"Seat {event.seat} settles {places}."
        case BidShown():
            return f"Seat {event.seat} bids {event.bid}."
        case BidsTied():
            return f"Seats {_seats(event.seats)}: {describe_reason(event.reason)}."
        case Ranked():
            return f"Colours are picked in the order of seats {_seats(event.order)}."
        case Picked():
            last = " (the last one)" if event.forced else ""
            return f"Seat {event.seat} takes {event.colour}{last}."
        case Revealed():
            return _revealed(event)
        case _:
            return _resolution(event)


def _seats(seats: tuple[int, ...]) -> str:
    return ", ".join(str(seat) for seat in seats)


def _revealed(event: Revealed) -> str:
    if event.choice is None:
        return f"Seat {event.seat} laid his pairs."
    pairs = " and ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in event.choice.pairs
    )
    return f"Seat {event.seat} lays {pairs}."


def _resolution(event: Event) -> str:
    match event:
        case Precedence():
            order = "; ".join(_turn(turn) for turn in event.turns)
            return f"{event.pasture}: {order}."
        case Placed():
            return _placed(event)
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
            return _bonus_placed(event)
        case RoundEnded():
            return f"Round {event.round} is over."
        case FinalBonus():
            lost = f" ({describe_reason(event.lost)})" if event.lost else ""
            return (
                f"  {event.pasture} pays its {RANKS[event.rank]} bonus of {event.due}: "
                f"{cow_word(event.cows)} of {event.colour}{lost}."
            )
        case Ended():
            who = "seat" if len(event.winners) == 1 else "seats"
            return (
                f"The end: {describe_reason(event.reason)}. Winner: {who} {_seats(event.winners)}; "
                f"{describe_reason(event.decided_by)}."
            )
        case _:
            raise TypeError(f"{event!r} is no event of Zoff")


def _turn(turn: Turn) -> str:
    card = "" if turn.card is None else f" with {turn.card}"
    return f"{turn.colour}{card} ({describe_reason(turn.reason)})"


def _placed(event: Placed) -> str:
    refused = "; ".join(f"not {cows}: {describe_reason(reason)}" for cows, reason in event.refused)
    tail = f" ({refused})" if refused else ""
    forced = ", no other answer," if event.forced else ""
    return (
        f"  {event.colour} places {cow_word(event.cows)}{forced} "
        f"and has {event.herd} on {event.pasture}{tail}."
    )


def _bonus_placed(event: BonusPlaced) -> str:
    where = ", ".join(event.on) if event.on else "nowhere"
    lost = ""
    if event.lost is not None:
        lost = f"; {dict(event.lost.values)['cows']} lost: {describe_reason(event.lost)}"
    return (
        f"  {event.source} pays {event.colour} its {RANKS[event.rank]} bonus of {event.due}: "
        f"{where}{lost}."
    )
