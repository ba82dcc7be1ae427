"""The table as a picture: SVG of our own drawing, for notebooks, documents and web pages. Made from a view.

Every cow carries its colour's letter, so you needn't tell the colours apart. Nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from stampede.core.drawing import Drawing
from stampede.zoff.board import letters_in_play, summarise
from stampede.zoff.palette import OTHER_SHADE, SHADES, letters_of

if TYPE_CHECKING:
    from stampede.zoff.view import PastureView, SeatView, ZoffView

__all__ = ["draw_board", "draw_pastures", "draw_table"]

FIELDS_ACROSS: Final = 4
COWS_ACROSS: Final = 7
CELL: Final = 28
PADDING: Final = 12
GAP: Final = 14
MARGIN: Final = 20
HEADER: Final = 52
"""The height of a field's name and bonuses."""
TITLE: Final = 40
SEAT: Final = 30
FIELD_WIDTH: Final = COWS_ACROSS * CELL + 2 * PADDING
WIDTH: Final = FIELDS_ACROSS * FIELD_WIDTH + (FIELDS_ACROSS - 1) * GAP + 2 * MARGIN
SEATS_ACROSS: Final = 2
CARD: Final = 80
"""The width that a cow card takes."""
INK: Final = "#241a10"
FULL, OPEN = "#b9a878", "#c9cf8a"

# A cow's head around its space's centre, about 12 units to each side; its coat takes the fill of the <use>.
COW: Final = """\
<g id="stampede-cow" stroke="#241a10" stroke-width="0.9" stroke-linejoin="round">
<path fill="#efe3c6" d="M-6 -6.5C-9.5 -6 -11 -8 -10.6 -11.5C-13 -8 -12 -3.5 -7 -3.5Z
M6 -6.5C9.5 -6 11 -8 10.6 -11.5C13 -8 12 -3.5 7 -3.5Z"/>
<path d="M-7 -2.5C-10 -3.5 -11.6 -2 -12 0.5C-9.8 2 -8 1.6 -6.5 0.6Z
M7 -2.5C10 -3.5 11.6 -2 12 0.5C9.8 2 8 1.6 6.5 0.6Z"/>
<path d="M0 -9C5.5 -9 8.2 -5.5 7.6 -1C7.2 2 6.6 4 6.2 6.5C5.6 10.2 3.4 11.8 0 11.8
C-3.4 11.8 -5.6 10.2 -6.2 6.5C-6.6 4 -7.2 2 -7.6 -1C-8.2 -5.5 -5.5 -9 0 -9Z"/>
<g stroke="none" fill="#241a10"><circle cx="-2" cy="9" r="0.9"/><circle cx="2" cy="9" r="0.9"/></g>
</g>"""


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws in the colours in play."""

    letters: dict[str, str]

    def cow(self, x: float, y: float, colour: str) -> str:
        shade = SHADES.get(colour, OTHER_SHADE)
        head = f'<use href="#stampede-cow" x="{x:g}" y="{y:g}" fill="{shade}"/>'
        return head + _text(x, y + 4, self.letters[colour], 11, bold=True, anchor="middle")

    def pill(self, x: float, y: float, colour: str | None, text: str) -> str:
        """A bonus: the letter of the colour that would get it now, and how many cows."""
        shade = "none" if colour is None else SHADES.get(colour, OTHER_SHADE)
        dashes = ' stroke-dasharray="2 2"' if colour is None else ""
        letter = "–" if colour is None else self.letters[colour]
        box = f'x="{x:g}" y="{y - 9:g}" width="34" height="17" rx="8.5"'
        pill = f'<rect {box} fill="{shade}" stroke="{INK}" stroke-width="0.9"{dashes}/>'
        return pill + _text(x + 17, y + 4, f"{letter} {text}", 11, anchor="middle")

    def card(self, x: float, y: float, colour: str, text: str) -> Iterator[str]:
        """A cow card: its place in the order, its value and letter."""
        box = f'x="{x:g}" y="{y:g}" width="{CARD - 8}" height="{SEAT - 4}" rx="5"'
        yield f'<rect {box} fill="#fffaf0" stroke="{INK}" stroke-width="0.9"/>'
        yield self.cow(x + 16, y + SEAT / 2 - 2, colour)
        yield _text(x + 32, y + SEAT / 2 + 3, text, 13, bold=True)


def draw_table(view: ZoffView, size: int = WIDTH) -> str:
    """Draws pastures with herds, free spaces and bonuses, and the players.

    Args:
        view: What to draw; a spectator's view holds no hand.
        size: The picture's width in pixels.
    """
    pen = _Pen(letters_in_play(view))
    fields, bottom = _fields(view.pastures, pen)
    seats = list(_seats(view, pen, bottom + GAP))
    rows = -(-len(view.seats) // SEATS_ACROSS)
    height = bottom + GAP + rows * SEAT + MARGIN
    box = f'viewBox="0 0 {WIDTH} {height:g}" width="{size}" height="{round(size * height / WIDTH)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" font-family="sans-serif">',
            f"<title>{escape(summarise(view))}</title>",
            f"<defs>{COW}</defs>",
            f'<rect width="{WIDTH}" height="{height:g}" rx="10" fill="#f5ecd7"/>',
            _text(MARGIN, MARGIN + 10, _moment(view), 16, bold=True),
            *fields,
            *seats,
            "</svg>",
        ]
    )


def draw_board(view: ZoffView) -> Drawing:
    """Draws the pastures alone, without words: free spaces are told as ``3/7``."""
    pen = _Pen(letters_in_play(view))
    fields, bottom = _fields(view.pastures, pen, top=MARGIN, in_words=False)
    height = bottom + MARGIN
    body = [
        f"<defs>{COW}</defs>",
        f'<rect width="{WIDTH}" height="{height:g}" rx="10" fill="#f5ecd7"/>',
        *fields,
    ]
    badges = tuple(
        "".join(pen.cow(26 * number, 0, colour) for number, colour in enumerate(seat.colours))
        for seat in view.seats
    )
    return Drawing("\n".join(body), WIDTH, height, badges)


def draw_pastures(
    pastures: Sequence[PastureView], cards: Sequence[tuple[str, str]] = (), title: str = ""
) -> str:
    """Draws a few pastures without the rest of the table.

    Args:
        pastures: What to draw, side by side.
        cards: The cards that lie there in the order in which they are played: colour and card.
        title: What the picture shows, for readers who can't see it.
    """
    colours = [colour for pasture in pastures for colour in pasture.herds]
    pen = _Pen(letters_of(dict.fromkeys([*SHADES, *colours, *(colour for colour, _ in cards)])))
    fields, bottom = _fields(pastures, pen, top=MARGIN)
    across = min(FIELDS_ACROSS, len(pastures))
    width = across * FIELD_WIDTH + (across - 1) * GAP + 2 * MARGIN
    laid = [
        part
        for number, (colour, card) in enumerate(cards)
        for part in pen.card(MARGIN + number * CARD, bottom + GAP, colour, f"{number + 1}. {card}")
    ]
    height = bottom + (GAP + SEAT if cards else 0) + MARGIN
    box = f'viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<defs>{COW}</defs>",
            f'<rect width="{width}" height="{height:g}" rx="10" fill="#f5ecd7"/>',
            *fields,
            *laid,
            "</svg>",
        ]
    )


def _moment(view: ZoffView) -> str:
    if view.result is not None:
        winners = ", ".join(f"seat {seat}" for seat in view.result.winners)
        return f"{summarise(view)}: won by {winners}"
    return f"{summarise(view)}: {view.phase.value}"


def _fields(
    pastures: Sequence[PastureView],
    pen: _Pen,
    *,
    top: float = MARGIN + TITLE - 8,
    in_words: bool = True,
) -> tuple[list[str], float]:
    """Draws the pastures row by row and returns where they end."""
    parts: list[str] = []
    for first in range(0, len(pastures), FIELDS_ACROSS):
        row = pastures[first : first + FIELDS_ACROSS]
        lines = max(-(-pasture.capacity // COWS_ACROSS) for pasture in row)
        height = HEADER + lines * CELL + PADDING
        for column, pasture in enumerate(row):
            left = MARGIN + column * (FIELD_WIDTH + GAP)
            free = f"{pasture.free}/{pasture.capacity}"
            if in_words:
                free = f"{pasture.free} free" if pasture.free else "full"
            parts += _field(pasture, pen, (left, top, height), free)
        top += height + GAP
    return parts, top - GAP


def _field(
    pasture: PastureView, pen: _Pen, place: tuple[float, float, float], free: str
) -> Iterator[str]:
    left, top, height = place
    ground = OPEN if pasture.free else FULL
    yield (
        f'<rect x="{left:g}" y="{top:g}" width="{FIELD_WIDTH}" height="{height:g}" rx="9"'
        f' fill="{ground}" stroke="#7a5a34" stroke-width="2.5"/>'
    )
    yield _text(left + PADDING, top + 20, pasture.name.replace("-", " "), 13, bold=True)
    right = left + FIELD_WIDTH - PADDING
    yield _text(right, top + 41, free, 11, anchor="end")
    ranks: list[str | None] = [*pasture.herds, *[None] * len(pasture.bonus)]
    for rank, cows in enumerate(pasture.bonus):
        yield pen.pill(left + PADDING + 37 * rank, top + 37, ranks[rank], str(cows))
    herd = [colour for colour, cows in pasture.herds.items() for _ in range(cows)]
    for space in range(pasture.capacity):
        x = left + PADDING + (space % COWS_ACROSS + 0.5) * CELL
        y = top + HEADER + (space // COWS_ACROSS + 0.5) * CELL
        if space < len(herd):
            yield pen.cow(x, y, herd[space])
        else:
            yield (
                f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="#ffffff" fill-opacity="0.35"'
                ' stroke="#6d7340" stroke-dasharray="3 2"/>'
            )


def _seats(view: ZoffView, pen: _Pen, top: float) -> Iterator[str]:
    across = (WIDTH - 2 * MARGIN) / SEATS_ACROSS
    for number, seat in enumerate(view.seats):
        x = MARGIN + (number % SEATS_ACROSS) * across
        y = top + (number // SEATS_ACROSS + 0.5) * SEAT
        for index, colour in enumerate(seat.colours):
            yield pen.cow(x + 12 + 28 * index, y, colour)
        label = f"Seat {number}: {_standing(view, seat, number)}"
        yield _text(x + 30 + 28 * max(0, len(seat.colours) - 1), y + 5, label, 13)


def _standing(view: ZoffView, seat: SeatView, number: int) -> str:
    if not seat.colours:
        words = ["no colour yet"]
    else:
        reserve = " and ".join(str(cows) for cows in seat.reserves.values())
        words = [f"{seat.placed} placed", f"{reserve} in reserve", f"{seat.cards} cards"]
    if seat.bid is not None:
        words.append(f"bid {seat.bid}")
    if seat.answered:
        words.append("has chosen")
    elif number in view.to_act:
        words.append("to act")
    return ", ".join(words)


def _text(x: float, y: float, text: str, size: int, *, bold: bool = False, anchor: str = "") -> str:
    extra = ' font-weight="600"' if bold else ""
    extra += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{INK}"{extra}>{escape(text)}</text>'
