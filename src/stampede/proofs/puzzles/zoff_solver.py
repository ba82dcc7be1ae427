"""Solves the end of a game of Zoff exactly: in the last round, from a placement or from two players' choice on.

Once the pairs lie open nothing is hidden any more: every sequence of placements and bonuses to the end is played by the
rules. Each player wants to win, alone rather than with others, and then as many cows as possible ahead of the best of
the others. With two players that is minimax; with more, each player does what is best for them (max^n), and a second
pass lets all others play against the solver.

Before the last choice of two players both hands are known, as all other cards were played. Every choice is played out
against every choice of the other player.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from stampede.core.game import Seat
from stampede.zoff import ZoffGame
from stampede.zoff.actions import BID_UNIT, ZoffAction
from stampede.zoff.state import State, ZoffPhase

__all__ = ["Choice", "Line", "RoundSolver", "Solved", "TooLarge", "solve"]

_GAME: Final = ZoffGame()
Value: TypeAlias = tuple[float, int]
"""A player's share of the win, and the cows ahead of the best of the others."""
Line: TypeAlias = tuple[tuple[Seat, ZoffAction], ...]
"""Actions to the end of the game, each with its seat."""


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
        end: The end of the game when everyone plays their best; after a sealed choice, against the best answer to it.
        worst: The solver's value when all others play against them.
        line: The actions to that end, the choice included.
    """

    action: ZoffAction
    end: Ended
    worst: Value
    line: Line


class Solved(NamedTuple):
    """Every choice of a seat, the best first.

    Attributes:
        seat: The seat.
        choices: Its choices.
        pure: Whether no mixture of choices promises more than the best one does.
    """

    seat: Seat
    choices: tuple[Choice, ...]
    pure: bool


def solve(state: State, limit: int = 20_000) -> Solved:
    """Plays out every choice of the seat that is to act; of two that choose in secret, the first.

    Raises:
        TooLarge: More than so many states follow.
    """
    return RoundSolver(limit).solve(state)


class RoundSolver:
    """Solves decisions of one last round: states that follow several of them are played out once."""

    def __init__(self, limit: int) -> None:
        """Makes a solver that gives a decision up when more than so many new states follow."""
        self._limit = limit
        self._tree = _Tree()

    def solve(self, state: State) -> Solved:
        """Plays out every choice of the seat that is to act, as `solve` does."""
        self._tree.left = 2 * self._limit
        seat = _GAME.to_act(state)[0]
        if state.phase is ZoffPhase.CHOOSE:
            return _solve_secret(state, seat, self._tree)
        found = []
        for action in _GAME.legal(state, seat):
            after = _GAME.apply(state, seat, action).state
            line = ((seat, action), *self._tree.line(after))
            worst = self._tree.worst(after, seat)
            found.append(Choice(action, self._tree.best(after), worst, line))
        return Solved(seat, _best_first(found, seat), pure=True)


def _solve_secret(state: State, seat: Seat, tree: _Tree) -> Solved:
    """Plays every choice of a seat against every choice of the only other one."""
    found = []
    most: dict[ZoffAction, Value] = {}
    for action in _GAME.legal(state, seat):
        sealed = _GAME.apply(state, seat, action).state
        (other,) = _GAME.to_act(sealed)
        answers = []
        for reply in _GAME.legal(sealed, other):
            shown = _GAME.apply(sealed, other, reply).state
            end = tree.best(shown)
            answers.append((end.values[seat], reply, shown, end))
            most[reply] = max(most.get(reply, end.values[seat]), end.values[seat])
        value, reply, shown, end = min(answers, key=lambda answer: answer[0])
        line = ((seat, action), (other, reply), *tree.line(shown))
        found.append(Choice(action, end, value, line))
    choices = _best_first(found, seat)
    return Solved(seat, choices, pure=choices[0].worst == min(most.values()))


def _best_first(found: list[Choice], seat: Seat) -> tuple[Choice, ...]:
    return tuple(sorted(found, key=lambda choice: choice.end.values[seat], reverse=True))


class _Tree:
    """All states that follow, each evaluated once. `left` counts how many may be evaluated yet."""

    def __init__(self) -> None:
        self.left = 0
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
            ends = [self.best(after) for _, after in _followers(state, seat)]
            self._best[key] = max(ends, key=lambda end: end.values[seat])
        return self._best[key]

    def worst(self, state: State, solver: Seat) -> Value:
        """A seat's value when all others play against it."""
        if state.ending is not None or state.setup.rules.players == 2:
            return self.best(state).values[solver]
        key = (solver, *_key(state))
        if key not in self._worst:
            self._count()
            (seat,) = _GAME.to_act(state)
            values = [self.worst(after, solver) for _, after in _followers(state, seat)]
            self._worst[key] = max(values) if seat == solver else min(values)
        return self._worst[key]

    def line(self, state: State) -> Iterator[tuple[Seat, ZoffAction]]:
        """The actions that lead to the end of `best`."""
        while state.ending is None:
            (seat,) = _GAME.to_act(state)
            end = self.best(state)
            action, state = next(
                (action, after)
                for action, after in _followers(state, seat)
                if self.best(after) == end
            )
            yield seat, action

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLarge


def _followers(state: State, seat: Seat) -> Iterator[tuple[ZoffAction, State]]:
    for action in _GAME.legal(state, seat):
        yield action, _GAME.apply(state, seat, action).state


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
