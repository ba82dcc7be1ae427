"""Cards: a position with title, players and result as one picture, 1200 by 630, as link previews want it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from stampede.server.sharing.moments import Moment
from stampede.server.sharing.texts import Texts

__all__ = ["HEIGHT", "WIDTH", "describe", "draw_card"]

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 40
COLUMN: Final = 372
"""The width of the words, left of the board."""
RAIL: Final = 64
INK, EARTH, SUN = "#33261a", "#5b3a1e", "#ffd34d"
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 40, 26, 22
LETTER: Final = 0.5
"""An average letter's width, as a share of the type size: generous, so that words stay inside."""
MAX_LINES: Final = 5
BOLD: Final = ' font-weight="700"'


def describe(moment: Moment, texts: Texts) -> tuple[str, str]:
    """A title and a sentence for a link preview."""
    names = " – ".join(name for name in moment.names if name)
    winners = ", ".join(moment.winners)
    values = {"game": moment.title, "names": names, "winners": winners, "number": moment.number}
    return texts.titled(moment.kind, **values)


def draw_card(moment: Moment, texts: Texts) -> str:
    """Draws the card."""
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    title, _ = describe(moment, texts)
    family = "Atkinson Hyperlegible, sans-serif"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" font-family="{family}">',
            f"<title>{escape(title)}</title>",
            *_ground(),
            *_board(moment),
            *_words(moment, texts),
            "</svg>",
        ]
    )


def _ground() -> Iterator[str]:
    """Sky, hills and the dark rail at the bottom."""
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f7efdc"/>'
    yield '<path d="M0 470Q180 400 380 455T820 430T1200 470V630H0Z" fill="#dfe0b2"/>'
    yield '<path d="M0 520Q260 455 520 515T1200 500V630H0Z" fill="#c9cf8a"/>'
    yield f'<rect y="{HEIGHT - RAIL}" width="{WIDTH}" height="{RAIL}" fill="{EARTH}"/>'
    yield _text(MARGIN, HEIGHT - 22, "Stampede", 28, "#fff6e2", "slab")


def _board(moment: Moment) -> Iterator[str]:
    """The position, as large as it can be on the right."""
    drawing = moment.drawing
    left, top = MARGIN + COLUMN + 24, 30
    wide, high = WIDTH - left - MARGIN + 10, HEIGHT - RAIL - 2 * top
    scale = min(wide / drawing.width, high / drawing.height)
    width, height = drawing.width * scale, drawing.height * scale
    x, y = left + (wide - width) / 2, top + (high - height) / 2
    yield (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        f' viewBox="0 0 {drawing.width:g} {drawing.height:g}">{drawing.body}</svg>'
    )


def _words(moment: Moment, texts: Texts) -> Iterator[str]:
    y = 84.0
    title, sentence = describe(moment, texts)
    head = moment.title if moment.names else title
    for line in _wrap(head, TITLE_SIZE):
        yield _text(MARGIN, y, line, TITLE_SIZE, INK, "slab")
        y += TITLE_SIZE * 1.15
    if moment.step[1]:
        step, steps = moment.step
        yield _text(MARGIN, y, texts.on_card("step", step=step, steps=steps), SMALL_SIZE, "#5f4a33")
        y += 34
    y += 18
    if not moment.names:
        hint = f"{texts.side(moment.to_move)}: {texts.on_card('to_move')}"
        for line in _wrap(hint if moment.to_move else sentence, TEXT_SIZE):
            yield _text(MARGIN, y, line, TEXT_SIZE, INK)
            y += TEXT_SIZE * 1.3
        return
    yield from _players(moment, texts, y)


def _players(moment: Moment, texts: Texts, top: float) -> Iterator[str]:
    row = min(58.0, (HEIGHT - RAIL - 20 - top) / len(moment.names))
    for seat, name in enumerate(moment.names):
        y = top + seat * row
        has_won = bool(name) and name in moment.winners
        if has_won:
            box = f'x="{MARGIN - 12}" y="{y - 6:g}" width="{COLUMN + 12}" height="{row - 6:g}"'
            yield f'<rect {box} rx="10" fill="{SUN}"/>'
        badge = moment.drawing.badges[seat] if seat < len(moment.drawing.badges) else ""
        colours = max(1, badge.count("#stampede-cow"))
        yield f'<g transform="translate({MARGIN + 14} {y + row / 2 - 10:.1f})">{badge}</g>'
        x, middle = MARGIN + 10 + 28 * colours, y + row / 2 - 2
        label = name or texts.on_card("free")
        side = texts.side(moment.sides[seat]) if moment.sides else ""
        won = texts.on_card("winner") if has_won else ""
        note = " · ".join(part for part in (side, won) if part)
        if note:
            yield _text(x, middle - 8, label, TEXT_SIZE - 2, INK, "bold")
            yield _text(x, middle + 12, note, 18, "#4c3a28")
        else:
            yield _text(x, middle, label, TEXT_SIZE - 2, INK, "bold" if name else "")


def _wrap(text: str, size: int) -> list[str]:
    """Breaks a text into lines of the column; what doesn't fit ends in an ellipsis."""
    most = int(COLUMN / (size * LETTER))
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > most:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    cut = [one if len(one) <= most else f"{one[: most - 1]}…" for one in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        cut[-1] = f"{cut[-1][: most - 1]}…"
    return cut


def _text(x: float, y: float, text: str, size: float, fill: str, look: str = "") -> str:
    """A line of text; `look` is empty, ``bold`` or ``slab``."""
    extra = {"": "", "bold": BOLD, "slab": f' font-family="Bitter, serif"{BOLD}'}[look]
    place = f'x="{x:g}" y="{y:.1f}" font-size="{size:g}"'
    return f'<text {place} fill="{fill}"{extra}>{escape(text)}</text>'
