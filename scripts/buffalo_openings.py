"""Chooses balanced openings of Buffalo for matches.

    python scripts/buffalo_openings.py --seed 4 --count 85 --out openings.txt
        --avoid src/stampede/lab/arena/openings-tuning.txt

Random but not senseless first moves from the start. Kept are positions that a search judges to be near even and that
each side wins in half of some games of self-play, one game for each budget of `--games`. Even for the search doesn't
mean a score of 0: games between equal engines are even where it sees the buffalo side somewhat ahead.

Each opening is played with both sides, so what is left of an advantage hits both players alike. Positions of the files
to avoid, and their mirror images, are left out, so that openings for tuning and openings for judging have nothing in
common. The same options give the same file, whatever the number of processes, and a smaller count its beginning.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Generator
from contextlib import closing
from functools import cache, partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from rich.progress import Progress

from stampede.buffalo import Position, Side
from stampede.lab.arena.balance import SelfPlay
from stampede.lab.arena.openings import read_openings
from stampede.search.buffalo.engine import Engine, Limits

_SETTINGS: Final = ("seed", "count", "nodes", "between", "games", "least")


def candidate(rng: random.Random, plies: int, engine: Engine) -> Position:
    """A position after some moves, each drawn among those not far from the best at a glance."""
    position = Position.start()
    for _ in range(plies):
        if position.is_over:
            break
        lines = engine.search(position, Limits(depth=2), variations=96).variations
        near = [line.move for line in lines if line.score >= lines[0].score - 120]
        position = position.after(rng.choice(near))
    return position


def judge(index: int, told: argparse.Namespace) -> str | None:
    """The FEN of a candidate, if it is balanced."""
    engine, games = _players(tuple(told.games))
    engine.forget()
    rng = random.Random(f"{told.seed}/{index}")
    position = candidate(rng, rng.randrange(6, 15), engine)
    if position.is_over:
        return None
    score = engine.search(position, Limits(nodes=told.nodes)).best.score
    low, high = told.between
    if not low <= (score if position.turn is Side.BUFFALO else -score) <= high:
        return None
    return position.fen() if games.is_balanced(position, told.least) else None


@cache
def _players(budgets: tuple[int, ...]) -> tuple[Engine, SelfPlay]:
    return Engine(), SelfPlay(budgets)


def judged(told: argparse.Namespace) -> Generator[str | None, None, None]:
    """All candidates in their order, judged by one or more processes; endless."""
    one = partial(judge, told=told)
    if told.jobs == 1:
        yield from map(one, count())
        return
    with get_context("spawn").Pool(told.jobs) as pool:
        for first in count(0, 32 * told.jobs):
            yield from pool.imap(one, range(first, first + 32 * told.jobs))


def main() -> None:
    """Writes the file, line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=100_000, help="of the search that judges")
    parser.add_argument(
        "--between", type=int, nargs=2, default=[60, 240], metavar="HUNDREDTHS",
        help="its score for the buffalo side",
    )  # fmt: skip
    parser.add_argument(
        "--games", type=int, nargs="+", default=[3000, 5000, 8000, 13_000, 21_000, 34_000],
        metavar="NODES", help="a move, of each game of self-play",
    )  # fmt: skip
    parser.add_argument("--least", type=int, default=3, help="games that each side wins at least")
    parser.add_argument("--avoid", type=Path, nargs="*", default=[], help="files of openings")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args()
    known = {opening.fen() for file in told.avoid for opening in read_openings(file)}
    with (
        Progress() as progress,
        told.out.open("w", encoding="utf-8") as file,
        closing(judged(told)) as fens,
    ):
        task = progress.add_task("openings", total=told.count)
        file.write(f"# Made by scripts/buffalo_openings.py{_settings(told)}\n")
        left = told.count
        while left:
            fen = next(fens)
            if fen is None or known & {fen, Position.from_fen(fen).mirror().fen()}:
                continue
            known.add(fen)
            file.write(f"{fen}\n")
            file.flush()
            left -= 1
            progress.advance(task)


def _settings(told: argparse.Namespace) -> str:
    parts = []
    for name in _SETTINGS:
        value = getattr(told, name)
        parts.append(
            f" --{name} " + " ".join(map(str, value if isinstance(value, list) else [value]))
        )
    return "".join(parts)


if __name__ == "__main__":
    main()
