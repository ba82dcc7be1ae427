"""The benchmark of proof trees grows the same tree with each number of processes."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from benches import trees
from stampede.buffalo import Side
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import ProofTree


def test_it_reports_what_several_processes_gain() -> None:
    report = trees.measure([2], 3, (100, 500), make_pool=lambda _: ThreadPoolExecutor(1))
    figures = {figure.name: figure for figure in report.figures}
    assert figures["2 processes: gain"].value == 1
    assert figures["2 processes: rate"].value > 0
    assert report.counts["nodes"] > 1
    assert report.counts["positions"] > 500


def test_another_tree_with_more_processes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = TreeSpec("none", trees.ROOT, Side.BUFFALO)
    counts = ProofTree(spec).counts()
    results = iter([(1.0, counts), (1.0, replace(counts, positions=1))])
    monkeypatch.setattr(trees, "_grown", lambda *_: next(results))
    with pytest.raises(AssertionError, match="2 processes: another tree"):
        trees.measure([1, 2], 1, make_pool=ThreadPoolExecutor)
