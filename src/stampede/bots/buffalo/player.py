"""Bots for Buffalo: at first sight, or by a search within a level's budget.

Compiled code is loaded by `stampede.bots.buffalo.search`, at the first move of a level that searches.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TypeVar, cast

from stampede.bots.buffalo.first_moves import find_first_move
from stampede.bots.buffalo.levels import BuffaloLevel, level_of
from stampede.bots.buffalo.sight import Sight, move_at_sight
from stampede.buffalo import BuffaloView, Move, Position
from stampede.core.errors import InputError, NotToAct
from stampede.core.game import View

__all__ = ["BuffaloBot", "buffalo_bot"]

A = TypeVar("A")


def buffalo_bot(number: int) -> BuffaloBot:
    """The bot of a level, 1 to 10; InputError when there is none."""
    return BuffaloBot(level_of(number))


@dataclass(frozen=True, slots=True)
class BuffaloBot:
    """A player of Buffalo, for both sides.

    The same view and generator state give the same move, as long as the level's time suffices for its nodes and, where
    the level uses the oracle, the same tablebases are there.

    Attributes:
        level: How strong it is.
    """

    level: BuffaloLevel

    @property
    def name(self) -> str:
        """Its name on the command line and in records."""
        return self.level.name

    @property
    def needs_compiled_code(self) -> bool:
        """Whether it can't answer before kernels are compiled."""
        return self.level.searches

    @property
    def is_light(self) -> bool:
        """Whether its kernels take a second or two for a move as plain Python."""
        return self.level.is_light

    def knows_answer(self, view: object) -> bool:
        """Whether it answers this view without searching, so that it needs no compiled code."""
        return (
            isinstance(view, BuffaloView)
            and view.opening is None
            and find_first_move(self.level.number, view.position) is not None
        )

    def choose(self, view: View[A], rng: random.Random) -> A:
        """One of ``view.legal``.

        Raises:
            InputError: It isn't a view of Buffalo.
            NotToAct: The viewer isn't to move: the request is outdated.
        """
        seen: object = view
        if not isinstance(seen, BuffaloView):
            raise InputError(f"expected a view of Buffalo, got {type(seen).__name__}")
        return cast("A", self.decide(seen, rng))

    def decide(self, view: BuffaloView, rng: random.Random) -> Move:
        """The viewer's move."""
        if view.viewer is None or view.viewer not in view.to_act:
            raise NotToAct(f"expected a view of seat {view.to_act}, got seat {view.viewer}")
        if view.opening is None:
            return self.move(view.position, rng)
        return self._opening_step(view.position, tuple(view.legal), rng)

    def move(self, position: Position, rng: random.Random) -> Move:
        """A move in an ordinary turn."""
        play = self.level.plays(position.turn)
        if isinstance(play, Sight):
            return move_at_sight(position, tuple(position.legal_moves), play, rng)
        if (known := find_first_move(self.level.number, position)) is not None:
            return known
        from stampede.bots.buffalo.search import think  # noqa: PLC0415 - loads compiled code

        return think(self.level, play, position, rng).move

    def _opening_step(
        self, position: Position, steps: tuple[Move, ...], rng: random.Random
    ) -> Move:
        """One of the steps of an opening turn (B4.3). Each is judged as if the hunter moved next."""
        play = self.level.buffalo
        if isinstance(play, Sight):
            return move_at_sight(position, steps, play, rng)
        from stampede.bots.buffalo.search import choose_step  # noqa: PLC0415 - loads compiled code

        return choose_step(play, position, steps, rng)
