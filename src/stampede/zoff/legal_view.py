"""What a seat may do now, as JSON: one dataclass for each kind of decision, with reasons for what it excludes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from stampede.core.events import JsonFields
from stampede.zoff.edition import CowCard
from stampede.zoff.events import BonusKind
from stampede.zoff.forecast import Forecast, RefusedBonus, RefusedCows
from stampede.zoff.reasons import ZoffReason

__all__ = [
    "BidLegal",
    "BonusLegal",
    "ChooseLegal",
    "NothingLegal",
    "PickLegal",
    "PlaceLegal",
    "RefusedNames",
    "SettleLegal",
    "ZoffLegal",
]


@dataclass(frozen=True, slots=True)
class RefusedNames(JsonFields):
    """Pastures or colours that a rule excludes.

    Attributes:
        names: What is excluded.
        reason: The rule that excludes it.
    """

    names: tuple[str, ...]
    reason: ZoffReason


@dataclass(frozen=True, slots=True)
class NothingLegal(JsonFields):
    """The seat has nothing to decide."""

    type: Literal["none"] = field(default="none", kw_only=True)


@dataclass(frozen=True, slots=True)
class SettleLegal(JsonFields):
    """Two players: colour the cows on your three pastures (Z10.2).

    Attributes:
        pastures: The pastures that were dealt to the seat.
        colours: The seat's two colours.
        sealed: Whether the seat has answered; it may still change or take back its answer.
        refused: The colours that can't stand on all the pastures.
    """

    type: Literal["settle"] = field(default="settle", kw_only=True)
    pastures: tuple[str, ...]
    colours: tuple[str, ...]
    sealed: bool
    refused: tuple[RefusedNames, ...]


@dataclass(frozen=True, slots=True)
class BidLegal(JsonFields):
    """Bid for a colour (Z11.1).

    Attributes:
        least: The lowest bid that is allowed.
        most: The highest.
        usual: What bids hardly ever exceed: a client may warn of more.
        decimals: How many decimals a bid may have.
        sealed: Whether the seat has answered; it may still change or take back its answer.
        below: Why a bid below ``least`` isn't allowed; null when there is none.
    """

    type: Literal["bid"] = field(default="bid", kw_only=True)
    least: str
    most: str
    usual: str
    decimals: int
    sealed: bool
    below: ZoffReason | None


@dataclass(frozen=True, slots=True)
class PickLegal(JsonFields):
    """Take a colour (Z11.1).

    Attributes:
        colours: The colours that are left; with two players, a colour stands for its group.
        groups: For each of them, the colours that the seat will play (Z10.1).
        refused: The colours that aren't left.
    """

    type: Literal["pick"] = field(default="pick", kw_only=True)
    colours: tuple[str, ...]
    groups: dict[str, tuple[str, ...]]
    refused: tuple[RefusedNames, ...]


@dataclass(frozen=True, slots=True)
class ChooseLegal(JsonFields):
    """Choose pairs of a pasture and a cow card (Z3).

    Attributes:
        pastures: The pastures with a free space, smallest first.
        cards: The seat's hand.
        pairs: How many pairs to lay. Their cards differ; their pastures too, unless only one is open (Z3.3, Z10.5).
        colours: With two players, the colours that need a pair each (Z10.4); empty with more players, and where one
            card stands for both colours (Z10.5).
        sealed: Whether the seat has answered; it may still change or take back its answer.
        refused: The pastures that can't be chosen. Played cards aren't named: no player may look them up (Z6.1).
        forecast: What to expect, by open pasture and by each of the seat's colours.
    """

    type: Literal["choose"] = field(default="choose", kw_only=True)
    pastures: tuple[str, ...]
    cards: tuple[CowCard, ...]
    pairs: int
    colours: tuple[str, ...]
    sealed: bool
    refused: tuple[RefusedNames, ...]
    forecast: dict[str, dict[str, Forecast]]


@dataclass(frozen=True, slots=True)
class PlaceLegal(JsonFields):
    """Place cows on the pasture whose turn it is (Z4.3).

    Attributes:
        pasture: The pasture.
        colour: The colour whose turn it is.
        card: Its card.
        left: How many cows the card still allows: less than its value once the player's other colour has placed by the
            same card (Z10.5).
        cows: The numbers of cows that are allowed.
        ranks: For each number of cows, from 0 to the card's value: the rank that the herd would have, 0 without a
            herd; null when a rule forbids the number.
        refused: The forbidden numbers, with the reasons.
    """

    type: Literal["place"] = field(default="place", kw_only=True)
    pasture: str
    colour: str
    card: CowCard
    left: int
    cows: tuple[int, ...]
    ranks: tuple[int | None, ...]
    refused: tuple[RefusedCows, ...]


@dataclass(frozen=True, slots=True)
class BonusLegal(JsonFields):
    """Use a bonus (Z5.2, Z11.2).

    Attributes:
        source: The pasture that pays.
        kind: Whether the bonus is for a herd's rank, or the fair bonus (Z11.2).
        colour: The colour that gets it.
        cows: How many cows it allows.
        least: How many cows must be placed; 0 without the house rule ``must_place``.
        on: Every way to use it: the pastures, one for each cow, in order.
        refused: Where cows of this bonus can't go, with the reasons.
        below: Why fewer than ``least`` aren't allowed; null when there is no such number.
    """

    type: Literal["bonus"] = field(default="bonus", kw_only=True)
    source: str = field(metadata={"alias": "from"})
    kind: BonusKind
    colour: str
    cows: int
    least: int
    on: tuple[tuple[str, ...], ...]
    refused: tuple[RefusedBonus, ...]
    below: ZoffReason | None


ZoffLegal: TypeAlias = (
    NothingLegal | SettleLegal | BidLegal | PickLegal | ChooseLegal | PlaceLegal | BonusLegal
)
"""What a seat may do now, told apart by ``type``."""
