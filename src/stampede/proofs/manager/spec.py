"""What a proof tree is about: its root, the side that is to win, and how leaves are searched."""

from __future__ import annotations

from dataclasses import dataclass
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

__all__ = ["LARGEST_BATCH", "MEGABYTES", "TIERS", "TreeSpec"]

TIERS: Final = (2_000, 200_000, 10_000_000)
"""The default budgets of a leaf's searches, in positions."""
LARGEST_BATCH: Final = 4_096
MEGABYTES: Final = 2_048
"""The default of the largest transposition table of a leaf's search."""


@dataclass(frozen=True, slots=True)
class TreeSpec:
    """Everything that decides how a tree grows. The same spec and the same results give the same tree.

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

    def to_json(self) -> JsonObject:
        """The spec as JSON."""
        return {
            "title": self.title,
            "root": self.root,
            "winner": self.winner.word,
            "tiers": list(self.tiers),
            "threshold": self.threshold,
            "batch": self.batch,
            "probe": self.probe,
            "tablebases": list(self.tablebases),
            "megabytes": self.megabytes,
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
