"""A review as one HTML file: plots drawn as SVG inside it, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stampede.search.review import CurvePoint, GameReview, ReviewedDecision

__all__ = ["html_report", "name_moment", "name_point", "shown_points"]

PAINT = {
    "orange": "#d9730d",
    "pink": "#c2417c",
    "green": "#2e8b3d",
    "blue": "#1f6fb5",
    "purple": "#7b3fa0",
    "yellow": "#a88500",
}
SIDES = ("#7a4a1e", "#2f6f5f")
"""The buffalo side and the hunter."""
MOST_POINTS = 12
"""More points than this are thinned out."""
DASHES = ("", "7 4", "2 3", "10 3 2 3", "4 2 1 2", "12 5")
"""Lines differ in more than colour."""
WIDTH, HEIGHT, EDGE = 640, 260, 42
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fffdf8 }
h1, h2 { line-height: 1.2 } table { border-collapse: collapse; width: 100% } caption { text-align: left }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums } tr.bad td { background: #fdeee6 }
svg { max-width: 100%; height: auto } svg text { font: 13px system-ui, sans-serif; fill: #333 }
"""


def html_report(review: GameReview) -> str:
    """The whole page."""
    title = review.record.game.capitalize()
    names = review.record.seats
    end = review.points[-1].chances
    winners = " and ".join(
        names[seat].name for seat, chance in enumerate(end) if chance == max(end)
    )
    unit = (
        "Worth counts cows: own cows expected at the end, less the mean of the others'."
        if _counts_cows(review)
        else "Worth is the estimated chance to win; only what is called proven is certain."
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: review</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>
<body><h1>{escape(title)}</h1>
<p>{escape(winners)} won. {unit}</p>
<h2>Chances to win</h2>
{_curve(review)}
<h2>Seats</h2>
{_seats(review)}
<h2>Decisions</h2>
{_decisions(review)}
</body></html>
"""


def _counts_cows(review: GameReview) -> bool:
    return all(decision.unit == "cows" for decision in review.decisions)


def _worth(review: GameReview, worth: float, sign: str = "") -> str:
    return f"{worth:{sign}.1f}" if _counts_cows(review) else f"{worth:{sign}.0%}"


def shown_points(review: GameReview) -> tuple[CurvePoint, ...]:
    """Some points of the curve, evenly spread, the last one among them."""
    points = review.points
    step = max(1, -(-(len(points) - 1) // (MOST_POINTS - 1)))
    return (*points[:-1:step], points[-1])


def name_point(review: GameReview, point: CurvePoint) -> str:
    """What the moment is called: a round, a move or the end."""
    if point is review.points[-1]:
        return "end"
    return f"round {point.round}" if point.round else f"move {point.turn + 1}"


def name_moment(decision: ReviewedDecision) -> str:
    """When a decision was made."""
    if decision.unit == "chance":
        return str(decision.turn + 1)
    return str(decision.round or "start")


def _paint(review: GameReview, seat: int) -> str:
    own = [colour for colour, owner in review.record.seat_of_colour.items() if owner == seat]
    return PAINT.get(own[0], "#555") if own else SIDES[seat % 2]


def _curve(review: GameReview) -> str:
    """Each seat's chance to win during the game."""
    points = review.points
    step = (WIDTH - 2 * EDGE) / max(1, len(points) - 1)

    def spot(index: int, chance: float) -> str:
        return f"{EDGE + index * step:.1f},{HEIGHT - EDGE - chance * (HEIGHT - 2 * EDGE):.1f}"

    grid = "".join(
        f'<line x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{spot(0, part / 4).split(",")[1]}" '
        f'y2="{spot(0, part / 4).split(",")[1]}" stroke="#ddd"/>'
        f'<text x="4" y="{spot(0, part / 4).split(",")[1]}">{25 * part} %</text>'
        for part in range(5)
    )
    names = "".join(
        f'<text x="{EDGE + index * step:.1f}" y="{HEIGHT - 12}" text-anchor="middle">'
        f"{name_point(review, point)}</text>"
        for index, point in enumerate(points)
        if point in shown_points(review)
    )
    lines = "".join(
        f'<polyline fill="none" stroke="{_paint(review, seat)}" stroke-width="2.5" '
        f'stroke-dasharray="{DASHES[seat]}" points="'
        + " ".join(spot(index, point.chances[seat]) for index, point in enumerate(points))
        + f'"><title>{escape(info.name)}</title></polyline>'
        for seat, info in enumerate(review.record.seats)
    )
    label = "Chances to win: " + "; ".join(
        f"{info.name} " + ", ".join(f"{point.chances[seat]:.0%}" for point in shown_points(review))
        for seat, info in enumerate(review.record.seats)
    )
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{escape(label, quote=True)}">'
        f"{grid}{names}{lines}</svg>"
    )


def _seats(review: GameReview) -> str:
    """Names with their line in the plot, and what was given away."""
    losses = review.conclusion.losses
    most = max([*losses, 0.1])
    rows = "".join(
        f'<tr><td><svg width="46" height="12" viewBox="0 0 46 12" aria-hidden="true"><line x1="0" x2="46" y1="6" '
        f'y2="6" stroke="{_paint(review, seat)}" stroke-width="3" stroke-dasharray="{DASHES[seat]}"/></svg> '
        f'{escape(info.name)}</td><td class="number">{_worth(review, losses[seat])}</td>'
        f'<td><svg width="160" height="12" viewBox="0 0 160 12" aria-hidden="true"><rect '
        f'width="{160 * losses[seat] / most:.1f}" height="12" fill="{_paint(review, seat)}"/></svg></td></tr>'
        for seat, info in enumerate(review.record.seats)
    )
    return f'<table><tr><th>seat</th><th class="number">given away</th><th></th></tr>{rows}</table>'


def _decisions(review: GameReview) -> str:
    rows = "".join(_row(review, decision) for decision in review.decisions)
    return (
        '<table><tr><th class="number">when</th><th>seat</th><th>decision</th><th class="number">worth</th>'
        f'<th class="number">best</th><th class="number">loss</th><th>why</th></tr>{rows}</table>'
    )


def _row(review: GameReview, decision: ReviewedDecision) -> str:
    style = ' class="bad"' if decision.mark in ("?", "??") else ""
    name = review.record.seats[decision.seat].name
    return (
        f'<tr{style}><td class="number">{name_moment(decision)}</td><td>{escape(name)}</td>'
        f"<td>{escape(decision.summary)}{decision.mark}</td>"
        f'<td class="number">{_worth(review, decision.value, "+")}</td>'
        f'<td class="number">{_worth(review, decision.best_value, "+")}</td>'
        f'<td class="number">{_worth(review, decision.loss)}</td><td>{escape(decision.words)}</td></tr>'
    )
