"""Writes what a search has proven as a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stampede.buffalo import Side
from stampede.kernels.buffalo.keys import unpack
from stampede.kernels.buffalo.layout import BOARD_WORDS
from stampede.proofs.certificates import CertificateClaim, Recogniser, claim_of, write_certificate
from stampede.proofs.search.prove import Proof, Prover
from stampede.tablebase.windows import recognise

__all__ = ["certify"]


def certify(prover: Prover, keys: Sequence[int], winner: Side, *, title: str, path: Path) -> Proof:
    """Writes the certificate of positions (keys as int64) that the prover has decided for the winner.

    It names only the tablebases that the proof needs.
    """
    proof = prover.proof(keys, winner)
    first = [_window(prover, key) if winner is Side.HUNTER and key >= 0 else 0 for key in keys]
    used = sorted({*proof.by.tolist(), *first} - {0})
    windows = [prover.recognisers.window(number) for number in used]
    tablebases = sorted({window.tablebase for window in windows})
    renumbered = np.zeros(len(prover.recognisers.windows) + 1, dtype=np.uint16)
    renumbered[used] = np.arange(1, len(used) + 1)
    claims: list[CertificateClaim] = [
        claim_of(key, by=int(renumbered[number])) for key, number in zip(keys, first, strict=True)
    ]
    write_certificate(
        path,
        title=title,
        width=prover.width,
        winner=winner,
        claims=claims,
        tablebases=[str(prover.tablebases[tablebase].spec) for tablebase in tablebases],
        recognisers=[
            Recogniser(
                tablebase=tablebases.index(window.tablebase),
                column=window.column,
                mirrored=window.mirrored,
            )
            for window in windows
        ],
        keys=proof.keys,
        moves=proof.moves,
        by=renumbered[proof.by],
    )
    return proof


def _window(prover: Prover, key: int) -> int:
    board = np.zeros(BOARD_WORDS, dtype=np.int64)
    unpack(key, board)
    return int(recognise(board, prover.recognisers))
