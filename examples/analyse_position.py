"""Analyses a position of Buffalo and draws it, with an arrow for the best move.

    python examples/analyse_position.py [FEN] [PICTURE]

Needs stampede[engine]. The first run compiles the engine, which takes a moment.
"""

import sys
from pathlib import Path

import stampede
from stampede.buffalo import svg
from stampede.search.buffalo.analysis import analyse
from stampede.search.buffalo.engine import Engine, Limits

FEN = "bbbbb2bbbb/11/5b5/11/6C4/3DDD1D3/11 w - - 0 4"


def main(fen: str = FEN, picture: str = "position.svg") -> None:
    """Prints the best moves and writes the picture."""
    position = stampede.Position.from_fen(fen)
    found = analyse(position, Limits(nodes=20_000), engine=Engine(), variations=3)
    print(position)
    print(f"{position.turn} to move: {found.verdict}")
    for line in found.report.variations:
        print(f"{line.score / 100:+.2f}  {' '.join(map(str, line.moves[:6]))}")
    best = found.report.best.move
    Path(picture).write_text(svg.board(position, arrows=[best]), encoding="utf-8")
    print(f"Picture: {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
