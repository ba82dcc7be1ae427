"""The ways to use a bonus of more than three cows, or one that must be used, by dynamic programming over pastures.

Bonuses of up to three cows, the usual ones, have closed formulas (`stampede.kernels.zoff.options`). This is slower and
knows no limit but `MAX_BONUS`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stampede.kernels.jit import kernel
from stampede.kernels.zoff.layout import MAX_BONUS, MAX_PASTURES

__all__ = ["Room", "count_ways", "most_placeable", "nth_way"]

Room: TypeAlias = tuple[int, int, int, int, int, int, int, int, int]
"""How many cows the bonus has at most; seven sets of pastures: those that may take one, two, three, four cows, and
those of them that one, two, three cows fill; how many cows must be placed (Z5.2)."""

Counts = npt.NDArray[np.int64]
"""int64[pasture, cows, filled]: the ways to put so many cows on this pasture and later ones, filling so many."""


@kernel
def _takes(room: Room, pasture: int, cows: int) -> bool:
    """Whether a pasture may take so many cows; none is always fine."""
    _, one, two, three, four, _, _, _, _ = room
    members = one if cows == 1 else two if cows == 2 else three if cows == 3 else four
    return cows == 0 or (members >> pasture) & 1 == 1


@kernel
def _fills(room: Room, pasture: int, cows: int) -> int:
    """1 if so many cows fill a pasture, else 0. All four on one pasture need no mark: nothing else is filled then."""
    _, _, _, _, _, fill_1, fill_2, fill_3, _ = room
    members = fill_1 if cows == 1 else fill_2 if cows == 2 else fill_3 if cows == 3 else 0
    return (members >> pasture) & 1


@kernel
def _tabulate(room: Room) -> Counts:
    """Fills in the table from the last pasture to the first."""
    counts = np.zeros((MAX_PASTURES + 1, MAX_BONUS + 1, MAX_BONUS + 1), dtype=np.int64)
    counts[MAX_PASTURES, 0, 0] = 1
    for back in range(MAX_PASTURES):
        pasture = MAX_PASTURES - 1 - back
        for here in range(room[0] + 1):
            if not _takes(room, pasture, here):
                continue
            filled = _fills(room, pasture, here)
            for rest in range(room[0] - here + 1):
                for fills in range(MAX_BONUS + 1 - filled):
                    counts[pasture, here + rest, fills + filled] += counts[pasture + 1, rest, fills]
    return counts


@kernel
def _orders(filled: int) -> int:
    """In how many orders so many pastures can be filled. int64 → int64."""
    orders = 1
    for number in range(2, filled + 1):
        orders *= number
    return orders


@kernel
def most_placeable(room: Room) -> int:
    """How many cows of the bonus can be placed at all. `Room` → int64."""
    counts = _tabulate(room)
    most = room[0]
    while most > 0 and counts[0, most].sum() == 0:
        most -= 1
    return most


@kernel
def count_ways(room: Room) -> int:
    """In how many ways the bonus can be used, none included unless it must be used. `Room` → int64."""
    counts = _tabulate(room)
    total = 0
    for cows in range(room[8], room[0] + 1):
        for filled in range(MAX_BONUS + 1):
            total += counts[0, cows, filled] * _orders(filled)
    return int(total)


@kernel
def nth_way(room: Room, index: int) -> int:
    """The way with this number, from 0 (none) to `count_ways` - 1. `Room`, int64 → int64, a bonus."""
    counts = _tabulate(room)
    for cows in range(room[8], room[0] + 1):
        for filled in range(MAX_BONUS + 1):
            orders = _orders(filled)
            size = int(counts[0, cows, filled]) * orders
            if index < size:
                return _spread(room, counts, cows, filled, index // orders, index % orders)
            index -= size
    return 0


@kernel
def _spread(room: Room, counts: Counts, cows: int, filled: int, number: int, order: int) -> int:
    """Among the ways with so many cows that fill so many pastures. …, int64 × 4 → int64, a bonus.

    Pastures that don't fill come first; the others come in the order with this number.
    """
    bonus, placed = 0, 0
    filling = np.zeros(MAX_BONUS, dtype=np.int64)  # by pasture that fills: its part of the bonus
    sizes = np.zeros(MAX_BONUS, dtype=np.int64)
    found = 0
    left, fills = cows, filled
    for pasture in range(MAX_PASTURES):
        for here in range(left + 1):
            fill = _fills(room, pasture, here)
            if not _takes(room, pasture, here) or fill > fills:
                continue
            size = int(counts[pasture + 1, left - here, fills - fill])
            if number >= size:
                number -= size
                continue
            part = 0
            for _ in range(here):
                part = part << 4 | (pasture + 1)
            if fill:
                filling[found], sizes[found] = part, here
                found += 1
            else:
                bonus |= part << (4 * placed)
                placed += here
            left -= here
            fills -= fill
            break
    for remaining in range(found, 0, -1):
        # The factorial number system: each digit picks one of those that remain.
        block = _orders(remaining - 1)
        pick = order // block
        order %= block
        bonus |= filling[pick] << (4 * placed)
        placed += int(sizes[pick])
        for at in range(pick, found - 1):
            filling[at], sizes[at] = filling[at + 1], sizes[at + 1]
    return int(bonus)
