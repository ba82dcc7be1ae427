"""Writes docs/rules/zoff.md and buffalo.md from the English rule book, with pictures; `make reference` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

from stampede.buffalo import Move, Position, svg
from stampede.rulebook import (
    BoardScene,
    Book,
    Clause,
    Figure,
    PastureScene,
    Scene,
    anchor_of,
    read_book,
)
from stampede.zoff.svg import draw_pastures
from stampede.zoff.view import PastureView

__all__ = ["GAMES", "PAGES", "PICTURES", "make_page", "make_pictures"]

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "docs" / "rules"
PICTURES: Final = ROOT / "docs" / "images" / "rules"
GAMES: Final = ("zoff", "buffalo")
NAMES: Final = 17
"""The width of the longest pasture's name."""
STATED: Final = re.compile(r"^- \*\*([ZB]\d+\.\d+)\*\*", re.MULTILINE)
CITED: Final = re.compile(r"(?<![*\w])([ZB]\d+\.\d+)\b(?!\*)")
WORKED: Final = re.compile(r"^<!-- worked: ([\w-]+) (\w+) -->$", re.MULTILINE)
NOTE: Final = "<!-- Written from src/stampede/rulebook/en/{game}.md by `make reference`: change that file. -->\n\n"
SEE_ALSO: Final = """
## See also

The browser shows these rules in five languages under `/rules/{game}`, and the terminal with `stampede rules {game}`.
[The edition](edition.md) lists every pasture and every card with its source.
[Where translations differ](translations.md) compares the old rule sheets point by point.
"""


def make_page(game: str) -> str:
    """Returns the page of a game's rules."""
    book = read_book(game)
    file = resources.files("stampede.rulebook").joinpath(f"en/{game}.md")
    text = file.read_text(encoding="utf-8")
    text = CITED.sub(lambda found: f"[{found[1]}](#{anchor_of(found[1])})", text)
    text = STATED.sub(lambda found: f'- <a id="{anchor_of(found[1])}"></a>**{found[1]}**', text)
    text = re.sub(r"\]\(picture:([\w-]+)\)", r"](../images/rules/\1.svg)", text)
    text = WORKED.sub(lambda found: f"```text\n{_write_worked(book, found[1], found[2])}```", text)
    return NOTE.format(game=game) + text + SEE_ALSO.format(game=game)


def _write_worked(book: Book, name: str, part: str) -> str:
    if part in ("before", "after"):
        scene = book.scenes[f"{book.game}-{name}-{part}"]
        assert isinstance(scene, PastureScene)
        lines = list(_list_pastures(scene.pastures))
    elif part == "choices":
        lines = [
            f" {colour:8} {pasture:{NAMES}} {card}"
            for pasture, card, colour in book.examples[name].choices
        ]
    else:
        lines = list(_list_steps(book, name))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _list_pastures(pastures: tuple[PastureView, ...]) -> Iterator[str]:
    yield f" {'pasture':{NAMES}} capacity  bonuses   herds"
    for pasture in pastures:
        herds = ", ".join(f"{colour} {cows}" for colour, cows in pasture.herds.items())
        ranks = "-".join(map(str, pasture.bonus))
        room = f"{pasture.free} free" if pasture.free else "full"
        yield f" {pasture.name:{NAMES}} {pasture.capacity:5}     {ranks:10}{herds:30} {room}"


def _list_steps(book: Book, name: str) -> Iterator[str]:
    """Every cow that is placed: whose, why, where, and what the herd becomes."""
    yield f" {'herd':8} {'by':{NAMES + 9}} {'cows on':{NAMES}} herd becomes"
    for step in book.examples[name].steps:
        why = step.card or f"bonus of {step.source}"
        result = f"{step.herd} + {step.cows} = {step.herd + step.cows}"
        result += ", full" if step.full else ""
        shown = "wasted" if step.wasted else result
        yield f" {step.colour:8} {why:{NAMES + 9}} {step.pasture:{NAMES}} {shown}"


def make_pictures() -> dict[str, str]:
    """Returns all pictures by their file names."""
    found: dict[str, str] = {}
    for game in GAMES:
        book = read_book(game)
        for figure in _list_figures(book):
            found[f"{figure.scene}.svg"] = _draw(book.scenes[figure.scene], figure.text)
    return found


def _list_figures(book: Book) -> Iterator[Figure]:
    for section in book.sections:
        for block in section.blocks:
            parts = block.parts if isinstance(block, Clause) else (block,)
            yield from (part for part in parts if isinstance(part, Figure))


def _draw(scene: Scene, title: str) -> str:
    match scene:
        case BoardScene(fen=fen, last_move=last, arrows=arrows):
            move = None if last is None else Move.parse(last)
            moves = map(Move.parse, arrows)
            return svg.board(Position.from_fen(fen), last_move=move, arrows=moves)
        case PastureScene(pastures=pastures, cards=cards):
            laid = [(one.colour, one.card) for one in cards]
            return draw_pastures(pastures, laid, title)


if __name__ == "__main__":
    for name in GAMES:
        (PAGES / f"{name}.md").write_text(make_page(name), encoding="utf-8")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for file_name, picture in make_pictures().items():
        (PICTURES / file_name).write_text(picture, encoding="utf-8")
