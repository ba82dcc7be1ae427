"""Draws legal actions from masks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import bare
from stampede.kernels.put import Bytes
from stampede.kernels.rng import RngState, below

__all__ = ["draw_actions"]


@bare
def draw_actions(
    mask: Bytes,
    acting: Bytes,
    atoms: int,
    nothing: int,
    rng: RngState,
    actions: npt.NDArray[np.int16],
) -> None:
    """Draws an action for each row of a mask, every legal one equally likely.

    Args:
        mask: int8[rows × atoms], 1 for a legal action.
        acting: int8[rows], 1 for a row that is asked.
        atoms: The length of a row.
        nothing: The action of a row that isn't asked.
        rng: uint64[1], changed.
        actions: int16[rows], filled.
    """
    for row in range(len(acting)):
        actions[row] = nothing
        if not acting[row]:
            continue
        at = row * atoms
        legal = 0
        for atom in range(atoms):
            legal += mask[at + atom]
        wanted = below(rng, legal)
        # Blocks of eight first, then single ones.
        while True:
            block = 0
            for atom in range(8):
                block += mask[at + atom]
            if wanted < block or at + 16 > (row + 1) * atoms:
                break
            wanted -= block
            at += 8
        while wanted >= mask[at]:
            wanted -= int(mask[at])
            at += 1
        actions[row] = at - row * atoms
