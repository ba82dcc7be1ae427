"""Move lists in the order in which they are worth trying.

Each entry is order << 21 | move << 7 | its index in the list: the largest one names its place, so that `pick` finds it
in one pass without a branch.
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.bits import first, popcount
from stampede.kernels.buffalo.generate import ahead, dog_targets
from stampede.kernels.buffalo.layout import TO
from stampede.kernels.buffalo.tables import CHIEF_STEPS, FIRST, LAST_RANK, WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo.threats import is_lost_next
from stampede.search.buffalo.workspace import HISTORY, KILLERS, MOVE_BITS

__all__ = ["FORCING", "list_buffalo", "list_hunter", "pick", "reward"]

MOVE_AT: Final = 7
ORDER_AT: Final = MOVE_AT + MOVE_BITS
MOVE_MASK: Final = (1 << MOVE_BITS) - 1
_INDEX: Final = (1 << MOVE_AT) - 1
KNOWN: Final = 1 << 40
"""The table's move comes first."""
FORCING: Final = 1 << 24
"""Captures and crossings stand above this; killers just below, the rest by history."""
_KILLER: Final = 1 << 22
_BLOCK: Final = 1 << 11
_LIMIT: Final = 1 << 14
_EVERYWHERE: Final = -1


@bare
def _order(mem: Words, known: int, ply: int, side: int, move: int) -> int:
    if move == known:
        return KNOWN
    if move == mem[KILLERS + 2 * ply]:
        return _KILLER + 1
    if move == mem[KILLERS + 2 * ply + 1]:
        return _KILLER
    history: int = mem[HISTORY + (side << MOVE_BITS) + move]
    return history


@bare
def _entry(order: int, move: int, index: int) -> int:
    return (order << ORDER_AT) | (move << MOVE_AT) | index


@bare
def list_buffalo(
    mem: Words, start: int, prairie: int, bank: int, walls: int, known: int, ply: int
) -> int:
    """Writes the buffalo side's moves to mem[start:]; `walls` is the set of dogs and chief. Returns their number."""
    at = start
    crossing = prairie & LAST_RANK
    while crossing:
        end = first(crossing)
        crossing &= crossing - 1
        mem[at] = _entry(2 * FORCING, (end + FIRST) | (end << TO), at - start)
        at += 1
    steps = ahead(prairie, bank) & ~(prairie | walls)
    while steps:
        end = first(steps) + FIRST
        steps &= steps - 1
        move = (end + WIDTH) | (end << TO)
        mem[at] = _entry(_order(mem, known, ply, 0, move), move, at - start)
        at += 1
    return at - start


@bare
def list_hunter(
    mem: Words, start: int, prairie: int, bank: int, dogs: int, chief: int, known: int, ply: int,
    danger: int,
) -> int:  # fmt: skip
    """Writes the hunter's moves that don't lose at once (at the root: all) to mem[start:], returns their number.

    `danger` is the set of rank 2 squares that threaten: those with a buffalo, and those that `threats` names.
    """
    at = start
    root = ply == 0
    # 1. The chief: captures first, the most advanced buffalo before others.
    steps = CHIEF_STEPS[chief] & ~dogs
    while steps:
        end = first(steps)
        steps &= steps - 1
        bit = 1 << end
        if not root and is_lost_next(prairie & ~bit, dogs, end):
            continue
        move = (chief + FIRST) | ((end + FIRST) << TO)
        order = _order(mem, known, ply, 1, move)
        if prairie & bit and order != KNOWN:
            order = FORCING + 64 - end
        mem[at] = _entry(order, move, at - start)
        at += 1
    # 2. Dogs: one that alone holds a buffalo on rank 3 is pinned; one danger can be blocked, more can't.
    allowed = _EVERYWHERE
    pinned = 0
    if not root:
        if danger:
            if popcount(danger) > 1 or prairie & danger:
                return at - start
            allowed = danger
        pinned = (prairie >> WIDTH) & LAST_RANK & ~CHIEF_STEPS[chief]
    occupied = prairie | dogs | (1 << chief)
    fronts = ahead(prairie, bank)
    movers = dogs & ~pinned
    while movers:
        dog = first(movers)
        movers &= movers - 1
        targets = dog_targets(dog, occupied) & allowed
        while targets:
            end = first(targets)
            targets &= targets - 1
            move = (dog + FIRST) | ((end + FIRST) << TO)
            order = _order(mem, known, ply, 1, move)
            if (fronts >> end) & 1:
                order += _BLOCK
            mem[at] = _entry(order, move, at - start)
            at += 1
    return at - start


@bare
def pick(mem: Words, start: int, index: int, count: int) -> int:
    """Brings the best of mem[start + index : start + count] to the first of these places and returns it."""
    best: int = mem[start + index]
    left = mem[start + index : start + count]
    for other in range(len(left)):  # by index: the compiler looks at several at once then
        best = max(best, left[other])
    place = best & _INDEX
    mem[start + place] = (mem[start + index] & ~_INDEX) | place
    mem[start + index] = best
    return best


@bare
def reward(mem: Words, start: int, tried: int, side: int, depth: int, ply: int) -> None:
    """The move at mem[start + tried] cut: remembers it, and that those before it didn't."""
    base = HISTORY + (side << MOVE_BITS)
    weight = min(depth * depth + depth, 1200)
    for index in range(start, start + tried + 1):
        order, move = mem[index] >> ORDER_AT, (mem[index] >> MOVE_AT) & MOVE_MASK
        cut = index == start + tried
        if cut and not FORCING <= order < KNOWN and move != mem[KILLERS + 2 * ply]:
            mem[KILLERS + 2 * ply + 1] = mem[KILLERS + 2 * ply]
            mem[KILLERS + 2 * ply] = move
        old = mem[base + move]
        mem[base + move] = old + (weight if cut else -weight) - old * weight // _LIMIT
