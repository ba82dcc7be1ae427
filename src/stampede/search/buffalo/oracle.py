"""What the engine asks of an oracle: exact results and tablebases. `stampede.oracle` has the implementation.

The engine takes an oracle as an argument and doesn't import one: exact results come from proofs, proofs come from
searches, so the oracle stands above the engine (docs/decisions/0016-oracle-above-proofs.md).
"""

from __future__ import annotations

from typing import Protocol

from stampede.buffalo import Position
from stampede.kernels.buffalo.lookups import Words
from stampede.search.buffalo.variations import ExactResult, Variation

__all__ = ["Consultation", "Oracle"]


class Consultation(Protocol):
    """What an oracle knows about one position and its continuations."""

    @property
    def result(self) -> ExactResult | None:
        """The position's exact result, if it is known."""

    @property
    def tablebase_words(self) -> Words:
        """The tablebases that the search probes at its nodes: int64[PROBE_WORDS], see `stampede.tablebase.probe`."""

    def correct(self, variations: tuple[Variation, ...]) -> tuple[Variation, ...]:
        """Replaces estimated scores by exact ones where they are known; best first."""


class Oracle(Protocol):
    """A source of exact results."""

    def consult(self, position: Position) -> Consultation:
        """Looks up a position before the search begins."""
