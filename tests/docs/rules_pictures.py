"""The pictures of the rules pages, drawn from real positions by our own code; `make reference` writes them anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from stampede.buffalo import Move, Position, svg
from stampede.zoff import State
from stampede.zoff.svg import draw_table
from tests.docs.worked_rounds import EXAMPLES
from tests.zoff.arranged import GAME

__all__ = ["FOLDER", "make_pictures"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "images" / "rules"
OPENING: Final = ("a7a6", "d2a5", "k7k6", "h2k5")
MIDDLE: Final = ("f7f6", "f2f3", "f6f5", "f3f4", "e7e6", "f4f5")
ALONE: Final = "11/11/11/5b5/4C6/DD5D2D/11 w - - 0 20"
"""A chief beside a buffalo, and a dog: where each may go."""
BLOCKED: Final = "bbbbbbbbbbb/3DC6/11/11/11/4D1D1D2/11 b - - 0 3"


def make_pictures() -> dict[str, str]:
    """All pictures by their file names."""
    return dict([*_buffalo(), *_zoff()])


def _buffalo() -> Iterator[tuple[str, str]]:
    yield "buffalo-start.svg", svg.board(Position.start())
    alone = Position.from_fen(ALONE)
    yield "buffalo-moves.svg", svg.board(alone, arrows=_moves_of(alone, "h2"))
    yield "buffalo-chief.svg", svg.board(alone, arrows=_moves_of(alone, "e3"))
    yield "buffalo-blocked.svg", svg.board(Position.from_fen(BLOCKED))
    opening = _play(Position.start(), OPENING)
    yield "buffalo-opening.svg", svg.board(opening, last_move=Move.parse(OPENING[-1]))
    middle = _play(opening, MIDDLE)
    yield "buffalo-capture.svg", svg.board(middle, last_move=Move.parse(MIDDLE[-1]))


def _moves_of(position: Position, square: str) -> list[Move]:
    return [move for move in position.legal_moves if str(move).startswith(square)]


def _play(position: Position, moves: tuple[str, ...]) -> Position:
    for move in moves:
        position = position.play(move)
    return position


def _zoff() -> Iterator[tuple[str, str]]:
    for name, make in EXAMPLES.items():
        worked = make()
        stem = name.replace(" ", "-")
        yield f"zoff-{stem}-before.svg", _draw(worked.before)
        yield f"zoff-{stem}-after.svg", _draw(worked.after)


def _draw(state: State) -> str:
    return draw_table(GAME.view(state, None))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file_name, picture in make_pictures().items():
        (FOLDER / file_name).write_text(picture, encoding="utf-8")
