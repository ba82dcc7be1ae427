"""Making puzzles: plays games of various strengths and tests every position."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stampede.bots.buffalo.levels import BuffaloLevel, Thought
from stampede.bots.buffalo.player import BuffaloBot
from stampede.bots.buffalo.sight import Sight
from stampede.buffalo import Position, Side
from stampede.core.json import Json, expect_int, expect_list, expect_str
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.lab.arena.openings import tuning_openings
from stampede.lab.shards import ItemMaker, Job, JobFolder
from stampede.proofs.puzzles.prove import (
    LEAST_WIN,
    glance,
    only_win,
    play_out,
    puzzle_engine,
    theme_of,
)
from stampede.proofs.puzzles.puzzle import Puzzle, read_puzzles
from stampede.search.buffalo.engine import Limits
from stampede.search.buffalo.variations import Variation

__all__ = [
    "PART_SIZE",
    "PROOF_NODES",
    "CollectionPart",
    "collection_job",
    "divide_collection",
    "make_part",
    "make_puzzles",
    "merge_parts",
    "mirrored_key",
    "missed_by",
    "read_collection",
]

PROOF_NODES: Final = 80_000
"""The nodes of a search for a proof; what it doesn't prove is no puzzle."""
PART_SIZE: Final = 25
"""The puzzles of a part. A larger collection has the parts of a smaller one, and more."""
_FROM_BOTS: Final = 12
"""One in this many parts is from games between bots, which take longer."""
_EASY: Final = 2
"""At most one in this many puzzles of a part is solved by all solvers."""
_ALIKE: Final = 3
"""At most one in this many puzzles of a part, plus one, has the same theme."""
_ONE_SIDED: Final = 1.8
"""A part's number of puzzles divided by this is the most for one side, plus one."""
_FROM_OPENINGS: Final = 0.7
_OPENINGS: Final = 100
"""The first openings for tuning; a file that grows leaves the collections of a seed as they are."""
_SOLVERS: Final = tuple(
    BuffaloBot(BuffaloLevel(number, f"solver {number}", buffalo, hunter))
    for number, buffalo, hunter in (
        (1, Sight(60, 0.1, 10, 2, is_hasty=True), Sight(36, 0.1, 5, is_hasty=True)),
        (2, Sight(20, 0.05, 10, 3, is_hasty=True), Sight(42, 0.05, 5, 3, is_hasty=True)),
        (3, Thought(2_000, 3, 90, 300), Thought(2_000, 3, 10, 300)),
        (4, Thought(4_000, 4, 85, 200), Thought(4_000, 4, 12, 150)),
        (5, Thought(4_000, 4, 62, 150), Thought(6_000, None, 9, 100)),
        (6, Thought(4_000, 4, 39, 150, book=80), Thought(12_000, None, 11, 50, book=40)),
        (7, Thought(12_000, None, 50, 80, book=40), Thought(14_000, None, 1, 50, book=30)),
    )
)
"""Who grades puzzles, weakest first: bots of their own, so that a collection stays the same when levels are tuned."""
_PLAYERS: Final = _SOLVERS[1:6]
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
    """Divides a collection into parts of `PART_SIZE` puzzles; the last may have fewer."""
    parts = []
    for number in range(-(-count // PART_SIZE)):
        quick = number % _FROM_BOTS != _FROM_BOTS - 1
        size = min(PART_SIZE, count - number * PART_SIZE)
        parts.append(CollectionPart(f"{seed}/{'hasty' if quick else 'bots'}/{number}", size, quick))
    return tuple(parts)


def collection_job(seed: str, count: int) -> Job:
    """Describes a collection as a job for `stampede.lab.shards`: item ``i`` has the puzzles of part ``i``."""
    parts = len(divide_collection(seed, count))
    work = "stampede.lab.puzzle_maker:open_collection"
    return Job("puzzles", work, parts, seed, {"count": count})


def open_collection(job: Job) -> ItemMaker:
    """Prepares a collection in a worker."""
    parts = divide_collection(str(job.seed), expect_int(job.parameters.get("count"), "count"))
    return lambda index: [puzzle.to_line() for puzzle in make_part(parts[index])]


def read_collection(folder: JobFolder) -> list[Puzzle]:
    """Reads the puzzles of a collection's folder, merged and numbered."""
    parts = [
        read_puzzles("\n".join(expect_str(puzzle, "puzzle") for puzzle in _parsed_list(line)))
        for _, line in folder.lines()
    ]
    return merge_parts(parts, str(folder.job.seed))


def _parsed_list(line: str) -> Sequence[Json]:
    return expect_list(json.loads(line), "part")


def make_part(part: CollectionPart) -> Iterator[Puzzle]:
    """Makes the puzzles of a part, without too many easy ones, or too many of one theme or side."""
    themes: Counter[str] = Counter()
    sides: Counter[Side] = Counter()
    easy = kept = 0
    for puzzle in make_puzzles(part.seed, quick=part.quick) if part.count else ():
        is_easy, side = puzzle.grade == 1, puzzle.position.turn
        if (
            (kept >= _EASY and is_easy and easy * _EASY >= kept)
            or (kept >= _ALIKE and themes[puzzle.theme] * _ALIKE > kept)
            or sides[side] > 1 + kept / _ONE_SIDED
        ):
            continue
        easy, kept = easy + is_easy, kept + 1
        themes[puzzle.theme] += 1
        sides[side] += 1
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
    openings = tuning_openings()[:_OPENINGS]
    number, game = 0, 0
    while True:
        game += 1
        rng = random.Random(f"{seed}/{game}")
        start = rng.choice(openings) if rng.random() < _FROM_OPENINGS else Position.start()
        played = _play_quick_game(start, rng) if quick else _play_bots_game(start, rng)
        for position, line in _find_puzzles(played):
            key = mirrored_key(position)
            if key in seen:
                continue
            seen.add(key)
            puzzle = _puzzle(number + 1, position, line, f"{seed}/{game}")
            if puzzle is not None:
                number += 1
                yield puzzle


def _puzzle(number: int, position: Position, found: Variation, seed: str) -> Puzzle | None:
    line = play_out(position, found.move, PROOF_NODES)
    if line is None:
        return None
    theme = theme_of(position, line, PROOF_NODES)
    missed = missed_by(position, str(found.move), seed)
    assert found.plies is not None, "only proven lines make puzzles"
    return Puzzle(number, position, line, max(found.plies, len(line)), missed, theme)


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
    after: int | None = None
    for position in reversed(played):
        skip -= 1
        # The move that was played wins if the other side has lost after it; a search could only find a shorter win.
        plies = 1 - after if after is not None and after < 0 else glance(position)
        after = plies
        unproven = unproven + 1 if plies is None else 0
        if unproven > _PATIENCE:
            return
        if plies is None or plies < LEAST_WIN or skip > 0:
            continue
        line = only_win(position, PROOF_NODES)
        if line is not None:
            skip = _APART
            yield position, line


def missed_by(position: Position, solution: str, seed: str) -> tuple[int, ...]:
    """The numbers of the solvers that play another move in a single try."""
    return tuple(
        solver.level.number
        for solver in _SOLVERS
        if str(solver.move(position, random.Random(f"{seed}/{solver.level.number}"))) != solution
    )


def _play_bots_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game between two bots."""
    bots = {side: rng.choice(_PLAYERS) for side in Side}
    played = []
    while not position.is_over:
        played.append(position)
        position = position.after(bots[position.turn].move(position, rng))
    return played


def _play_quick_game(position: Position, rng: random.Random) -> list[Position]:
    """The positions of a game between two quick searches, with every eighth move drawn at random."""
    engine = puzzle_engine(1 << 12)
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
