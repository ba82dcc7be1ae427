"""Writes the first moves of the levels that always play the best move that they find: their own first two.

Run it after a change of these levels, of the search or of its weights; takes a minute or two:
  python scripts/buffalo_first_moves.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import stampede.bots.buffalo.first_moves as shipped
from stampede.bots.buffalo.levels import BuffaloLevel, Thought, level_of
from stampede.bots.buffalo.search import search_first_move
from stampede.buffalo import Move, Position, Side

LEVELS: Final = (9, 10)


def main() -> None:
    """Searches all of them and writes the file."""
    found: dict[str, dict[str, str]] = {}
    for number in LEVELS:
        level = level_of(number)
        found[str(number)] = {
            shipped.position_text(position): str(move)
            for side in Side
            for position, move in _first_moves(level, side)
        }
    lines = [
        f"{json.dumps(level)}: {{\n"
        + ",\n".join(f"{json.dumps(text)}: {json.dumps(move)}" for text, move in moves.items())
        + "\n}"
        for level, moves in found.items()
    ]
    path = Path(shipped.__file__).with_name(shipped.FILE)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _first_moves(level: BuffaloLevel, side: Side) -> Iterator[tuple[Position, Move]]:
    """A side's first move in every position that it can be asked in, and its second after every answer."""
    thought = level.plays(side)
    assert isinstance(thought, Thought), "these levels search"
    start = Position.start()
    asked = [start] if side is Side.BUFFALO else [start.after(move) for move in start.legal_moves]
    for position in asked:
        first = search_first_move(thought, position)
        yield position, first
        after = position.after(first)
        for answer in () if after.is_over else after.legal_moves:
            following = after.after(answer)
            if not following.is_over:
                yield following, search_first_move(thought, following)


if __name__ == "__main__":
    main()
