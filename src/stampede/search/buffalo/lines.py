"""What a search finds: lines of moves with their scores, and a report about them."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.buffalo import Move
from stampede.search.buffalo.memory import WIN, WON
from stampede.search.buffalo.proofs import Answer

__all__ = ["Line", "Report"]


@dataclass(frozen=True, slots=True)
class Line:
    """A move and what is thought to follow.

    Attributes:
        moves: The moves, the first one first; at least one.
        score: For the side to move, in hundredths; near ±30,000 for a proven win or loss.
        depth: How deep it was searched.
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
        """In how many moves of both sides the game is won (or lost, negative) by force; None when not proven."""
        if self.score >= WON:
            return WIN - self.score
        if self.score <= -WON:
            return -WIN - self.score
        return None


@dataclass(frozen=True, slots=True)
class Report:
    """What a search has found so far, or in the end.

    Attributes:
        lines: The best lines, best first, as many as asked for; one for each different first move.
        depth: The depth that was completed.
        nodes: How many positions were looked at.
        seconds: For how long.
        known: Who wins according to tables and certificates, if they cover the position.
    """

    lines: tuple[Line, ...]
    depth: int
    nodes: int
    seconds: float
    known: Answer | None = None

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def at_most(self) -> int | None:
        """Where tables or certificates cover the position: in how many moves of the winner it ends at most."""
        if self.known is None:
            return None
        plies = self.best.plies
        return (min(self.known.plies, self.known.plies if plies is None else abs(plies)) + 1) // 2

    @property
    def nodes_per_second(self) -> int:
        """The speed."""
        return round(self.nodes / max(self.seconds, 1e-6))
