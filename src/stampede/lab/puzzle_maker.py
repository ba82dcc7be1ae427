"""Making puzzles: plays games of various strengths and tests every position."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from stampede.bots.buffalo import buffalo_bot
from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.lab.arena.openings import shipped_openings
from stampede.proofs.puzzles.prove import glance, only_win, theme_of
from stampede.proofs.puzzles.puzzle import Puzzle
from stampede.search.buffalo.engine import Engine, Limits
from stampede.search.buffalo.variations import Variation

__all__ = [
    "PARTS",
    "PROOF_NODES",
    "CollectionPart",
    "divide_collection",
    "make_part",
    "make_puzzles",
    "merge_parts",
    "mirrored_key",
    "missed_by",
]

PROOF_NODES: Final = 80_000
"""The nodes of a search for a proof; what it doesn't prove is no puzzle."""
PARTS: Final = (4, 8)
"""The number of parts with puzzles from bots' games and from quick games. It doesn't depend on the number of
processes, so a collection is always the same."""
_FROM_BOTS: Final = 12
"""One in this many puzzles is from a game between bots, which takes longer."""
_EASY: Final = 2
"""At most one in this many puzzles is solved by all levels."""
_ALIKE: Final = 2
"""At most one in this many puzzles, plus one, has the same theme."""
_FROM_OPENINGS: Final = 0.7
_PLAYERS: Final = range(2, 7)
_SOLVERS: Final = range(1, 8)
_APART: Final = 4
"""Plies between two puzzles of a game: neighbours are alike."""
_PATIENCE: Final = 8
"""After this many positions of a game without a proof, earlier ones aren't tried."""


@dataclass(frozen=True, slots=True)
class CollectionPart:
    """A part of a collection.

    Attributes:
        seed: Its seed.
        count: Its number of puzzles.
        quick: The kind of games: see `make_puzzles`.
    """

    seed: str
    count: int
    quick: bool


def divide_collection(seed: str, count: int) -> tuple[CollectionPart, ...]:
    """Divides a collection into parts, each with its share of the puzzles."""
    from_bots = count // _FROM_BOTS
    kinds = zip(PARTS, ("bots", "hasty"), (from_bots, count - from_bots), strict=True)
    return tuple(
        CollectionPart(f"{seed}/{kind}/{number}", (total + number) // parts, kind == "hasty")
        for parts, kind, total in kinds
        for number in range(parts)
    )


def make_part(part: CollectionPart) -> Iterator[Puzzle]:
    """Makes the puzzles of a part, without too many easy ones or too many of one theme."""
    themes: Counter[str] = Counter()
    easy = kept = 0
    for puzzle in make_puzzles(part.seed, quick=part.quick) if part.count else ():
        is_easy = puzzle.grade == 1
        if kept >= _EASY and is_easy and easy * _EASY >= kept:
            continue
        if kept >= _ALIKE and themes[puzzle.theme] * _ALIKE > kept:
            continue
        easy, kept = easy + is_easy, kept + 1
        themes[puzzle.theme] += 1
        yield puzzle
        if kept == part.count:
            return


def make_puzzles(seed: str, *, quick: bool = False) -> Iterator[Puzzle]:
    """Makes puzzles without end, no two of them mirror images. The same seed makes the same puzzles.

    Args:
        seed: Any text.
        quick: Use games of a quick search with some random moves, instead of games between bots.
    """
    seen: set[int] = set()
    openings = shipped_openings()
    number, game = 0, 0
    while True:
        game += 1
        rng = random.Random(f"{seed}/{game}")
        start = rng.choice(openings) if rng.random() < _FROM_OPENINGS else Position.start()
        played = _play_quick_game(start, rng) if quick else _play_bots_game(start, rng)
        for position, line in _find_puzzles(played):
            key = mirrored_key(position)
            if key not in seen:
                seen.add(key)
                number += 1
                yield _puzzle(number, position, line, f"{seed}/{game}")


def _puzzle(number: int, position: Position, line: Variation, seed: str) -> Puzzle:
    theme = theme_of(position, line.move, PROOF_NODES)
    missed = missed_by(position, str(line.move), seed)
    assert line.plies is not None, "only proven lines make puzzles"
    return Puzzle(number, position, line.moves, line.plies, missed, theme)


def merge_parts(parts: Iterable[Iterable[Puzzle]], seed: str) -> list[Puzzle]:
    """Merges parts into a collection: removes mirror images, shuffles, and numbers the puzzles."""
    unique = {mirrored_key(puzzle.position): puzzle for part in parts for puzzle in part}
    order = list(unique.values())
    random.Random(seed).shuffle(order)
    return [replace(puzzle, number=number) for number, puzzle in enumerate(order, 1)]


def mirrored_key(position: Position) -> int:
    """A key that a position and its mirror image share."""
    return int(canonical_key(signed(encode(position))))


def _find_puzzles(played: list[Position]) -> Iterator[tuple[Position, Variation]]:
    """Finds the puzzles of one game, from its end backwards."""
    unproven, skip = 0, 0
    for position in reversed(played):
        skip -= 1
        plies = glance(position)
        unproven = unproven + 1 if plies is None else 0
        if unproven > _PATIENCE:
            return
        if plies is None or plies <= 0 or skip > 0:
            continue
        line = only_win(position, PROOF_NODES)
        if line is not None:
            skip = _APART
            yield position, line


def missed_by(position: Position, solution: str, seed: str) -> tuple[int, ...]:
    """The levels that play another move in a single try."""
    return tuple(
        level
        for level in _SOLVERS
        if str(buffalo_bot(level).move(position, random.Random(f"{seed}/{level}"))) != solution
    )


def _play_bots_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game between two bots."""
    bots = {side: buffalo_bot(rng.choice(_PLAYERS)) for side in Side}
    played = []
    while not position.is_over:
        played.append(position)
        position = position.after(bots[position.turn].move(position, rng))
    return played


def _play_quick_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game between two quick searches, with every eighth move drawn at random."""
    engine = Engine(entries=1 << 12)
    budgets = {side: Limits(nodes=rng.choice((100, 400, 1_500))) for side in Side}
    played = []
    while not position.is_over:
        played.append(position)
        if rng.random() < 1 / 8:
            move = position.legal_moves.sample(rng)
        else:
            move = engine.search(position, budgets[position.turn]).best.move
        position = position.after(move)
    return played
