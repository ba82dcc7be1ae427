"""Studies: what they count is so, intervals hold what they should, and the same seed gives the same numbers."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from stampede.core.errors import InputError
from stampede.lab.studies import STUDIES, run_study
from stampede.lab.studies.play import play_zoff
from stampede.lab.studies.report import estimate_mean, estimate_ratio, estimate_share
from stampede.lab.studies.zoff_chances import rotated
from stampede.lab.studies.zoff_edition import draw_letters
from stampede.lab.studies.zoff_worth import ranks_of
from stampede.lab.vector import ZoffVec
from stampede.zoff import ZoffRules
from stampede.zoff.edition import Edition
from tests.cli.helpers import invoke


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_a_study_is_repeatable_and_every_estimate_lies_in_its_interval(name: str) -> None:
    report = run_study(name, games=16, seed=3)
    assert report == run_study(name, games=16, seed=3)
    assert report != run_study(name, games=16, seed=4)
    for section in report.sections:
        assert section.rows
        assert all(row.low <= row.value <= row.high for row in section.rows)
        ElementTree.fromstring(section.draw())  # noqa: S314 - our own
        assert section.table().count("\n") == len(section.rows) + 1


def test_endings_are_those_of_the_rules() -> None:
    """Z8.1, Z2.3: victories add up to one, cows to the herds, and no pasture starts with two herds."""
    found = play_zoff(ZoffRules(players=5), ["zoff-2"] * 5, 40, 1)
    assert np.allclose(found.wins.sum(axis=1), 1)
    assert (found.scores.sum(axis=1) == found.herds.sum(axis=(1, 2))).all()
    assert all(len(set(deal.reshape(-1).tolist())) == 10 for deal in found.dealt)
    assert np.abs(found.leads.sum(axis=1)).max() < 1e-3
    best = found.scores.max(axis=1, keepdims=True) == found.scores
    assert best[found.wins == 1].mean() > 0.9  # else the last cow has won (Z6.3)


def test_each_colour_sits_in_each_seat_equally_often() -> None:
    """Z2.1: an edition with another order of colours seats them in this order."""
    shipped, players = Edition.default(), 4
    wins = np.zeros((players, players))
    for turn in range(players):
        edition = rotated(shipped, players, turn)
        assert set(edition.colours[:players]) == set(shipped.colours[:players])
        rules = ZoffRules(players=players, edition=edition.id, edition_data=edition)
        games = ZoffVec(1, players, rules)
        for seat in range(players):
            colour = shipped.colours.index(games.groups[seat])
            wins[seat, colour] += 1
            assert colour == (seat + turn) % players
    assert (wins == 1).all()


def test_a_study_tells_a_seat_from_its_colour() -> None:
    """If the bot of seat 1 alone is better, seat 1 wins more, and no colour does."""
    parts = [
        play_zoff(
            replace(ZoffRules(players=3), edition=edition.id, edition_data=edition),
            ["random", "zoff-2", "random"],
            300,
            turn,
        )
        for turn in range(3)
        for edition in [rotated(Edition.default(), 3, turn)]
    ]
    by_colour = np.zeros(3)
    for turn, part in enumerate(parts):
        assert part.wins[:, 1].mean() > 0.9
        by_colour[(np.arange(3) + turn) % 3] += part.wins.mean(axis=0)
    assert np.ptp(by_colour) < 0.2


def test_other_letters_are_the_same_letters_with_stated_ones_in_their_place() -> None:
    """Z4.2: no letter of a value comes twice."""
    shipped = Edition.default()
    drawn = draw_letters(shipped, random.Random(1))
    moved = 0
    for value in (2, 3, 4, 5):
        before, after = (
            sorted(card.letter for c in e.colours[:5] for card in e.cards[c] if card.value == value)
            for e in (shipped, drawn)
        )
        assert before == after
    for colour in shipped.colours:
        for card in shipped.cards[colour]:
            if shipped.source_of(colour, card) != "reconstructed":
                assert card in drawn.cards[colour]
            moved += card not in drawn.cards[colour]
        assert drawn.cards[colour] == tuple(sorted(drawn.cards[colour]))
    assert moved > 20
    assert drawn.cards["yellow"] == shipped.cards["yellow"]


def test_ranks_count_larger_herds_and_leave_out_the_absent() -> None:
    herds = np.zeros((1, 2, 6), np.int16)
    herds[0, 0, :4] = [3, 0, 5, 1]
    assert ranks_of(herds, 4).tolist() == [[[1, -1, 0, 2], [-1, -1, -1, -1]]]


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    hits = np.zeros(3)
    for _ in range(400):
        one, other = rng.normal(3, 2, 200), rng.normal(2, 1, 150)
        shares = estimate_share("", float(rng.binomial(80, 0.3)), 80)
        for number, (row, truth) in enumerate(
            [
                (estimate_mean("", one, scale=2), 6.0),
                (estimate_ratio("", one, other), 1.5),
                (shares, 0.3),
            ]
        ):
            hits[number] += row.low <= truth <= row.high
    assert (hits > 0.91 * 400).all()
    assert (hits < 0.985 * 400).all()


def test_the_command_writes_figures_and_numbers(tmp_path: Path) -> None:
    shown = invoke("study", "buffalo-rungs", "--games", "8", "--out", tmp_path / "out")
    assert "opening of 5 (-4)" in shown.output
    numbers = json.loads((tmp_path / "out" / "buffalo-rungs.json").read_text())
    assert [section["name"] for section in numbers["sections"]] == ["rungs", "openings"]
    assert (tmp_path / "out" / "buffalo-rungs-rungs.svg").exists()
    refused = invoke("study", "chess")
    assert refused.exit_code == 2
    assert "expected one of zoff-chances" in refused.output
    with pytest.raises(InputError, match="at least 8, got 3"):
        run_study("buffalo-rungs", games=3)
