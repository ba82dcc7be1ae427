"""Writes the certificate of a proven tree: the winner's moves near the root, and the pieces of its leaves."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BOARD_WORDS, KEY
from stampede.kernels.buffalo.lookups import Words
from stampede.kernels.buffalo.make import make_buffalo, make_hunter
from stampede.proofs.manager.journal import TreeFile
from stampede.proofs.manager.leaf import LeafState
from stampede.proofs.manager.pieces import piece_path, read_piece
from stampede.proofs.search.certify import write_proof
from stampede.proofs.search.named import open_named
from stampede.proofs.search.prove import Proof, Prover

__all__ = ["certify_tree"]


def certify_tree(file: TreeFile, path: Path, tablebases: Path) -> int:
    """Writes the certificate of a tree, and returns its number of positions before mirror images are joined.

    It proves something only after `stampede solve verify`.

    Args:
        file: A tree whose root is proven.
        path: The certificate's file.
        tablebases: The tablebases' folder.

    Raises:
        InputError: The root isn't proven, the tree has a threshold, or the piece of a leaf is missing or damaged.
    """
    tree = file.tree
    if tree.spec.threshold is not None:
        raise InputError(
            "expected a tree without a threshold, whose leaves have proofs, got a pseudo-proof"
        )
    if tree.state is not LeafState.PROVEN:
        raise InputError(f"expected a tree whose root is proven, got one that is {tree.state}")
    opened, endgame = open_named(tree.spec.tablebases, tablebases, cores=2)
    prover = Prover(opened, endgame=endgame, megabytes=1, cores=1)
    parts = [read_piece(piece_path(file.folder, leaf.key)) for leaf in tree.searched_leaves()]
    for key in tree.decision():
        node = tree.nodes[key]
        if node.steps and tree.winner_moves(node):
            step = next(step for step in node.steps if tree.nodes[step.key].proof == 0)
            parts.append(_answer(key, step.move, prover))
    keys, moves, by = (np.concatenate(column) for column in zip(*parts, strict=True))
    proof = Proof(tree.spec.winner, keys, moves, by)
    write_proof(prover, [tree.spec.root], proof, title=tree.spec.title, path=path)
    return len(keys)


def _answer(key: int, move: int, prover: Prover) -> tuple[Words, Words, Words]:
    """One answer near the root: the position, the winner's move, and what decides the position after it, or 0."""
    board = np.zeros(BOARD_WORDS, dtype=np.int64)
    unpack(key, board)
    if key < 0:
        make_hunter(board, move)
    else:
        make_buffalo(board, move)
    return np.array([key]), np.array([move]), np.array([prover.decider(int(board[KEY]))])
