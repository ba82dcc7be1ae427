"""Writes certificates: positions in any order and orientation become sorted blocks of canonical ones."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Side
from stampede.kernels.jit import kernel
from stampede.proofs.certificates.board import (
    WIDTH,
    Words,
    canonical,
    position_of,
    to_file_order,
)
from stampede.proofs.certificates.endgame_solver import EndgameGame
from stampede.proofs.certificates.format import (
    BLOCK,
    CertificateClaim,
    CertificateHeader,
    Recogniser,
    check_header,
    encode_block,
    header_bytes,
)
from stampede.proofs.certificates.window_game import WindowSpec

__all__ = ["claim_of", "write_certificate"]

_KEY: Final = (1 << 63) - 1


def claim_of(key: int | np.int64 | np.uint64, by: int = 0) -> CertificateClaim:
    """Makes a claim from a kernel's key, whose highest bit says which side is to move."""
    word = int(key) % (1 << 64)
    return CertificateClaim(position_of(word & _KEY, hunter_to_move=bool(word >> 63)), by)


def write_certificate(
    path: Path,
    *,
    title: str,
    width: int,
    winner: Side,
    claims: Sequence[CertificateClaim],
    keys: npt.NDArray[np.int64] | npt.NDArray[np.uint64],
    moves: npt.NDArray[np.int64],
    tablebases: Sequence[str] = (),
    recognisers: Sequence[Recogniser] = (),
    by: npt.NDArray[np.integer] | None = None,
    endgame: str | None = None,
) -> CertificateHeader:
    """Writes a certificate and returns its header. Checks nothing about the proof.

    Args:
        path: The file; it appears when it is complete.
        title: One line for people.
        width: The number of the board's columns.
        winner: The side that wins.
        claims: The positions that it wins; see `claim_of`.
        keys: Positions with the winner to move, as the kernels write them; the highest bit is ignored. In any
            order; of a position and its mirror image the first one is used.
        moves: The winner's move for each, as the kernels write them: from | to << 7. From a buffalo's square to
            itself: leave it out.
        tablebases: Specs of tablebases.
        recognisers: Tablebases laid over the board.
        by: For each position 0 or 1 + the index of the recogniser that decides the position after the move; if the
            buffalo side wins, the set of files whose buffaloes win by themselves after it.
        endgame: The text of the endgame tablebase that has these sets.
    """
    specs = tuple(WindowSpec.parse(text) for text in tablebases)
    known, images = _add_images(list(recognisers), specs, width)
    if endgame is not None:
        images = _mirror_files(width)
    words = keys.astype(np.uint64) & np.uint64(_KEY)
    numbers = np.zeros(len(keys), np.int64) if by is None else by.astype(np.int64)
    rows = _orient(words.astype(np.int64), moves.astype(np.int64), numbers, images, width, winner)
    order = np.argsort(rows[0], kind="stable")
    rows = rows[:, order]
    rows = rows[:, np.flatnonzero(np.diff(rows[0], prepend=np.int64(-1)))]
    blocks = [
        encode_block(*rows[:, begin : begin + BLOCK]) for begin in range(0, rows.shape[1], BLOCK)
    ]
    header = CertificateHeader(
        title=title,
        width=width,
        winner=winner,
        claims=tuple(claims),
        tablebases=specs,
        recognisers=tuple(known),
        positions=rows.shape[1],
        blocks=len(blocks),
        body=sha256(b"".join(blocks)).hexdigest(),
        endgame=None if endgame is None else EndgameGame.parse(endgame),
    )
    check_header(header)
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        file.write(header_bytes(header))
        file.writelines(blocks)
    partial.replace(path)
    return header


def _add_images(
    known: list[Recogniser], specs: Sequence[WindowSpec], width: int
) -> tuple[list[Recogniser], Words]:
    """Adds mirror images of recognisers; returns them, and by number (0 stays 0) the number of the image."""
    index = {seen: number for number, seen in enumerate(known, start=1)}
    images = [0]
    for seen in list(known):
        left = width - specs[seen.tablebase].columns - seen.column
        image = Recogniser(seen.tablebase, left, not seen.mirrored)
        if image not in index:
            known.append(image)
            index[image] = len(known)
        images.append(index[image])
    return known, np.array(images, dtype=np.int64)


def _mirror_files(width: int) -> Words:
    """By set of files: its mirror image."""
    every = np.arange(1 << width)
    return sum(
        ((every >> file & 1) << (width - 1 - file) for file in range(width)), np.zeros_like(every)
    )


@kernel
def _orient(
    keys: Words,
    moves: Words,
    by: Words,
    images: Words,
    width: int,
    winner: int,
) -> Words:
    """Mirrors positions that aren't canonical, with their moves and what they name: int64[3, n] in file order.

    `images`: by number of a recogniser, or by set of files, its mirror image.
    """
    rows = np.empty((3, len(keys)), np.int64)
    for index in range(len(keys)):
        key, move, number = keys[index], moves[index], by[index]
        least = canonical(key, width, winner)
        if to_file_order(key, winner) != least:
            start, end = move & 127, move >> 7
            start += width - 1 - 2 * (start % WIDTH)
            end += width - 1 - 2 * (end % WIDTH)
            move, number = start | end << 7, images[number]
        rows[0, index], rows[1, index], rows[2, index] = least, move, number
    return rows
