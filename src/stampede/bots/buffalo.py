"""Bots for Buffalo: search with a level's budget, and a level's way of choosing."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final, TypeVar

from stampede.bots.buffalo_levels import Level, level_of
from stampede.buffalo import Move, Position, Side
from stampede.core.errors import InputError
from stampede.core.game import View
from stampede.oracle import default_oracle
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.variations import Variation

__all__ = ["BuffaloBot", "buffalo_bot"]

A = TypeVar("A")

_ALL: Final = 96
_FAR: Final = 16
"""A defeat that is proven, but farther away than this, isn't accepted without a try."""


def buffalo_bot(number: int) -> BuffaloBot:
    """The bot of a level, 1 to 8; InputError when there is none."""
    return BuffaloBot(level_of(number))


@dataclass(frozen=True, slots=True)
class BuffaloBot:
    """Plays Buffalo at a level, both sides.

    The same view and generator state give the same move as long as the level's time suffices for its nodes and, where
    the level uses tables, the same ones are there.
    """

    level: Level

    @property
    def name(self) -> str:
        """Its name on the command line and in records."""
        return self.level.name

    def choose(self, view: View[A], rng: random.Random) -> A:
        """One of the viewer's legal moves."""
        told = view.to_json()
        if told.get("game") != "buffalo":
            raise InputError(f"{self.name}: expected a view of Buffalo, got {told.get('game')!r}")
        position = Position.from_fen(str(told["fen"]))
        legal = {str(action): action for action in view.legal}
        if told["opening"] is None:
            return legal[str(self.move(position, rng))]
        steps = [Move.parse(text) for text in legal]
        return legal[str(self._opening_step(position, steps, rng).move)]

    def move(self, position: Position, rng: random.Random) -> Move:
        """A move in an ordinary turn."""
        return self.think(position, rng).move

    def think(self, position: Position, rng: random.Random) -> Variation:
        """A move in an ordinary turn, with what is thought to follow and its score."""
        level = self.level
        limits = Limits(level.depth, level.nodes, level.seconds)
        lines = _ALL if level.temperatures[position.turn] else 1
        entries = _entries(level.nodes)
        oracle = default_oracle() if level.knows else None
        found = Engine(entries, oracle=oracle).search(position, limits, variations=lines)
        plies = found.best.plies
        if oracle is not None and plies is not None and plies < -_FAR:
            # Who doesn't know the proof errs rather where things look well than where the proof is longest.
            found = Engine(entries).search(position, limits, variations=lines)
        return _drawn(found.variations, level, position.turn, rng)

    def _opening_step(
        self, position: Position, allowed: list[Move], rng: random.Random
    ) -> Variation:
        """One of the steps of an opening turn (B4.3): each is judged as if the hunter moved next."""
        level = self.level
        limits = Limits(level.depth, max(200, level.nodes // (4 * len(allowed))))
        lines = []
        for move in allowed:
            engine = Engine(entries=_entries(limits.nodes or 1))
            after = position.after(move).with_turn(Side.HUNTER)
            answer = engine.search(after, limits).best
            lines.append(Variation((move, *answer.moves), -answer.score, answer.depth + 1))
        lines.sort(key=lambda line: -line.score)
        return _drawn(tuple(lines), level, Side.BUFFALO, rng)


def _entries(nodes: int) -> int:
    """A table that a search of so many nodes doesn't fill; a small one is quicker to make."""
    return min(1 << 22, 2 * nodes)


def _drawn(lines: tuple[Variation, ...], level: Level, side: Side, rng: random.Random) -> Variation:
    """The best line, or another one, the less likely the worse it is."""
    best, temperature = lines[0].score, level.temperatures[side]
    if temperature == 0:
        return lines[0]
    fit = [line for line in lines if best - line.score <= level.tolerance]
    chances = [math.exp((line.score - best) / temperature) for line in fit]
    return rng.choices(fit, chances)[0]
