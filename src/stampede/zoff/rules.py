"""Zoff in Buffalo (Christwart Conrad, 1998), the rule set.

The game in short. Pastures have spaces; colours have cows. Five rounds long everyone lays, at once and in secret, two
pairs of a pasture card and a cow card (Z3). Pastures are resolved from the smallest to the largest (Z4): the larger
herd there goes first, then the lower card, then the earlier letter; each seat places up to its card's value, but
no two herds on a pasture may become equally large. A pasture that is full pays bonuses by rank, and their cows may fill
the next (Z5). Pastures left open pay on themselves at the end (Z7). Most cows on pastures wins (Z8).

Sources: French, Italian and Dutch rule sheets; docs/rules/zoff.md has every clause, docs/rules/translations.md where
they differ. Rulings of this program where all are silent:

- Z6.3: the last cow ends the game at once; bonuses still due and Z7 are not paid, and that player alone wins.
- Z6.2: "every pasture full" is tested when the bonuses of the last one have been gone through.
- Z11.1: two players settle first (Z10.2), seat 0 the blue group and seat 1 the pink one; then the groups are bought.
  After three rounds with a tie the seed ranks those still tied.
- Z11.2: a pasture filled in a cascade pays its fair bonus when its turn in the queue comes, before its ranks.
- Z10.5, `one_last_card`: of a player's two colours without a herd the one of their cards goes first (blue, pink).

House rules are switches, too: how some tables read a clause on which the sheets disagree. They are off unless a rule
set names them, and written only where they are on: so a rule set of before they existed means what it always meant.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Final

from stampede.core.errors import EditionError, InputError, RuleSetError
from stampede.core.json import (
    JsonObject,
    SparseObject,
    canonical,
    expect_bool,
    expect_int,
    expect_object,
    expect_str,
)
from stampede.zoff.edition import SHIPPED, Edition

__all__ = ["HOUSE_RULES", "ZoffRules"]

PLAYERS = (2, 3, 4, 5, 6)
COWS = 48
"""A colour's cows (Z2.2)."""
BID_ROUNDS = 3
"""Bidding rounds with a tie before the seed decides (Z11.1)."""
FAIR_TWO_COWS_FROM = 16
"""The capacity from which the fair bonus is two cows instead of one (Z11.2)."""

HOUSE_RULES: Final = ("must_place", "last_cow_counts", "one_last_card", "rebid_among_tied")
"""The switches that a rule set names only where they are on."""


@dataclass(frozen=True, slots=True, repr=False)
class ZoffRules(SparseObject):
    """Which game of Zoff is played.

    Attributes:
        players: 2 to 6.
        auction: Colours are bought by secret bids (Z11.1).
        fair: The player who fills a pasture gets a bonus first (Z11.2).
        open_discards: Played cow cards stay visible (Z6.1).
        edition: The id of the printed data.
        edition_data: The printed data itself; None for the edition that ships.
        must_place: A bonus must be used as far as it can be (Z5.2), the fair one (Z11.2) too.
        last_cow_counts: With a player's last cow the game ends, but the most cows win (Z6.3).
        one_last_card: Two players lay one cow card for both colours on the last open pasture (Z10.5).
        rebid_among_tied: Bids after a tie rank only the tied (Z11.1); else they stand against all bids.
    """

    players: int = 4
    auction: bool = False
    fair: bool = False
    open_discards: bool = False
    edition: str = SHIPPED
    edition_data: Edition | None = field(default=None, hash=False)
    must_place: bool = False
    last_cow_counts: bool = False
    one_last_card: bool = False
    rebid_among_tied: bool = False

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise RuleSetError(f"players: expected 2 to 6, got {self.players}")
        data = self.edition_data
        if data is None:
            return
        if data.id != self.edition:
            raise RuleSetError(
                f"edition_data: expected the edition {self.edition!r}, got {data.id!r}"
            )
        if self.players > data.most_players:
            raise RuleSetError(
                f"players: expected 2 to 5, as the edition {data.id!r} has no twelfth pasture "
                f"and no sixth colour (Z11.4), got {self.players}"
            )

    def __repr__(self) -> str:
        """Names what differs from the defaults; an edition's data would fill a page, so its id stands for it."""
        named = (item for item in fields(self) if item.name not in ("players", "edition_data"))
        changed = [
            f", {item.name}={value!r}"
            for item in named
            if (value := getattr(self, item.name)) != item.default
        ]
        return f"ZoffRules(players={self.players}{''.join(changed)})"

    @property
    def rounds(self) -> int:
        """How many rounds are played (Z6.2)."""
        return 6 if self.players == 2 else 5

    @property
    def printed(self) -> Edition:
        """The printed data; RuleSetError when only its id is known."""
        if self.edition_data is not None:
            return self.edition_data
        if self.edition != SHIPPED:
            raise RuleSetError(
                f"edition: expected {SHIPPED!r}, or edition_data with the data of {self.edition!r}"
            )
        return Edition.default()

    def to_json(self) -> JsonObject:
        """The rule set as a record's ``rules``; with ``edition_data`` when it isn't the edition that ships."""
        data = self.edition_data
        other: JsonObject = {} if data is None else {"edition_data": data.to_json()}
        return {
            "edition": self.edition,
            "players": self.players,
            "auction": self.auction,
            "fair": self.fair,
            "open_discards": self.open_discards,
            **{name: True for name in HOUSE_RULES if getattr(self, name)},
            **other,
        }

    @classmethod
    def json_keys(cls) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """The keys of ``rules``."""
        variants = dict.fromkeys(("auction", "fair", "open_discards"), bool)
        sparse = {**dict.fromkeys(HOUSE_RULES, bool), "edition_data": Edition}
        return {"edition": str, "players": int, **variants}, sparse

    @classmethod
    def from_json(cls, data: JsonObject) -> ZoffRules:
        """Reads a record's ``rules``."""
        try:
            return cls(
                players=expect_int(data.get("players"), "rules.players"),
                auction=expect_bool(data.get("auction", False), "rules.auction"),
                fair=expect_bool(data.get("fair", False), "rules.fair"),
                open_discards=expect_bool(data.get("open_discards", False), "rules.open_discards"),
                edition=expect_str(data.get("edition"), "rules.edition"),
                edition_data=_read_data(data),
                **{
                    name: expect_bool(data.get(name, False), f"rules.{name}")
                    for name in HOUSE_RULES
                },
            )
        except (EditionError, RuleSetError):
            raise
        except InputError as error:
            raise RuleSetError(str(error)) from error


@lru_cache(maxsize=128)
def _parse_data(text: str) -> Edition:
    """Cached, so that the games of a table share one edition."""
    return Edition.from_json(json.loads(text))


def _read_data(data: JsonObject) -> Edition | None:
    """The edition that the rules carry; None for the one that ships."""
    if data.get("edition_data") is None:
        return None
    found = _parse_data(canonical(expect_object(data["edition_data"], "rules.edition_data")))
    if found.id == SHIPPED and data.get("edition") == SHIPPED:
        return None
    return found
