"""How much space the intermediate results of a tablebase take while it is solved, known beforehand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from stampede.proofs.certificates.material import DIGITS, OWN_IMAGE, Material, all_materials
from stampede.proofs.certificates.recursion import BITS, ROWS
from stampede.proofs.certificates.window_game import WindowGame, WindowSpec, Words

__all__ = ["SolverSpace", "solver_space"]


@dataclass(frozen=True, slots=True)
class SolverSpace:
    """Bytes of intermediate results, each at its peak.

    Attributes:
        levels: H of two sums.
        kept: What is kept of solved materials, before it is compressed.
        loaded: What is kept of five sums of all materials that one material needs.
    """

    levels: int
    kept: int
    loaded: int


def solver_space(spec: WindowSpec) -> SolverSpace:
    """The space that `solve_window` takes."""
    placements = len(WindowGame.of(spec).dogs)
    bits = 8 * ROWS * -(-placements // BITS)
    todo = list(all_materials(len(spec.live), is_symmetric=spec.is_symmetric))
    needed = Counter(
        material.without(member).kept for material in todo for member in material.members
    )
    kept: dict[Material, int] = {}
    levels = most = loaded = 0
    for material in todo:
        sums = _states_by_sum(material)
        kept[material] = int(sums.sum()) * len(material.absent) * bits
        most = max(most, sum(kept.values()))
        levels = max(levels, 2 * int(sums.max()) * placements * 8)
        smaller = {material.without(member).kept for member in material.members}
        loaded = max(loaded, sum(_most_of_five(left) * len(left.absent) * bits for left in smaller))
        for member in material.members:
            left = material.without(member).kept
            needed[left] -= 1
            if not needed[left]:
                del kept[left]
    return SolverSpace(levels, most, loaded)


def _states_by_sum(material: Material) -> Words:
    """The number of stored states with each sum of digits, rounded up."""
    found = np.ones(1, dtype=np.int64)
    for _ in material.members:
        found = np.convolve(found, np.ones(DIGITS, dtype=np.int64))
    return (found + 1) // 2 if material.kind == OWN_IMAGE else found


def _most_of_five(material: Material) -> int:
    sums = _states_by_sum(material)
    return max(int(sums[at : at + DIGITS].sum()) for at in range(len(sums)))
