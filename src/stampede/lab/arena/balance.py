"""Whether an opening is balanced: our engine plays both sides of it, once with each of some budgets.

A search that calls a position even isn't enough: it judges what its own evaluation sees. Games between equal engines
show which side really wins.
"""

from __future__ import annotations

from collections.abc import Sequence

from stampede.buffalo import Position, Side
from stampede.lab.arena.games import MatchPlan, play_game
from stampede.lab.arena.players import EnginePlayer
from stampede.search.buffalo.engine import Engine, Limits

__all__ = ["SelfPlay"]


class SelfPlay:
    """Our engine against itself. A budget of nodes always gives the same game."""

    def __init__(self, budgets: Sequence[int], entries: int = 1 << 20) -> None:
        """Makes the two engines.

        Args:
            budgets: Nodes a move; one game for each, in this order.
            entries: The size of each engine's transposition table.
        """
        self._budgets = tuple(budgets)
        self._engines = (Engine(entries), Engine(entries))

    def winner(self, opening: Position, nodes: int) -> Side:
        """The side that wins with so many nodes a move."""
        first, second = (
            EnginePlayer(f"nodes={nodes}", Limits(nodes=nodes), engine) for engine in self._engines
        )
        plan = MatchPlan((opening,), 1, adjudicate=True)
        return play_game(first, second, plan, 0).winner

    def is_balanced(self, opening: Position, least: int) -> bool:
        """Whether each side wins at least so many of the games. Stops as soon as one side can't any more."""
        won = dict.fromkeys(Side, 0)
        for played, nodes in enumerate(self._budgets, 1):
            won[self.winner(opening, nodes)] += 1
            if any(wins + len(self._budgets) - played < least for wins in won.values()):
                return False
        return min(won.values()) >= least
