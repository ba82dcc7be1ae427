"""What a search returns: principal variations with their scores, and exact results where they are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stampede.buffalo import Move, Side
from stampede.search.buffalo.workspace import PROVEN, WIN

__all__ = ["ExactResult", "SearchReport", "Variation"]


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The proven winner of a position, from a tablebase or a verified certificate.

    Attributes:
        winner: The side that wins.
        plies: The most moves of both sides that the win takes.
        move: The winner's move; None when the loser is to move.
        source: The certificate's name or the tablebase's spec.
        kind: What the source is; `table` means a tablebase. Clients read this value, so it keeps its old name.
    """

    winner: Side
    plies: int
    move: Move | None
    source: str
    kind: Literal["certificate", "table"] = "certificate"


@dataclass(frozen=True, slots=True)
class Variation:
    """A move and the expected continuation: a principal variation.

    Attributes:
        moves: The moves, in order; at least one.
        score: For the side to move, in hundredths; near ±30,000 for a proven win or loss.
        depth: The depth of the search that found it.
    """

    moves: tuple[Move, ...]
    score: int
    depth: int

    @property
    def move(self) -> Move:
        """The first move."""
        return self.moves[0]

    @property
    def plies(self) -> int | None:
        """Moves of both sides until a forced win (or loss, negative); None when nothing is proven."""
        if self.score >= PROVEN:
            return WIN - self.score
        if self.score <= -PROVEN:
            return -WIN - self.score
        return None


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What a search has found so far, or in the end.

    Attributes:
        variations: The best variations, best first, as many as you asked for; each has a different first move.
        depth: The last completed depth.
        nodes: The number of positions searched.
        seconds: The time spent.
        exact: The position's exact result, if the oracle knows it.
    """

    variations: tuple[Variation, ...]
    depth: int
    nodes: int
    seconds: float
    exact: ExactResult | None = None

    @property
    def best(self) -> Variation:
        """The best variation."""
        return self.variations[0]

    @property
    def at_most(self) -> int | None:
        """The most moves that the winner needs, if the result is exact; a shorter win that the search found counts."""
        if self.exact is None:
            return None
        found = self.best.plies
        plies = self.exact.plies if found is None else min(self.exact.plies, abs(found))
        return (plies + 1) // 2

    @property
    def nodes_per_second(self) -> int:
        """The speed."""
        return round(self.nodes / max(self.seconds, 1e-6))
