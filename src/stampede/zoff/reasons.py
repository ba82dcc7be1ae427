"""The reasons that Zoff gives: every code, and the values that may come with one. `describe` says them in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from stampede.core.events import Reason

__all__ = ["ZoffReason", "ZoffReasonCode"]

ZoffReasonCode: TypeAlias = Literal[
    # the order on a pasture (Z4.2)
    "alone",
    "has_herd",
    "card_value",
    "letter",
    # numbers of cows that a rule forbids (Z4.3, Z4.4, Z5.3), and cards without effect (Z4.5)
    "no_space",
    "reserve_empty",
    "equal_herd",
    "pasture_full",
    "card_used",
    # bonuses that are lost (Z5)
    "no_herd_of_rank",
    "declined",
    "all_full",
    "law_of_herds",
    # bids (Z11.1)
    "bid_again",
    "seed_decides",
    # the end (Z6, Z8)
    "rounds",
    "full",
    "exhausted",
    "most_cows",
    "largest_pasture",
    "shared",
    "last_cow",
    # answers that aren't legal (Z3, Z5.2, Z10.2, Z11.1)
    "no_free_space",
    "both_colours",
    "lower_bid",
    "colour_taken",
    "must_place",
]


@dataclass(frozen=True, slots=True)
class ZoffReason(Reason):
    """Why something in Zoff is so: a code to translate, the clause, and the values that the sentence needs."""

    VALUE_TYPES: ClassVar[Mapping[str, type]] = MappingProxyType(
        {
            "card": str,
            "colour": str,
            "cows": int,
            "free": int,
            "herd": int,
            "herds": int,
            "left": int,
            "pasture": str,
            "rank": int,
            "reserve": int,
            "size": int,
        }
    )

    code: ZoffReasonCode
