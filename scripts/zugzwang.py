"""Looks for zugzwang: positions that the hunter would win by passing, and doesn't win by moving.

    python scripts/zugzwang.py boards            every position of the small boards; a minute or two
    python scripts/zugzwang.py boards --most 4   those of up to four columns; seconds
    python scripts/zugzwang.py sample            random positions of the real board with dogs tied to buffaloes

The same seed and numbers of positions and nodes give the same sample. docs/puzzles.md has the counts.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import FILES, RANKS
from stampede.proofs.puzzles.prove import proven_winner
from stampede.tablebase.build import build_columns
from stampede.tablebase.geometry import list_states
from stampede.tablebase.layers import hunter_rows
from stampede.tablebase.rows import read_row, row_bound
from stampede.tablebase.spec import DIGITS, TablebaseSpec
from stampede.tablebase.tablebase import open_tablebase

ALL_RANKS: Final = (2, 3, 4, 5, 6)
BOARDS: Final = ((3, (2, 3, 4)), (4, (1, 2, 3, 4)), (5, (1, 2, 3)), (6, (1, 2)))
"""Columns, and with how many dogs."""
WIDTH: Final = len(FILES)
DOGS: Final = 4


def count_board(columns: int, dogs: int, folder: Path) -> tuple[int, int]:
    """How many positions the hunter wins by passing but by no move, and how many the hunter wins by passing.

    Of a board of so many columns with all states of its buffaloes, the dogs anywhere: every position there is.
    """
    tablebase = open_tablebase(
        build_columns(TablebaseSpec.of(columns, dogs, ALL_RANKS), folder, cores=1)
    )
    plan, spec = tablebase.geometry, tablebase.spec
    states, _ = list_states(spec)
    placements = len(plan.dogs)
    bound = row_bound(plan.planes, placements, spec.size)
    room = np.empty((4, max(placements, 16)), dtype=np.int64)
    passing, moving = np.zeros((2, placements), dtype=np.int64)
    stuck = wins = 0
    for state in states:
        out, ends = np.zeros(bound, dtype=np.int64), np.zeros(1, dtype=np.int64)
        hunter_rows(plan, np.array([state]), tablebase.words, tablebase.where, out, ends, room)
        base = int(tablebase.where[state])
        if base == 0:
            continue
        rows = [int(state) // DIGITS**at % DIGITS for at in range(columns)]
        taken = sum(1 << spec.number(row, at) for at, row in enumerate(rows) if 1 <= row < 5)
        read_row(plan, tablebase.words, base - 1, taken, passing)
        moving[:] = 0
        if ends[0]:
            read_row(plan, out, 0, taken, moving)
        stuck += int(np.bitwise_count(passing & ~moving).sum())
        wins += int(np.bitwise_count(passing).sum())
    return stuck, wins


def draw_tied(rng: random.Random) -> Position:
    """A random position with two to four dogs right before buffaloes, the hunter to move."""
    files = rng.sample(range(WIDTH), rng.randint(2, 7))
    buffaloes = [rng.randint(2, len(RANKS) - 1) * WIDTH + file for file in files]
    tied = rng.sample(buffaloes, min(rng.randint(2, DOGS), len(buffaloes)))
    dogs = [square - WIDTH for square in tied]
    prairie = range(WIDTH, (len(RANKS) - 1) * WIDTH)
    free = [square for square in prairie if square not in (*buffaloes, *dogs)]
    *others, chief = rng.sample(free, DOGS - len(dogs) + 1)
    cells = ["."] * (len(RANKS) * WIDTH)
    for square in buffaloes:
        cells[square] = "b"
    for square in (*dogs, *others):
        cells[square] = "D"
    cells[chief] = "C"
    ranks = ["".join(cells[at : at + WIDTH]) for at in range(0, len(cells), WIDTH)]
    return Position.from_fen(f"{'/'.join(map(_shorten, reversed(ranks)))} w - - 0 1")


def _shorten(rank: str) -> str:
    for length in range(WIDTH, 0, -1):
        rank = rank.replace("." * length, str(length))
    return rank


def judge(position: Position, nodes: int) -> str:
    """What a search of so many nodes proves: ``open`` if not even that passing wins, else who wins with the move."""
    passed = Position.from_fen(position.fen().replace(" w ", " b "))
    if passed.is_over or proven_winner(passed, nodes) is not Side.HUNTER:
        return "open"
    winner = proven_winner(position, nodes)
    return {Side.HUNTER: "won", Side.BUFFALO: "zugzwang", None: "unknown"}[winner]


def sample(count: int, nodes: int, seed: int) -> Iterator[tuple[Position, str]]:
    """Draws positions and judges them."""
    rng = random.Random(seed)
    for _ in range(count):
        position = draw_tied(rng)
        yield position, judge(position, nodes)


def main() -> None:
    """Counts what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("boards", "sample"))
    parser.add_argument("--most", type=int, default=6, help="columns of the widest board")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.what == "sample":
        found: Counter[str] = Counter()
        for position, verdict in sample(told.positions, told.nodes, told.seed):
            found[verdict] += 1
            if verdict == "zugzwang":
                print(position.fen(), flush=True)
        print(f"{told.positions} positions: {dict(sorted(found.items()))}")
        return
    total = 0
    for columns, sizes in BOARDS:
        for dogs in sizes if columns <= told.most else ():
            with TemporaryDirectory() as folder:
                stuck, wins = count_board(columns, dogs, Path(folder))
            total += wins
            print(f"{columns} columns, {dogs} dogs: {wins} won by passing, {stuck} not by moving")
    print(f"{total} won by passing in all")


if __name__ == "__main__":
    main()
