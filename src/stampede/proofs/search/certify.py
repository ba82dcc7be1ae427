"""Writes what a search has proven as a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stampede.buffalo import Side
from stampede.proofs.certificates import CertificateClaim, Recogniser, claim_of, write_certificate
from stampede.proofs.search.prove import Proof, Prover

__all__ = ["certify", "write_proof"]


def certify(prover: Prover, keys: Sequence[int], winner: Side, *, title: str, path: Path) -> Proof:
    """Writes the certificate of positions (keys as int64) that the prover has decided for the winner."""
    proof = prover.proof(keys, winner)
    write_proof(prover, keys, proof, title=title, path=path)
    return proof


def write_proof(
    prover: Prover, keys: Sequence[int], proof: Proof, *, title: str, path: Path
) -> None:
    """Writes a proof of positions (keys as int64) as a certificate. It names only the tablebases that the proof needs.

    Args:
        prover: Its tablebases are those that the proof refers to.
        keys: The positions that the certificate claims.
        proof: The winner's answers.
        title: One line for people.
        path: The file.
    """
    winner = proof.winner
    if winner is Side.BUFFALO:
        _write_buffalo_proof(prover, keys, proof, title=title, path=path)
        return
    first = [prover.decider(key) if key >= 0 else 0 for key in keys]
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


def _write_buffalo_proof(
    prover: Prover, keys: Sequence[int], proof: Proof, *, title: str, path: Path
) -> None:
    """Writes a proof of the buffalo side's wins; it names an endgame tablebase if it needs one."""
    first = [prover.decider(key) if key < 0 else 0 for key in keys]
    used = prover.endgame is not None and (any(first) or bool(proof.by.any()))
    write_certificate(
        path,
        title=title,
        width=prover.width,
        winner=proof.winner,
        claims=[claim_of(key, by=files) for key, files in zip(keys, first, strict=True)],
        keys=proof.keys,
        moves=proof.moves,
        by=proof.by,
        endgame=str(prover.endgame.spec) if prover.endgame is not None and used else None,
    )
