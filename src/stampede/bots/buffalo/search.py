"""How the levels of Buffalo that search choose: a search within their budget, and their way among its moves."""

from __future__ import annotations

import math
import random
from typing import Final

from stampede.bots.buffalo.book import draw_book_move
from stampede.bots.buffalo.levels import BuffaloLevel, Thought
from stampede.buffalo import Move, Position, Side
from stampede.oracle import default_oracle
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.variations import Variation
from stampede.search.buffalo.weights import Weights, shipped_weights, strongest_weights

__all__ = ["choose_step", "search_first_move", "think"]

_ALL_MOVES: Final = 96
_MAX_ENTRIES: Final = 1 << 22
_DISTANT_LOSS: Final = 16
"""Plies: a proven loss that is farther away isn't accepted without a fight."""
_MIN_OPENING_NODES: Final = 200


def think(
    level: BuffaloLevel, thought: Thought, position: Position, rng: random.Random
) -> Variation:
    """A move in an ordinary turn, with its variation and score: from the opening book, else by a search."""
    if thought.book and (known := draw_book_move(position, thought.book, rng)) is not None:
        return known
    limits = Limits(thought.depth, thought.nodes, level.seconds)
    wanted = _ALL_MOVES if thought.temperature else 1
    entries = _table_entries(thought.nodes)
    oracle = default_oracle() if level.uses_oracle else None
    weights = _weights(thought)
    found = Engine(entries, weights, oracle=oracle).search(position, limits, variations=wanted)
    plies = found.best.plies
    if oracle is not None and plies is not None and plies < -_DISTANT_LOSS:
        # All moves lose. An opponent without the proof errs where the position looks good, not where the proof is
        # longest, so play what the search alone likes best.
        found = Engine(entries, weights).search(position, limits, variations=wanted)
    return _draw_variation(found.variations, thought, rng)


def search_first_move(thought: Thought, position: Position) -> Move:
    """The best move that a level finds at the beginning of a game, where no tablebase or certificate reaches."""
    engine = Engine(_table_entries(thought.nodes), _weights(thought))
    return engine.search(position, Limits(thought.depth, thought.nodes)).best.move


def choose_step(
    thought: Thought, position: Position, steps: tuple[Move, ...], rng: random.Random
) -> Move:
    """One of the steps of an opening turn (B4.3). Each is searched as if the hunter moved next."""
    nodes = max(_MIN_OPENING_NODES, thought.nodes // (4 * len(steps)))
    entries, weights = _table_entries(nodes), _weights(thought)
    variations = []
    for step in steps:
        after = position.after(step).with_turn(Side.HUNTER)
        answer = Engine(entries, weights).search(after, Limits(thought.depth, nodes)).best
        variations.append(Variation((step, *answer.moves), -answer.score, answer.depth + 1))
    variations.sort(key=lambda variation: -variation.score)
    return _draw_variation(tuple(variations), thought, rng).move


def _weights(thought: Thought) -> Weights:
    return strongest_weights() if thought.network else shipped_weights()


def _table_entries(nodes: int) -> int:
    """The size of a transposition table that so many nodes don't fill; a small one is quicker to allocate."""
    return min(_MAX_ENTRIES, 2 * nodes)


def _draw_variation(
    variations: tuple[Variation, ...], thought: Thought, rng: random.Random
) -> Variation:
    """The best variation, or another one: the worse, the less likely (softmax with the temperature)."""
    best, temperature = variations[0].score, thought.temperature
    if temperature == 0:
        return variations[0]
    fit = [variation for variation in variations if best - variation.score <= thought.tolerance]
    chances = [math.exp((variation.score - best) / temperature) for variation in fit]
    return rng.choices(fit, chances)[0]
