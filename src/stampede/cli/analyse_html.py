"""An analysis of Zoff as one HTML file: plots drawn as SVG inside it, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stampede.search.zoff.review.game import Decision, GameReview

__all__ = ["html_report"]

PAINT = {
    "orange": "#d9730d",
    "pink": "#c2417c",
    "green": "#2e8b3d",
    "blue": "#1f6fb5",
    "purple": "#7b3fa0",
    "yellow": "#a88500",
}
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


def html_report(analysis: GameReview, title: str = "Zoff in Buffalo") -> str:
    """The whole page."""
    winners = " and ".join(analysis.names[seat] for seat in analysis.winners)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: analysis</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>
<body><h1>{escape(title)}</h1>
<p>{escape(winners)} won. Worth is told in cows: own cows expected at the end, less the mean of the others'.</p>
<h2>Chances to win</h2>
{_curve(analysis)}
<h2>Seats</h2>
{_seats(analysis)}
<h2>Decisions</h2>
{_decisions(analysis)}
</body></html>
"""


def _paint(analysis: GameReview, seat: int) -> str:
    return PAINT.get(analysis.colours[seat][0], "#555")


def _curve(analysis: GameReview) -> str:
    """Each seat's chance to win where rounds begin, and at the end."""
    moments = analysis.moments
    step = (WIDTH - 2 * EDGE) / max(1, len(moments) - 1)

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
        f"{f'round {moment.round}' if moment.round else 'end'}</text>"
        for index, moment in enumerate(moments)
    )
    lines = "".join(
        f'<polyline fill="none" stroke="{_paint(analysis, seat)}" stroke-width="2.5" '
        f'stroke-dasharray="{DASHES[seat]}" points="'
        + " ".join(spot(index, moment.chances[seat]) for index, moment in enumerate(moments))
        + f'"><title>{escape(name)}</title></polyline>'
        for seat, name in enumerate(analysis.names)
    )
    label = "Chances to win by round: " + "; ".join(
        f"{name} " + ", ".join(f"{moment.chances[seat]:.0%}" for moment in moments)
        for seat, name in enumerate(analysis.names)
    )
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="{escape(label, quote=True)}">'
        f"{grid}{names}{lines}</svg>"
    )


def _seats(analysis: GameReview) -> str:
    """Names with their line in the plot, scores, and what was given away."""
    regrets = analysis.regrets()
    most = max([*regrets, 0.1])
    rows = "".join(
        f'<tr><td><svg width="46" height="12" viewBox="0 0 46 12" aria-hidden="true"><line x1="0" x2="46" y1="6" '
        f'y2="6" stroke="{_paint(analysis, seat)}" stroke-width="3" stroke-dasharray="{DASHES[seat]}"/></svg> '
        f"{escape(name)}</td><td>{escape(', '.join(analysis.colours[seat]))}</td>"
        f'<td class="number">{analysis.scores[seat]:g}</td><td class="number">{regrets[seat]:.1f}</td>'
        f'<td><svg width="160" height="12" viewBox="0 0 160 12" aria-hidden="true"><rect '
        f'width="{160 * regrets[seat] / most:.1f}" height="12" fill="{_paint(analysis, seat)}"/></svg></td></tr>'
        for seat, name in enumerate(analysis.names)
    )
    return (
        '<table><tr><th>seat</th><th>colours</th><th class="number">score</th>'
        f'<th class="number">cows given away</th><th></th></tr>{rows}</table>'
    )


def _decisions(analysis: GameReview) -> str:
    rows = "".join(_row(analysis, decision) for decision in analysis.decisions)
    return (
        '<table><tr><th class="number">round</th><th>seat</th><th>decision</th><th class="number">worth</th>'
        f'<th class="number">best</th><th class="number">regret</th><th>why</th></tr>{rows}</table>'
    )


def _row(analysis: GameReview, decision: Decision) -> str:
    from stampede.search.zoff.review.remarks import describe_action  # noqa: PLC0415 - loads compiled code

    mark = ' class="bad"' if decision.regret >= 1 else ""
    number = decision.round or "start"
    return (
        f'<tr{mark}><td class="number">{number}</td><td>{escape(analysis.names[decision.seat])}</td>'
        f'<td>{escape(describe_action(decision.chosen))}</td><td class="number">{decision.value:+.1f}</td>'
        f'<td class="number">{decision.best_value:+.1f}</td><td class="number">{decision.regret:.1f}</td>'
        f"<td>{escape(decision.words)}</td></tr>"
    )
