"""The search kernel: principal variation search (alpha-beta) with a transposition table.

Iterative deepening and aspiration windows are in `engine`; this module searches one root position to one depth. It uses
null-move pruning, reverse futility and futility pruning, late-move pruning and reductions, and check-like extensions
where the hunter has to answer a threat. There is no separate quiescence search: `threats` decides positions with an
immediate crossing at once, and forced answers are extended, so the positions that remain are quiet.

A position is passed as five words (sets of buffaloes on the prairie and on the bank, of dogs, the chief's square, the
key), not as a board that is changed and restored: they stay in registers.

Scores are for the side to move, in hundredths of a point. `WIN - n` is a win in n plies from the root.
"""

from __future__ import annotations

from typing import Final

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
from stampede.kernels.buffalo.lookups import (
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
    list_buffalo_moves,
    list_hunter_moves,
    listed_move,
    listed_order,
    pick_best,
    reward_cutoff,
)
from stampede.search.buffalo.parameters import (
    FUTILITY_MARGIN,
    LATE_MOVE_BASE,
    LATE_MOVE_FACTOR,
    NULL_MOVE_DEPTH,
    NULL_MOVE_DIVISOR,
    NULL_MOVE_REDUCTION,
    REDUCTIONS,
    REVERSE_DEPTH,
)
from stampede.search.buffalo.threats import threats
from stampede.search.buffalo.transposition import (
    EXACT,
    LOWER,
    UPPER,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    find_entry,
    prefetch,
    store_entry,
)
from stampede.search.buffalo.workspace import (
    EXCLUDED,
    EXCLUDED_COUNT,
    FULL_WIDTH,
    GENERATION,
    MAX_PLY,
    MOVE_LISTS,
    NODE_LIMIT,
    NODES,
    PARAMETERS,
    PROVEN,
    PV_LENGTHS,
    PV_MOVES,
    STOP,
    TABLEBASES,
    WIN,
)
from stampede.tablebase.probe import BOUND, MOST_ALIVE, PROBE_WORDS, probe

__all__ = ["pvs"]

_FROM_MASK: Final = (1 << TO) - 1
_RANK_MASK: Final = (1 << FILE_BITS) - 1
_DOGS_MASK: Final = ((1 << (4 * SQUARE_BITS)) - 1) << DOGS_AT
_INFINITE: Final = 32_000

_FUTILITY_BASE: Final = 60
"""What a futile move is given besides the margin of each ply of depth, in hundredths."""
_MAX_FUTILITY_DEPTH: Final = 3


@bare
def _reduction(space: Words, side: int, depth: int, number: int) -> int:
    place = (side * 64 + min(depth, 63)) * 64 + min(number, 63)
    reduction: int = space[PARAMETERS + REDUCTIONS + place]
    return max(0, min(reduction, depth - 1))


@bare
def _depth_after_pass(space: Words, depth: int) -> int:
    """How deep a null move is searched."""
    reduction: int = space[PARAMETERS + NULL_MOVE_REDUCTION]
    divisor: int = space[PARAMETERS + NULL_MOVE_DIVISOR]
    return depth - reduction - depth // divisor


@bare
def _moves_before_late(space: Words, depth: int) -> int:
    """How many moves of the hunter are looked at before quiet ones are skipped."""
    base: int = space[PARAMETERS + LATE_MOVE_BASE]
    factor: int = space[PARAMETERS + LATE_MOVE_FACTOR]
    return base + factor * depth * depth


@bare
def _is_excluded(space: Words, move: int) -> bool:
    for index in range(space[EXCLUDED_COUNT]):
        if space[EXCLUDED + index] == move:
            return True
    return False


@bare
def _update_pv(space: Words, ply: int, move: int) -> None:
    """Makes the principal variation of this ply: the move, then the variation of the next ply."""
    here, below = PV_MOVES + ply * MAX_PLY, PV_MOVES + (ply + 1) * MAX_PLY
    length = space[PV_LENGTHS + ply + 1]
    space[here] = move
    for index in range(length):
        space[here + 1 + index] = space[below + index]
    space[PV_LENGTHS + ply] = length + 1


@bare
def _score_at_sight(
    prairie: int, bank: int, walls: int, chief: int, key: int, danger: int, ply: int
) -> int:
    """The score of a position that is over, or that a crossing decides which can't be stopped; 0 for all others."""
    last = prairie & LAST_RANK
    if key < 0:
        # Hunter to move: two buffaloes on rank 2, or one out of the chief's reach, cross after any move.
        if last and (last & (last - 1) or not CHIEF_STEPS[chief] & last):
            return ply + 2 - WIN
        return 0
    if last:
        return WIN - ply - 1
    if ahead(prairie, bank) & ~(prairie | walls) == 0:
        return ply - WIN
    return WIN - ply - 3 if danger else 0


@bare
def _probe_tablebases(
    space: Words, prairie: int, bank: int, dogs: int, chief: int, key: int, ply: int
) -> int:
    """The score of a position with the buffalo side to move that a tablebase wins for the hunter; else 0.

    A tablebase knows the winner and a bound on the plies until the end. The score assumes the bound, so it never
    promises a quicker win than there is. Near the leaves a probe costs more than the search that it saves.
    """
    if popcount(prairie) + popcount(bank) > space[TABLEBASES + MOST_ALIVE]:
        return 0
    found: int = probe(
        space[TABLEBASES : TABLEBASES + PROBE_WORDS], prairie, bank, dogs, chief, key
    )
    return ply + (found & BOUND) - WIN if found >= 0 else 0


@bare
def _is_cutoff(data: int, score: int, depth: int, alpha: int, beta: int) -> bool:
    """Whether an entry of the transposition table answers a node; a proven score does so at any depth."""
    usable = entry_bound(data) & (LOWER if score >= beta else UPPER)
    deep = entry_depth(data) >= depth or abs(score) >= PROVEN
    return usable != 0 and deep and not alpha < score < beta


@bare
def pvs(
    space: Words, tt: Words, prairie: int, bank: int, dogs: int, chief: int, key: int,
    depth: int, alpha: int, beta: int, ply: int,
) -> int:  # fmt: skip
    """Searches a position to a depth and returns its score, fail-soft: outside alpha–beta it is a bound.

    The memory, int64[WORKSPACE_WORDS]; the transposition table, int64[n]; the position; the depth in plies; the window;
    the distance from the root. Returns 0 when the search was stopped (see STOP): the caller must discard it.
    """
    # 1. Budget.
    space[NODES] += 1
    space[PV_LENGTHS + ply] = 0
    if space[NODES] > space[NODE_LIMIT] or space[STOP] != 0:
        space[STOP] = 1
        return 0
    # 2. Positions that are decided at sight. The root needs a move all the same.
    hunter = key < 0
    side = 1 if hunter else 0
    walls = dogs | (1 << chief)
    danger = threats(prairie, dogs, chief)
    last = prairie & LAST_RANK
    if ply > 0:
        score = _score_at_sight(prairie, bank, walls, chief, key, danger, ply)
        if score != 0:
            return score
        # Mate-distance pruning: no line beats the shortest win, or is worse than the shortest loss, still possible.
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        if depth > 1 and not hunter and space[TABLEBASES + MOST_ALIVE]:
            score = _probe_tablebases(space, prairie, bank, dogs, chief, key, ply)
            if score != 0:
                return score
    # 3. Extension, and the horizon. A threatened hunter has few answers, like a king in check: search them one ply
    #    deeper, and never evaluate such a position. The others are quiet, so there is no quiescence search.
    danger |= last
    forced = hunter and danger != 0
    if forced:
        depth = max(depth, 0) + 1
    elif depth <= 0 or ply >= MAX_PLY - 2:
        return evaluate(space, key)
    # 4. Transposition table. Nodes with an open window only take the move, to keep their variation complete.
    table_move = 0
    data = find_entry(tt, key)
    pv_node = beta - alpha > 1
    if data != 0:
        table_move = entry_move(data)
        score = entry_score(data, ply)
        if ply > 0 and not pv_node and _is_cutoff(data, score, depth, alpha, beta):
            return score
    # 5. Reverse futility pruning: the evaluation is far above beta, and little depth is left. Null move: the score
    #    stays above beta even after passing. Only the hunter passes; the buffalo side is often glad to (zugzwang).
    careful = space[FULL_WIDTH] != 0 or pv_node or forced
    static, margin = 0, space[PARAMETERS + FUTILITY_MARGIN]
    if not careful:
        static = evaluate(space, key)
        if depth <= space[PARAMETERS + REVERSE_DEPTH] and static - margin * depth >= beta > -PROVEN:
            return static
        if hunter and depth >= space[PARAMETERS + NULL_MOVE_DEPTH] and static >= beta > -PROVEN:
            score = -pvs(
                space, tt, prairie, bank, dogs, chief, key ^ HUNTER_TO_MOVE,
                _depth_after_pass(space, depth), -beta, 1 - beta, ply + 1,
            )  # fmt: skip
            if score >= beta and space[STOP] == 0:
                return min(score, PROVEN - 1)  # a win after a pass isn't a proven win
    # 6. All moves, the most promising first. No move: any move of the hunter, a step to rank 2, any move, a crossing.
    start = MOVE_LISTS + ply * MAX_MOVES
    if hunter:
        count = list_hunter_moves(space, start, prairie, bank, dogs, chief, table_move, ply, danger)
    else:
        count = list_buffalo_moves(space, start, prairie, bank, walls, table_move, ply)
    best, best_move, number, old_alpha = -_INFINITE, 0, 0, alpha
    if count == 0:
        return ply + 4 - WIN
    for index in range(count):
        entry = pick_best(space, start, index, count)
        order, move = listed_order(entry), listed_move(entry)
        if ply == 0 and _is_excluded(space, move):
            continue
        # 7. Futility and late-move pruning: with little depth left, quiet moves won't raise alpha any more.
        if not careful and best > -PROVEN and order < FORCING and depth <= _MAX_FUTILITY_DEPTH:
            futile = static + margin * depth + _FUTILITY_BASE <= alpha
            if futile or (hunter and number >= _moves_before_late(space, depth)):
                break
        # 8. The position after the move.
        begin, end = move & _FROM_MASK, move >> TO
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
                n_key &= ~(_RANK_MASK << (FILE_BITS * (n_chief % WIDTH)))
        else:
            n_dogs = dogs ^ (1 << (begin - FIRST)) ^ (1 << (end - FIRST))
            n_key = (n_key & ~_DOGS_MASK) | pack_dogs(n_dogs)
        prefetch(tt, n_key)
        # 9. Its score: the first move with the full window, the others with a null window and, late in the list, a
        #    reduced depth (late-move reductions); a move that surprises is searched again.
        number += 1
        if end < FIRST:  # a crossing, at the root only: elsewhere step 2 has decided it
            score = WIN - 1
            space[PV_LENGTHS + ply + 1] = 0
        else:
            score, reduction = alpha + 1, 0
            if number > 1:
                if not careful and depth >= 2 and order < FORCING:
                    reduction = _reduction(space, side, depth, number)
                score = -pvs(
                    space, tt, n_prairie, n_bank, n_dogs, n_chief, n_key,
                    depth - 1 - reduction, -alpha - 1, -alpha, ply + 1,
                )  # fmt: skip
                if reduction > 0 and score > alpha:
                    score = -pvs(
                        space, tt, n_prairie, n_bank, n_dogs, n_chief, n_key,
                        depth - 1, -alpha - 1, -alpha, ply + 1,
                    )  # fmt: skip
            if number == 1 or (pv_node and score > alpha):
                score = -pvs(
                    space, tt, n_prairie, n_bank, n_dogs, n_chief, n_key,
                    depth - 1, -beta, -alpha, ply + 1,
                )  # fmt: skip
        if space[STOP] != 0:
            # The root keeps what the completed moves have shown.
            return best if ply == 0 and best > -_INFINITE else 0
        # 10. A better move, or a cutoff.
        if score > best:
            best = score
            if score > alpha:
                best_move = move
                alpha = score
                if pv_node:
                    _update_pv(space, ply, move)
                if score >= beta:
                    reward_cutoff(space, start, index, side, depth, ply)
                    break
    # 11. Store the result, unless root moves were excluded: then it isn't the position's.
    if ply > 0 or space[EXCLUDED_COUNT] == 0:
        bound = LOWER if best >= beta else (EXACT if best > old_alpha else UPPER)
        store_entry(tt, space[GENERATION], key, best_move, best, depth, bound, ply)
    return best
