"""What a seat may do now. There are thousands of choices, so they are described and drawn; the rest is listed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations, product

from stampede.core.errors import IllegalAction, ParseError
from stampede.core.game import ActionList, LegalActions, Seat
from stampede.zoff.actions import (
    DECIMALS,
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
from stampede.zoff.forecast import Landscape
from stampede.zoff.herds import allowed_cows, bonus_placements
from stampede.zoff.legal_view import (
    BidLegal,
    BonusLegal,
    ChooseLegal,
    NothingLegal,
    PickLegal,
    PlaceLegal,
    RefusedNames,
    SettleLegal,
    ZoffLegal,
)
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.resolve import least_cows
from stampede.zoff.state import SEALED_PHASES, LaidPair, Payment, State, ZoffPhase

__all__ = ["BidOptions", "ChangeOptions", "ChoiceOptions", "legal_actions"]

NO_FREE_SPACE = ZoffReason("no_free_space", "Z3.2")
BOTH_COLOURS = ZoffReason("both_colours", "Z10.2")
LOWER_BID = ZoffReason("lower_bid", "Z11.1")
MUST_PLACE = ZoffReason("must_place", "Z5.2")
COLOUR_TAKEN = ZoffReason("colour_taken", "Z11.1")


class ChoiceOptions(LegalActions[Choose]):
    """All choices of a seat: open pastures × cow cards, in compact form (Z3, Z10.4, Z10.5).

    Attributes:
        pastures: The open ones, smallest first.
        cards: The hand.
        colours: With two players the two that each need a pair; else, and where one card stands for both, empty.
        pairs: How many pairs are laid: two, or one on a single pasture (Z3.3, Z10.5).
        landscape: The pastures as everyone sees them.
        own: The seat's colours, by index.
    """

    __slots__ = ("cards", "colours", "landscape", "own", "pairs", "pastures")

    def __init__(
        self,
        landscape: Landscape,
        own: tuple[int, ...],
        cards: tuple[CowCard, ...],
        *,
        one_last_card: bool = False,
    ) -> None:
        self.landscape = landscape
        self.own = own
        self.pastures = pastures = landscape.open_pastures()
        self.cards = cards
        each = len(own) == 2 and not (one_last_card and len(pastures) == 1)
        self.colours = colours = tuple(landscape.colours[c] for c in own) if each else ()
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
            return IllegalAction(
                f"expected {self.pairs} pair{'s' * (self.pairs > 1)}, got {len(pairs)}",
                self._clause,
            )
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
            if len(self.own) == 2:
                return IllegalAction("the card stands for both colours: name none", "Z10.5")
            return IllegalAction("a pair names a colour only with two players", "Z10.4")
        return None

    @property
    def _clause(self) -> str:
        """The clause that says how many pairs are laid."""
        if self.pairs == 2:
            return "Z3.1"
        return "Z10.5" if len(self.own) == 2 else "Z3.3"

    def sample(self, rng: random.Random) -> Choose:
        """One choice, every one equally likely."""
        if len(self.pastures) == 1:
            names = list(self.pastures) * self.pairs
        else:
            names = rng.sample(self.pastures, 2)
            if not self.colours:
                names.sort(key=self.pastures.index)
        return self._choice(tuple(names), tuple(rng.sample(self.cards, self.pairs)))

    def describe(self) -> ChooseLegal:
        """The description: which pastures, which cards, how many pairs, and what to expect."""
        full = self.landscape.full_pastures()
        return ChooseLegal(
            self.pastures,
            self.cards,
            self.pairs,
            self.colours,
            sealed=False,
            refused=(RefusedNames(full, NO_FREE_SPACE),) if full else (),
            forecast=self.landscape.forecast(self.own, max(card.value for card in self.cards)),
        )


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
        return Bid.of_units(rng.randrange(self.least, self._usual + 1))

    @property
    def _usual(self) -> int:
        return min(self.least + self.LIVELY, MAX_BID_UNITS)

    def describe(self) -> BidLegal:
        """The description: the least bid, the largest, the largest that is usual, and the number of decimals."""
        least, most, usual = (
            Bid.of_units(units).text for units in (self.least, MAX_BID_UNITS, self._usual)
        )
        return BidLegal(
            least, most, usual, DECIMALS, sealed=False, below=LOWER_BID if self.least else None
        )


class ChangeOptions(LegalActions[ZoffAction]):
    """The options of a seat that has sealed its answer: another answer, or taking it back (Z3.4)."""

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

    def describe(self) -> ZoffLegal:
        """The answers' description, marked as sealed."""
        match described := self.answers.describe():
            case SettleLegal() | BidLegal() | ChooseLegal():
                return replace(described, sealed=True)
            case _:
                raise TypeError(f"{described!r} describes no secret answers")


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


NOTHING: LegalActions[ZoffAction] = ActionList((), NothingLegal)


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
    return ChoiceOptions(
        Landscape.of(state),
        state.setup.groups[group].colours,
        state.hands[group],
        one_last_card=state.setup.rules.one_last_card,
    )


def _settlements(state: State, seat: Seat) -> LegalActions[ZoffAction]:
    """Every way to colour the three cows that shows both colours (Z10.2)."""
    setup = state.setup
    group = state.group_of_seat(seat)
    names = tuple(setup.pastures[index].name for index in setup.dealt[group])
    own = tuple(setup.colours[colour] for colour in setup.groups[group].colours)
    ways = [
        Settle(tuple(zip(names, colours, strict=True)))
        for colours in product(own, repeat=len(names))
        if len(set(colours)) == 2
    ]
    refused = (RefusedNames(own, BOTH_COLOURS),)
    return ActionList(ways, partial(SettleLegal, names, own, sealed=False, refused=refused))


def _picks(state: State) -> LegalActions[ZoffAction]:
    setup = state.setup
    groups: dict[str, tuple[str, ...]] = {}
    taken = []
    for group, owner in zip(setup.groups, state.owners, strict=True):
        if owner is None:
            groups[group.name] = tuple(setup.colours[colour] for colour in group.colours)
        else:
            taken.append(group.name)
    refused = (RefusedNames(tuple(taken), COLOUR_TAKEN),) if taken else ()
    names = tuple(groups)
    return ActionList([Pick(name) for name in names], partial(PickLegal, names, groups, refused))


def _placements(state: State) -> LegalActions[ZoffAction]:
    pair = pasture, colour, _, left = state.line[0]
    most = min(left, state.free[pasture], state.reserves[colour])
    counts = allowed_cows(state.herds[pasture], colour, most)
    describe = partial(_describe_placements, Landscape.of(state), pair, tuple(counts))
    return ActionList([Place(cows) for cows in counts], describe)


def _describe_placements(
    landscape: Landscape, pair: LaidPair, counts: tuple[int, ...]
) -> PlaceLegal:
    pasture, colour, card, left = pair
    ranks, refused = landscape.placings(pasture, colour, card.value, left)
    name, own = landscape.pastures[pasture], landscape.colours[colour]
    return PlaceLegal(name, own, card, left, counts, ranks, refused)


def _bonuses(state: State) -> LegalActions[ZoffAction]:
    payment = state.payments[0]
    names = state.setup.pasture_names
    most = min(payment.cows, state.reserves[payment.colour])
    least = least_cows(state, payment)
    ways = [
        PlaceBonus(tuple([names[index] for index in on]))
        for on in bonus_placements(state.herds, state.free, payment.colour, most, least)
    ]
    describe = partial(_describe_bonuses, Landscape.of(state), payment, most, least, ways)
    return ActionList(ways, describe)


def _describe_bonuses(
    landscape: Landscape, payment: Payment, most: int, least: int, ways: list[PlaceBonus]
) -> BonusLegal:
    return BonusLegal(
        landscape.pastures[payment.pasture],
        payment.kind,
        landscape.colours[payment.colour],
        most,
        least,
        tuple([way.on for way in ways]),
        landscape.refused_bonus(payment.colour, most),
        MUST_PLACE if least else None,
    )
