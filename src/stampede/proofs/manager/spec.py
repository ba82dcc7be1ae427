"""What a proof tree is about: its root, the side that is to win, and how leaves are searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    JsonObject,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.kernels.buffalo.lookups import WIDTH
from stampede.proofs.search.named import check_names

__all__ = ["LARGEST_BATCH", "MEGABYTES", "TIERS", "TreeSpec"]

TIERS: Final = (2_000, 200_000, 10_000_000)
"""The default budgets of a leaf's searches, in positions."""
LARGEST_BATCH: Final = 4_096
MEGABYTES: Final = 2_048
"""The default of the largest transposition table of a leaf's search."""


@dataclass(frozen=True, slots=True)
class TreeSpec:
    """Everything that decides how a tree grows. The same specs and the same results give the same tree.

    Attributes:
        title: One line for people.
        root: The position, a key as int64.
        winner: The side whose win is to be proven.
        tiers: Budgets of a leaf's searches, in positions, rising.
        threshold: The engine's score, in hundredths, beyond which a leaf counts as likely; None for a proof.
        batch: How many leaves are chosen at once. They may be searched at the same time.
        probe: How many positions the engine searches to score a new leaf.
        tablebases: Names of the tablebases that searches may use.
        megabytes: The size of the largest transposition table; a leaf's result may depend on it.
    """

    title: str
    root: int
    winner: Side
    tiers: tuple[int, ...] = TIERS
    threshold: int | None = None
    batch: int = 16
    probe: int = 2_000
    tablebases: tuple[str, ...] = ()
    megabytes: int = MEGABYTES

    def __post_init__(self) -> None:
        if not self.tiers or self.tiers[0] < 1 or list(self.tiers) != sorted(set(self.tiers)):
            raise InputError(f"tiers: expected rising budgets from 1, got {list(self.tiers)}")
        if not 1 <= self.batch <= LARGEST_BATCH:
            raise InputError(f"batch: expected 1 to {LARGEST_BATCH}, got {self.batch}")
        if self.probe < 1:
            raise InputError(f"probe: expected at least 1 position, got {self.probe}")
        if self.megabytes < 1:
            raise InputError(f"memory: expected at least 1 MB, got {self.megabytes}")
        if self.threshold is not None and self.threshold < 1:
            raise InputError(f"threshold: expected a score above 0, got {self.threshold}")
        check_names(self.tablebases, WIDTH)

    def changed(
        self,
        *,
        tiers: Sequence[int] | None = None,
        batch: int | None = None,
        megabytes: int | None = None,
        tablebases: Sequence[str] = (),
    ) -> TreeSpec:
        """The spec with other settings for the searches that come; what is given replaces what was there.

        Args:
            tiers: At least as many budgets as now, none of them smaller. So every open leaf's next budget is larger
                than its last one.
            batch: How many leaves are chosen at once.
            megabytes: The size of the largest transposition table.
            tablebases: Names of further ones. Those that are there stay: proofs of leaves refer to them by number.

        Raises:
            InputError: A value is wrong, or a budget is smaller or missing.
        """
        budgets = self.tiers if tiers is None else tuple(tiers)
        lower = [new for new, old in zip(budgets, self.tiers, strict=False) if new < old]
        if lower or len(budgets) < len(self.tiers):
            raise InputError(
                f"tiers: expected those of the tree, {list(self.tiers)}, or larger ones and further"
                f" ones after them, got {list(budgets)}"
            )
        further = [name for name in dict.fromkeys(tablebases) if name not in self.tablebases]
        return replace(
            self,
            tiers=budgets,
            batch=self.batch if batch is None else batch,
            megabytes=self.megabytes if megabytes is None else megabytes,
            tablebases=(*self.tablebases, *further),
        )

    def settings_to_json(self) -> JsonObject:
        """What `changed` may change, as JSON."""
        return {
            "tiers": list(self.tiers),
            "batch": self.batch,
            "tablebases": list(self.tablebases),
            "megabytes": self.megabytes,
        }

    def with_settings(self, data: Json) -> TreeSpec:
        """The spec with the settings that `settings_to_json` wrote; InputError when they can't follow this spec."""
        values = expect_object(data, "settings")
        return self.changed(
            tiers=[expect_int(tier, "tiers") for tier in expect_list(values.get("tiers"), "tiers")],
            batch=expect_int(values.get("batch"), "batch"),
            megabytes=expect_int(values.get("megabytes"), "megabytes"),
            tablebases=[
                expect_str(name, "tablebases")
                for name in expect_list(values.get("tablebases"), "tablebases")
            ],
        )

    def to_json(self) -> JsonObject:
        """The spec as JSON."""
        return {
            "title": self.title,
            "root": self.root,
            "winner": self.winner.word,
            "threshold": self.threshold,
            "probe": self.probe,
            **self.settings_to_json(),
        }

    @classmethod
    def from_json(cls, data: Json) -> TreeSpec:
        """Reads a spec; InputError when a value is wrong."""
        values = expect_object(data, "spec")
        winners = {side.word: side for side in Side}
        winner = expect_str(values.get("winner"), "winner")
        if winner not in winners:
            raise InputError(f"winner: expected buffalo or hunter, got {winner!r}")
        threshold = values.get("threshold")
        return cls(
            title=expect_str(values.get("title"), "title"),
            root=expect_int(values.get("root"), "root"),
            winner=winners[winner],
            tiers=tuple(
                expect_int(tier, "tiers") for tier in expect_list(values.get("tiers"), "tiers")
            ),
            threshold=None if threshold is None else expect_int(threshold, "threshold"),
            batch=expect_int(values.get("batch"), "batch"),
            probe=expect_int(values.get("probe"), "probe"),
            tablebases=tuple(
                expect_str(name, "tablebases")
                for name in expect_list(values.get("tablebases"), "tablebases")
            ),
            megabytes=expect_int(
                values.get("megabytes", MEGABYTES), "megabytes"
            ),  # older trees have none
        )
