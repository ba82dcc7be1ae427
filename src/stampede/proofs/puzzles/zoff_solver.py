"""Solves the end of a game of Zoff exactly: from a placement of the last round on, nothing is hidden any more.

Every sequence of placements and bonuses to the end is played by the rules. Each player wants to win, alone rather than
with others, and then as many cows as possible ahead of the best of the others. With two players that is minimax; with
more, each player does what is best for them (max^n), and a second pass lets all others play against the solver.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from stampede.core.game import Seat
from stampede.zoff import ZoffGame
from stampede.zoff.actions import BID_UNIT, ZoffAction
from stampede.zoff.state import State, ZoffPhase

__all__ = ["Choice", "TooLarge", "solve"]

_GAME: Final = ZoffGame()
Value: TypeAlias = tuple[float, int]
"""A player's share of the win, and the cows ahead of the best of the others."""


class TooLarge(Exception):
    """The tree has more states than allowed."""


class Ended(NamedTuple):
    """An end of the game: the values by seat, the cows by seat, and who has won."""

    values: tuple[Value, ...]
    cows: tuple[int, ...]
    winners: tuple[Seat, ...]


class Choice(NamedTuple):
    """What a choice leads to.

    Attributes:
        action: The choice.
        end: The end of the game when everyone plays their best.
        worst: The solver's value when all others play against them.
    """

    action: ZoffAction
    end: Ended
    worst: Value


def solve(state: State, limit: int = 20_000) -> list[Choice]:
    """Returns every choice of the seat that is to act, the best first.

    Raises:
        TooLarge: More than so many states follow.
    """
    (seat,) = _GAME.to_act(state)
    tree = _Tree(seat, limit)
    found = []
    for action in _GAME.legal(state, seat):
        after = _GAME.apply(state, seat, action).state
        found.append(Choice(action, tree.best(after), tree.worst(after)))
    return sorted(found, key=lambda choice: choice.end.values[seat], reverse=True)


class _Tree:
    """All states that follow, each evaluated once."""

    def __init__(self, seat: Seat, limit: int) -> None:
        self._seat = seat
        self._left = 2 * limit
        self._best: dict[tuple[object, ...], Ended] = {}
        self._worst: dict[tuple[object, ...], Value] = {}

    def best(self, state: State) -> Ended:
        """The end when each player does what is best for them."""
        if state.ending is not None:
            return _end(state)
        key = _key(state)
        if key not in self._best:
            self._count()
            (seat,) = _GAME.to_act(state)
            ends = [self.best(_GAME.apply(state, seat, a).state) for a in _GAME.legal(state, seat)]
            self._best[key] = max(ends, key=lambda end: end.values[seat])
        return self._best[key]

    def worst(self, state: State) -> Value:
        """The solver's value when all others play against them."""
        if state.ending is not None:
            return _end(state).values[self._seat]
        key = _key(state)
        if key not in self._worst:
            self._count()
            (seat,) = _GAME.to_act(state)
            values = [
                self.worst(_GAME.apply(state, seat, a).state) for a in _GAME.legal(state, seat)
            ]
            self._worst[key] = max(values) if seat == self._seat else min(values)
        return self._worst[key]

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLarge


def _key(state: State) -> tuple[object, ...]:
    assert state.phase in (ZoffPhase.PLACE, ZoffPhase.BONUS), "only placements follow"
    return (state.phase, state.herds, state.line, state.waiting, state.payments, state.queue)


def _end(state: State) -> Ended:
    ending = state.ending
    assert ending is not None, "the game is over"
    values = []
    for seat, score in enumerate(ending.scores):
        ahead = score - max(other for at, other in enumerate(ending.scores) if at != seat)
        share = 1 / len(ending.winners) if seat in ending.winners else 0.0
        values.append((share, ahead // BID_UNIT))
    return Ended(tuple(values), ending.placed, ending.winners)
