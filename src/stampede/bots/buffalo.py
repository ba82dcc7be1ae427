"""Bots for Buffalo: a search within a level's budget, and a level's way of choosing among its moves."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from stampede.bots.buffalo_levels import BuffaloLevel, level_of
from stampede.buffalo import BuffaloView, Move, Position, Side
from stampede.core.errors import InputError, NotToAct
from stampede.core.game import View
from stampede.oracle import default_oracle
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.variations import Variation

__all__ = ["BuffaloBot", "buffalo_bot"]

A = TypeVar("A")

_ALL_MOVES: Final = 96
_MAX_ENTRIES: Final = 1 << 22
_DISTANT_LOSS: Final = 16
"""Plies: a proven loss that is farther away isn't accepted without a fight."""
_MIN_OPENING_NODES: Final = 200


def buffalo_bot(number: int) -> BuffaloBot:
    """The bot of a level, 1 to 8; InputError when there is none."""
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
        return self.think(position, rng).move

    def think(self, position: Position, rng: random.Random) -> Variation:
        """A move in an ordinary turn, with its variation and score."""
        level = self.level
        limits = Limits(level.depth, level.nodes, level.seconds)
        wanted = _ALL_MOVES if level.temperatures[position.turn] else 1
        entries = _table_entries(level.nodes)
        oracle = default_oracle() if level.uses_oracle else None
        found = Engine(entries, oracle=oracle).search(position, limits, variations=wanted)
        plies = found.best.plies
        if oracle is not None and plies is not None and plies < -_DISTANT_LOSS:
            # All moves lose. An opponent without the proof errs where the position looks good, not where the proof is
            # longest, so play what the search alone likes best.
            found = Engine(entries).search(position, limits, variations=wanted)
        return _draw_variation(found.variations, level, position.turn, rng)

    def _opening_step(
        self, position: Position, steps: tuple[Move, ...], rng: random.Random
    ) -> Move:
        """One of the steps of an opening turn (B4.3). Each is searched as if the hunter moved next."""
        level = self.level
        nodes = max(_MIN_OPENING_NODES, level.nodes // (4 * len(steps)))
        variations = []
        for step in steps:
            after = position.after(step).with_turn(Side.HUNTER)
            answer = Engine(_table_entries(nodes)).search(after, Limits(level.depth, nodes)).best
            variations.append(Variation((step, *answer.moves), -answer.score, answer.depth + 1))
        variations.sort(key=lambda variation: -variation.score)
        return _draw_variation(tuple(variations), level, Side.BUFFALO, rng).move


def _table_entries(nodes: int) -> int:
    """The size of a transposition table that so many nodes don't fill; a small one is quicker to allocate."""
    return min(_MAX_ENTRIES, 2 * nodes)


def _draw_variation(
    variations: tuple[Variation, ...], level: BuffaloLevel, side: Side, rng: random.Random
) -> Variation:
    """The best variation, or another one: the worse, the less likely (softmax with the level's temperature)."""
    best, temperature = variations[0].score, level.temperatures[side]
    if temperature == 0:
        return variations[0]
    fit = [variation for variation in variations if best - variation.score <= level.tolerance]
    chances = [math.exp((variation.score - best) / temperature) for variation in fit]
    return rng.choices(fit, chances)[0]
