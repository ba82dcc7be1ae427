"""Plots as SVG: curves with bands, estimates with intervals, bars. Plain text that needs no library to draw or to show.

A plot has a background of its own, so that it reads the same on light and dark pages, and lines differ in more than
their colour. The same numbers give the same bytes.

>>> rows = [Estimate("seat 1", 0.21, 0.19, 0.23), Estimate("seat 2", 0.20, 0.18, 0.22)]
>>> draw_estimates("Who wins", rows, axis="share of victories", reference=0.2).count("<circle")
2
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Curve", "Estimate", "draw_bars", "draw_curves", "draw_estimates"]

_WIDTH: Final = 720
_LEFT: Final = 64
_TOP: Final = 44
_BOTTOM: Final = 46
_RIGHT: Final = 18
_HEIGHT: Final = 318
_ROW: Final = 22
_LEGEND_ROW: Final = 22
_LETTER: Final = 7.2
"""About the width of a letter, to leave room for names."""
_TICK: Final = 60
"""The least distance between two labels of an axis."""
_MOST_LABELS: Final = 0.4
"""Names that need more than this share of the width stand above their rows."""
_COLOURS: Final = ("#9a5b13", "#1f6fb5", "#2e7d50", "#b04a30", "#7b3fa0", "#5c5c5c", "#a88500")
_DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "4 2 1 2", "12 5", "1 2")
_STYLE: Final = (
    "text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:600}"
    ".axis{fill:#555}.grid{stroke:#e4dfd5}.frame{stroke:#999}.reference{stroke:#555;stroke-dasharray:5 4}"
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was measured, with the ends of its interval.

    Attributes:
        name: What it is of.
        value: The estimate.
        low: The lower end; infinite where there is none.
        high: The upper end; infinite where there is none.
        group: What is drawn alike; a legend names it.
    """

    name: str
    value: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points to be joined, in order, and a band around them.

    Attributes:
        name: What it shows.
        points: x and y.
        band: For each point the lower and the upper end; none by default.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class _Scale:
    """Numbers from `low` to `high` as places from `begin` to `end`, with round numbers to label."""

    low: float
    high: float
    begin: float
    end: float

    @classmethod
    def around(cls, numbers: Sequence[float], begin: float, end: float) -> _Scale:
        finite = [number for number in numbers if math.isfinite(number)] or [0.0, 1.0]
        low, high = min(finite), max(finite)
        room = 0.04 * (high - low) or max(0.5, 0.1 * abs(high))
        # A quantity that is never negative gets no room below zero.
        return cls(max(0.0, low - room) if low >= 0 else low - room, high + room, begin, end)

    def place(self, number: float) -> float:
        """Where a number is; one beyond an end is at that end."""
        share = (min(max(number, self.low), self.high) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self, most: int) -> list[float]:
        """Round numbers on the scale, at most so many."""
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        first = math.ceil(self.low / step)
        last = math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def draw_estimates(
    title: str,
    rows: Sequence[Estimate],
    *,
    axis: str,
    reference: float | None = None,
    width: int = _WIDTH,
) -> str:
    """Draws each estimate as a dot with its interval, one below the other; an arrow where an interval has no end.

    Args:
        title: What the plot shows.
        rows: The estimates, from the top down.
        axis: What is measured.
        reference: Draws a line at this number: what it would be if nothing mattered.
        width: The width, in the units of 13-unit letters: 380 stays readable on a phone.
    """
    groups = list(dict.fromkeys(row.group for row in rows))
    left = 20 + _LETTER * max(len(row.name) for row in rows)
    above = left > _MOST_LABELS * width
    left, row_height = (_RIGHT, 2 * _ROW) if above else (left, _ROW)
    named, legend = _legend(groups, width) if len(groups) > 1 else ([], 0)
    height = _TOP + legend + row_height * len(rows) + _BOTTOM
    bottom = height - _BOTTOM
    numbers = _with_room(
        [end for row in rows for end in (row.low, row.value, row.high)]
        + ([] if reference is None else [reference])
    )
    scale = _Scale.around(numbers, left, width - _RIGHT)
    parts = [_title(title), *_vertical_grid(scale, _TOP + legend, bottom)]
    if reference is not None:
        parts.append(_line(scale.place(reference), _TOP + legend, bottom, "reference"))
    for number, row in enumerate(rows):
        y = _TOP + legend + row_height * (number + 1) - _ROW / 2
        name = _text(left + 6, y - _ROW + 4, row.name) if above else ""
        parts.append(name or _text(left - 10, y + 4, row.name, anchor="end"))
        parts += _interval(row, scale, y, _COLOURS[groups.index(row.group) % len(_COLOURS)])
    parts.append(_text((left + width - _RIGHT) / 2, height - 8, axis, "axis", "middle"))
    return _document([*parts, *named], width, height, title)


def _with_room(numbers: list[float]) -> list[float]:
    """The finite numbers, and beyond them room for the arrows of infinite ones."""
    finite = [number for number in numbers if math.isfinite(number)]
    room = 0.1 * (max(finite) - min(finite))
    if -math.inf in numbers:
        finite.append(min(finite) - room)
    if math.inf in numbers:
        finite.append(max(finite) + room)
    return finite


def _interval(row: Estimate, scale: _Scale, y: float, paint: str) -> list[str]:
    low, high = scale.place(row.low), scale.place(row.high)
    parts = [
        (
            f'<line x1="{_shown(low)}" x2="{_shown(high)}" y1="{y:g}" y2="{y:g}" stroke="{paint}"'
            ' stroke-width="2"/>'
        ),
        f'<circle cx="{_shown(scale.place(row.value))}" cy="{y:g}" r="4" fill="{paint}"/>',
    ]
    for end, at, back in ((row.low, low, 8), (row.high, high, -8)):
        if math.isinf(end):
            parts.append(f'<path d="M{_shown(at)} {y:g}l{back} -5v10z" fill="{paint}"/>')
    return parts


def draw_bars(
    title: str, bars: Sequence[tuple[str, float]], *, axis: str, width: int = _WIDTH
) -> str:
    """Draws named numbers as bars, one below the other.

    Args:
        title: What the plot shows.
        bars: A name and a number from 0 for each, from the top down.
        axis: What is counted.
        width: As in `draw_estimates`.
    """
    left = 20 + _LETTER * max(len(name) for name, _ in bars)
    most = max(number for _, number in bars) or 1.0
    room = width - left - _RIGHT - _LETTER * len(_label(most))
    parts = [_title(title)]
    for place, (name, number) in enumerate(bars):
        y = _TOP + _ROW * place
        end = left + room * number / most
        parts += [
            _text(left - 10, y + 15, name, anchor="end"),
            (
                f'<rect x="{_shown(left)}" y="{y + 3}" width="{_shown(end - left)}" height="{_ROW - 6}"'
                f' fill="{_COLOURS[0]}"/>'
            ),
            _text(end + 6, y + 15, _label(number)),
        ]
    height = _TOP + _ROW * len(bars) + _BOTTOM / 2
    parts.append(_text(left, height - 6, axis, "axis"))
    return _document(parts, width, height, title)


def draw_curves(
    title: str, curves: Sequence[Curve], *, x_axis: str, y_axis: str, width: int = _WIDTH
) -> str:
    """Draws curves over a common axis, with a legend.

    Args:
        title: What the plot shows.
        curves: At least one, each with at least one point.
        x_axis: What runs to the right.
        y_axis: What is measured.
        width: As in `draw_estimates`.
    """
    right = width - _RIGHT
    named, legend = _legend([curve.name for curve in curves], width)
    top = _TOP + legend
    height = _HEIGHT + legend
    bottom = height - _BOTTOM
    xs = [x for curve in curves for x, _ in curve.points]
    ys = [y for curve in curves for _, y in curve.points]
    ys += [end for curve in curves for ends in curve.band for end in ends]
    across = _Scale(min(xs), max(*xs, min(xs) + 1), _LEFT, right)
    up = _Scale.around(ys, bottom, top)
    parts = [_title(title), *_vertical_grid(across, top, bottom)]
    for tick in up.ticks(6):
        y = _shown(up.place(tick))
        parts += [
            f'<line x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}" class="grid"/>',
            _text(_LEFT - 8, up.place(tick) + 4, _label(tick), "axis", "end"),
        ]
    for number, curve in enumerate(curves):
        parts += _curve(number, curve, across, up)
    parts += [
        _text((_LEFT + right) / 2, height - 8, x_axis, "axis", "middle"),
        _text(right, 24, y_axis, "axis", "end"),
        *named,
    ]
    return _document(parts, width, height, title)


def _curve(number: int, curve: Curve, across: _Scale, up: _Scale) -> list[str]:
    paint, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    places = [f"{_shown(across.place(x))},{_shown(up.place(y))}" for x, y in curve.points]
    parts = []
    if curve.band:
        xs = [_shown(across.place(x)) for x, _ in curve.points]
        lower = [f"{x},{_shown(up.place(low))}" for x, (low, _) in zip(xs, curve.band, strict=True)]
        upper = [f"{x},{_shown(up.place(top))}" for x, (_, top) in zip(xs, curve.band, strict=True)]
        ring = " ".join(lower + upper[::-1])
        parts.append(f'<polygon points="{ring}" fill="{paint}" fill-opacity="0.15"/>')
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    parts.append(
        f'<polyline points="{" ".join(places)}" fill="none" stroke="{paint}"'
        f' stroke-width="2"{dashes}/>'
    )
    return parts


# --- parts ---


def _document(parts: Sequence[str], width: int, height: float, title: str) -> str:
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}"'
        f' width="{width}" height="{height:g}" role="img" aria-label="{escape(title)}">'
    )
    paper = f'<rect width="{width}" height="{height:g}" rx="8" fill="#fffdf8"/>'
    return "\n".join([root, f"<style>{_STYLE}</style>", paper, *parts, "</svg>\n"])


def _title(title: str) -> str:
    return _text(16, 24, title, "title")


def _legend(names: Sequence[str], width: int) -> tuple[list[str], int]:
    """The lines with their names, in as many rows as they need, and the height of these."""
    parts, x, y = [], float(_LEFT), _TOP
    for number, name in enumerate(names):
        room = 44 + _LETTER * len(name)
        if x > _LEFT and x + room > width:
            x, y = float(_LEFT), y + _LEGEND_ROW
        paint, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts += [
            (
                f'<line x1="{x:g}" x2="{x + 22:g}" y1="{y}" y2="{y}" stroke="{paint}"'
                f' stroke-width="2"{dashes}/>'
            ),
            _text(x + 28, y + 4, name),
        ]
        x = round(x + room, 1)
    return parts, y - _TOP + _LEGEND_ROW


def _vertical_grid(scale: _Scale, top: float, bottom: float) -> list[str]:
    parts = [_line(scale.begin, top, bottom, "frame")]
    for tick in scale.ticks(min(8, max(2, int((scale.end - scale.begin) / _TICK)))):
        x = scale.place(tick)
        parts += [
            _line(x, top, bottom, "grid"),
            _text(x, bottom + 18, _label(tick), "axis", "middle"),
        ]
    return parts


def _line(x: float, top: float, bottom: float, kind: str) -> str:
    at = _shown(x)
    return f'<line x1="{at}" x2="{at}" y1="{top:g}" y2="{bottom:g}" class="{kind}"/>'


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    look = f' class="{kind}"' if kind else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{_shown(x)}" y="{_shown(y)}"{look}{where}>{escape(words)}</text>'


def _shown(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _label(number: float) -> str:
    """A round number, without the traces of binary fractions."""
    if abs(number) >= 10_000:
        return f"{number / 1000:,.0f}k" if abs(number) < 1e6 else f"{number / 1e6:g}M"
    return f"{round(number, 9):g}"
