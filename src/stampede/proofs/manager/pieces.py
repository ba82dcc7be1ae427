"""Pieces of a proof: what a worker proved about one leaf, packed to be sent to the manager and stored on disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np

from stampede.core.errors import InputError
from stampede.kernels.buffalo.lookups import Words
from stampede.proofs.search.prove import Proof

__all__ = ["is_piece", "pack_piece", "piece_path", "read_piece"]


def pack_piece(proof: Proof) -> bytes:
    """A proof's positions, moves and recognisers as the bytes of an npz file."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        keys=proof.keys,
        moves=proof.moves.astype(np.int16),
        by=proof.by.astype(np.int32),
    )
    return buffer.getvalue()


def piece_path(folder: Path, key: int) -> Path:
    """Where the piece of a leaf is: named by its key in hexadecimal, as an unsigned number."""
    return folder / "pieces" / f"{key % (1 << 64):016x}.npz"


def read_piece(path: Path) -> tuple[Words, Words, Words]:
    """Keys, moves and recognisers, int64[n] each; InputError when the file is missing or damaged."""
    try:
        with path.open("rb") as stream, np.load(stream) as saved:
            keys, moves, by = (saved[name].astype(np.int64) for name in ("keys", "moves", "by"))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(
            f"{path}: expected a piece of a proof, got {error}; to search it again, grow the tree"
        ) from error
    if not len(keys) == len(moves) == len(by):
        raise InputError(
            f"{path}: expected three columns of one length; to search it again, grow the tree"
        )
    return keys, moves, by


def is_piece(path: Path) -> bool:
    """Whether a file is there and undamaged."""
    try:
        read_piece(path)
    except InputError:
        return False
    return True
