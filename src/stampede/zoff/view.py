"""What one viewer may know of a game of Zoff (Z3.4, Z6.1, Z9.1). Built from nothing else, so nothing else can leak."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from stampede.core.errors import ParseError
from stampede.core.events import Event, JsonFields
from stampede.core.game import LegalActions, Seat, Viewer
from stampede.core.json import JsonObject, JsonType
from stampede.core.record import RULES_KEYS
from stampede.zoff import svg
from stampede.zoff.actions import Answer, ZoffAction
from stampede.zoff.board import draw_board, summarise
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusKind, PairTurn, Placed, Precedence, Revealed, Wasted
from stampede.zoff.legal import NOTHING, legal_actions, seats_to_act
from stampede.zoff.legal_view import ZoffLegal
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.result import ZoffResult
from stampede.zoff.rules import ZoffRules
from stampede.zoff.state import LaidPair, State, ZoffPhase

__all__ = [
    "BonusView",
    "PairView",
    "PastureView",
    "SeatView",
    "ZoffView",
    "redact_event",
    "view_of",
]


@dataclass(frozen=True, slots=True)
class PastureView(JsonFields):
    """A pasture and the herds on it, largest first."""

    name: str
    capacity: int
    bonus: tuple[int, ...]
    free: int
    herds: dict[str, int]


@dataclass(frozen=True, slots=True)
class SeatView(JsonFields):
    """What everyone knows of a seat.

    Attributes:
        colours: The colours that it plays; none before the auction is over.
        reserves: By colour, the cows not yet placed.
        placed: Its cows on pastures.
        cards: How many cow cards it holds.
        answered: Whether it has sealed an answer to the present decision.
        bid: Its bid, once revealed.
    """

    colours: tuple[str, ...]
    reserves: dict[str, int]
    placed: int
    cards: int
    answered: bool
    bid: str | None


@dataclass(frozen=True, slots=True)
class PairView(JsonFields):
    """A revealed pair of the running round.

    Attributes:
        seat: Who laid it.
        colour: The colour whose cows it places.
        pasture: The pasture.
        card: The cow card.
        left: How many cows the card still allows: less than its value once the player's other colour has placed by the
            same card (Z10.5).
    """

    seat: Seat
    colour: str
    pasture: str
    card: CowCard
    left: int


@dataclass(frozen=True, slots=True)
class BonusView(JsonFields):
    """A bonus that is still due.

    Attributes:
        seat: Who gets it.
        colour: The colour that gets it.
        source: The pasture that pays.
        kind: Whether it is for a herd's rank, or the fair bonus (Z11.2).
        rank: 1 for the largest herd …; 0 for the fair bonus.
        cows: How many cows it allows.
    """

    seat: Seat
    colour: str
    source: str
    kind: BonusKind
    rank: int
    cows: int


@dataclass(frozen=True, slots=True, repr=False)
class ZoffView(JsonFields):
    """All that a viewer may know of a game of Zoff. ``print`` shows it as text, a notebook draws it.

    Attributes:
        viewer: The seat that looks; None for a spectator.
        free_colours: Colours without an owner yet, before and during an auction, with their reserves.
        hand: The viewer's own cow cards.
        answer: The viewer's own sealed answer.
        laid: The running round's pairs, once revealed; ``line`` and ``waiting`` are those still to come to their turn.
        due: Bonuses still due from the pasture that pays now; ``queue`` are the full pastures behind it.
        discards: By seat, the cow cards of earlier rounds; None when they may not be looked at.
        result: How it ended; None while it runs.
        legal: What the viewer may do now.
    """

    game: Literal["zoff"] = field(default="zoff", kw_only=True, repr=False, compare=False)
    viewer: Viewer
    rules: ZoffRules
    phase: ZoffPhase
    round: int
    rounds: int
    to_act: tuple[Seat, ...]
    pastures: tuple[PastureView, ...]
    seats: tuple[SeatView, ...]
    free_colours: dict[str, int]
    bid_round: int
    hand: tuple[CowCard, ...]
    answer: Answer | None
    laid: tuple[PairView, ...]
    line: tuple[PairView, ...]
    waiting: tuple[PairView, ...]
    due: tuple[BonusView, ...]
    queue: tuple[str, ...]
    discards: tuple[tuple[CowCard, ...], ...] | None
    result: ZoffResult | None
    legal: Annotated[LegalActions[ZoffAction], JsonType(ZoffLegal)]

    def to_json(self) -> JsonObject:
        """The view as JSON. The data of an edition is left out: a table's settings and a record have it once."""
        made = JsonFields.to_json(self)
        if self.rules.edition_data is None:
            return made
        rules = {key: value for key, value in self.rules.to_json().items() if key not in RULES_KEYS}
        return {**made, "rules": rules}

    def __repr__(self) -> str:
        viewer = "a spectator" if self.viewer is None else f"seat {self.viewer}"
        return f"<ZoffView of {viewer}: {summarise(self)}, {self.phase.value}>"

    def __str__(self) -> str:
        """The table as text, with the viewer's own hand."""
        return draw_board(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks."""
        return svg.draw_table(self)


def view_of(state: State, viewer: Viewer) -> ZoffView:
    """What a seat, or a spectator (None), may know of a state."""
    setup = state.setup
    if viewer is not None and not 0 <= viewer < setup.rules.players:
        raise ParseError(f"expected a seat 0–{setup.rules.players - 1} or none, got {viewer}")
    owns = viewer is not None and viewer in state.owners
    open_discards = setup.rules.open_discards or state.ending is not None
    return ZoffView(
        viewer=viewer,
        rules=setup.rules,
        phase=state.phase,
        round=state.round,
        rounds=setup.rules.rounds,
        to_act=seats_to_act(state),
        pastures=tuple(_pasture(state, index) for index in range(len(setup.pastures))),
        seats=tuple(_seat(state, seat) for seat in range(setup.rules.players)),
        free_colours=_free_colours(state),
        bid_round=state.bid_round if state.phase is ZoffPhase.BID else 0,
        hand=state.hands[state.owners.index(viewer)] if owns else (),
        answer=None if viewer is None else state.sealed[viewer],
        laid=_pairs(state, state.laid),
        line=_pairs(state, state.line),
        waiting=_pairs(state, state.waiting),
        due=tuple(
            BonusView(
                state.seat_of(due.colour),
                setup.colours[due.colour],
                setup.pastures[due.pasture].name,
                due.kind,
                due.rank,
                due.cows,
            )
            for due in state.payments
        ),
        queue=tuple(setup.pastures[filling.pasture].name for filling in state.queue),
        discards=_discards(state) if open_discards else None,
        legal=NOTHING if viewer is None else legal_actions(state, viewer),
        result=None if state.ending is None else ZoffResult.of(state),
    )


def _pasture(state: State, index: int) -> PastureView:
    pasture, herds = state.setup.pastures[index], state.herds[index]
    present = sorted((c for c, herd in enumerate(herds) if herd), key=lambda c: -herds[c])
    return PastureView(
        pasture.name,
        pasture.capacity,
        pasture.bonus,
        state.free[index],
        {state.setup.colours[colour]: herds[colour] for colour in present},
    )


def _seat(state: State, seat: Seat) -> SeatView:
    bid = state.bids[seat]
    text = None if bid is None else bid.text
    answered = state.sealed[seat] is not None
    if seat not in state.owners:
        return SeatView((), {}, 0, 0, answered, text)
    group = state.setup.groups[state.owners.index(seat)]
    names = state.setup.colours
    return SeatView(
        colours=tuple(names[colour] for colour in group.colours),
        reserves={names[colour]: state.reserves[colour] for colour in group.colours},
        placed=sum(herd[colour] for herd in state.herds for colour in group.colours),
        cards=len(state.hands[state.owners.index(seat)]),
        answered=answered,
        bid=text,
    )


def _free_colours(state: State) -> dict[str, int]:
    return {
        state.setup.colours[colour]: state.reserves[colour]
        for group, owner in zip(state.setup.groups, state.owners, strict=True)
        if owner is None
        for colour in group.colours
    }


def _pairs(state: State, pairs: tuple[LaidPair, ...]) -> tuple[PairView, ...]:
    setup = state.setup
    return tuple(
        PairView(
            state.seat_of(pair.colour),
            setup.colours[pair.colour],
            setup.pastures[pair.pasture].name,
            pair.card,
            pair.left,
        )
        for pair in pairs
    )


def _discards(state: State) -> tuple[tuple[CowCard, ...], ...]:
    players = range(state.setup.rules.players)
    return tuple(
        state.discards[state.owners.index(seat)] if seat in state.owners else () for seat in players
    )


def redact_event(event: Event, state: State) -> Event:
    """An event as it may be shown now: without the cow cards of earlier rounds (Z6.1)."""
    if state.setup.rules.open_discards or state.ending is not None:
        return event
    match event:
        case Revealed(round=past) if past < state.round:
            return replace(event, choice=None)
        case Precedence(round=past) if past < state.round:
            return replace(event, turns=tuple(_blind(turn) for turn in event.turns))
        case Placed(round=past) if past < state.round:
            return replace(event, card=None, refused=())
        case Wasted(round=past) if past < state.round:
            return replace(event, card=None)
        case _:
            return event


def _blind(turn: PairTurn) -> PairTurn:
    """A turn without its card; a reason that names the card loses it."""
    return replace(turn, card=None, reason=ZoffReason(turn.reason.code, turn.reason.clause))
