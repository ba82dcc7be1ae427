"""Making puzzles: games of various strengths, every position of which is asked whether it is one."""

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
    "make_part",
    "make_puzzles",
    "mirrored_key",
    "missed_by",
    "mixed",
    "parts_of",
]

PROOF_NODES: Final = 80_000
"""How long is looked for a proof; what isn't proven then is no puzzle."""
PARTS: Final = (4, 8)
"""In how many parts puzzles from bots' and from hasty games are made, however many processes there are, so that a
collection is always the same."""
_FROM_BOTS: Final = 12
"""One puzzle of so many comes from games between bots, which take longer."""
_EASY: Final = 2
"""At most one puzzle of so many is one that all levels find."""
_ALIKE: Final = 2
"""At most one puzzle of so many, and one more, has any one theme."""
_FROM_OPENINGS: Final = 0.7
_PLAYERS: Final = range(2, 7)
_SOLVERS: Final = range(1, 8)
_APART: Final = 4
"""So many moves lie between two puzzles of a game: neighbours are alike."""
_PATIENCE: Final = 8
"""After so many positions of a game without a proof in sight, earlier ones aren't tried."""


@dataclass(frozen=True, slots=True)
class CollectionPart:
    """A part of a collection.

    Attributes:
        seed: Its seed.
        count: How many puzzles it has.
        quick: From which games: see `make_puzzles`.
    """

    seed: str
    count: int
    quick: bool


def parts_of(seed: str, count: int) -> tuple[CollectionPart, ...]:
    """The parts of a collection, each with its share of the puzzles."""
    from_bots = count // _FROM_BOTS
    kinds = zip(PARTS, ("bots", "hasty"), (from_bots, count - from_bots), strict=True)
    return tuple(
        CollectionPart(f"{seed}/{kind}/{number}", (total + number) // parts, kind == "hasty")
        for parts, kind, total in kinds
        for number in range(parts)
    )


def make_part(part: CollectionPart) -> Iterator[Puzzle]:
    """The puzzles of a part, without too many easy ones, and without too many of the same theme."""
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
    """Puzzles without end, no two of them equal up to a mirror. The same seed makes the same ones.

    Args:
        seed: Any text.
        quick: From games of a hasty search with some moves by chance, instead of games between bots.
    """
    seen: set[int] = set()
    openings = shipped_openings()
    number, game = 0, 0
    while True:
        game += 1
        rng = random.Random(f"{seed}/{game}")
        start = rng.choice(openings) if rng.random() < _FROM_OPENINGS else Position.start()
        played = _hasty_game(start, rng) if quick else _bots_game(start, rng)
        for position, line in _found(played):
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


def mixed(parts: Iterable[Iterable[Puzzle]], seed: str) -> list[Puzzle]:
    """A collection out of several parts: no two equal up to a mirror, in an order that tells nothing, numbered anew."""
    unique = {mirrored_key(puzzle.position): puzzle for part in parts for puzzle in part}
    order = list(unique.values())
    random.Random(seed).shuffle(order)
    return [replace(puzzle, number=number) for number, puzzle in enumerate(order, 1)]


def mirrored_key(position: Position) -> int:
    """The same number for a position and its mirror image."""
    return int(canonical_key(signed(encode(position))))


def _found(played: list[Position]) -> Iterator[tuple[Position, Variation]]:
    """The puzzles of one game, from its end back."""
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
    """The levels that play something else, each asked once."""
    return tuple(
        level
        for level in _SOLVERS
        if str(buffalo_bot(level).move(position, random.Random(f"{seed}/{level}"))) != solution
    )


def _bots_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game between two bots."""
    bots = {side: buffalo_bot(rng.choice(_PLAYERS)) for side in Side}
    played = []
    while not position.is_over:
        played.append(position)
        position = position.after(bots[position.turn].move(position, rng))
    return played


def _hasty_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game in which both sides look at few positions, and every eighth move is a random one."""
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
