"""The state of a game of Zoff: immutable, complete, secrets included. Only an authority holds it; players get views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple, TypeAlias

from stampede.core.game import Seat
from stampede.zoff.actions import Answer, Bid
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusKind
from stampede.zoff.rules import COWS
from stampede.zoff.setup import Setup

__all__ = [
    "EndReason",
    "Ending",
    "Filling",
    "LaidPair",
    "Payment",
    "State",
    "ZoffPhase",
    "initial_state",
]


class ZoffPhase(Enum):
    """What is awaited."""

    SETTLE = "settle"
    BID = "bid"
    PICK = "pick"
    CHOOSE = "choose"
    PLACE = "place"
    BONUS = "bonus"
    OVER = "over"

    def to_json(self) -> str:
        """The phase as JSON."""
        return self.value


SEALED_PHASES = (ZoffPhase.SETTLE, ZoffPhase.BID, ZoffPhase.CHOOSE)
"""Phases in which all answer at once and in secret."""


class LaidPair(NamedTuple):
    """A revealed pair: a colour's card on a pasture, both by index.

    ``left`` is how many cows the card still allows: less than its value once the player's other colour has placed
    by the same card (Z10.5).
    """

    pasture: int
    colour: int
    card: CowCard
    left: int


class Payment(NamedTuple):
    """A bonus that a full pasture owes to a colour; rank 0 is the fair bonus."""

    pasture: int
    colour: int
    kind: BonusKind
    rank: int
    cows: int


class Filling(NamedTuple):
    """A full pasture whose bonuses aren't paid yet, and the colour that covered its last space."""

    pasture: int
    colour: int


EndReason: TypeAlias = Literal["rounds", "full", "exhausted"]
"""Why a game ends: after the last round (Z6.2), with every pasture full (Z6.2), or with a player's last cow (Z6.3)."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended.

    Attributes:
        reason: Why it ended.
        final: What Z7 paid, as pasture, colour and cows.
        placed: Cows on pastures, by seat.
        scores: The same less the bid, in ten-thousandths, by seat.
        winners: The seats that won.
    """

    reason: EndReason
    final: tuple[tuple[int, int, int], ...]
    placed: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """Everything about a game at one moment. Pastures, colours and groups stand by their index in the set-up.

    Attributes:
        setup: What never changes.
        phase: What is awaited.
        round: The running round, from 1; 0 before the first.
        herds: Cows, by pasture and colour.
        free: Free spaces, by pasture. Follows from the herds; stored because everything asks for it.
        reserves: Cows not yet placed, by colour.
        hands: Cow cards still held, by group, lowest first.
        discards: Cow cards of earlier rounds, by group, as played.
        owners: The seat of each group; None before the auction is over.
        sealed: The secret answer of each seat; None when it hasn't answered.
        bids: The standing bid of each seat, once revealed.
        bid_round: The running round of bids, from 1.
        bidders: The seats that bid in it.
        places: By seat, how many others have bid more so far; the tied have the same number. Empty before the bids.
        picks: The seats still to pick a colour, in order.
        laid: The pairs of the running round, as revealed, by seat.
        waiting: Those on pastures whose turn hasn't come, smallest pasture first.
        line: Those on the pasture whose turn it is, in order of precedence.
        payments: Bonuses still due from the pasture that pays now.
        queue: Full pastures that wait to pay.
        ending: How it ended; None while it runs.
    """

    setup: Setup
    phase: ZoffPhase
    round: int
    herds: tuple[tuple[int, ...], ...]
    free: tuple[int, ...]
    reserves: tuple[int, ...]
    hands: tuple[tuple[CowCard, ...], ...]
    discards: tuple[tuple[CowCard, ...], ...]
    owners: tuple[Seat | None, ...]
    sealed: tuple[Answer | None, ...]
    bids: tuple[Bid | None, ...]
    bid_round: int
    bidders: tuple[Seat, ...]
    places: tuple[int, ...]
    picks: tuple[Seat, ...]
    laid: tuple[LaidPair, ...]
    waiting: tuple[LaidPair, ...]
    line: tuple[LaidPair, ...]
    payments: tuple[Payment, ...]
    queue: tuple[Filling, ...]
    ending: Ending | None

    def __repr__(self) -> str:
        """In short: all of it would fill a page. The fields hold everything."""
        rules = self.setup.rules
        moment = f"round {self.round} of {rules.rounds}, {self.phase.value}"
        return f"<zoff.State: {rules.players} players, {moment}>"

    def open_pastures(self) -> list[int]:
        """The pastures with a free space, smallest first."""
        return [index for index, free in enumerate(self.free) if free]

    def seat_of(self, colour: int) -> Seat:
        """Who plays a colour; only after an auction is over."""
        seat = self.owners[self.setup.group_of[colour]]
        assert seat is not None, "colours have owners once cows are placed"
        return seat

    def group_of_seat(self, seat: Seat) -> int:
        """The group that a seat plays, or settles before an auction (Z11.1)."""
        return self.owners.index(seat) if seat in self.owners else seat


def initial_state(setup: Setup) -> State:
    """The state before the first decision: the preliminary cows are down, but for two players' (Z2.3, Z10.2)."""
    players = setup.rules.players
    herds = [[0] * len(setup.colours) for _ in setup.pastures]
    reserves = [COWS] * len(setup.colours)
    if players > 2:
        for group, pastures in zip(setup.groups, setup.dealt, strict=True):
            for pasture in pastures:
                herds[pasture][group.colours[0]] = 1
                reserves[group.colours[0]] -= 1
    empty: tuple[None, ...] = (None,) * players
    seats = setup.deal.seats
    return State(
        setup=setup,
        phase=first_phase(setup),
        round=1 if first_phase(setup) is ZoffPhase.CHOOSE else 0,
        herds=tuple(tuple(herd) for herd in herds),
        free=free_spaces(setup, herds),
        reserves=tuple(reserves),
        hands=tuple(group.hand for group in setup.groups),
        discards=((),) * players,
        owners=empty if seats is None else tuple(seats.index(group.name) for group in setup.groups),
        sealed=empty,
        bids=empty,
        bid_round=1,
        bidders=tuple(range(players)),
        places=(),
        picks=(),
        laid=(),
        waiting=(),
        line=(),
        payments=(),
        queue=(),
        ending=None,
    )


def free_spaces(setup: Setup, herds: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The free spaces of each pasture."""
    return tuple(
        pasture.capacity - sum(herd) for pasture, herd in zip(setup.pastures, herds, strict=True)
    )


def first_phase(setup: Setup) -> ZoffPhase:
    """Two players settle first, then an auction is held, then the first round begins."""
    if setup.rules.players == 2:
        return ZoffPhase.SETTLE
    return ZoffPhase.BID if setup.rules.auction else ZoffPhase.CHOOSE
