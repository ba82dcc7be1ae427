"""A small exact search of Buffalo on the readable rules: can a side force its win within a few moves?

Lessons ask it about positions with few threats and for two or three moves; analysis has a real engine.
"""

from __future__ import annotations

from stampede.buffalo import Move, Position, Side

__all__ = ["ForcedWin"]


class ForcedWin:
    """Answers whether the side to move can force its win within so many of its own moves, and how.

    Remembers what it has found, since the answers of a lesson lead to many positions twice.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Position, int], tuple[Move, ...] | None] = {}

    def line(self, position: Position, moves: int) -> tuple[Move, ...] | None:
        """Returns a line that wins against the longest resistance, or None if there is none so short."""
        if moves < 1 or not _may_win(position, moves):
            return None
        key = (position, moves)
        if key not in self._known:
            self._known[key] = self._search(position, moves)
        return self._known[key]

    def _search(self, position: Position, moves: int) -> tuple[Move, ...] | None:
        side = position.turn
        for move in position.legal_moves:
            after = position.after(move)
            if after.winner is side:
                return (move,)
        if moves == 1:
            return None
        for move in position.legal_moves:
            rest = self.against_all(position.after(move), moves - 1)
            if rest is not None:
                return (move, *rest)
        return None

    def against_all(self, position: Position, moves: int) -> tuple[Move, ...] | None:
        """Returns the longest resistance of the side to move if every reply loses within so many moves, else None."""
        longest: tuple[Move, ...] = ()
        for reply in position.legal_moves:
            after = position.after(reply)
            if after.is_over:
                return None
            line = self.line(after, moves)
            if line is None:
                return None
            if len(line) >= len(longest):
                longest = (reply, *line)
        return longest


def _may_win(position: Position, moves: int) -> bool:
    """Whether a win within so many moves isn't ruled out by the distance to the far bank."""
    if position.turn is Side.HUNTER:
        return True
    return any(square.rank - 1 <= moves for square in position.buffaloes)
