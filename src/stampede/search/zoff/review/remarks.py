"""Remarks on decisions: why another option is better, by what differs when the round is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from stampede.core.game import Seat
from stampede.core.remark import Phrases, Remark
from stampede.kernels.zoff.layout import MAX_RANKS, SetupRecord, StateRecord
from stampede.kernels.zoff.lookahead import finish_round
from stampede.kernels.zoff.resolve import count_cows
from stampede.search.zoff.max_n import apply_option
from stampede.zoff.actions import Bid, Choose, Pick, Place, PlaceBonus, Settle, TakeBack, ZoffAction
from stampede.zoff.edition import CowCard
from stampede.zoff.state import State

__all__ = [
    "PHRASES",
    "describe_action",
    "describe_choice",
    "explain_answer",
    "explain_choice",
    "rank_of",
]

SMALL = 0.15
"""Differences below this many cows are called even."""
RARE = 0.02
"""A choice with a smaller share than this should hardly ever be played."""
MOST_REASONS = 4

PHRASES: Final = Phrases(
    {
        # Choices.
        "choice_even": "As good as any other, as far as you can know before the reveal.",
        "choice_better": "The best choice promises {cows} cows more.",
        "other_pasture": "It goes to {pasture}.",
        "higher_card": "It lays a higher card on {pasture}.",
        "lower_card": "It lays a lower card on {pasture}.",
        "earlier_letter": "It lays a card with an earlier letter on {pasture}.",
        "later_letter": "It lays a card with a later letter on {pasture}.",
        "rare": "A strong player hardly ever makes this choice.",
        # Choices that a hint considers.
        "mostly_pays": (
            "{pasture} is mostly full then, and you have rank {rank} there: {count:cow|cows} more."
        ),
        "mostly_rank": "You mostly have rank {rank} on {pasture} then.",
        "mostly_met": "Others mostly come to {pasture}, too.",
        "mostly_alone": "You are mostly alone on {pasture}.",
        # A better choice, in a review.
        "usually_more": "By the end of the round this choice brings {cows} cows more on average.",
        "usually_later": (
            "This choice hardly brings more cows of its own this round: it costs the others some,"
            " or pays off later."
        ),
        "usually_pays": (
            "{pasture} usually fills then, and this choice takes rank {rank} there:"
            " {count:cow|cows} more."
        ),
        "usually_rank": "This choice usually takes rank {rank} on {pasture}.",
        "usually_alone": "Usually nobody else comes to {pasture}.",
        # Placements and bonuses.
        "answer_even": "Nothing better found.",
        "answer_better": "The best answer is worth {cows} cows more.",
        "own_more": "By the end of the round it gives {count:cow|cows} more.",
        "own_fewer": "By the end of the round it gives {count:cow|cows} fewer.",
        "others_more": "The others together get {count:cow|cows} more.",
        "others_fewer": "The others together get {count:cow|cows} fewer.",
        "rank_on": "It takes rank {rank} on {pasture}, with a bonus of {bonus}.",
        "then_full": "{pasture} is full then.",
        "then_open": "{pasture} stays open then.",
        "prospects": "Its prospects for the rounds to come are better.",
        # Before the first round.
        "settle_auction": (
            "Either player may get either side at the auction: no settling is better than another."
        ),
        "settle_even": "As good as any other.",
        "settle_best": "Of all settlings this one promises the most cows.",
        "settle_better": "Another settling promises {cows} cows more.",
        "bid_even": (
            "At the start, {first} is worth {cows} cows more than {last}: among good bidders any bid"
            " up to {most} promises the same."
        ),
        "bid_high": (
            "At the start, {first} is worth {cows} cows more than {last}: more than {most} is too"
            " much for any colour."
        ),
        "pick_best": "The best colour that was left.",
        "pick_even": "About as good as the best colour that was left.",
        "pick_better": "At the start, {best} is worth {cows} cows more than {chosen}.",
    }
)
"""The sentences of all remarks."""


def describe_choice(choose: Choose) -> str:
    """A choice in one line."""
    return " and ".join(
        f"{pair.card} on {pair.pasture}" + (f" for {pair.colour}" if pair.colour else "")
        for pair in choose.pairs
    )


def describe_action(action: ZoffAction) -> str:
    """An action in one line."""
    match action:
        case Choose():
            return describe_choice(action)
        case Place(cows=cows):
            return f"{cows} cow{'s' * (cows != 1)}"
        case PlaceBonus(on=on):
            return f"bonus on {', '.join(on)}" if on else "no bonus cow"
        case Settle(colours=colours):
            return "settles " + ", ".join(f"{colour} on {name}" for name, colour in colours)
        case Bid(text=text):
            return f"bids {text}"
        case Pick(colour=colour):
            return f"takes {colour}"
        case TakeBack():
            return "takes the answer back"
        case _:
            assert_never(action)


def explain_choice(
    chosen: Choose, best: Choose, gap: float, share: float | None
) -> tuple[Remark, ...]:
    """How much better the best choice is, how it differs, and whether this one should be made at all."""
    if gap < SMALL:
        return (PHRASES.remark("choice_even"),)
    cards = {pair.pasture: pair.card for pair in chosen.pairs}
    reasons = [PHRASES.remark("choice_better", cows=f"{gap:.1f}")]
    for pair in best.pairs:
        if pair.pasture not in cards:
            reasons.append(PHRASES.remark("other_pasture", pasture=pair.pasture))
        elif cards[pair.pasture] != pair.card:
            code = _compared(pair.card, cards[pair.pasture])
            reasons.append(PHRASES.remark(code, pasture=pair.pasture))
    if share is not None and share < RARE:
        reasons.append(PHRASES.remark("rare"))
    return tuple(reasons)


def _compared(better: CowCard, card: CowCard) -> str:
    """A card as compared with another one. Letters count, too: of equal values the earlier one goes first (Z4.2)."""
    if better.value != card.value:
        return "higher_card" if better.value > card.value else "lower_card"
    return "earlier_letter" if better.letter < card.letter else "later_letter"


def explain_answer(
    state: State,
    setup: SetupRecord,
    record: StateRecord,
    seat: Seat,
    answers: tuple[int, int],
    gap: float,
) -> tuple[Remark, ...]:
    """What the best placement or bonus changes until the end of the round.

    Answers are the numbers of the one chosen and of the best one.
    """
    chosen, best = answers
    if gap < SMALL:
        return (PHRASES.remark("answer_even"),)
    here, there = record.copy(), record.copy()
    apply_option(setup, here, chosen)
    finish_round(setup, here)
    apply_option(setup, there, best)
    finish_round(setup, there)
    reasons = [*_counted(setup, here, there, seat)]
    for pasture in range(int(setup.pastures)):
        reasons.extend(_ranks(state, setup, here, there, seat, pasture))
    if not reasons:
        reasons = [PHRASES.remark("prospects")]
    return (PHRASES.remark("answer_better", cows=f"{gap:.1f}"), *reasons[:MOST_REASONS])


def _counted(
    setup: SetupRecord, here: StateRecord, there: StateRecord, seat: Seat
) -> Iterator[Remark]:
    """How many cows more or fewer the seat and all others together have at the end of the round."""
    changes = [
        int(count_cows(setup, there, player) - count_cows(setup, here, player))
        for player in range(int(setup.players))
    ]
    for whose, change in (("own", changes[seat]), ("others", sum(changes) - changes[seat])):
        if change:
            code = f"{whose}_{'more' if change > 0 else 'fewer'}"
            yield PHRASES.remark(code, count=abs(change))


def _ranks(
    state: State,
    setup: SetupRecord,
    here: StateRecord,
    there: StateRecord,
    seat: Seat,
    pasture: int,
) -> Iterator[Remark]:
    """How the best answer changes a seat's places on one pasture, and whether it fills."""
    name = state.setup.pastures[pasture].name
    for half in range(2 if setup.players == 2 else 1):
        colour = int(setup.colours_of[seat, half])
        before, after = rank_of(here, pasture, colour), rank_of(there, pasture, colour)
        if before == after or after is None:
            continue
        bonus = int(setup.bonus[pasture, after]) if after < MAX_RANKS else 0
        if bonus:
            yield PHRASES.remark("rank_on", rank=after + 1, pasture=name, bonus=bonus)
    if (here.free[pasture] == 0) != (there.free[pasture] == 0):
        code = "then_full" if there.free[pasture] == 0 else "then_open"
        yield PHRASES.remark(code, pasture=name)


def rank_of(record: StateRecord, pasture: int, colour: int) -> int | None:
    """The place of a colour's herd on a pasture, from 0; None without a herd."""
    herds = record.herds[pasture]
    return int((herds > herds[colour]).sum()) if herds[colour] else None
