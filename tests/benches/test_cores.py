"""`python -m benches cores`: its arithmetic, a small measurement, and the page that shows its table."""

import json
import re
from typing import cast

import pytest

from benches.cores import CoreRate, StatedJob, duration, measure, stated_jobs
from stampede.lab import simulation_job
from stampede.lab.shards.job import make_lines
from stampede.lab.tournament.pairing import all_bouts
from stampede.lab.tournament.spec import TournamentSpec
from tests.repository.files import ROOT

JOB = simulation_job("buffalo", {}, ["random", "random"], 100, "test")


def test_cores_share_the_work_wait_for_the_last_shard_and_for_the_writer() -> None:
    stated = StatedJob("games", 4 * 4096 * 20, "games", JOB, whole=20)
    assert stated.shard_items == 4
    free = CoreRate(stated, rate=10.0, written=1e9)
    assert free.seconds(1) == 32_768
    assert free.seconds(1000) == pytest.approx(32.768 + 8)
    assert free.seconds(10**9) == free.seconds(4096) == 8, "a shard is made by one core at a time"
    few = CoreRate(StatedJob("games", 200, "games", JOB, whole=20), rate=10.0, written=1e9)
    assert few.seconds(1000) == 2, "and so is an item"
    stated = StatedJob("games", 1_000_000, "games", JOB)
    assert CoreRate(stated, rate=10.0, written=5_000).seconds(1000) == 200


def test_a_job_is_measured_as_a_worker_runs_it() -> None:
    (found,) = measure([StatedJob("games", 500, "games", JOB)], 0.02)
    assert found.rate > 0
    assert found.written > 0
    assert found.to_json(10)["amount"] == 500


def test_the_items_of_tournaments_and_proofs_are_what_they_count() -> None:
    """A bout has a game for each seat, and a leaf takes all of its positions."""
    for stated in stated_jobs():
        if "tournament" in stated.name:
            sample = stated.sample
            spec = TournamentSpec.parse(cast("dict[str, object]", sample.parameters["spec"]))
            assert stated.each == spec.seats == stated.whole
            assert sample.items == len(all_bouts(spec))
    leaves = next(stated for stated in stated_jobs() if stated.unit == "positions")
    (line,) = make_lines(leaves.sample.dumps(), 3, 4)
    assert json.loads(line)["positions"] == pytest.approx(leaves.each, rel=0.001)


def test_durations_have_the_largest_unit_that_fits_twice() -> None:
    assert [duration(seconds) for seconds in (119, 120, 7200, 172_800)] == [
        "119 seconds",
        "2.0 minutes",
        "2.0 hours",
        "2.0 days",
    ]


def test_the_page_computes_what_it_states_from_its_rates() -> None:
    page = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
    number = r"([\d,.]+)"
    pattern = rf"^\| (.+?) \| {number} \w+ \| {number} \| {number} \| (.+?) \| (.+?) \|$"
    rows = re.findall(pattern, page, re.MULTILINE)
    named = {stated.name: stated for stated in stated_jobs()}
    assert [row[0] for row in rows] == list(named)
    for name, amount, rate, written, one, thousand in rows:
        stated = named[name]
        assert int(amount.replace(",", "")) == stated.amount
        found = CoreRate(stated, *(float(text.replace(",", "")) for text in (rate, written)))
        assert (one, thousand) == (duration(found.seconds(1)), duration(found.seconds(1000)))
