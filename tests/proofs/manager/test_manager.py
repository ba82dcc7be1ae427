"""Proof trees: they decide what plain search decides, whatever stops, reorders or kills their workers."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.kernels.buffalo.bridge import signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.proofs.certificates import verify
from stampede.proofs.manager.certify import certify_tree
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree, hold_tree, read_milestones
from stampede.proofs.manager.leaf import LeafResult, LeafState, LeafStep
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import ProofTree
from stampede.proofs.manager.workers import LocalWorkers
from stampede.proofs.search.starts import opening_key, start_key
from tests.proofs.manager.trees import ABC, SPEC, Here, grown, shape


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> TreeFile:
    return grown(tmp_path_factory.mktemp("tree") / "abc")


def test_a_known_win_is_proven_and_its_certificate_verified(
    proven: TreeFile, tmp_path: Path
) -> None:
    assert proven.tree.state is LeafState.PROVEN
    assert proven.tree.counts().expanded > 0, "one search proved it: the budgets are too large"
    path = tmp_path / "abc.cert"
    certify_tree(proven, path, tmp_path)
    (verdict,) = verify([path])
    assert verdict.fault is None


def test_a_known_win_is_refuted_for_the_other_side(tmp_path: Path) -> None:
    spec = TreeSpec("abc", ABC, Side.HUNTER, tiers=(300, 3_000), probe=200)
    file = grown(tmp_path / "tree", spec)
    assert file.tree.state is LeafState.REFUTED
    with pytest.raises(InputError, match="expected a tree whose root is proven"):
        certify_tree(file, tmp_path / "no.cert", tmp_path)
    assert not (tmp_path / "no.cert").exists()


@pytest.mark.parametrize(
    ("title", "key", "winner"),
    [
        ("the hunter against a, b and k", start_key(missing="cdefghij"), Side.HUNTER),
        ("the hunter against a and k", start_key(missing="bcdefghij"), Side.HUNTER),
        ("a on two steps, b and c on three", opening_key((2, 3, 3)), Side.BUFFALO),
    ],
)
def test_the_manager_agrees_with_the_shipped_certificates(
    title: str, key: int, winner: Side, tmp_path: Path
) -> None:
    """Roots that one search has proven: the last is `opening-abc-233`, the others follow from `buffaloes-8`."""
    root = int(canonical_key(signed(key)))
    for side in Side:
        spec = TreeSpec(title, root, side, tiers=(300, 20_000), probe=200)
        state = grown(tmp_path / side.word, spec).tree.state
        assert state is (LeafState.PROVEN if side is winner else LeafState.REFUTED)


def test_the_order_of_results_doesnt_matter(proven: TreeFile, tmp_path: Path) -> None:
    other = grown(tmp_path / "tree", workers=Here(seed=7))
    assert shape(other.tree) == shape(proven.tree)
    assert read_milestones(other.folder)[-1].nodes == len(proven.tree.nodes)


def test_a_stopped_tree_resumes_and_ends_the_same(proven: TreeFile, tmp_path: Path) -> None:
    """Stopped in the middle of a batch, every few results, and with half a line at the end of its file."""
    folder = tmp_path / "tree"
    create_tree(folder, SPEC)
    for _ in range(200):
        file = TreeFile(folder)
        if file.tree.root.is_decided:
            break
        try:
            grow_tree(file, Here(accident=3), GrowthLimits())
        except KeyboardInterrupt:
            with (folder / "journal.jsonl").open("ab") as journal:
                journal.write(b'12345678 {"leaf":{"ke')
    assert shape(TreeFile(folder).tree) == shape(proven.tree)


def test_every_damaged_line_is_named(proven: TreeFile, tmp_path: Path) -> None:
    lines = (proven.folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    folder = tmp_path / "tree"
    folder.mkdir()
    for number in range(1, len(lines), 3):
        damaged = lines[number].replace(b"0", b"1", 1)
        (folder / "journal.jsonl").write_bytes(
            b"".join([*lines[:number], damaged, *lines[number + 1 :]])
        )
        with pytest.raises(InputError, match=rf"line {number + 1} at byte \d+: damaged"):
            TreeFile(folder)
        (folder / "journal.jsonl").write_bytes(b"".join([*lines[:number], *lines[number + 1 :]]))
        if number + 1 < len(lines):
            with pytest.raises(InputError, match=rf"line {number + 1} at byte \d+: damaged"):
                TreeFile(folder)


def test_a_damaged_or_lost_piece_is_named(proven: TreeFile, tmp_path: Path) -> None:
    piece = max((proven.folder / "pieces").iterdir())
    kept = piece.read_bytes()
    try:
        for bad in (kept[: len(kept) // 2], kept[:-40] + b"x" * 40):
            piece.write_bytes(bad)
            with pytest.raises(InputError, match=piece.name):
                certify_tree(proven, tmp_path / "no.cert", tmp_path)
        piece.unlink()
        with pytest.raises(InputError, match=piece.name):
            certify_tree(proven, tmp_path / "no.cert", tmp_path)
    finally:
        piece.write_bytes(kept)


def test_a_tree_grows_in_one_process_at_a_time(proven: TreeFile) -> None:
    with (
        hold_tree(proven.folder),
        pytest.raises(InputError, match="no other process"),
        hold_tree(proven.folder),
    ):
        pass


def test_a_killed_worker_is_replaced_and_nothing_is_lost(proven: TreeFile, tmp_path: Path) -> None:
    pools: list[ProcessPoolExecutor] = []

    def make_pool() -> ProcessPoolExecutor:
        pools.append(ProcessPoolExecutor(1, mp_context=get_context("spawn")))
        return pools[-1]

    folder = tmp_path / "tree"
    create_tree(folder, SPEC)
    file = TreeFile(folder)

    def kill(tree: ProofTree) -> None:
        if tree.batches == 3:
            for process in list(pools[-1]._processes.values()):
                os.kill(process.pid or 0, signal.SIGKILL)

    with closing(LocalWorkers(make_pool)) as workers:
        grow_tree(file, workers, GrowthLimits(), report=kill)
    assert len(pools) == 2
    assert shape(file.tree) == shape(proven.tree)


def test_a_pseudo_proof_is_never_called_proven(tmp_path: Path) -> None:
    spec = TreeSpec("likely", ABC, Side.BUFFALO, tiers=(50, 400), threshold=150, batch=4, probe=50)
    tree = grown(tmp_path / "tree", spec).tree
    assert tree.root.is_decided
    assert tree.state is LeafState.LIKELY
    assert tree.counts().leaves[LeafState.LIKELY] > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tiers": ()}, "rising budgets"),
        ({"tiers": (5, 5)}, "rising budgets"),
        ({"batch": 0}, "batch"),
        ({"threshold": 0}, "threshold"),
        ({"megabytes": 0}, "memory"),
    ],
)
def test_a_spec_that_makes_no_sense_is_refused(change: dict[str, object], words: str) -> None:
    values = {"title": "x", "root": ABC, "winner": Side.HUNTER, **change}
    with pytest.raises(InputError, match=words):
        TreeSpec(**values)  # type: ignore[arg-type]


def test_a_spec_is_read_as_it_was_written_and_older_ones_without_memory() -> None:
    spec = TreeSpec("large", ABC, Side.BUFFALO, tiers=(10, 80_000_000_000), megabytes=20_000)
    data = dict(spec.to_json())
    assert TreeSpec.from_json(data) == spec
    del data["megabytes"]
    assert TreeSpec.from_json(data) == replace(spec, megabytes=2_048)


# --- numbers ---


@given(st.data())
def test_numbers_decide_what_and_or_decides(data: st.DataObject) -> None:
    """Random graphs of four layers: 0 means exactly what going through all leaves says."""
    rng = data.draw(st.randoms(use_true_random=False))
    layers = [[100 * depth + at for at in range(rng.randint(1, 4))] for depth in range(4)]
    keys = [
        [-key - 1 if depth % 2 == 0 else key for key in layer] for depth, layer in enumerate(layers)
    ]
    spec = TreeSpec("graph", keys[0][0], Side.HUNTER, tiers=(1,))
    tree = ProofTree(spec)
    truth: dict[int, bool | None] = {}
    moves: dict[int, list[int]] = {}
    for depth in (3, 2, 1, 0):
        for key in keys[depth]:
            if depth == 3:
                truth[key] = rng.choice((True, False, None))
                continue
            moves[key] = rng.sample(keys[depth + 1], rng.randint(1, len(keys[depth + 1])))
            found = [truth[child] for child in moves[key]]
            good = key < 0  # the winner moves
            truth[key] = good if good in found else None if None in found else not good
    states = {True: LeafState.PROVEN, False: LeafState.REFUTED, None: LeafState.OPEN}
    for layer in keys[:3]:
        for key in layer:
            if key in tree.nodes:
                steps = [
                    LeafStep(
                        1, child, states[truth[child]] if child in keys[3] else LeafState.OPEN, 0
                    )
                    for child in moves[key]
                ]
                result = LeafResult(key, 0, LeafState.OPEN, None, 1, tuple(steps))
                tree.apply_batch([result])
    for key, node in tree.nodes.items():
        said = True if node.proof == 0 else False if node.disproof == 0 else None
        assert said == truth[key]
    if not tree.root.is_decided:
        assert all(leaf.state is LeafState.OPEN for leaf in tree.choose_batch())
        assert all(node.busy == 0 for node in tree.nodes.values())
