"""The benchmark of the certificates' check has a command, and counts what it checked."""

import json

from tests.benches.helpers import bench


def test_the_benchmark_of_the_check_reports_its_figure_and_what_it_counted() -> None:
    report = json.loads(bench("verify", "--json").stdout)
    assert report["counts"]["positions"] > 10_000
    assert report["figures"]["checking a certificate on one core"] > 0
    assert report["expected"]["checking a certificate on one core"] == 1e6
