"""What a seat can do: one dataclass for each kind of action, with its JSON form (docs/record.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from stampede.core.errors import InputError, ParseError
from stampede.core.events import JsonFields
from stampede.core.json import (
    Json,
    JsonObject,
    JsonType,
    SchemaHandler,
    canonical,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.zoff.edition import CowCard

__all__ = [
    "Answer",
    "Bid",
    "Choose",
    "Pair",
    "Pick",
    "Place",
    "PlaceBonus",
    "Settle",
    "TakeBack",
    "ZoffAction",
    "read_action",
]

DECIMALS = 4
BID_TEXT = re.compile(r"[0-9]{1,4}(?:\.[0-9]{1,4})?")
BID_UNIT = 10_000
"""Bids and scores are counted in ten-thousandths: exact, where a float isn't."""
MAX_BID_UNITS = 9999 * BID_UNIT + 9999
"""Z11.1 sets no upper bound; this one only keeps bids printable: 9999.9999, far above all cows."""


@dataclass(frozen=True, slots=True)
class Settle(JsonFields):
    """Two players: the colour of the cow on each of the three dealt pastures (Z10.2)."""

    type: Literal["settle"] = field(default="settle", kw_only=True, repr=False, compare=False)
    colours: Annotated[tuple[tuple[str, str], ...], JsonType(dict[str, str])]

    def to_json(self) -> JsonObject:
        """Returns the action as JSON, in which the colours are an object by pasture."""
        return {"type": "settle", "colours": dict(self.colours)}


@dataclass(frozen=True, slots=True)
class Bid(JsonFields):
    """A secret bid: a decimal number with up to four decimals (Z11.1)."""

    type: Literal["bid"] = field(default="bid", kw_only=True, repr=False, compare=False)
    text: str = field(metadata={"alias": "bid"})

    def __post_init__(self) -> None:
        if not BID_TEXT.fullmatch(self.text):
            raise ParseError(
                "expected a bid from 0 to 9999.9999 with up to four decimals, "
                f"such as 1.0895, got {self.text!r}"
            )

    @property
    def units(self) -> int:
        """Returns the bid in ten-thousandths."""
        whole, _, decimals = self.text.partition(".")
        return int(whole) * BID_UNIT + int(decimals.ljust(DECIMALS, "0"))

    @classmethod
    def of_units(cls, units: int) -> Bid:
        """Makes the bid of so many ten-thousandths, in its shortest text."""
        return cls(f"{units // BID_UNIT}.{units % BID_UNIT:04d}".rstrip("0").rstrip("."))


@dataclass(frozen=True, slots=True)
class Pick(JsonFields):
    """Takes a colour after the auction; two players: the colour of the group's cards (Z11.1)."""

    type: Literal["pick"] = field(default="pick", kw_only=True, repr=False, compare=False)
    colour: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A pasture card with a cow card; for two players also the colour that it is laid for (Z10.4)."""

    pasture: str
    card: CowCard
    colour: str | None = None

    def to_json(self) -> list[Json]:
        """Returns the pair as ``[pasture, card]`` or ``[pasture, card, colour]``."""
        pair: list[Json] = [self.pasture, str(self.card)]
        return pair if self.colour is None else [*pair, self.colour]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: SchemaHandler) -> object:
        """Tells pydantic the shape of `to_json`."""
        del source
        return handler.generate_schema(tuple[str, str] | tuple[str, str, str])


@dataclass(frozen=True, slots=True)
class Choose(JsonFields):
    """A seat's sealed pairs of a round (Z3.1). The order of the pairs means nothing."""

    type: Literal["choose"] = field(default="choose", kw_only=True, repr=False, compare=False)
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(JsonFields):
    """Opens an own sealed answer again, while others are still thinking (Z3.4)."""

    type: Literal["take_back"] = field(default="take_back", kw_only=True, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Place(JsonFields):
    """How many cows to put on the pasture whose turn it is (Z4.3)."""

    type: Literal["place"] = field(default="place", kw_only=True, repr=False, compare=False)
    cows: int


@dataclass(frozen=True, slots=True)
class PlaceBonus(JsonFields):
    """Where the cows of a bonus go, one name a cow, in order (Z5.2). The order matters only where pastures fill."""

    type: Literal["bonus"] = field(default="bonus", kw_only=True, repr=False, compare=False)
    on: tuple[str, ...] = ()


Answer: TypeAlias = Settle | Bid | Choose
"""The actions that all seats give at once and in secret."""

ZoffAction: TypeAlias = Answer | TakeBack | Pick | Place | PlaceBonus
"""Every action of Zoff, told apart by ``type``."""


def read_action(data: Json) -> ZoffAction:
    """Reads an action from its JSON; ParseError when it is none."""
    try:
        return _read(expect_object(data, "action"))
    except ParseError:
        raise
    except InputError as error:
        raise ParseError(str(error)) from error


def _read(data: JsonObject) -> ZoffAction:
    match data.get("type"):
        case "choose":
            return Choose(tuple(_pair(pair) for pair in expect_list(data.get("pairs"), "pairs")))
        case "place":
            return Place(expect_int(data.get("cows"), "cows"))
        case "bonus":
            return PlaceBonus(tuple(expect_str(n, "on") for n in expect_list(data.get("on"), "on")))
        case "settle":
            colours = expect_object(data.get("colours"), "colours")
            return Settle(
                tuple((name, expect_str(c, f"colours.{name}")) for name, c in colours.items())
            )
        case "bid":
            return Bid(expect_str(data.get("bid"), "bid"))
        case "pick":
            return Pick(expect_str(data.get("colour"), "colour"))
        case "take_back":
            return TakeBack()
        case other:
            raise ParseError(
                "type: expected settle, bid, pick, choose, take_back, place or bonus, "
                f"got {canonical(other)}"
            )


def _pair(value: Json) -> Pair:
    parts = [expect_str(part, "pairs") for part in expect_list(value, "pairs")]
    if len(parts) not in (2, 3):
        raise ParseError(f"pairs: expected [pasture, card] or [pasture, card, colour], got {parts}")
    return Pair(parts[0], CowCard.parse(parts[1]), parts[2] if len(parts) == 3 else None)
