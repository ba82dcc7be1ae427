"""The tables of a calibration in Markdown, and their place in a page."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from stampede.core.errors import InputError
from stampede.lab.arena.stats import Score
from stampede.lab.calibration.games import JUDGING, PANEL, Result
from stampede.lab.calibration.ratings import Cell, RatingEstimate, rate

__all__ = ["LOOKERS", "buffalo_tables", "replace_section", "zoff_tables"]

ANCHOR = 1000.0
"""The sensible beginner's rating: in Buffalo the mean of its two sides."""
BEGINNER = "beginner"
LOOKERS = ("one-move", "two-move", "watchful")
"""The reference players of Buffalo that look ahead."""


def _cells(results: Iterable[Result], sides: tuple[str, str]) -> list[Cell]:
    wins: dict[tuple[str, str, int], list[float]] = {}
    for result in results:
        key = (result.first + sides[0], result.second + sides[1], result.players - 1)
        wins.setdefault(key, []).append(result.won)
    return [
        Cell(first, second, sum(shares), len(shares), others)
        for (first, second, others), shares in wins.items()
    ]


def _rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---", *["---:"] * (len(header) - 1)]
    return [f"| {' | '.join(row)} |" for row in (header, rule, *rows)]


def _rating(ratings: Mapping[str, RatingEstimate], name: str, cells: Sequence[Cell]) -> str:
    """A rating with its interval; none where nothing was won, as any low one would fit."""
    if name not in ratings:
        return ""
    won = sum(
        cell.wins if cell.first == name else cell.games - cell.wins
        for cell in cells
        if name in {cell.first, cell.second}
    )
    if not won:
        return "no win"
    found = ratings[name]
    return f"{found.value:.0f} ({found.low:.0f} to {found.high:.0f})"


def _share(cells: Mapping[tuple[str, str], Cell], first: str, second: str) -> str:
    cell = cells.get((first, second))
    if cell is None:
        return ""
    low, high = Score(round(cell.wins), cell.games).interval
    return f"{cell.wins / cell.games:.0%} ({low:.0%} to {high:.0%})"


def _lost(cells: Mapping[tuple[str, str], Cell], first: str, second: str) -> str:
    """The share of the games that the second, as the hunter, has won."""
    cell = cells.get((first, second))
    if cell is None:
        return ""
    lost = cell.games - cell.wins
    low, high = Score(round(lost), cell.games).interval
    return f"{lost / cell.games:.0%} ({low:.0%} to {high:.0%})"


def _names(results: Iterable[Result]) -> list[str]:
    """The players, the panel first, then levels by number."""
    found = {name for result in results for name in (result.first, result.second)}
    panel = [name for name in PANEL if name in found]
    levels = sorted(found - set(panel), key=lambda name: int(name.rpartition("-")[2]))
    return [*panel, *levels]


def buffalo_tables(results: Sequence[Result]) -> list[str]:
    """Ratings by side, and each level against the beginner and the level below."""
    buffalo, hunter = " as buffalo side", " as hunter"
    cells = _cells(results, (buffalo, hunter))
    anchors = {BEGINNER + buffalo: ANCHOR, BEGINNER + hunter: ANCHOR}
    ratings = rate(cells, anchors, random.Random(1))
    by_pair = {(cell.first, cell.second): cell for cell in cells}
    names = _names(results)
    rows = []
    for place, name in enumerate(names):
        below = names[place - 1] if place and name not in PANEL else ""
        below = "" if below in PANEL else below
        rows.append(
            (
                name,
                _rating(ratings, name + buffalo, cells),
                _rating(ratings, name + hunter, cells),
                _share(by_pair, name + buffalo, BEGINNER + hunter),
                _lost(by_pair, BEGINNER + buffalo, name + hunter),
                _share(by_pair, name + buffalo, below + hunter),
                _lost(by_pair, below + buffalo, name + hunter),
            )
        )
    header = (
        "player",
        "rating, buffalo side",
        "rating, hunter",
        "buffalo side against the beginner",
        "hunter against the beginner",
        "buffalo side against the level below",
        "hunter against the level below",
    )
    lookers = _lookers_table(by_pair, names)
    return [*_rows(header, rows), "", *lookers, _count(cells, results)]


def _lookers_table(cells: Mapping[tuple[str, str], Cell], names: Sequence[str]) -> list[str]:
    """What the players who look ahead win against low levels; nothing without such games."""
    buffalo, hunter = " as buffalo side", " as hunter"
    rows = []
    for level in names:
        won = [
            *(_share(cells, looker + buffalo, level + hunter) for looker in LOOKERS),
            *(_lost(cells, level + buffalo, looker + hunter) for looker in LOOKERS),
        ]
        if level not in PANEL and any(won):
            rows.append((level, *won))
    if not rows:
        return []
    header = [looker + side for side in (buffalo, hunter) for looker in LOOKERS]
    return [*_rows(("against", *header), rows), ""]


def zoff_tables(results: Sequence[Result]) -> list[str]:
    """For each number of players: ratings, and each level among beginners and among the level below."""
    lines: list[str] = []
    for players in sorted({result.players for result in results}):
        here = [result for result in results if result.players == players]
        cells = _cells(here, ("", ""))
        ratings = rate(cells, {BEGINNER: ANCHOR}, random.Random(1))
        by_pair = {(cell.first, cell.second): cell for cell in cells}
        names = _names(here)
        rows = []
        for place, name in enumerate(names):
            below = names[place - 1] if place and name not in PANEL else ""
            rows.append(
                (
                    name,
                    _rating(ratings, name, cells),
                    _share(by_pair, name, BEGINNER),
                    _share(by_pair, name, "" if below in PANEL else below),
                )
            )
        header = ("player", "rating", "wins among beginners", "wins among the level below")
        lines += [f"**{players} players** (fair: {1 / players:.0%})", ""]
        lines += [*_rows(header, rows), "", _count(cells, here), ""]
    return lines[:-1]


def _count(cells: Sequence[Cell], results: Sequence[Result]) -> str:
    games = sum(cell.games for cell in cells)
    least, most = min(cell.games for cell in cells), max(cell.games for cell in cells)
    each = str(least) if least == most else f"{least} to {most}"
    first, last = (end(result.index for result in results) for end in (min, max))
    kind = "judging" if first >= JUDGING else "tuning"
    return f"{games:,} games, {each} of each pairing: numbers {first} to {last}, for {kind}."


def replace_section(page: Path, name: str, lines: Sequence[str]) -> None:
    """Replaces what stands between ``<!-- name -->`` and ``<!-- /name -->``; InputError without these marks."""
    text = page.read_text("utf-8")
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if begin not in text or end not in text:
        raise InputError(f"{page}: expected the marks {begin} and {end}")
    head, _, rest = text.partition(begin)
    tail = rest.partition(end)[2]
    body = "\n".join(lines)
    page.write_text(f"{head}{begin}\n\n{body}\n\n{end}{tail}", "utf-8")
