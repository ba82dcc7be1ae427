"""The board as a picture: SVG of our own drawing, for notebooks, documents and web pages.

The pieces differ by shape as well as by colour. Nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from stampede.buffalo.actions import Move
from stampede.buffalo.geometry import FAR_BANK, FILES, NEAR_BANK, RANKS, SQUARES, Square
from stampede.core.drawing import Drawing

if TYPE_CHECKING:
    from stampede.buffalo.position import Position

__all__ = ["board", "draw_board"]

CELL: Final = 48
RIVER: Final = 14
MARGIN: Final = 24
WIDTH: Final = len(FILES) * CELL + 2 * MARGIN
HEIGHT: Final = len(RANKS) * CELL + 2 * RIVER + 2 * MARGIN
PRAIRIE_SHADES: Final = ("#c9cf8a", "#bdc57b")
BANK_SHADES: Final = ("#e6d3a3", "#dcc690")

# Each piece is drawn around its square's centre, about 20 units to each side.
PIECES: Final = """\
<g id="stampede-buffalo" stroke="#24140b" stroke-width="1.1" stroke-linejoin="round">
<path fill="#efe3c6" d="M-7 -12C-13 -9 -17 -12 -16.5 -20C-22 -14 -21 -3 -9 -4.5Z
M7 -12C13 -9 17 -12 16.5 -20C22 -14 21 -3 9 -4.5Z"/>
<path fill="#4b2c18" d="M-9 -4C-13 -5 -16 -3 -17.5 1C-13.5 3 -10.5 2 -8 0Z
M9 -4C13 -5 16 -3 17.5 1C13.5 3 10.5 2 8 0Z"/>
<path fill="#6b4226" d="M-10 -7C-11 -2 -9 3 -7.5 7C-7 12 -6 18 0 18C6 18 7 12 7.5 7C9 3 11 -2 10 -7Z"/>
<path fill="#3a2112" d="M-11 -5C-12 -13 -6 -17 0 -17C6 -17 12 -13 11 -5L7.5 -7.5L5.5 -2.5L2.5 -6
L0 1L-2.5 -6L-5.5 -2.5L-7.5 -7.5Z"/>
<ellipse cy="12.5" rx="6" ry="4.6" fill="#c79a72"/>
<g stroke="none" fill="#24140b"><ellipse cx="-2.3" cy="11.5" rx="1.3" ry="1.7"/>
<ellipse cx="2.3" cy="11.5" rx="1.3" ry="1.7"/></g>
<g stroke="none" fill="#fdf6e6"><ellipse cx="-5.5" cy="2" rx="1.7" ry="1.5"/>
<ellipse cx="5.5" cy="2" rx="1.7" ry="1.5"/></g>
</g>
<g id="stampede-dog" stroke="#2b2f36" stroke-width="1.1" stroke-linejoin="round">
<path fill="#7d8794" d="M-4 -9L-13.5 -19C-15.5 -12 -15 -5 -11 1ZM4 -9L13.5 -19C15.5 -12 15 -5 11 1Z"/>
<path fill="#aeb7c2" d="M-12 -3C-10 -10 -5 -12 0 -12C5 -12 10 -10 12 -3C14 2 11 6 7.5 9
C6 14 4 18 0 18C-4 18 -6 14 -7.5 9C-11 6 -14 2 -12 -3Z"/>
<path fill="#f6f3ec" stroke="none" d="M0 -8C2.5 -2 6 2 6.5 7C6.5 12 4 16.8 0 16.8
C-4 16.8 -6.5 12 -6.5 7C-6 2 -2.5 -2 0 -8Z"/>
<path fill="none" d="M0 12V14.2M-2.6 14.8Q0 16 2.6 14.8"/>
<g stroke="none" fill="#2b2f36"><ellipse cy="9.5" rx="3.4" ry="2.6"/>
<ellipse cx="-6" cy="-1" rx="1.8" ry="1.9"/><ellipse cx="6" cy="-1" rx="1.8" ry="1.9"/></g>
</g>
<g id="stampede-chief" stroke="#3d1410" stroke-width="1.1" stroke-linejoin="round">
<path fill="none" stroke-width="2.6" stroke="#5b3a1e" stroke-linecap="round" d="M15 19V-14"/>
<path fill="#e9e2d2" d="M15 -22L18.6 -13.5L15 -11L11.4 -13.5Z"/>
<path fill="#b3322a" d="M-17 19C-17 7 -10 1.5 0 1.5C10 1.5 17 7 17 19Z"/>
<path fill="#f0c24b" stroke="none" d="M-15.9 13.2L-12 9.6L-8 13.2L-4 9.6L0 13.2L4 9.6L8 13.2L12 9.6L15.9 13.2
V16L12 12.4L8 16L4 12.4L0 16L-4 12.4L-8 16L-12 12.4L-15.9 16Z"/>
<path fill="#8c2620" d="M-7.5 1.5C-7.5 6 7.5 6 7.5 1.5L0 -1.5Z"/>
<ellipse cy="-4.5" rx="6.8" ry="7" fill="#a9825f"/>
<ellipse cy="-8.6" rx="16" ry="4" fill="#6a4a2a"/>
<path fill="#7d5a35" d="M-8.5 -9C-8.5 -20 8.5 -20 8.5 -9C4 -7 -4 -7 -8.5 -9Z"/>
<path fill="#b3322a" d="M-8.6 -9C-4 -7 4 -7 8.6 -9L8.4 -12C4 -10 -4 -10 -8.4 -12Z"/>
<g stroke="none" fill="#2e2320"><ellipse cx="-2.7" cy="-3.4" rx="1.1" ry="1.2"/>
<ellipse cx="2.7" cy="-3.4" rx="1.1" ry="1.2"/></g>
</g>
"""


def board(
    position: Position,
    *,
    last_move: Move | None = None,
    arrows: Iterable[Move] = (),
    flip: bool = False,
    size: int = 640,
) -> str:
    """Draws a position.

    Args:
        position: What to draw.
        last_move: A move whose two squares are highlighted.
        arrows: Moves to draw as arrows, such as a threat or a plan.
        flip: Whether rank 1 stands on top and file k on the left, as the buffalo side sits.
        size: The picture's width in pixels.
    """
    height = round(size * HEIGHT / WIDTH)
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{size}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img">',
        f"<title>Buffalo: {position.fen()}</title>",
        *_scene(position, last_move, flip=flip),
        *(_arrow(move, flip=flip) for move in arrows),
        "</svg>",
    ]
    return "\n".join(parts)


def draw_board(position: Position, last_move: Move | None = None) -> Drawing:
    """Draws a position without words."""
    badges = tuple(
        f'<use href="#stampede-{piece}" transform="scale(0.62)"/>' for piece in ("buffalo", "chief")
    )
    return Drawing("\n".join(_scene(position, last_move, flip=False)), WIDTH, HEIGHT, badges)


def _scene(position: Position, last_move: Move | None, *, flip: bool) -> list[str]:
    marked = () if last_move is None else (last_move.from_square, last_move.to_square)
    return [
        f"<defs>{PIECES}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#4a3a28"/>',
        *_ground(flip=flip),
        *(_highlight(square, flip=flip) for square in marked),
        *_coordinates(flip=flip),
        *(_piece(piece, square, flip=flip) for square, piece in sorted(position.pieces.items())),
    ]


def _centre(square: Square, *, flip: bool) -> tuple[float, float]:
    """The middle of a square in the picture; the rivers push the ranks beyond them down."""
    x = MARGIN + (square.file + 0.5) * CELL
    rivers = (square.rank < NEAR_BANK) + (square.rank == FAR_BANK)
    y = MARGIN + (NEAR_BANK - square.rank + 0.5) * CELL + rivers * RIVER
    return (WIDTH - x, HEIGHT - y) if flip else (x, y)


def _ground(*, flip: bool) -> Iterator[str]:
    for square in SQUARES:
        x, y = _centre(square, flip=flip)
        shades = PRAIRIE_SHADES if square.in_prairie else BANK_SHADES
        yield _box(x, y, shades[(square.file + square.rank) % 2])
    for upper in (FAR_BANK + 1, NEAR_BANK):
        yield _river(upper, flip=flip)


def _box(x: float, y: float, fill: str, extra: str = "") -> str:
    corner = f'x="{x - CELL / 2:g}" y="{y - CELL / 2:g}"'
    return f'<rect {corner} width="{CELL}" height="{CELL}" fill="{fill}"{extra}/>'


def _river(upper: int, *, flip: bool) -> str:
    """The river on the far side of a rank, with a wave along it."""
    _, y = _centre(Square.at(0, upper), flip=flip)
    middle = y + (CELL + RIVER) / 2 * (-1 if flip else 1)
    band = f'<rect x="{MARGIN}" y="{middle - RIVER / 2:g}" width="{WIDTH - 2 * MARGIN}"'
    ripple = f"q{CELL / 8:g} -5 {CELL / 4:g} 0t{CELL / 4:g} 0"
    wave = f"M{MARGIN} {middle:g}" + ripple * (2 * len(FILES))
    return (
        f'{band} height="{RIVER}" fill="#4f93bf"/>'
        f'<path d="{wave}" fill="none" stroke="#b9def2" stroke-width="1.6"/>'
    )


def _highlight(square: Square, *, flip: bool) -> str:
    return _box(*_centre(square, flip=flip), "#ffd83d", ' fill-opacity="0.62"')


def _coordinates(*, flip: bool) -> Iterator[str]:
    """Files above and below the board, ranks on both sides."""
    for file, name in enumerate(FILES):
        x, _ = _centre(Square.at(file, 1), flip=flip)
        yield from (_label(x, y, name) for y in (MARGIN / 2, HEIGHT - MARGIN / 2))
    for rank in RANKS:
        _, y = _centre(Square.at(0, rank), flip=flip)
        yield from (_label(x, y, str(rank)) for x in (MARGIN / 2, WIDTH - MARGIN / 2))


def _label(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="middle" font-size="13"'
        f' font-family="system-ui, sans-serif" fill="#f1e6cc">{text}</text>'
    )


def _piece(name: str, square: Square, *, flip: bool) -> str:
    x, y = _centre(square, flip=flip)
    return f'<use href="#stampede-{name}" transform="translate({x:g} {y:g})"/>'


def _arrow(move: Move, *, flip: bool) -> str:
    """A shaft and a head that ends in the middle of the square."""
    x1, y1 = _centre(move.from_square, flip=flip)
    x2, y2 = _centre(move.to_square, flip=flip)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - 18 * dx, y2 - 18 * dy
    head = " ".join(
        f"{x:g},{y:g}"
        for x, y in (
            (x2, y2),
            (neck_x - 9 * dy, neck_y + 9 * dx),
            (neck_x + 9 * dy, neck_y - 9 * dx),
        )
    )
    return (
        '<g fill="#1d6b3a" stroke="#1d6b3a" opacity="0.85">'
        f'<path d="M{x1 + 12 * dx:g} {y1 + 12 * dy:g}L{neck_x:g} {neck_y:g}" stroke-width="6" stroke-linecap="round"/>'
        f'<polygon points="{head}" stroke="none"/></g>'
    )
