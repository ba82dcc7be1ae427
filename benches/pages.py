"""Writes figures of benchmark runs into the pages that show them: between ``<!-- bench NAME -->`` and its end.

The runs are the JSON of ``stampede bench lab``, ``python -m benches data`` and ``python -m benches cores``. A table and
the sentence that says when and where it was measured come from the same run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Final

from benches.cores import CoreRate, duration, stated_jobs
from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_object, expect_str

__all__ = ["SHOWN", "TABLES", "fill", "table_of"]

Row = tuple[str, str, str]
"""What a row says, the figure that it shows, and the unit behind it; a ratio where the unit is "times"."""

SHOWN: Final[Sequence[Row]] = (
    ("`ZoffVec`, 5 players, batch 1,024", "ZoffVec, 5 players, batch 1024", "atoms a second"),
    ("the same in decisions", "the same in decisions of the rules", "decisions a second"),
    ("the same, rotated for each seat", "the same, rotated for each seat", "atoms a second"),
    ("`ZoffVec`, 2 players, auction, fair", "ZoffVec, 2 players, auction, fair", "atoms a second"),
    ("fresh deals with observations", "fresh deals with observations", "a second"),
    ("`BuffaloVec`, batch 1,024", "BuffaloVec, batch 1024", "steps a second"),
    ("the same, actions drawn, too", "the same in steps of a game", "steps a second"),
    ("the same in games", "BuffaloVec, actions drawn, too", "games a second"),
    ("decisions / those of the readable rules", "ZoffVec / readable rules", "times"),
    ("`ZoffVec` / Gymnasium's `make_vec` on it, steps", "ZoffVec / make_vec", "times"),
    ("`BuffaloVec` / Gymnasium's `make_vec` on it, steps", "BuffaloVec / make_vec", "times"),
    ("PettingZoo's `connect_four`", "PettingZoo's connect_four", "games a second"),
    (
        "games of `BuffaloVec` / of PettingZoo's `connect_four`",
        "BuffaloVec / PettingZoo's connect_four, games",
        "times",
    ),
    ("Pgx's `connect_four`, batch 1,024", "Pgx's connect_four, batch 1024", "games a second"),
    (
        "games of `BuffaloVec` / of Pgx's `connect_four`",
        "BuffaloVec / Pgx's connect_four, batch 1024, games",
        "times",
    ),
    ("the same in steps", "the same in steps", "times"),
    ("OpenSpiel's goofspiel in Python", "OpenSpiel's goofspiel in Python", "plies a second"),
    (
        "atoms of `ZoffVec` / plies of OpenSpiel's goofspiel",
        "ZoffVec / goofspiel in Python",
        "times",
    ),
    *(
        (
            f"OpenSpiel's `random_sim_test`, 20 games of `stampede_zoff`, {players} players",
            f"random_sim_test of stampede_zoff(players={players}), 20 games",
            "s",
        )
        for players in range(2, 7)
    ),
    (
        "the same, `stampede_buffalo`",
        "random_sim_test of stampede_buffalo, 20 games",
        "s",
    ),
    ("`ZoffVec`, two threads / one, wall clock", "ZoffVec, two threads / one", "times"),
    ("`BuffaloVec`, two threads / one, wall clock", "BuffaloVec, two threads / one", "times"),
)
"""The rows of the laboratory's table."""
_WIDTH: Final = 130
"""Of lines of prose in a page."""
_PEERS: Final = {
    "pgx": "Pgx",
    "jax": "JAX",
    "pettingzoo": "PettingZoo",
    "open-spiel": "OpenSpiel",
    "gymnasium": "Gymnasium",
    "numba": "Numba",
}


def fill(page: Path, name: str, text: str) -> None:
    """Puts text between a page's marks of this name.

    Raises:
        InputError: The page hasn't got them.
    """
    begin, end = f"<!-- bench {name} -->\n", f"<!-- /bench {name} -->"
    before = page.read_text("utf-8")
    found = re.sub(
        re.escape(begin) + ".*?" + re.escape(end),
        lambda _: f"{begin}\n{text}\n\n{end}",
        before,
        count=1,
        flags=re.DOTALL,
    )
    if end not in before or begin not in before:
        raise InputError(f"{page}: expected a part between {begin.strip()} and {end}")
    page.write_text(found, "utf-8")


def table_of(name: str, run: JsonObject) -> str:
    """Returns the part of a page that a run makes: the table, then where it was measured."""
    return TABLES[name](run)


def _lab(run: JsonObject) -> str:
    about = _about(run)
    peers = ", ".join(f"{title} {about[key]}" for key, title in _PEERS.items() if key in about)
    missed = run["missed"]
    assert isinstance(missed, list)
    rows = [row for row in SHOWN if _value(run, row) is not None]
    verdict = (
        f"What misses its goal is in bold: {len(missed)}." if missed else "It reaches all goals."
    )
    told = f"One run of `stampede bench lab --json` {_place(about)}, with {peers}. {verdict}"
    return "\n".join([*wrap(told, _WIDTH), "", *_table(run, rows)])


def _data(run: JsonObject) -> str:
    rows: list[Row] = []
    for kind in ("Zoff, 5 players", "Buffalo"):
        rows += [
            (f"{kind}: export", f"{kind}: export", "games a second"),
            (
                f"{kind}: export with `--states`, which replays",
                f"{kind}: export with states",
                "games a second",
            ),
            (f"{kind}: size of all tables", f"{kind}: size", "bytes a step"),
            (
                f"{kind}: export / `json.loads` alone",
                f"{kind}: export / json.loads alone",
                "times",
            ),
            (f"{kind}: loading `steps` into Arrow", f"{kind}: load", "steps a second"),
        ]
    place = _place(_about(run))
    return "\n".join([f"One run of `python -m benches data` {place}:", "", *_table(run, rows)])


def _cores(run: JsonObject) -> str:
    jobs = expect_object(run["jobs"], "jobs")
    lines = [
        "| job | amount | made a second, one core | written a second, one process | one core | 1,000 cores |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for stated in stated_jobs():
        row = expect_object(jobs[stated.name], stated.name)
        # From what the page shows, so that a reader can compute the same.
        rate, written = round(_number(row["rate"]), 2), round(_number(row["written"]))
        found = CoreRate(stated, rate, written)
        lines.append(
            f"| {stated.name} | {stated.amount:,} {stated.unit} | {rate:,.2f} | {written:,}"
            f" | {duration(found.seconds(1))} | {duration(found.seconds(1000))} |"
        )
    place = _place(_about(run))
    return "\n".join([*lines, "", f"The rates come from one run {place}."])


TABLES: Final[dict[str, Callable[[JsonObject], str]]] = {
    "lab": _lab,
    "data": _data,
    "cores": _cores,
}
"""By the name of the benchmark."""


def _table(run: JsonObject, rows: Sequence[Row]) -> list[str]:
    missed, expected = run["missed"], expect_object(run["expected"], "expected")
    assert isinstance(missed, list)
    lines = ["| what | measured | goal |", "|---|---:|---:|"]
    for row in rows:
        title, figure, unit = row
        value = _value(run, row)
        if value is None:
            raise InputError(f"expected a run with {figure!r}, got one without it")
        shown = f"{_short(value)} {unit}"
        goal = expected.get(figure)
        # Times and sizes are to be small, rates and other ratios large.
        most = unit in {"s", "bytes a step"} or "make_vec" in figure
        bound = "" if goal is None else f"{'≤' if most else '≥'} {_short(_number(goal))}"
        lines.append(f"| {title} | {f'**{shown}**' if figure in missed else shown} | {bound} |")
    return lines


def _value(run: JsonObject, row: Row) -> float | None:
    _, figure, unit = row
    found = expect_object(run["ratios" if unit == "times" else "figures"], "figures").get(figure)
    return None if found is None else _number(found)


def _short(value: float) -> str:
    """A figure for people: 4.2 M, 312,000, 83, 1.5."""
    if value >= 1e6:
        return f"{value / 1e6:.3g} M"
    if value >= 1e4:
        return f"{round(value, -3):,.0f}"
    return f"{value:,.0f}" if value >= 20 else f"{value:.2g}"


def _about(run: JsonObject) -> dict[str, str]:
    about = expect_object(run.get("about"), "about")
    return {name: expect_str(text, name) for name, text in about.items()}


def _place(about: dict[str, str]) -> str:
    words = f"on {about['day']}, on {about['cores']} cores"
    return f"{words} of an {about['processor']}, at a load average of {about['load']}"


def _number(value: Json) -> float:
    assert isinstance(value, int | float)
    return float(value)
