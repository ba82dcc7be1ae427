"""The heart of the search: principal variation search over one position and what follows from it."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from stampede.kernels.bits import popcount
from stampede.kernels.buffalo.generate import ahead
from stampede.kernels.buffalo.keys import pack_dogs
from stampede.kernels.buffalo.layout import (
    CHIEF_AT,
    DOGS_AT,
    FILE_BITS,
    HUNTER_TO_MOVE,
    MAX_MOVES,
    SQUARE_BITS,
    TO,
)
from stampede.kernels.buffalo.tables import (
    CHIEF_STEPS,
    FIRST,
    LAST_RANK,
    NEAR_SHIFT,
    WIDTH,
    Words,
)
from stampede.kernels.jit import bare
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.ordering import (
    FORCING,
    MOVE_AT,
    MOVE_MASK,
    ORDER_AT,
    list_buffalo,
    list_hunter,
    pick,
    reward,
)
from stampede.search.buffalo.threats import threats
from stampede.search.buffalo.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    announce,
    find,
    score_of,
    store,
)
from stampede.search.buffalo.workspace import (
    AGE,
    EXCLUDED,
    EXCLUDED_COUNT,
    KNOWN,
    LENGTHS,
    LINES,
    MAX_PLY,
    MOVES,
    NODE_LIMIT,
    NODES,
    PLAIN,
    STOP,
    WIN,
    WON,
)
from stampede.tablebase.probe import BOUND, MOST_ALIVE, PROBE_WORDS, probe

__all__ = ["visit"]

_FROM: Final = (1 << TO) - 1
_RANK: Final = (1 << FILE_BITS) - 1
_ALL_DOGS: Final = ((1 << (4 * SQUARE_BITS)) - 1) << DOGS_AT
_MARGIN: Final = 90
"""How much the value of a position is trusted to change in one move."""
_INFINITE: Final = 32_000


def _reductions() -> Words:
    table = np.zeros((2, 64, 64), dtype=np.int64)
    for side, slope in enumerate((0.40, 0.65)):
        for depth in range(1, 64):
            for number in range(1, 64):
                table[side, depth, number] = int(0.3 + slope * math.log(depth) * math.log(number))
    return table.reshape(-1)


_REDUCTION: Final = _reductions()
"""By side, depth and a move's number in its list: how much shallower it is tried first."""


@bare
def _is_excluded(mem: Words, move: int) -> bool:
    for index in range(mem[EXCLUDED_COUNT]):
        if mem[EXCLUDED + index] == move:
            return True
    return False


@bare
def _keep_line(mem: Words, ply: int, move: int) -> None:
    """The best line from here is this move and what follows it."""
    here, below = LINES + ply * MAX_PLY, LINES + (ply + 1) * MAX_PLY
    length = mem[LENGTHS + ply + 1]
    mem[here] = move
    for index in range(length):
        mem[here + 1 + index] = mem[below + index]
    mem[LENGTHS + ply] = length + 1


@bare
def _decided(prairie: int, bank: int, walls: int, chief: int, key: int, ply: int) -> int:
    """The score of a position that ends now or with the next crossing, whatever is played; 0 when it doesn't."""
    last = prairie & LAST_RANK
    if key < 0:
        if last and (last & (last - 1) or not CHIEF_STEPS[chief] & last):
            return ply + 2 - WIN
        return 0
    if last:
        return WIN - ply - 1
    if ahead(prairie, bank) & ~(prairie | walls) == 0:
        return ply - WIN
    return 0


@bare
def _recognised(
    mem: Words, prairie: int, bank: int, dogs: int, chief: int, key: int, ply: int
) -> int:
    """The score of a position with the buffalo side to move that a table wins for the hunter; else 0.

    A table bounds how long it takes: the score is never nearer than the end may be. Near leaves asking costs too much.
    """
    if popcount(prairie) + popcount(bank) > mem[KNOWN + MOST_ALIVE]:
        return 0
    found: int = probe(mem[KNOWN : KNOWN + PROBE_WORDS], prairie, bank, dogs, chief, key)
    return ply + (found & BOUND) - WIN if found >= 0 else 0


@bare
def visit(
    mem: Words, table: Words, prairie: int, bank: int, dogs: int, chief: int, key: int,
    depth: int, alpha: int, beta: int, ply: int,
) -> int:  # fmt: skip
    """The score of a position for the side to move, searched to a depth; a bound when outside alpha–beta.

    int64[MEMORY_WORDS], int64[n] table; sets, square and key of the position; all int64. 0 when stopped.
    """
    # 1. Budget.
    mem[NODES] += 1
    mem[LENGTHS + ply] = 0
    if mem[NODES] > mem[NODE_LIMIT] or mem[STOP] != 0:
        mem[STOP] = 1
        return 0
    # 2. What is decided on the spot. At the root a move is wanted all the same.
    hunter = key < 0
    side = 1 if hunter else 0
    walls = dogs | (1 << chief)
    danger = threats(prairie, dogs, chief)
    last = prairie & LAST_RANK
    if ply > 0:
        score = _decided(prairie, bank, walls, chief, key, ply)
        if score != 0 or (danger and not hunter):
            return score if score != 0 else WIN - ply - 3
        # No line is better than the shortest win, or worse than the shortest loss, still possible.
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        if depth > 1 and not hunter and mem[KNOWN + MOST_ALIVE]:
            score = _recognised(mem, prairie, bank, dogs, chief, key, ply)
            if score != 0:
                return score
    # 3. A hunter in danger has few answers: they are looked at one move deeper, and never judged unseen.
    danger |= last
    forced = hunter and danger != 0
    if forced:
        depth = max(depth, 0) + 1
    elif depth <= 0 or ply >= MAX_PLY - 2:
        return evaluate(mem, key)
    # 4. What is known of the position.
    known = 0
    data = find(table, key)
    full = beta - alpha > 1
    if data != 0:
        known = (data >> 16) & MOVE_MASK
        if ply > 0 and not full:
            score, bound = score_of(data, ply), (data >> 38) & 3
            tells = bound & (AT_LEAST if score >= beta else AT_MOST)
            deep = (data >> 30) & 0xFF >= depth or abs(score) >= WON
            if tells and deep and not alpha < score < beta:
                return score
    # 5. Far above what is asked for, with little depth left: leave it at that. So much better that even passing
    #    would do: the same. (Only the hunter may think of passing: the buffalo side may well be glad to.)
    careful = mem[PLAIN] != 0 or full or forced
    worth = 0
    if not careful:
        worth = evaluate(mem, key)
        if depth <= 4 and worth - _MARGIN * depth >= beta > -WON:
            return worth
        if hunter and depth >= 3 and worth >= beta > -WON:
            score = -visit(
                mem, table, prairie, bank, dogs, chief, key ^ HUNTER_TO_MOVE,
                depth - 3 - depth // 4, -beta, 1 - beta, ply + 1,
            )  # fmt: skip
            if score >= beta and mem[STOP] == 0:
                return min(score, WON - 1)
    # 6. All moves, the most promising first.
    start = MOVES + ply * MAX_MOVES
    if hunter:
        count = list_hunter(mem, start, prairie, bank, dogs, chief, known, ply, danger)
    else:
        count = list_buffalo(mem, start, prairie, bank, walls, known, ply)
    best, best_move, number, old_alpha = -_INFINITE, 0, 0, alpha
    if count == 0:
        return ply + 4 - WIN
    for index in range(count):
        entry = pick(mem, start, index, count)
        order, move = entry >> ORDER_AT, (entry >> MOVE_AT) & MOVE_MASK
        if ply == 0 and _is_excluded(mem, move):
            continue
        # 7. Little depth left and many moves tried: the rest won't help.
        if not careful and best > -WON and order < FORCING and depth <= 3:
            hopeless = worth + _MARGIN * depth + 60 <= alpha
            if hopeless or (hunter and number >= 4 + 4 * depth * depth):
                break
        # 8. The position after the move.
        begin, end = move & _FROM, move >> TO
        n_prairie, n_bank, n_dogs, n_chief = prairie, bank, dogs, chief
        n_key = key ^ HUNTER_TO_MOVE
        if not hunter:
            file = end % WIDTH
            bit = 1 << max(end - FIRST, 0)
            n_prairie = (prairie | bit) & ~(bit << WIDTH)
            n_bank = bank & ~(bit >> NEAR_SHIFT)
            n_key -= 1 << (FILE_BITS * file)
        elif begin - FIRST == chief:
            n_chief = end - FIRST
            n_key += (end - begin) << CHIEF_AT
            if (prairie >> n_chief) & 1:
                n_prairie = prairie ^ (1 << n_chief)
                n_key &= ~(_RANK << (FILE_BITS * (n_chief % WIDTH)))
        else:
            n_dogs = dogs ^ (1 << (begin - FIRST)) ^ (1 << (end - FIRST))
            n_key = (n_key & ~_ALL_DOGS) | pack_dogs(n_dogs)
        announce(table, n_key)
        # 9. Its score: a narrow and perhaps shallower look first, a full one when it surprises.
        number += 1
        if end < FIRST:
            score = WIN - 1
            mem[LENGTHS + ply + 1] = 0
        else:
            score = alpha + 1
            less = 0
            if number > 1:
                if not careful and depth >= 2 and order < FORCING:
                    less = _REDUCTION[(side * 64 + min(depth, 63)) * 64 + min(number, 63)]
                    less = max(0, min(less, depth - 1))
                score = -visit(
                    mem, table, n_prairie, n_bank, n_dogs, n_chief, n_key,
                    depth - 1 - less, -alpha - 1, -alpha, ply + 1,
                )  # fmt: skip
                if less > 0 and score > alpha:
                    score = -visit(
                        mem, table, n_prairie, n_bank, n_dogs, n_chief, n_key,
                        depth - 1, -alpha - 1, -alpha, ply + 1,
                    )  # fmt: skip
            if number == 1 or (full and score > alpha):
                score = -visit(
                    mem, table, n_prairie, n_bank, n_dogs, n_chief, n_key,
                    depth - 1, -beta, -alpha, ply + 1,
                )  # fmt: skip
        if mem[STOP] != 0:
            return best if ply == 0 and best > -_INFINITE else 0
        # 10. Better, or too good.
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if full:
                    _keep_line(mem, ply, move)
                if score >= beta:
                    reward(mem, start, index, side, depth, ply)
                    break
    # 11. Remember it.
    if ply > 0 or mem[EXCLUDED_COUNT] == 0:
        bound = AT_LEAST if best >= beta else (EXACT if best > old_alpha else AT_MOST)
        store(table, mem[AGE], key, best_move, best, depth, bound, ply)
    return best
