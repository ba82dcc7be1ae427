"""Calibration: the fit finds known strengths, runs can be resumed, pages get their tables."""

from __future__ import annotations

import json
import math
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.lab.calibration.__main__ import main
from stampede.lab.calibration.games import (
    PANEL,
    Pairing,
    Result,
    play_buffalo,
    play_missing,
    play_zoff,
)
from stampede.lab.calibration.ratings import Cell, rate
from stampede.lab.calibration.tables import buffalo_tables, replace_section, zoff_tables
from stampede.lab.ratings import ELO, fit

PAIRINGS = [
    ("buffalo", Pairing("random", "beginner", 2)),
    ("buffalo", Pairing("beginner", "random", 2)),
]


def test_the_fit_finds_the_strengths_behind_exact_results() -> None:
    """Three players, the third known through the second only."""
    true = {"a": 0.0, "b": 150.0, "c": 400.0}

    def cell(first: str, second: str, others: int = 1) -> Cell:
        odds = (true[first] - true[second]) / ELO - math.log(others)
        return Cell(first, second, 1000 / (1 + math.exp(-odds)), 1000, others)

    cells = [cell("b", "a"), cell("c", "b", others=3)]
    found = fit([each.contest for each in cells], {"a": 1000.0})
    assert found["a"] == pytest.approx(1000)
    assert found["b"] == pytest.approx(1150, abs=2)
    assert found["c"] == pytest.approx(1400, abs=3)


def test_intervals_hold_the_rating_and_shrink_with_games() -> None:
    few = rate([Cell("b", "a", 12, 20)], {"a": 0.0}, random.Random(1))["b"]
    many = rate([Cell("b", "a", 1200, 2000)], {"a": 0.0}, random.Random(1))["b"]
    assert few.low < few.value < few.high
    assert many.high - many.low < (few.high - few.low) / 3


def test_a_run_is_continued_and_a_finished_one_plays_nothing(tmp_path: Path) -> None:
    """The same games come out however often it is stopped."""
    whole = list(play_missing(PAIRINGS, range(4), tmp_path / "whole.jsonl", 1))
    file = tmp_path / "parts.jsonl"
    part = play_missing(PAIRINGS, range(4), file, 1)
    first = [next(part) for _ in range(3)]
    part.close()
    assert list(play_missing(PAIRINGS, range(4), file, 1))[:3] == first
    before = file.read_bytes()
    again = list(play_missing(PAIRINGS, range(4), file, 1))
    assert file.read_bytes() == before
    key = lambda result: (result.first, result.index)  # noqa: E731
    assert sorted(again, key=key) == sorted(whole, key=key)
    assert len(before.splitlines()) == 8
    assert json.loads(before.splitlines()[0])["won"] in (0.0, 1.0)


def test_tables_show_both_sides_and_every_number_of_players() -> None:
    results = [
        Result(first, second, 2, index, float(index < wins))
        for first, second, wins in (
            ("beginner", "buffalo-1", 4),
            ("buffalo-1", "beginner", 6),
            ("buffalo-2", "buffalo-1", 7),
            ("buffalo-1", "buffalo-2", 3),
        )
        for index in range(10)
    ]
    text = "\n".join(buffalo_tables(results))
    assert "60% (31% to 83%)" in text
    assert "70% (40% to 89%)" in text
    assert "40 games, 10 of each pairing: numbers 0 to 9, for tuning." in text
    assert "watchful" not in text
    hunted = [Result("buffalo-1", "watchful", 2, index, float(index < 4)) for index in range(10)]
    missed = [Result("buffalo-1", "one-move", 2, index, 1.0) for index in range(10)]
    text = "\n".join(buffalo_tables([*results, *hunted, *missed]))
    assert "| buffalo-1 |  |  |  | 0% (0% to 28%) |  | 60% (31% to 83%) |" in text
    assert "| one-move |  | no win |" in text, "any low rating would fit"
    zoff = [
        Result("zoff-1", "beginner", count, index, 0.5) for count in (2, 4) for index in range(4)
    ]
    assert "**4 players** (fair: 25%)" in zoff_tables(zoff)


def test_each_number_of_players_may_have_its_own_number_of_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One run writes all tables, so that none replaces another. The games are there already."""
    file, names = tmp_path / "games.jsonl", (*PANEL, "zoff-1")
    rows = [Result(name, "beginner", count, 1000, 0.5) for name in names for count in (2, 3)]
    rows += [replace(row, index=1001) for row in rows if row.players == 2]
    file.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), "utf-8")
    run = ["zoff", "--top", "1", "--players", "2", "3", "--into", str(file)]
    main([*run, "--games", "2", "1"])
    shown = capsys.readouterr().out
    assert "2 of each pairing: numbers 1000 to 1001, for judging." in shown
    assert "1 of each pairing: numbers 1000 to 1000, for judging." in shown
    with pytest.raises(InputError, match="expected 1 number, or 2, got 3"):
        main([*run, "--games", "2", "1", "1"])


def test_a_page_without_marks_is_refused_and_one_with_marks_keeps_the_rest(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n<!-- x -->\nold\n<!-- /x -->\nend\n", "utf-8")
    replace_section(page, "x", ["new"])
    assert page.read_text("utf-8") == "# A\n<!-- x -->\n\nnew\n\n<!-- /x -->\nend\n"
    with pytest.raises(InputError, match="expected the marks"):
        replace_section(page, "y", [])


@pytest.mark.parametrize(("weak", "strong"), [("random", 1), (1, 4), (4, 8)])
def test_levels_stand_in_order_on_both_sides_of_buffalo(weak: int | str, strong: int) -> None:
    """Exact: nodes and seeds decide every game. The bound is generous: eight games, levels far apart."""
    low, high = (name if name == "random" else f"buffalo-{name}" for name in (weak, strong))
    as_buffalo = sum(play_buffalo(Pairing(high, low, 2), index) for index in range(8))
    lost_as_hunter = sum(play_buffalo(Pairing(low, high, 2), index) for index in range(8))
    assert as_buffalo >= 5
    assert lost_as_hunter <= 5 if weak == "random" else lost_as_hunter <= 3


@pytest.mark.parametrize(("weak", "strong"), [("random", 1), (1, 4)])
def test_levels_stand_in_order_in_zoff(weak: int | str, strong: int) -> None:
    low, high = (name if name == "random" else f"zoff-{name}" for name in (weak, strong))
    assert sum(play_zoff(Pairing(high, low, 2), index) for index in range(8)) >= 5
