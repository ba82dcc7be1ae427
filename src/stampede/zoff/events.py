"""What happens in Zoff, with reasons. Events name colours and pastures, and number seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from stampede.core.events import Event, JsonFields
from stampede.core.game import Seat
from stampede.zoff.actions import Choose, Settle
from stampede.zoff.edition import CowCard
from stampede.zoff.reasons import ZoffReason

__all__ = [
    "BidShown",
    "BidsTied",
    "BonusLapsed",
    "BonusPlaced",
    "Filled",
    "FinalBonus",
    "PairTurn",
    "Picked",
    "Placed",
    "Precedence",
    "Ranked",
    "Revealed",
    "RoundEnded",
    "Sealed",
    "Settled",
    "Wasted",
    "ZoffEnded",
]

BonusKind: TypeAlias = Literal["rank", "fair"]


@dataclass(frozen=True, slots=True)
class Sealed(Event):
    """A seat has answered in secret (or opened its answer again). What it answered isn't here (Z3.4)."""

    kind: Literal["sealed"] = field(default="sealed", kw_only=True, repr=False, compare=False)
    seat: Seat
    open_again: bool = False


@dataclass(frozen=True, slots=True)
class Settled(Event):
    """Two players: a seat's preliminary cows are put down (Z10.2)."""

    kind: Literal["settled"] = field(default="settled", kw_only=True, repr=False, compare=False)
    seat: Seat
    settle: Settle


@dataclass(frozen=True, slots=True)
class BidShown(Event):
    """A bid is revealed (Z11.1)."""

    kind: Literal["bid_shown"] = field(default="bid_shown", kw_only=True, repr=False, compare=False)
    seat: Seat
    bid: str
    bid_round: int


@dataclass(frozen=True, slots=True)
class BidsTied(Event):
    """These seats bid the same and bid again, or are ranked by the seed (Z11.1)."""

    kind: Literal["bids_tied"] = field(default="bids_tied", kw_only=True, repr=False, compare=False)
    seats: tuple[Seat, ...]
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class Ranked(Event):
    """The order in which seats pick their colours (Z11.1)."""

    kind: Literal["ranked"] = field(default="ranked", kw_only=True, repr=False, compare=False)
    order: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Picked(Event):
    """A seat has taken a colour (Z11.1)."""

    kind: Literal["picked"] = field(default="picked", kw_only=True, repr=False, compare=False)
    seat: Seat
    colour: str
    forced: bool


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """A seat's choice is turned up (Z3.4). ``choice`` is None once the cards may not be looked at (Z6.1)."""

    kind: Literal["revealed"] = field(default="revealed", kw_only=True, repr=False, compare=False)
    round: int
    seat: Seat
    choice: Choose | None


@dataclass(frozen=True, slots=True)
class PairTurn(JsonFields):
    """A pair's place in the order on a pasture, and why it stands there (Z4.2)."""

    seat: Seat
    colour: str
    card: CowCard | None
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class Precedence(Event):
    """A pasture's turn has come: the order of its pairs is fixed (Z4.1, Z4.2)."""

    kind: Literal["precedence"] = field(
        default="precedence", kw_only=True, repr=False, compare=False
    )
    round: int
    pasture: str
    turns: tuple[PairTurn, ...]


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """Cows are put on a pasture from a pair (Z4.3).

    Attributes:
        herd: The herd's size now.
        forced: There was no other answer (Z4.6).
        refused: The numbers that the card would give and a rule forbids, with the reason.
    """

    kind: Literal["placed"] = field(default="placed", kw_only=True, repr=False, compare=False)
    round: int
    seat: Seat
    colour: str
    pasture: str
    card: CowCard | None
    cows: int
    herd: int
    forced: bool
    refused: tuple[tuple[int, ZoffReason], ...]


@dataclass(frozen=True, slots=True)
class Wasted(Event):
    """A pair's pasture was full before its turn came (Z4.5)."""

    kind: Literal["wasted"] = field(default="wasted", kw_only=True, repr=False, compare=False)
    round: int
    seat: Seat
    colour: str
    pasture: str
    card: CowCard | None
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class Filled(Event):
    """The last space of a pasture is covered; it pays now, or waits in the queue (Z5.1, Z5.4)."""

    kind: Literal["filled"] = field(default="filled", kw_only=True, repr=False, compare=False)
    pasture: str
    seat: Seat
    colour: str
    waits_behind: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BonusLapsed(Event):
    """A bonus that is lost, as no herd has its rank (Z5.1)."""

    kind: Literal["bonus_lapsed"] = field(
        default="bonus_lapsed", kw_only=True, repr=False, compare=False
    )
    pasture: str
    rank: int
    cows: int
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class BonusPlaced(Event):
    """A bonus is used (Z5.2, Z11.2).

    Attributes:
        source: The pasture that pays.
        rank: 1 for the largest herd …; 0 for the fair bonus.
        due: The number of cows it allows.
        on: The pastures, one a cow, in order.
        forced: There was no other answer (Z4.6).
        lost: Why cows are missing from ``on``, when any are.
    """

    kind: Literal["bonus_placed"] = field(
        default="bonus_placed", kw_only=True, repr=False, compare=False
    )
    seat: Seat
    colour: str
    source: str
    bonus: BonusKind
    rank: int
    due: int
    on: tuple[str, ...]
    forced: bool
    lost: ZoffReason | None


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """Every pair has been resolved; the played cow cards leave the game face down (Z6.1)."""

    kind: Literal["round_ended"] = field(
        default="round_ended", kw_only=True, repr=False, compare=False
    )
    round: int


@dataclass(frozen=True, slots=True)
class FinalBonus(Event):
    """An open pasture pays on itself after the last round (Z7.1)."""

    kind: Literal["final_bonus"] = field(
        default="final_bonus", kw_only=True, repr=False, compare=False
    )
    seat: Seat
    colour: str
    pasture: str
    rank: int
    due: int
    cows: int
    lost: ZoffReason | None


@dataclass(frozen=True, slots=True)
class ZoffEnded(Event):
    """The game is over (Z6.2, Z6.3, Z8.1)."""

    kind: Literal["ended"] = field(default="ended", kw_only=True, repr=False, compare=False)
    reason: ZoffReason
    winners: tuple[Seat, ...]
    decided_by: ZoffReason


ZoffEvent: TypeAlias = (
    Sealed
    | Settled
    | BidShown
    | BidsTied
    | Ranked
    | Picked
    | Revealed
    | Precedence
    | Placed
    | Wasted
    | Filled
    | BonusLapsed
    | BonusPlaced
    | RoundEnded
    | FinalBonus
    | ZoffEnded
)
"""Every event of Zoff, told apart by ``kind``."""
