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
  Rebids stand against all bids; after three rounds with a tie the seed ranks those still tied.
- Z11.2: a pasture filled in a cascade pays its fair bonus when its turn in the queue comes, before its ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

from stampede.core.errors import InputError, RuleSetError
from stampede.core.json import JsonObject, expect_bool, expect_int, expect_str

__all__ = ["ZoffRules"]

PLAYERS = (2, 3, 4, 5, 6)
COWS = 48
"""A colour's cows (Z2.2)."""
BID_ROUNDS = 3
"""Bidding rounds with a tie before the seed decides (Z11.1)."""
FAIR_TWO_COWS_FROM = 16
"""The capacity from which the fair bonus is two cows instead of one (Z11.2)."""


@dataclass(frozen=True, slots=True)
class ZoffRules:
    """Which game of Zoff is played.

    Attributes:
        players: 2 to 6.
        auction: Colours are bought by secret bids (Z11.1).
        fair: The player who fills a pasture gets a bonus first (Z11.2).
        open_discards: Played cow cards stay visible (Z6.1).
        edition: The id of the printed data.
    """

    players: int = 4
    auction: bool = False
    fair: bool = False
    open_discards: bool = False
    edition: str = "fx-schmid-1998-r1"

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise RuleSetError(f"players: expected 2 to 6, got {self.players}")

    @property
    def rounds(self) -> int:
        """How many rounds are played (Z6.2)."""
        return 6 if self.players == 2 else 5

    def to_json(self) -> JsonObject:
        """The rule set as a record's ``rules``."""
        return {
            "edition": self.edition,
            "players": self.players,
            "auction": self.auction,
            "fair": self.fair,
            "open_discards": self.open_discards,
        }

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
            )
        except RuleSetError:
            raise
        except InputError as error:
            raise RuleSetError(str(error)) from error
