"""Draws the README's pictures anew: `.venv/bin/python scripts/pictures.py`."""

from __future__ import annotations

import io
import random
from pathlib import Path

from rich.console import Console

from stampede.buffalo import Move, Position, svg
from stampede.cli.terminal.zoff_board import Palette, board
from stampede.zoff import ZoffGame, ZoffRules

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDTH = 84
OPENING = ("f7f6", "d2d5", "c7c6", "f2f3", "k7k6", "h2k5")
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")

# Rich's own frame loads fonts from the network; this one shows the text with what the reader has.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<title>A table of Zoff in the terminal</title>
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="8" fill="#201c18"/>
<g transform="translate(16, 16)">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def zoff_picture() -> str:
    """The first seat's table in the third round of a random game."""
    game, rules, rng = ZoffGame(), ZoffRules(players=5), random.Random(4)
    state = game.initial(rules, game.draw(rules, rng))
    while state.round < 5:
        seat = game.to_act(state)[0]
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    view = game.view(state, 0)
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(board(view, NAMES, Palette(state.setup.colours), WIDTH))
    return console.export_svg(code_format=FRAME, unique_id="zoff")


def buffalo_picture() -> str:
    """A board after three moves of each side."""
    position = Position.start()
    for move in OPENING:
        position = position.play(move)
    return svg.board(position, last_move=Move.parse(OPENING[-1]))


def main() -> None:
    """Writes all pictures."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "buffalo.svg").write_text(buffalo_picture(), encoding="utf-8")
    (IMAGES / "zoff.svg").write_text(zoff_picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
