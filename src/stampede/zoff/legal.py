"""What a seat may do now. Choices are thousands, so they are described and drawn; the rest is listed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, permutations, product

from stampede.core.errors import IllegalAction, ParseError
from stampede.core.game import ActionList, LegalActions, Seat
from stampede.core.json import JsonObject
from stampede.zoff.actions import (
    MAX_BID_UNITS,
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
from stampede.zoff.edition import CowCard
from stampede.zoff.herds import allowed_cows, bonus_placements
from stampede.zoff.state import SEALED_PHASES, State, ZoffPhase

__all__ = ["BidOptions", "ChangeOptions", "ChoiceOptions", "legal_actions"]


class ChoiceOptions(LegalActions[Choose]):
    """All choices of a seat: open pastures × cow cards, in compact form (Z3, Z10.4, Z10.5).

    Attributes:
        pastures: The open ones, smallest first.
        cards: The hand.
        colours: With two players the two that each need a pair; else empty.
        pairs: How many pairs are laid: two, or one on a single pasture (Z3.3).
    """

    __slots__ = ("cards", "colours", "pairs", "pastures")

    def __init__(
        self, pastures: tuple[str, ...], cards: tuple[CowCard, ...], colours: tuple[str, ...]
    ) -> None:
        self.pastures = pastures
        self.cards = cards
        self.colours = colours
        self.pairs = 2 if colours or len(pastures) > 1 else 1

    def __iter__(self) -> Iterator[Choose]:
        for names in self._pasture_sets():
            for cards in permutations(self.cards, self.pairs):
                yield self._choice(names, cards)

    def _pasture_sets(self) -> Iterator[tuple[str, ...]]:
        """The pastures of the pairs: unordered, but ordered by colour with two players."""
        if len(self.pastures) == 1:
            yield self.pastures * self.pairs
        elif self.colours:
            yield from permutations(self.pastures, 2)
        else:
            yield from combinations(self.pastures, 2)

    def _choice(self, names: tuple[str, ...], cards: tuple[CowCard, ...]) -> Choose:
        colours: tuple[str | None, ...] = self.colours or (None,) * self.pairs
        return Choose(tuple(map(Pair, names, cards, colours)))

    def __len__(self) -> int:
        pastures, cards = len(self.pastures), len(self.cards)
        if self.pairs == 1:
            return cards
        orders = 1 if self.colours else 2
        sets = 1 if pastures == 1 else pastures * (pastures - 1) // orders
        return sets * cards * (cards - 1)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Choose) and self.refusal(action) is None

    def refusal(self, choice: Choose) -> IllegalAction | None:
        """Why a choice isn't legal; None when it is."""
        pairs = choice.pairs
        if len(pairs) != self.pairs:
            clause = "Z3.3" if self.pairs == 1 else "Z3.1"
            return IllegalAction(f"expected {self.pairs} pairs, got {len(pairs)}", clause)
        for pair in pairs:
            if pair.pasture not in self.pastures:
                return IllegalAction(f"{pair.pasture} has no free space or isn't in play", "Z3.2")
            if pair.card not in self.cards:
                return IllegalAction(f"{pair.card} isn't in your hand", "Z3.1")
        if len(pairs) == 2 and pairs[0].card == pairs[1].card:
            return IllegalAction("the cow cards of the two pairs must differ", "Z3.1")
        if len(self.pastures) > 1 and pairs[0].pasture == pairs[1].pasture:
            return IllegalAction("the pastures of the two pairs must differ", "Z3.1")
        if self.colours and {pair.colour for pair in pairs} != set(self.colours):
            return IllegalAction(f"lay one pair for each of {', '.join(self.colours)}", "Z10.4")
        if not self.colours and any(pair.colour for pair in pairs):
            return IllegalAction("a pair names a colour only with two players", "Z10.4")
        return None

    def sample(self, rng: random.Random) -> Choose:
        """One choice, every one equally likely."""
        if len(self.pastures) == 1:
            names = list(self.pastures) * self.pairs
        else:
            names = rng.sample(self.pastures, 2)
            if not self.colours:
                names.sort(key=self.pastures.index)
        return self._choice(tuple(names), tuple(rng.sample(self.cards, self.pairs)))

    def to_json(self) -> JsonObject:
        """The description: which pastures, which cards, how many pairs."""
        return {
            "type": "choose",
            "pastures": list(self.pastures),
            "cards": [str(card) for card in self.cards],
            "pairs": self.pairs,
            "colours": list(self.colours),
        }


class BidOptions(LegalActions[Bid]):
    """All bids that aren't lower than the last one (Z11.1), in steps of 0.0001."""

    __slots__ = ("least",)
    LIVELY = 50_000
    """Drawn bids lie within 5 cows of the least: no bid above that can pay."""

    def __init__(self, least: int) -> None:
        self.least = least

    def __iter__(self) -> Iterator[Bid]:
        return map(Bid.of_units, range(self.least, MAX_BID_UNITS + 1))

    def __len__(self) -> int:
        return MAX_BID_UNITS + 1 - self.least

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Bid) and action.units >= self.least

    def sample(self, rng: random.Random) -> Bid:
        """One bid within 5 cows above the least: all bids equally likely would be senseless ones."""
        most = min(self.least + self.LIVELY, MAX_BID_UNITS)
        return Bid.of_units(rng.randrange(self.least, most + 1))

    def to_json(self) -> JsonObject:
        """The description: the least bid, the largest, and the number of decimals."""
        most = Bid.of_units(MAX_BID_UNITS).text
        return {"type": "bid", "least": Bid.of_units(self.least).text, "most": most, "decimals": 4}


class ChangeOptions(LegalActions[ZoffAction]):
    """The options of a seat that has sealed its answer: any answer anew, or taking it back (Z3.4)."""

    __slots__ = ("answers",)

    def __init__(self, answers: LegalActions[ZoffAction]) -> None:
        self.answers = answers

    def __iter__(self) -> Iterator[ZoffAction]:
        yield from self.answers
        yield TakeBack()

    def __len__(self) -> int:
        return len(self.answers) + 1

    def __contains__(self, action: object) -> bool:
        return isinstance(action, TakeBack) or action in self.answers

    def sample(self, rng: random.Random) -> ZoffAction:
        """One of the answers, or the taking back."""
        return self.answers.sample(rng) if rng.randrange(len(self)) else TakeBack()

    def to_json(self) -> JsonObject:
        """The answers' description, with the mark that it is sealed."""
        return {**self.answers.to_json(), "sealed": True}


def legal_actions(state: State, seat: Seat) -> LegalActions[ZoffAction]:
    """What a seat may do now; nothing when it isn't asked."""
    if not 0 <= seat < state.setup.rules.players:
        raise ParseError(f"expected a seat 0–{state.setup.rules.players - 1}, got {seat}")
    if state.phase in SEALED_PHASES:
        answers = _answers(state, seat)
        return answers if state.sealed[seat] is None else ChangeOptions(answers)
    if seat not in seats_to_act(state):
        return NOTHING
    match state.phase:
        case ZoffPhase.PICK:
            return _picks(state)
        case ZoffPhase.PLACE:
            return _placements(state)
        case _:
            return _bonuses(state)


NOTHING: LegalActions[ZoffAction] = ActionList((), {"type": "none"})


def seats_to_act(state: State) -> tuple[Seat, ...]:
    """The seats whose decision is awaited."""
    match state.phase:
        case ZoffPhase.OVER:
            return ()
        case ZoffPhase.PICK:
            return state.picks[:1]
        case ZoffPhase.PLACE:
            return (state.seat_of(state.line[0].colour),)
        case ZoffPhase.BONUS:
            return (state.seat_of(state.payments[0].colour),)
        case ZoffPhase.BID:
            return tuple(seat for seat in state.bidders if state.sealed[seat] is None)
        case _:
            return tuple(seat for seat, answer in enumerate(state.sealed) if answer is None)


def _answers(state: State, seat: Seat) -> LegalActions[ZoffAction]:
    if state.phase is ZoffPhase.CHOOSE:
        return choice_options(state, seat)
    if state.phase is ZoffPhase.SETTLE:
        return _settlements(state, seat)
    if seat not in state.bidders:
        return NOTHING
    bid = state.bids[seat]
    return BidOptions(0 if bid is None else bid.units)


def choice_options(state: State, seat: Seat) -> ChoiceOptions:
    """The choices of a seat in this round."""
    group = state.owners.index(seat)
    setup = state.setup
    own = setup.groups[group].colours
    return ChoiceOptions(
        pastures=tuple(setup.pastures[index].name for index in state.open_pastures()),
        cards=state.hands[group],
        colours=tuple(setup.colours[c] for c in own) if len(own) == 2 else (),
    )


def _settlements(state: State, seat: Seat) -> LegalActions[ZoffAction]:
    """Every way to colour the three cows that shows both colours (Z10.2)."""
    setup = state.setup
    group = state.group_of_seat(seat)
    names = [setup.pastures[index].name for index in setup.dealt[group]]
    own = tuple(setup.colours[colour] for colour in setup.groups[group].colours)
    ways = [
        Settle(tuple(zip(names, colours, strict=True)))
        for colours in product(own, repeat=len(names))
        if len(set(colours)) == 2
    ]
    return ActionList(ways, {"type": "settle", "pastures": names, "colours": list(own)})


def _picks(state: State) -> LegalActions[ZoffAction]:
    names = [
        g.name for g, owner in zip(state.setup.groups, state.owners, strict=True) if owner is None
    ]
    return ActionList([Pick(name) for name in names], {"type": "pick", "colours": names})


def _placements(state: State) -> LegalActions[ZoffAction]:
    pasture, colour, card = state.line[0]
    most = min(card.value, state.free[pasture], state.reserves[colour])
    counts = allowed_cows(state.herds[pasture], colour, most)
    described: JsonObject = {
        "type": "place",
        "pasture": state.setup.pastures[pasture].name,
        "colour": state.setup.colours[colour],
        "card": str(card),
        "cows": counts,
    }
    return ActionList([Place(cows) for cows in counts], described)


def _bonuses(state: State) -> LegalActions[ZoffAction]:
    payment = state.payments[0]
    names = [pasture.name for pasture in state.setup.pastures]
    most = min(payment.cows, state.reserves[payment.colour])
    ways = [
        PlaceBonus(tuple(names[index] for index in on))
        for on in bonus_placements(state.herds, state.free, payment.colour, most)
    ]
    described: JsonObject = {
        "type": "bonus",
        "from": names[payment.pasture],
        "kind": payment.kind,
        "colour": state.setup.colours[payment.colour],
        "cows": most,
        "on": [list(way.on) for way in ways],
    }
    return ActionList(ways, described)
