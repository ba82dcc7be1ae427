"""The bench of a machine where nothing is compiled: a real server answers, and its figures hang together."""

import json

from benches.cold import all_levels
from tests.benches.helpers import bench


def test_a_level_is_measured_on_a_server_with_an_empty_cache() -> None:
    done = bench("cold", "--levels", "buffalo-1", "--answers", 2, "--json")
    assert done.exit_code == 0, f"{done.output}\n{done.exception!r}"
    report = json.loads(done.stdout)
    figures = report["levels"]["buffalo-1"]
    assert figures["ready_seconds"] > 0
    assert figures["first_answer_seconds"] > 0
    loops = figures["first_answer_seconds"] / report["loop_seconds"]
    assert abs(figures["first_answer_in_loops"] - loops) <= 0.1 + 0.01 / report["loop_seconds"]


def test_a_level_that_is_not_there_is_refused_with_those_that_are() -> None:
    assert all_levels()[0] == "buffalo-1"
    assert len(all_levels()) == 16
    done = bench("cold", "--levels", "buffalo-1,chess-2")
    assert done.exit_code == 2
    assert "'chess-2'" in done.stderr
