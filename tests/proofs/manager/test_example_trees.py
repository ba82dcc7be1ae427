"""The proof trees of the examples: they replay to the size that their page states, and can be resumed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.proofs.estimates import shipped_estimates
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile
from stampede.proofs.manager.leaf import LeafJob, LeafResult, LeafState, search_leaf
from stampede.proofs.search.starts import opening_key, start_key
from tests.repository.files import ROOT

FOLDER = ROOT / "examples/proof-trees"
HUNTER_AHEAD = {*"bd", *range(-8, 0)}
"""The first moves and rungs below 0 whose trees are the hunter's; the others are the buffalo side's."""


def openings() -> dict[str, tuple[int, Side]]:
    """The roots of the trees of rungs and first moves: the openings that `/solved` draws."""
    found: dict[str, tuple[int, Side]] = {}
    for one in shipped_estimates()[1]:
        opening: str | int = one.stepped or one.rung
        name = f"first-move-{opening}" if one.stepped else f"rung{opening}"
        if one.stepped or -9 <= one.rung < 0:
            winner = Side.HUNTER if opening in HUNTER_AHEAD else Side.BUFFALO
            found[name] = (signed(encode(Position.from_fen(one.fen))), winner)
    return found


ROOTS = {
    **openings(),
    "a-and-k": (opening_key((2, *(1,) * 9, 2)), Side.BUFFALO),
    "all-on-one-step": (opening_key((1,) * 11), Side.BUFFALO),
    "start-buffalo": (start_key(), Side.BUFFALO),
    "start-hunter": (start_key(), Side.HUNTER),
    "ten-without-e": (start_key(missing="e"), Side.HUNTER),
    "ten-without-f": (start_key(missing="f"), Side.HUNTER),
}
MOST_BYTES = 300_000


class Hasty:
    """Searches a few positions of each leaf, without the tablebases of the tree."""

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        for job in jobs:
            small = replace(job.spec, tablebases=(), tiers=(100, 200), megabytes=1)
            yield search_leaf(replace(job, spec=small))


def stated(name: str) -> list[int]:
    """Nodes, expanded ones and positions of a tree, as the page states them."""
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{name}` \|(.*)\|$", page, re.MULTILINE)
    assert row is not None, name
    return [int(cell.replace(",", "")) for cell in row[1].split("|")[2:5]]


def test_every_tree_is_tested() -> None:
    assert {path.parent.name for path in FOLDER.glob("*/journal.jsonl")} == set(ROOTS)


@pytest.mark.parametrize("name", ROOTS)
def test_a_tree_replays_to_the_size_that_its_page_states(name: str) -> None:
    file = TreeFile(FOLDER / name)
    counts = file.tree.counts()
    assert [counts.nodes, counts.expanded, counts.positions] == stated(name)
    root, winner = ROOTS[name]
    assert (file.tree.spec.root, file.tree.spec.winner) == (int(canonical_key(root)), winner)
    assert file.tree.spec.threshold is None, "a proof, not an estimate"
    assert file.tree.state is LeafState.OPEN
    assert file.tree.choose_batch(), "there are leaves to go on with"
    assert (FOLDER / name / "journal.jsonl").stat().st_size < MOST_BYTES


def test_a_tree_can_be_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(FOLDER / "ten-without-f", folder)
    before = (folder / "journal.jsonl").read_bytes()
    file = TreeFile(folder)
    batches = file.tree.batches
    grow_tree(file, Hasty(), GrowthLimits(batches=2))
    after = (folder / "journal.jsonl").read_bytes()
    assert after.startswith(before)
    assert len(after) > len(before)
    assert TreeFile(folder).tree.batches == batches + 2


def test_a_tree_goes_on_with_the_budgets_and_batches_of_a_cluster(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(FOLDER / "start-hunter", folder)
    file = TreeFile(folder)
    assert len(file.tree.choose_batch()) <= file.tree.spec.batch
    before = file.tree.counts()
    file.change_settings(
        file.tree.spec.changed(tiers=(2_000, 200_000, 100_000_000), batch=64, megabytes=8_000)
    )
    chosen = TreeFile(folder).tree.choose_batch()
    assert len(chosen) > 32, "more leaves than the tree's own batch has"
    assert file.tree.counts() == before
    assert {leaf.tier for leaf in chosen} <= {0, 1}, "no leaf had a third budget"
