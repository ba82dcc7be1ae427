"""The players of the panel: the sensible beginner, two that look ahead in both games, and one in Buffalo alone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from stampede.buffalo.view import BuffaloView
from stampede.core.errors import InputError
from stampede.lab.panel.buffalo import advise_move, judge_ahead, look_ahead
from stampede.lab.panel.zoff import advise, answer_ahead
from stampede.zoff.view import ZoffView

__all__ = ["Beginner", "OneMove", "TwoMove", "Watchful"]


@dataclass(frozen=True, slots=True)
class Beginner:
    """A sensible beginner: follows the advice of the lessons, and looks no further."""

    name: str = "beginner"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """The first piece of advice that applies, with a random choice among equals."""
        match view:
            case BuffaloView():
                return advise_move(view, rng)
            case ZoffView():
                return advise(view, rng)
            case _:
                raise _unknown(view)


@dataclass(frozen=True, slots=True)
class OneMove:
    """Looks one move ahead: takes what its own next action gains at once, else plays at random."""

    name: str = "one-move"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """An action whose own effect is best."""
        return _ahead(view, 1, rng)


@dataclass(frozen=True, slots=True)
class TwoMove:
    """Looks two moves ahead: at its own action and the best answer to it."""

    name: str = "two-move"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """An action whose effect is best after the strongest answer."""
        return _ahead(view, 2, rng)


@dataclass(frozen=True, slots=True)
class Watchful:
    """Looks one move ahead in Buffalo and judges the board after each of its moves, by the engine's evaluation."""

    name: str = "watchful"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """The move after which the board looks best."""
        if not isinstance(view, BuffaloView):
            raise InputError(f"expected a view of Buffalo, got {type(view).__name__}")
        return judge_ahead(view, rng)


def _ahead(view: object, moves: int, rng: random.Random) -> object:
    match view:
        case BuffaloView():
            return look_ahead(view, moves, rng)
        case ZoffView():
            return answer_ahead(view, moves, rng)
        case _:
            raise _unknown(view)


def _unknown(view: object) -> InputError:
    return InputError(f"expected a view of Buffalo or Zoff, got {type(view).__name__}")
