"""The benchmark of threads searches the same positions with each number of threads."""

from benches import threads


def test_it_reports_what_a_second_thread_gains() -> None:
    report = threads.measure([1, 2], depth=5, positions=2)
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["1 thread: gain in all"] == 1
    assert figures["2 threads: gain in all"] > 0
    assert figures["2 threads: all positions to the depth"] > 0
    assert report.counts == {"positions": 2, "depth": 5}
