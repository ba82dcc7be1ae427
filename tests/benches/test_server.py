"""The load bench plays real games on a real server, and its figures hang together."""

import json

import pytest

from benches.load.peer import PACKAGES, Comparison, Rival
from tests.benches.helpers import bench


def test_a_small_load_is_measured_beside_its_ceilings() -> None:
    options = ("--sockets", 10, "--tables", 2, "--audience", 2, "--seconds", 1, "--steady", 40)
    done = bench("server", *options, "--json")
    assert done.exit_code == 0, f"{done.output}\n{done.exception!r}"
    report = json.loads(done.stdout)
    figures = {figure["name"]: figure for figure in report["figures"]}
    actions = figures["acknowledged durable actions"]
    group = figures["bare group commit"]["value"]
    assert report["conditions"]["database"] == "sqlite"
    assert actions["value"] > 0
    assert actions["met"] == (actions["value"] >= actions["expected"])
    share = figures["share of the bare group commit"]["value"]
    rounding = (
        0.01 + (1 + 0.01 * share) / group
    )  # figures have two digits, which a slow disk's need
    assert share == pytest.approx(100 * actions["value"] / group, abs=rounding)
    assert figures["actions at a steady 40/s"]["value"] > 0
    waits = [figures[f"at half the load: acknowledged, p{q}"]["value"] for q in (50, 99)]
    assert 0 < waits[0] <= waits[1]


@pytest.mark.parametrize(
    ("options", "problem"),
    [(("--sockets", 5, "--tables", 3), "at least 6"), (("--game", "chess"), "buffalo or zoff")],
)
def test_a_load_that_cannot_be_is_refused(options: tuple[object, ...], problem: str) -> None:
    result = bench("server", *options)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_a_comparison_says_how_many_moves_ours_does_and_what_they_cost() -> None:
    ours, other = Rival("ours"), Rival("other")
    for waits in ([0.1] * 30, [0.2] * 20, [0.3] * 10):
        ours.add(waits, seconds=1.0, processor=0.1, extra=20)
    other.add([0.5] * 10, seconds=1.0, processor=0.1)
    told = Comparison(ours, (ours, other)).to_json()
    assert told["moves"] == {"other": 2.0}, "the median of the rounds"
    assert told["processor"] == {"other": 4.0}, "votes take time, too"
    assert ours.wait(0.5) == 0.2


@pytest.mark.skipif(not (PACKAGES / ".stamp").exists(), reason="boardgame.io isn't in build/peer")
def test_boardgame_io_is_measured_beside_ours() -> None:
    done = bench("server", "--peer", "--sockets", 10, "--tables", 2, "--seconds", 1, "--json")
    assert done.exit_code == 0, f"{done.output}\n{done.exception!r}"
    report = json.loads(done.stdout)
    names = [server["name"] for server in report["servers"]]
    assert names == ["Stampede, SQLite", "boardgame.io, memory", "boardgame.io, FlatFile"]
    assert all(server["moves_per_second"] > 0 for server in report["servers"])
