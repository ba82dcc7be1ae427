"""Move ordering: the move of the transposition table, captures and crossings, killer moves, then by history.

An entry of a move list is one word, so that `pick_best` finds the best move and its place in one pass without a branch:

    bits 0–6     the entry's own index in the list
    bits 7–20    the move
    bits 21–     the order: the larger, the sooner it is tried
"""

from __future__ import annotations

from typing import Final

from stampede.kernels.bits import first, popcount
from stampede.kernels.buffalo.generate import ahead, dog_targets
from stampede.kernels.buffalo.layout import TO
from stampede.kernels.buffalo.lookups import CHIEF_STEPS, FIRST, LAST_RANK, WIDTH, Words
from stampede.kernels.jit import bare
from stampede.search.buffalo.threats import is_lost_next
from stampede.search.buffalo.workspace import HISTORY, KILLERS, MOVE_BITS

__all__ = [
    "FORCING",
    "list_buffalo_moves",
    "list_hunter_moves",
    "listed_move",
    "listed_order",
    "pick_best",
    "reward_cutoff",
]

_MOVE_SHIFT: Final = 7
_INDEX_MASK: Final = (1 << _MOVE_SHIFT) - 1
_MOVE_MASK: Final = (1 << MOVE_BITS) - 1
_ORDER_SHIFT: Final = _MOVE_SHIFT + MOVE_BITS

# Orders of moves. History stays within ±_HISTORY_LIMIT, so the classes don't overlap.
TABLE_MOVE: Final = 1 << 40
"""The transposition table's move comes first."""
FORCING: Final = 1 << 24
"""Captures and crossings have at least this order; such moves are neither reduced nor pruned."""
_KILLER: Final = 1 << 22
_BLOCK: Final = 1 << 11
"""Added when a dog steps in front of a buffalo."""
_HISTORY_LIMIT: Final = 1 << 14
_MAX_BONUS: Final = 1200
_EVERYWHERE: Final = -1


@bare
def listed_move(entry: int) -> int:
    """The move of a list entry."""
    return (entry >> _MOVE_SHIFT) & _MOVE_MASK


@bare
def listed_order(entry: int) -> int:
    """The order of a list entry: the larger, the sooner it is tried."""
    return entry >> _ORDER_SHIFT


@bare
def _pack(order: int, move: int, index: int) -> int:
    return (order << _ORDER_SHIFT) | (move << _MOVE_SHIFT) | index


@bare
def _quiet_order(space: Words, table_move: int, ply: int, side: int, move: int) -> int:
    """The order of a move that neither captures nor crosses."""
    if move == table_move:
        return TABLE_MOVE
    if move == space[KILLERS + 2 * ply]:
        return _KILLER + 1
    if move == space[KILLERS + 2 * ply + 1]:
        return _KILLER
    history: int = space[HISTORY + (side << MOVE_BITS) + move]
    return history


@bare
def list_buffalo_moves(
    space: Words, start: int, prairie: int, bank: int, walls: int, table_move: int, ply: int
) -> int:
    """Writes the buffalo side's moves to space[start:] and returns their number.

    `walls` is the set of dogs and chief: what a buffalo can't step onto.
    """
    at = start
    crossing = prairie & LAST_RANK
    while crossing:
        end = first(crossing)
        crossing &= crossing - 1
        space[at] = _pack(2 * FORCING, (end + FIRST) | (end << TO), at - start)
        at += 1
    steps = ahead(prairie, bank) & ~(prairie | walls)
    while steps:
        end = first(steps) + FIRST
        steps &= steps - 1
        move = (end + WIDTH) | (end << TO)
        space[at] = _pack(_quiet_order(space, table_move, ply, 0, move), move, at - start)
        at += 1
    return at - start


@bare
def list_hunter_moves(
    space: Words, start: int, prairie: int, bank: int, dogs: int, chief: int, table_move: int,
    ply: int, danger: int,
) -> int:  # fmt: skip
    """Writes the hunter's moves to space[start:] and returns their number.

    Moves that lose at once (see `threats`) are left out, except at the root, where every legal move is wanted. `danger`
    is the set of rank 2 squares that threaten: those with a buffalo, and those that `threats` finds.
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
        order = _quiet_order(space, table_move, ply, 1, move)
        if prairie & bit and order != TABLE_MOVE:
            order = FORCING + 64 - end  # squares count from rank 2: a low one is far advanced
        space[at] = _pack(order, move, at - start)
        at += 1
    # 2. Dogs: a dog can block one threat, but not two, and not a buffalo that is already on rank 2. A dog in front of a
    #    buffalo on rank 3 that the chief doesn't guard is pinned: when it leaves, the buffalo wins.
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
            order = _quiet_order(space, table_move, ply, 1, move)
            if (fronts >> end) & 1:
                order += _BLOCK
            space[at] = _pack(order, move, at - start)
            at += 1
    return at - start


@bare
def pick_best(space: Words, start: int, index: int, count: int) -> int:
    """Swaps the best of space[start + index : start + count] to the front and returns it (selection sort, one step).

    Most nodes are cut off after a move or two, so sorting the whole list would be wasted.
    """
    best: int = space[start + index]
    rest = space[start + index : start + count]
    for other in range(len(rest)):  # by index: the compiler then compares several entries at once
        best = max(best, rest[other])
    place = best & _INDEX_MASK
    space[start + place] = (space[start + index] & ~_INDEX_MASK) | place
    space[start + index] = best
    return best


@bare
def reward_cutoff(space: Words, start: int, tried: int, side: int, depth: int, ply: int) -> None:
    """Updates killers and history: the move at space[start + tried] caused a cutoff, those before it didn't.

    A value moves towards ±_HISTORY_LIMIT by a share of its distance, so it never leaves that range.
    """
    base = HISTORY + (side << MOVE_BITS)
    bonus = min(depth * depth + depth, _MAX_BONUS)
    for index in range(start, start + tried + 1):
        order, move = listed_order(space[index]), listed_move(space[index])
        cut = index == start + tried
        if cut and not FORCING <= order < TABLE_MOVE and move != space[KILLERS + 2 * ply]:
            space[KILLERS + 2 * ply + 1] = space[KILLERS + 2 * ply]
            space[KILLERS + 2 * ply] = move
        old = space[base + move]
        space[base + move] = old + (bonus if cut else -bonus) - old * bonus // _HISTORY_LIMIT
