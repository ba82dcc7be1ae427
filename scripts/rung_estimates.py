"""Measures what is known about the open positions of the ladder and the first moves, and writes the shipped file again.

``python scripts/rung_estimates.py``, from the root of a checkout; ``--only`` names what to measure. The file lists the
positions. The same budgets give the same figures:

    scores      the engine's score, and its games against itself
    likely      pseudo-proofs for the side that won more of these games (if neither did, that has the better score): the
                highest threshold at which a tree with the tiers 2,000 and 20,000 closes within some million positions;
                where the position's own score closes it, there is no tree, and nothing is noted; one with a higher
                threshold stays: it is that of a larger tree in docs/proofs.md
    searched    a search for a proof, with the endgame tablebase and that of eight columns and three dogs, which are
                built if they are missing; a higher figure stays: it is that of a longer search in docs/proofs.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import encode, signed
from stampede.kernels.buffalo.keys import canonical_key
from stampede.proofs.estimates import (
    BUDGET,
    PseudoProof,
    RungEstimate,
    dump_estimates,
    measure_estimate,
    shipped_estimates,
)
from stampede.proofs.manager.grow import GrowthLimits, grow_tree
from stampede.proofs.manager.journal import TreeFile, create_tree
from stampede.proofs.manager.leaf import LeafJob, LeafResult, LeafState, search_leaf
from stampede.proofs.manager.spec import TreeSpec
from stampede.proofs.search.named import open_named
from stampede.proofs.search.prove import Prover
from stampede.tablebase.tablebase import tablebase_folder

FILE: Final = Path(__file__).parents[1] / "src/stampede/proofs/estimates.json"
FIGURES: Final = ("scores", "likely", "searched")
TIERS: Final = (2_000, 20_000)
THRESHOLDS: Final = (100, 200, 300, 400, 500)
TABLEBASES: Final = ("8/abcdefgh/3/2abcdefgh/3", "endgame/11/3/4")
MEGABYTES: Final = 512


class Here:
    """Searches leaves in this process."""

    def search(self, jobs: Sequence[LeafJob]) -> Iterator[LeafResult]:
        """Yields the results in order."""
        return map(search_leaf, jobs)


def key_of(one: RungEstimate) -> int:
    """The key of a position."""
    return int(canonical_key(signed(encode(Position.from_fen(one.fen)))))


def ahead(one: RungEstimate) -> Side:
    """The side that is more likely to win."""
    balance = 2 * one.hunter_wins - len(BUDGET.games)
    return Side.HUNTER if balance > 0 or (balance == 0 and one.score < 0) else Side.BUFFALO


def likely(one: RungEstimate, most: int) -> PseudoProof | None:
    """The pseudo-proof with the highest threshold within so many positions; None if none closes."""
    best = one.likely
    for threshold in THRESHOLDS:
        spec = TreeSpec(one.fen, key_of(one), ahead(one), TIERS, threshold)
        with TemporaryDirectory() as folder:
            create_tree(Path(folder), spec)
            file = TreeFile(Path(folder))
            grow_tree(file, Here(), GrowthLimits(positions=most))
            counts = file.tree.counts()
            told = f"{file.tree.state} after {counts.positions:,} positions, {counts.nodes:,} nodes"
            print(f"  {ahead(one).word}, threshold {threshold}: {told}", flush=True)
            if file.tree.state is not LeafState.LIKELY:
                break
            if counts.expanded == 0:
                continue
            leaves = counts.leaves[LeafState.LIKELY]
            if best is None or threshold > best.threshold:
                best = PseudoProof(ahead(one), threshold, leaves, counts.positions)
    return best


def searched(prover: Prover, one: RungEstimate, positions: int) -> int:
    """How many positions a search takes that finds no proof."""
    prover.forget()
    status = prover.search(key_of(one), positions=positions)
    print(f"  searched {status.positions:,}: {status.proof} and {status.disproof}", flush=True)
    if status.winner is not None:
        raise SystemExit(f"{one.fen}: proven, {status.winner} wins; make a certificate instead")
    return max(one.searched, positions)


def main() -> None:
    """Measures all positions or the named ones; what is measured is in the file at once."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", choices=FIGURES, action="append", help="default: all")
    parser.add_argument("--rung", type=int, action="append", help="only this rung; repeatable")
    parser.add_argument("--trees", type=float, default=4e6, help="positions of a tree at most")
    parser.add_argument("--search", type=float, default=20e6, help="positions of a search")
    asked = parser.parse_args()
    figures = asked.only or FIGURES
    prover = None
    if "searched" in figures:
        tablebases, endgame = open_named(TABLEBASES, tablebase_folder())
        prover = Prover(tablebases, endgame=endgame, megabytes=MEGABYTES, cores=1)
    found = list(shipped_estimates()[1])
    for index, old in enumerate(found):
        if asked.rung and old.rung not in asked.rung:
            continue
        print(f"rung {old.rung} {old.missing}{old.stepped}", flush=True)
        one = old
        if "scores" in figures:
            one = measure_estimate(one)
            told = f"{one.score / 100:+.2f} for the buffaloes"
            wins = f"the hunter won {one.hunter_wins} of {len(BUDGET.games)} games"
            print(f"  {told}; {wins}", flush=True)
        if "likely" in figures:
            one = replace(one, likely=likely(one, int(asked.trees)))
        if prover is not None:
            one = replace(one, searched=searched(prover, one, int(asked.search)))
        found[index] = one
        FILE.write_text(dump_estimates(found), encoding="utf-8")


if __name__ == "__main__":
    main()
