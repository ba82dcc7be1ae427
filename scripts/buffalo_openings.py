"""Chooses balanced openings of Buffalo for matches.

    python scripts/buffalo_openings.py --seed 1 --count 60 --out src/stampede/lab/arena/openings.txt

Random but not senseless first moves from the start; kept are positions that a search judges to be near even. Each is
played with both sides, so what is left of an advantage hits both players alike.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from stampede.buffalo import Position
from stampede.search.buffalo.engine import Engine, Limits


def candidate(rng: random.Random, plies: int, engine: Engine) -> Position:
    """A position after some moves, each drawn among those not far from the best at a glance."""
    position = Position.start()
    for _ in range(plies):
        lines = engine.search(position, Limits(depth=2), variations=96).variations
        near = [line.move for line in lines if line.score >= lines[0].score - 120]
        position = position.after(rng.choice(near))
    return position


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=300_000)
    parser.add_argument("--within", type=int, default=40, help="hundredths")
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args()
    rng = random.Random(told.seed)
    engine = Engine()
    chosen: dict[str, int] = {}
    while len(chosen) < told.count:
        engine.forget()
        position = candidate(rng, rng.randrange(6, 15), engine)
        if position.is_over:
            continue
        score = engine.search(position, Limits(nodes=told.nodes)).best.score
        known = chosen.keys() & {position.fen(), position.mirror().fen()}
        if abs(score) <= told.within and not known:
            chosen[position.fen()] = score
    head = f"# Made by scripts/buffalo_openings.py --seed {told.seed} --count {told.count}\n"
    told.out.write_text(head + "".join(f"{fen}\n" for fen in chosen), "utf-8")


if __name__ == "__main__":
    main()
