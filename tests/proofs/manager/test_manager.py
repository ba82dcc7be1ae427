"""Proof trees: they decide what plain search decides, whatever stops, reorders or kills their workers."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

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
from stampede.proofs.manager.leaf import LeafJob, LeafResult, LeafState, LeafStep
from stampede.proofs.manager.pieces import piece_path, read_piece
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.manager.tree import FEWEST_DECIDED, ProofTree
from stampede.proofs.manager.workers import LocalWorkers, WorkersLost
from stampede.proofs.search.starts import opening_key, start_key
from tests.proofs.manager.trees import ABC, SPEC, Dying, Here, grown, read_npz, shape


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


def test_the_manager_agrees_on_seven_buffaloes_with_a_tablebase(tmp_path: Path) -> None:
    """A rung of the ladder; it follows from `buffaloes-8`. The leaves end in windows of the tablebase."""
    root = int(canonical_key(signed(start_key(missing="abjk"))))
    spec = TreeSpec(
        "c to i",
        root,
        Side.HUNTER,
        tiers=(5, 15),
        probe=200,
        tablebases=("7/abcdefg/3/2abcdefg/3",),
    )
    create_tree(tmp_path / "tree", spec)
    file = TreeFile(tmp_path / "tree")
    grow_tree(file, Here(), GrowthLimits(), folder=str(tmp_path))
    assert file.tree.state is LeafState.PROVEN
    assert file.tree.counts().expanded > 0, "one search proved it: the budgets are too large"
    certify_tree(file, tmp_path / "seven.cert", tmp_path)
    (verdict,) = verify([tmp_path / "seven.cert"])
    assert verdict.fault is None
    assert verdict.questions > 0


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


@pytest.mark.parametrize("loss", ["half of it", "other bytes", "all of it"])
def test_a_damaged_or_lost_piece_is_named_and_searched_again(
    loss: str, proven: TreeFile, tmp_path: Path
) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(proven.folder, folder)
    file = TreeFile(folder)
    keys = [leaf.key for leaf in file.tree.searched_leaves()]
    piece, other = (piece_path(folder, keys[at]) for at in (0, -1))
    kept, untouched = piece.read_bytes(), other.stat().st_mtime_ns
    match loss:
        case "half of it":
            piece.write_bytes(kept[: len(kept) // 2])
        case "other bytes":
            piece.write_bytes(kept[:-40] + b"x" * 40)
        case _:
            piece.unlink()
    with pytest.raises(InputError, match=piece.name):
        certify_tree(file, tmp_path / "no.cert", tmp_path)
    journal = (folder / "journal.jsonl").read_bytes()
    grow_tree(file, Here(), GrowthLimits())
    assert all(
        (was == now).all() for was, now in zip(read_piece(piece), read_npz(kept), strict=True)
    )
    assert other.stat().st_mtime_ns == untouched, "only what was lost is searched again"
    assert (folder / "journal.jsonl").read_bytes() == journal
    certify_tree(file, tmp_path / "abc.cert", tmp_path)
    (verdict,) = verify([tmp_path / "abc.cert"])
    assert verdict.fault is None


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


@pytest.mark.parametrize("survives", [False, True])
def test_a_leaf_that_kills_its_workers_is_deferred_and_the_others_are_searched(
    survives: bool, tmp_path: Path
) -> None:
    """A pool that dies with one leaf, as one without enough memory does; resumed, it is the last to be tried."""
    folder = tmp_path / "tree"
    create_tree(folder, SPEC)
    file = TreeFile(folder)
    grow_tree(file, Here(), GrowthLimits(batches=3))
    killer = file.tree.choose_batch()[0].key
    with closing(LocalWorkers(lambda: Dying(killer, survives=survives))) as workers:
        grow_tree(file, workers, GrowthLimits(batches=1))
    deferred = TreeFile(folder).tree
    assert shape(deferred) == shape(file.tree)
    assert [node.key for node in deferred.nodes.values() if node.deferred] == [killer]
    assert len([leaf for leaf in deferred.choose_batch() if leaf.key != killer]) >= 4
    grow_tree(file, Here(), GrowthLimits())
    assert file.tree.state is LeafState.PROVEN


def test_a_batch_of_which_no_leaf_can_be_searched_ends_the_run(tmp_path: Path) -> None:
    create_tree(tmp_path / "tree", SPEC)
    file = TreeFile(tmp_path / "tree")
    with (
        closing(LocalWorkers(lambda: Dying(SPEC.root))) as workers,
        pytest.raises(WorkersLost, match="less \\(--memory\\)"),
    ):
        grow_tree(file, workers, GrowthLimits())
    assert file.tree.root.deferred == 1
    file.change_settings(file.tree.spec.changed(megabytes=1))
    assert TreeFile(tmp_path / "tree").tree.root.deferred == 0


# --- other settings ---


def test_a_tree_with_other_settings_replays_to_the_same_tree(tmp_path: Path) -> None:
    """Changed twice, once in the middle of a batch: stopped and resumed it ends as one that wasn't stopped."""
    changes: list[dict[str, Any]] = [
        {"tiers": (300, 3_000, 9_000), "batch": 3},
        {"tiers": (400, 3_000, 9_000), "megabytes": 1, "batch": 8},
    ]
    trees = []
    for name, accident in (("whole", None), ("stopped", 4)):
        folder = tmp_path / name
        create_tree(folder, replace(SPEC, tiers=(300, 1_000)))
        file = TreeFile(folder)
        grow_tree(file, Here(), GrowthLimits(batches=4))
        for change in changes:
            with suppress(KeyboardInterrupt):  # after two results of a batch
                grow_tree(file, Here(accident=2), GrowthLimits(batches=1))
            assert file.pending
            file.change_settings(file.tree.spec.changed(**change))
            assert not file.pending
        assert shape(TreeFile(folder).tree) == shape(file.tree)
        while not file.tree.root.is_decided:
            with suppress(KeyboardInterrupt):
                grow_tree(file, Here(accident=accident), GrowthLimits())
            file = TreeFile(folder)
        trees.append(file)
    whole, stopped = (file.tree for file in trees)
    assert shape(whole) == shape(stopped)
    assert whole.state is LeafState.PROVEN
    assert [spec.tiers[-1] for spec in whole.specs] == [1_000, 9_000, 9_000]
    certify_tree(trees[0], tmp_path / "abc.cert", tmp_path)
    (verdict,) = verify([tmp_path / "abc.cert"])
    assert verdict.fault is None


def test_an_open_leaf_is_searched_with_the_new_budget_before_it_is_expanded(tmp_path: Path) -> None:
    create_tree(tmp_path / "tree", replace(SPEC, tiers=(300, 400)))
    file = TreeFile(tmp_path / "tree")
    grow_tree(file, Here(), GrowthLimits(batches=1))
    assert not file.tree.root.steps
    file.change_settings(file.tree.spec.changed(tiers=(300, 400, 500)))
    grow_tree(file, Here(), GrowthLimits(batches=1))
    assert (file.tree.root.tier, file.tree.root.steps) == (2, ())
    grow_tree(file, Here(), GrowthLimits(batches=1))
    assert file.tree.root.tier == 3
    assert file.tree.root.steps


def test_a_lost_piece_is_searched_with_the_settings_of_its_time(
    proven: TreeFile, tmp_path: Path
) -> None:
    folder = tmp_path / "tree"
    shutil.copytree(proven.folder, folder)
    file = TreeFile(folder)
    file.change_settings(file.tree.spec.changed(tiers=(100_000, 200_000)))
    leaf = next(file.tree.searched_leaves())
    kept = piece_path(folder, leaf.key).read_bytes()
    piece_path(folder, leaf.key).unlink()
    asked: list[LeafJob] = []

    class Noting(Here):
        def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
            asked.extend(jobs)
            return super().search(jobs)

    grow_tree(file, Noting(), GrowthLimits())
    assert [job.spec.tiers for job in asked] == [SPEC.tiers]
    again = read_piece(piece_path(folder, leaf.key))
    assert all((was == now).all() for was, now in zip(again, read_npz(kept), strict=True))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tiers": (300,)}, "larger ones"),
        ({"tiers": (200, 3_000)}, "larger ones"),
        ({"tiers": (300, 3_000, 3_000)}, "rising budgets"),
        ({"batch": 0}, "batch"),
        ({"megabytes": 0}, "memory"),
        ({"tablebases": ["8/abc"]}, "8/abc"),
    ],
)
def test_settings_that_cant_follow_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        SPEC.changed(**change)


def test_settings_in_the_middle_of_a_batch_are_refused_with_their_place(tmp_path: Path) -> None:
    create_tree(tmp_path / "tree", SPEC)
    file = TreeFile(tmp_path / "tree")
    file.add([LeafResult(SPEC.root, 0, LeafState.OPEN, None, 1)])
    file._append([{"settings": SPEC.settings_to_json()}])
    with pytest.raises(InputError, match=r"before byte \d+: expected a complete batch"):
        TreeFile(tmp_path / "tree")


def test_a_pseudo_proof_is_never_called_proven(tmp_path: Path) -> None:
    spec = TreeSpec("likely", ABC, Side.BUFFALO, tiers=(50, 400), threshold=150, batch=4, probe=50)
    file = grown(tmp_path / "tree", spec)
    tree = file.tree
    assert tree.root.is_decided
    assert tree.state is LeafState.LIKELY
    assert tree.counts().leaves[LeafState.LIKELY] > 0
    with pytest.raises(InputError, match="without a threshold"):
        certify_tree(file, tmp_path / "no.cert", tmp_path)


def test_few_decided_leaves_give_no_estimate_of_the_time(proven: TreeFile) -> None:
    tree = ProofTree(SPEC)
    few = FEWEST_DECIDED - 1
    steps = tuple(LeafStep(1, key, LeafState.OPEN, 0) for key in range(1, few + 2))
    tree.apply_batch([LeafResult(SPEC.root, 0, LeafState.OPEN, None, 1, steps, seconds=1.0)])
    tree.apply_batch([LeafResult(key, 0, LeafState.REFUTED, None, 1) for key in range(1, few + 1)])
    assert (tree.decided_leaves(), tree.seconds_left()) == (few, None)
    assert proven.tree.decided_leaves() >= FEWEST_DECIDED
    assert proven.tree.seconds_left() == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tiers": ()}, "rising budgets"),
        ({"tiers": (5, 5)}, "rising budgets"),
        ({"batch": 0}, "batch"),
        ({"threshold": 0}, "threshold"),
        ({"megabytes": 0}, "memory"),
        ({"tablebases": ("8/abc",)}, "8/abc"),
        ({"tablebases": ("endgame/5/3/4",)}, "11 columns and 4 dogs"),
        ({"tablebases": ("endgame/11/2/4", "endgame/11/3/4")}, "at most one endgame"),
        ({"tablebases": tuple(f"{n}/abc/0/-/0" for n in range(3, 12))}, "at most 8"),
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
