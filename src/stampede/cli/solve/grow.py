"""`stampede solve grow`, `tree` and `certify`: proof trees that many workers grow, batch by batch."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.table import Table

from stampede.buffalo import Side
from stampede.cli.common.compile import worker_pool
from stampede.cli.common.files import whole_file
from stampede.cli.common.options import AsJson, RayAddress
from stampede.cli.common.output import LINE_EVERY, console, write_json
from stampede.cli.solve.prove import Missing, Steps, build_all, key_of_root
from stampede.cli.solve.tablebase import FolderOption
from stampede.core.errors import InputError
from stampede.core.json import JsonObject

if TYPE_CHECKING:
    from stampede.lab.shards.leaves import RayWorkers
    from stampede.proofs.manager.journal import Milestone
    from stampede.proofs.manager.spec import TreeSpec
    from stampede.proofs.manager.tree import ProofTree
    from stampede.proofs.manager.workers import LocalWorkers

__all__ = ["app"]

app = typer.Typer()

TreeFolder: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The tree's folder.", show_default=False)
]
Winner: TypeAlias = Annotated[
    str | None,
    typer.Option("--winner", metavar="SIDE", help="Who is to win: buffalo or hunter, the default."),
]
Threshold: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--threshold",
        metavar="N",
        help="Take a leaf beyond this score as likely: a pseudo-proof.",
    ),
]
Tiers: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--tiers", metavar="LIST", help="Budgets of a leaf; default: 2000,200000,10000000."
    ),
]
Batch: TypeAlias = Annotated[
    int | None,
    typer.Option("--batch", metavar="N", help="Leaves chosen at once; default: 16."),
]
Memory: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--memory",
        metavar="MB",
        help="The largest transposition table of a leaf's search; default: 2048.",
    ),
]
Tablebases: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tablebase", metavar="SPEC", help="A tablebase to use; repeatable."),
]
Processes: TypeAlias = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes; default: all cores."),
]
Batches: TypeAlias = Annotated[
    int | None, typer.Option("--batches", metavar="N", min=1, help="Stop after this many batches.")
]
MostPositions: TypeAlias = Annotated[
    float | None,
    typer.Option("--positions", metavar="N", min=1, help="Stop after this many positions in all."),
]
Minutes: TypeAlias = Annotated[
    float | None, typer.Option("--minutes", metavar="N", min=0, help="Stop after this time.")
]


@app.command("grow")
def grow_command(  # noqa: PLR0913 - one argument an option
    tree: TreeFolder,
    fen: Annotated[
        list[str] | None,
        typer.Argument(metavar="FEN", help="The root; default: the start.", show_default=False),
    ] = None,
    *,
    missing: Missing = "",
    steps: Steps = "",
    winner: Winner = None,
    threshold: Threshold = None,
    tiers: Tiers = None,
    batch: Batch = None,
    memory: Memory = None,
    tablebase: Tablebases = None,
    jobs: Processes = None,
    ray: RayAddress = None,
    batches: Batches = None,
    positions: MostPositions = None,
    minutes: Minutes = None,
    folder: FolderOption = None,
    as_json: AsJson = False,
) -> None:
    """Grows a proof tree: starts one in a new folder, or resumes the one that is there.

    Leaves are searched with a small budget first, then with larger ones; what the largest leaves open is expanded. You
    can stop at any time and resume with the folder alone, or with larger --tiers, another --batch or --memory, or a
    further --tablebase. Lost pieces of a finished proof are searched again. Exit code 1 while the root is open.

    Examples:
    stampede solve grow all-two --steps 22222222222 --winner buffalo --jobs 2
    stampede solve grow all-two --minutes 30
    stampede solve grow all-two --ray 10.0.0.1:6379 --batch 256
    """
    from stampede.proofs.manager.grow import GrowthLimits, grow_tree
    from stampede.proofs.manager.journal import TreeFile, create_tree, hold_tree
    from stampede.proofs.manager.leaf import LeafState
    from stampede.tablebase.tablebase import tablebase_folder

    spec = None
    if not (tree / "journal.jsonl").exists():
        spec = _spec(fen, missing, steps, winner, threshold, tiers, batch, memory, tablebase or [])
    else:
        _expect_resumed(tree, (fen, missing, steps, winner, threshold))
    limits = GrowthLimits(
        batches,
        None if positions is None else int(positions),
        None if minutes is None else 60 * minutes,
    )
    with closing(_workers(jobs, ray)) as workers:
        if spec is not None:
            create_tree(tree, spec)
        with hold_tree(tree), _status() as show:
            file = TreeFile(tree)
            changed = spec or file.tree.spec.changed(
                tiers=None if tiers is None else _numbers(tiers),
                batch=batch,
                megabytes=memory,
                tablebases=tablebase or [],
            )
            if ray is None:  # else each machine of the cluster has its own folder
                build_all(changed.tablebases, folder or tablebase_folder(), jobs or 1)
            file.change_settings(changed)
            where = None if folder is None else str(folder)
            grow_tree(file, workers, limits, folder=where, report=show)
    _show(file.tree, as_json=as_json)
    if file.tree.state is LeafState.OPEN:
        raise typer.Exit(1)


def _expect_resumed(tree: Path, asked: Sequence[object]) -> None:
    """A tree keeps its root, its winner and its threshold; InputError when one of them is given."""
    if any(value not in (None, "", []) for value in asked):
        raise InputError(
            f"{tree}: expected no root, --winner or --threshold to resume a tree, got one; for another"
            " one, name a new folder"
        )


def _workers(jobs: int | None, ray: str | None) -> LocalWorkers | RayWorkers:
    """Processes of this machine, or of a cluster if one is named."""
    from stampede.lab.shards.leaves import RayWorkers
    from stampede.proofs.manager.workers import LocalWorkers

    if ray is not None:
        return RayWorkers(ray, jobs)
    return LocalWorkers(partial(worker_pool, jobs or os.cpu_count() or 1))


def _spec(  # noqa: PLR0913, PLR0917 - a command's options
    fen: list[str] | None,
    missing: str,
    steps: str,
    winner: str | None,
    threshold: int | None,
    tiers: str | None,
    batch: int | None,
    memory: int | None,
    tablebases: list[str],
) -> TreeSpec:
    from stampede.kernels.buffalo.keys import canonical_key
    from stampede.proofs.manager.spec import MEGABYTES, TIERS, TreeSpec

    sides = {side.word: side for side in Side}
    winner = winner or Side.HUNTER.word
    if winner not in sides:
        raise InputError(f"--winner: expected {' or '.join(sides)}, got {winner!r}")
    key = key_of_root(fen, missing=missing, steps=steps)
    return TreeSpec(
        title=_title(fen, missing, steps),
        root=int(canonical_key(key)),
        winner=sides[winner],
        tiers=TIERS if tiers is None else _numbers(tiers),
        threshold=threshold,
        batch=16 if batch is None else batch,
        tablebases=tuple(tablebases),
        megabytes=MEGABYTES if memory is None else memory,
    )


def _title(fen: list[str] | None, missing: str, steps: str) -> str:
    if fen:
        return " ".join(fen)
    title = f"The start without {', '.join(missing)}" if missing else "The start"
    return f"{title}, after {steps} steps of a to k" if steps else title


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(float(part)) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"--tiers: expected numbers such as 2000,200000, got {text!r}") from error


@contextmanager
def _status() -> Iterator[Callable[[ProofTree], None]]:
    """Shows the tree's size on standard error: live on a terminal, else a line every half minute."""
    if not sys.stderr.isatty():
        last = time.monotonic()

        def tell(tree: ProofTree) -> None:
            nonlocal last
            if time.monotonic() - last >= LINE_EVERY:
                last = time.monotonic()
                print(_size(tree), file=sys.stderr)

        yield tell
        return
    with Console(stderr=True).status("Searching leaves …") as status:
        yield lambda tree: status.update(_size(tree))


def _size(tree: ProofTree) -> str:
    counts = tree.counts()
    return (
        f"{counts.nodes:,} nodes, {counts.positions:,} positions; open leaves on the cheapest way: "
        f"{counts.frontier:,}; proof number {tree.root.proof:,}, disproof number {tree.root.disproof:,}"
    )


@app.command("tree")
def tree_command(
    tree: TreeFolder,
    *,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the tree's growth as SVG."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Shows a proof tree: what it is about, its leaves by steps left, its rate, and what remains at that rate.

    Examples:
    stampede solve tree all-two
    stampede solve tree all-two --plot growth.svg
    """
    from stampede.proofs.manager.journal import TreeFile, read_milestones

    shown = TreeFile(tree).tree
    if plot is not None:
        drawn = _growth(shown.spec.title, read_milestones(tree))
        with whole_file(plot) as file:
            file.write(drawn)
    _show(shown, as_json=as_json, layers=True)


@app.command("certify")
def certify_command(
    tree: TreeFolder,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The certificate.")],
    folder: FolderOption = None,
    as_json: AsJson = False,
) -> None:
    """Writes the certificate of a proven tree. It proves something only after `stampede solve verify`.

    Example:
    stampede solve certify all-two --out all-two.cert
    """
    from stampede.proofs.manager.certify import certify_tree
    from stampede.proofs.manager.journal import TreeFile
    from stampede.tablebase.tablebase import tablebase_folder

    answers = certify_tree(TreeFile(tree), out, folder or tablebase_folder())
    if as_json:
        write_json({"file": str(out), "answers": answers})
    else:
        print(f"{out}: {answers:,} answers; check it: stampede solve verify {out}")


def _growth(title: str, milestones: list[Milestone]) -> str:
    """Draws what a tree had after each batch."""
    from stampede.lab.plots import Curve, draw_curves

    if not milestones:
        raise InputError("--plot: expected a tree with a finished batch, got none")

    def curve(name: str, count: Callable[[Milestone], int]) -> Curve:
        return Curve(name, tuple((float(at.positions), float(count(at))) for at in milestones))

    curves = [
        curve("nodes", lambda at: at.nodes),
        curve("proven leaves", lambda at: at.proven),
        curve("refuted leaves", lambda at: at.refuted),
        curve("open on the cheapest way", lambda at: at.frontier),
    ]
    return draw_curves(title, curves, x_axis="positions searched", y_axis="count")


def _show(tree: ProofTree, *, as_json: bool, layers: bool = False) -> None:
    from stampede.proofs.manager.tree import FEWEST_DECIDED

    if as_json:
        write_json(_report(tree))
        return
    counts, left = tree.counts(), tree.seconds_left()
    kind = "proof" if tree.spec.threshold is None else "pseudo-proof"
    print(f"{tree.spec.title}: does {tree.spec.winner} win? {kind}: {tree.state}")
    rate = counts.positions / counts.seconds if counts.seconds else 0.0
    print(
        f"{counts.nodes:,} nodes, {counts.expanded:,} expanded; {counts.positions:,} positions in"
        f" {counts.seconds:,.0f} s of processor time ({rate / 1e6:.2f} M/s)"
    )
    if not tree.root.is_decided:
        cost = "" if left is None else f", {left:,} s of processor time at the present cost"
        print(f"The cheapest {kind} still needs at least {counts.frontier:,} open leaves{cost}.")
        if left is None:
            print(
                f"For an estimate of the time, searches have decided too few leaves:"
                f" {tree.decided_leaves()}, {FEWEST_DECIDED} are wanted."
            )
    if layers:
        console().print(_layers(tree))
        budgets = ", ".join(f"{tier:,}" for tier in tree.spec.tiers)
        print(
            f"Budgets of a leaf: {budgets}; {tree.spec.batch} leaves a batch; at most"
            f" {tree.spec.megabytes:,} MB for a transposition table."
        )
        if deferred := sum(node.deferred > 0 for node in tree.nodes.values()):
            print(f"Leaves that workers died with, now deferred: {deferred:,}.")


def _layers(tree: ProofTree) -> Table:
    from stampede.proofs.manager.leaf import LeafState

    rows = Table(title="Leaves by steps left", title_justify="left")
    rows.add_column("steps left", justify="right")
    for state in LeafState:
        rows.add_column(state, justify="right")
    for layer, counts in tree.layers().items():
        rows.add_row(str(layer), *(f"{counts[state]:,}" for state in LeafState))
    return rows


def _report(tree: ProofTree) -> JsonObject:
    counts = tree.counts()
    return {
        "title": tree.spec.title,
        "winner": tree.spec.winner.word,
        "threshold": tree.spec.threshold,
        "state": tree.state,
        "nodes": counts.nodes,
        "expanded": counts.expanded,
        "leaves": {str(state): count for state, count in counts.leaves.items()},
        "frontier": counts.frontier,
        "positions": counts.positions,
        "seconds": round(counts.seconds, 1),
        "seconds_left": tree.seconds_left(),
        "decided": tree.decided_leaves(),
        "batches": counts.batches,
    }
