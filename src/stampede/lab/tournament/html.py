"""A tournament's report as one HTML file: plots as SVG inside it, light and dark, nothing loaded from elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from html import escape
from typing import Final

from stampede.lab.arena.stats import SprtCourse
from stampede.lab.plots import Curve, Estimate, draw_bars, draw_curves, draw_estimates
from stampede.lab.ratings import RatingEstimate
from stampede.lab.tournament.standings import Standing, TournamentReport

__all__ = ["html_page"]

STYLE: Final = """
:root { color-scheme: light dark; --ink: #222; --paper: #fffdf8; --line: #ddd; --soft: #666; --mark: #9a5b13;
  --good: 46, 125, 80; --bad: 176, 74, 48 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper) }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere } h2 { margin-top: 2.2rem } .soft { color: var(--soft) }
.wide { overflow-x: auto }
table { border-collapse: collapse }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
th { vertical-align: bottom }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.name { position: sticky; left: 0; background: var(--paper); min-width: 6.5rem; max-width: 9.5rem;
  overflow-wrap: anywhere }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start }
.plots svg { display: block; width: 100%; max-width: 28rem; height: auto }
@media (max-width: 30rem) { body { margin: 1rem auto } th, td { padding: .3rem .4rem } }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee6da; --paper: #1d1a16; --line: #4a443b; --soft: #b3a999; --mark: #e0a458; --good: 88, 170, 120;
    --bad: 214, 110, 80 }
  .plots svg > rect[rx] { fill: var(--paper) } .plots svg text { fill: var(--ink) }
  .plots svg .axis { fill: var(--soft) } .plots svg .grid, .plots svg .frame { stroke: var(--line) }
  .plots svg [fill="#9a5b13"] { fill: var(--mark) } .plots svg [stroke="#9a5b13"] { stroke: var(--mark) }
  .plots svg [stroke="#1f6fb5"] { stroke: #7ab8ee } .plots svg [stroke="#2e7d50"] { stroke: #7cc79b }
}
"""
WIDTH: Final = 380
"""Of plots: their letters are as large as the text on a phone."""
LONGEST: Final = 28
"""Letters of a name in a plot."""
PAIRS: Final = ("0", "½", "1", "1½", "2")
STEPS: Final = 12
"""The most bars of a plot of lengths."""


def html_page(report: TournamentReport) -> str:
    """The whole page."""
    spec = report.tournament.spec
    table = "two" if spec.seats == 2 else f"{spec.seats}, {spec.tables}"
    facts = (
        f"{spec.game.capitalize()}, {spec.format}, tables of {table}: {len(report.games)} games in"
        f" {len(report.tournament.bouts)} bouts{'' if report.tournament.is_over else ' so far'}, seed {spec.seed}."
    )
    parts = [
        f"<h1>{escape(spec.name)}</h1><p>{escape(facts)}</p>",
        "<h2>Standings</h2>",
        _plots(_ratings(report.standings)),
        _note(report),
        _standings(report),
        "<h2>Player against player</h2>",
        _cross(report),
    ]
    if report.tournament.course is not None:
        parts += ["<h2>Sequential test</h2>", _test(report, report.tournament.course)]
    parts += ["<h2>Games</h2>", _plots(_lengths(report), _endings(report))]
    if report.faults:
        parts += ["<h2>Faults</h2>", _faults(report)]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(spec.name)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _plots(*plots: str) -> str:
    return f'<div class="plots">{"".join(plots)}</div>'


def _note(report: TournamentReport) -> str:
    anchor = report.tournament.spec.anchor
    zero = "The mean is 0." if anchor is None else f"{anchor[0]} is kept at {anchor[1]:g}."
    what = "all places" if report.tournament.spec.ranking == "places" else "wins"
    return (
        f'<p class="soft">Plackett–Luce ratings of {what} on the Elo scale. {escape(zero)} Intervals are 95 %, from a'
        " bootstrap over bouts; an arrow means that the results set no limit.</p>"
    )


def _ratings(standings: tuple[Standing, ...]) -> str:
    rows = [
        Estimate(_short(each.name), each.rating.value, each.rating.low, each.rating.high)
        for each in standings
        if each.chairs
    ]
    return draw_estimates("Ratings", rows, axis="Elo", width=WIDTH)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


# --- tables ---


def _cell(text: str, kind: str = "number", tag: str = "td", extra: str = "") -> str:
    return f'<{tag} class="{kind}"{extra}>{text}</{tag}>'


def _table(rows: list[list[str]]) -> str:
    lines = "".join(f"<tr>{''.join(row)}</tr>\n" for row in rows)
    return f'<div class="wide"><table>\n{lines}</table></div>'


def _head(names: list[str], texts: int = 1) -> list[str]:
    """Header cells; the first ones are of columns of texts."""
    kinds = ["name", *[""] * (texts - 1)]
    return [
        _cell(name, kinds[place] if place < texts else "number", "th")
        for place, name in enumerate(names)
    ]


def _standings(report: TournamentReport) -> str:
    seats = [*map(escape, report.seats)]
    byes = any(each.byes for each in report.standings)
    names = ["player", "rating", "95 %", "games", "wins", "share", *seats]
    rows = [_head([*names, "byes"] if byes else names)]
    for place, each in enumerate(report.standings, 1):
        cells = [
            f"{each.rating.value:.0f}" if each.chairs else "",
            _interval(each.rating) if each.chairs else "",
            str(each.chairs),
            f"{round(each.wins, 2):g}",
            f"{each.share:.1%}",
            *(f"{wins / chairs:.0%}" if chairs else "" for chairs, wins in each.by_seat),
        ]
        cells += [str(each.byes)] if byes else []
        rows.append([_cell(f"{place}. {escape(each.name)}", "name"), *map(_cell, cells)])
    note = f"Columns {seats[0]} to {seats[-1]}: the share of the games there that were won."
    return f'{_table(rows)}<p class="soft">{note}</p>'


def _interval(rating: RatingEstimate) -> str:
    low, high = (f"{end:.0f}" if math.isfinite(end) else "…" for end in (rating.low, rating.high))
    return f"{low} to {high}"


def _cross(report: TournamentReport) -> str:
    """A table in colours: the row's share of what both have won."""
    names = [each.name for each in report.standings]
    rows = [_head(["", *map(str, range(1, len(names) + 1))])]
    for place, first in enumerate(names, 1):
        cells = [_cell(f"{place}. {escape(first)}", "name")]
        for second in names:
            share = report.cross.get((first, second))
            if share is None:
                cells.append(_cell("–" if first == second else ""))
                continue
            paint, depth = ("--good", share - 0.5) if share >= 0.5 else ("--bad", 0.5 - share)
            style = f' style="background: rgba(var({paint}), {depth:.2f})"'
            cells.append(_cell(f"{share:.0%}", extra=style))
        rows.append(cells)
    note = "The row's share of the wins of both, chair for chair; columns are numbered as rows."
    return f'{_table(rows)}<p class="soft">{note}</p>'


def _faults(report: TournamentReport) -> str:
    rows = [_head(["player", "why it lost", "games"], 2)]
    rows += [
        [_cell(escape(name), "name"), _cell(escape(why), ""), _cell(str(count))]
        for name, why, count in report.faults
    ]
    return _table(rows)


# --- plots ---


def _test(report: TournamentReport, course: SprtCourse) -> str:
    """What the test says, its ratio pair by pair, and how the pairs ended."""
    test, pairs = course.test, course.score.pairs
    first, second = report.tournament.spec.names
    text = (
        f"Is {first} better than {second} by {test.elo1:g} Elo rather than by {test.elo0:g}? "
        f"{course.verdict.capitalize()}, after {pairs} pairs (risk {test.risk:.0%})."
    )
    ratios = tuple((float(pair), ratio) for pair, ratio in enumerate((0.0, *course.ratios)))
    curves = [
        Curve("ratio", ratios),
        Curve("better", ((0.0, test.bound), (float(pairs), test.bound))),
        Curve("not better", ((0.0, -test.bound), (float(pairs), -test.bound))),
    ]
    ratio = draw_curves("Log-likelihood ratio", curves, x_axis="pairs", y_axis="", width=WIDTH)
    bars = list(zip(PAIRS, course.score.counts, strict=True))
    counts = draw_bars(f"Points of {_short(first)} in a pair", bars, axis="pairs", width=WIDTH)
    return f"<p>{escape(text)}</p>{_plots(ratio, counts)}"


def _lengths(report: TournamentReport) -> str:
    """How many games had how many decisions."""
    lengths = [game.decisions for game in report.games]
    low, high = min(lengths), max(lengths)
    width = -(-(high - low + 1) // STEPS)
    counts = Counter((length - low) // width for length in lengths)
    bars = []
    for place in range((high - low) // width + 1):
        begin = low + width * place
        name = str(begin) if width == 1 else f"{begin}–{begin + width - 1}"
        bars.append((name, counts[place]))
    return draw_bars("Decisions in a game", bars, axis="games", width=WIDTH)


def _endings(report: TournamentReport) -> str:
    """How many games ended for which reason."""
    reasons = Counter(game.reason.replace("_", " ") for game in report.games)
    return draw_bars("How games ended", reasons.most_common(), axis="games", width=WIDTH)
